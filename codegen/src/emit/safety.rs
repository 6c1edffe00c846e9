//! Why an `unsafe` block is sound. The emitter that writes the block knows, and puts the reason in front of the
//! statement or item as an attribute, because tokens have no comments; the formatter prints it as one. Where no file
//! is written, no reason is.

use opendyn_model::plan::{Function, Obligation};
use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;

/// The fact that a block relies on.
#[derive(Clone, Copy)]
pub(super) enum Reason {
    /// `open` and its like are unsafe.
    Library,
    /// A safe method.
    Signature,
    /// An unsafe method.
    SignatureAndPointers,
    /// A handle from a pointer.
    Pointer,
    /// A handle from a token, lent to the call.
    Token,
    /// A handle from a token, which the call frees.
    TakenToken,
    /// A state from a token.
    State,
    /// An argument out of its slot.
    Field,
    /// What frees memory of C's.
    Free,
    /// The handles that a session leaves.
    FreeAll,
    /// A closure for one call.
    Callback,
    /// A closure that a handle keeps.
    KeptCallback,
    /// A struct without text, for JSON.
    Layout,
    /// A struct with pointers to text, for JSON.
    LayoutAndText,
    /// A struct in general.
    Plain,
}

impl Reason {
    fn text(self) -> &'static str {
        match self {
            Self::Library => "the caller vouches for the library.",
            Self::Signature => "the caller that opened the library vouched that it keeps to the document.",
            Self::SignatureAndPointers => {
                "the caller that opened the library vouched that it keeps to the document, the caller of this method for the pointers."
            }
            Self::Pointer => "the caller vouches for the pointer.",
            Self::Token => {
                "the table holds the pointer for this binding, and no other call frees it while the guard lives."
            }
            Self::TakenToken => {
                "the table held the pointer for this binding, and has given it to this call alone."
            }
            Self::State => "the table holds what `into_raw` gave up, and lends it to one call at a time.",
            Self::Field => "the field at this position is of the kind that is taken, and it is taken once.",
            Self::Free => {
                "the pointer came from this binding, which still exists, and its owner frees it once; the library keeps to the document."
            }
            Self::FreeAll => {
                "the handles are those of this binding, and no call uses them: the guard is held."
            }
            Self::Callback => {
                "C passes what the document says, and the user data that it was given, while the function runs."
            }
            Self::KeptCallback => {
                "C passes what the document says, and the user data that it was given, while the handle keeps it."
            }
            Self::Layout => "the table is made of the sizes and offsets of this very type.",
            Self::LayoutAndText => {
                "the table is made of the sizes and offsets of this very type; in a reply its strings are those of C, or copies."
            }
            Self::Plain => "its members are numbers, pointers, and structs and arrays of them.",
        }
    }
}

impl Emitter<'_> {
    /// What stands in front of a statement, an item or a block at the end.
    pub(super) fn because(&self, reason: Reason) -> TokenStream {
        self.comment(reason.text())
    }

    /// Why a call that comes as JSON may call an unsafe method: of each argument that makes it unsafe.
    pub(super) fn because_of_json(&self, function: &Function) -> TokenStream {
        if !self.with_reasons {
            return TokenStream::new();
        }
        let mut facts: Vec<String> = Vec::new();
        for (param, argument) in function.arguments() {
            for fact in argument.obligation.iter().flat_map(|obligation| facts_of(obligation, &param.key)) {
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
        self.comment(&format!("{}.", facts.join("; ")))
    }

    fn comment(&self, text: &str) -> TokenStream {
        if !self.with_reasons {
            return TokenStream::new();
        }
        let text = format!(" SAFETY: {text}");
        quote!(#[comment = #text])
    }
}

/// Why JSON keeps what the caller of an unsafe method owes.
fn facts_of(obligation: &Obligation, key: &str) -> Vec<String> {
    match obligation {
        Obligation::Length { .. } => {
            vec![format!("`unchecked = allow` vouches for the length of `{key}`")]
        }
        Obligation::Room => vec![format!("`unchecked = allow` vouches that `{key}` is large enough")],
        Obligation::Pointee => {
            vec!["JSON gives only NULL for a pointer that the document does not describe".to_owned()]
        }
        Obligation::Members { text, opaque } => {
            let text = text.then(|| {
                "the reader ended the strings in structs with NUL and keeps them until the call has returned"
                    .to_owned()
            });
            let opaque =
                opaque.then(|| "pointers in structs that the document does not describe are NULL".to_owned());
            text.into_iter().chain(opaque).collect()
        }
    }
}
