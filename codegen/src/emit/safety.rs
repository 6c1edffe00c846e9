//! Why an `unsafe` block is sound. The emitter that writes the block knows, and puts the reason in front of the
//! statement or item as an attribute, because tokens have no comments; the formatter prints it as one. Where no file
//! is written, no reason is.

use opendyn_model::plan::{Function, Obligation};

use super::Emitter;
use crate::tokens::{TokenStream, quote};

/// The fact that a block relies on.
#[derive(Clone, Copy)]
pub(super) enum Reason {
    /// `open` and its like are unsafe.
    Library,
    /// A safe method.
    Signature,
    /// An unsafe method.
    SignatureAndPointers,
    /// A call that is lent memory through members of a state.
    Lent,
    /// A member of the struct behind a handle.
    Member,
    /// A handle from a pointer.
    Pointer,
    /// A further owner of a handle.
    Retained,
    /// A handle from a token, lent to the call.
    Token,
    /// A handle from a token, which the call frees.
    TakenToken,
    /// An argument out of its slot.
    Field,
    /// What a failed call gives back.
    GivenBack,
    /// A handle that can go to another thread.
    Sent,
    /// A handle that several threads can use.
    Shared,
    /// The table of all functions.
    Table,
    /// What frees memory of C's.
    Free,
    /// What allocates memory that C frees.
    Allocate,
    /// The handles that a session leaves.
    FreeAll,
    /// A closure for one call.
    Callback,
    /// A closure that a handle keeps.
    KeptCallback,
    /// The end of the library.
    End,
    /// What ends a running call.
    Cancelled,
    /// A struct without text, for JSON.
    Layout,
    /// A struct with pointers to text, for JSON.
    LayoutAndText,
    /// A struct that owns what its members point to.
    Owned,
    /// A copy of such a struct.
    OwnedCopy,
    /// Such a struct of zeros and of what the document gives.
    OwnedDefault,
    /// A struct in general.
    Plain,
    /// A struct with unions.
    PlainWithUnions,
}

impl Reason {
    fn text(self) -> &'static str {
        match self {
            Self::Library => "the caller vouches for the library.",
            Self::Signature => "the caller that opened the library vouched that it keeps to the document.",
            Self::SignatureAndPointers => {
                "the caller that opened the library vouched that it keeps to the document, the caller of this method for the pointers."
            }
            Self::Lent => {
                "the caller that opened the library vouched that it keeps to the document. The members are in the memory of the state, and NULL again when what they point to is dropped."
            }
            Self::Member => {
                "the caller that opened the library vouched that it keeps to the document, which lists the members behind the handle."
            }
            Self::Pointer => "the caller vouches for the pointer.",
            Self::Retained => {
                "the library keeps to the document: C counts one more owner, whom the clone is and gives up once."
            }
            Self::Token => {
                "the table holds the pointer for this binding, and no other call frees it while the guard lives."
            }
            Self::TakenToken => {
                "the table held the pointer for this binding, and has given it to this call alone."
            }
            Self::Sent => {
                "the document says that calls may run in any thread (`x-threadSafe`); what a handle keeps for C is `Send`."
            }
            Self::Shared => {
                "the document says that calls with the same handle may run at once (`x-threadSafe`); what a handle keeps for C is behind a lock."
            }
            Self::Table => "the functions put only handles that this binding gave, with what frees them.",
            Self::Field => "the field at this position is of the kind that is taken, and it is taken once.",
            Self::GivenBack => "a call that fails has freed nothing.",
            Self::Free => {
                "the pointer came from this binding, which still exists, and its owner frees it once; the library keeps to the document."
            }
            Self::Allocate => "the binding still exists, and the library keeps to the document.",
            Self::FreeAll => {
                "the handles are those of this binding, and no call uses them: the guard is held."
            }
            Self::End => {
                "the caller that opened the library vouched that it keeps to the document. It has begun, and no binding is left to call it."
            }
            Self::Cancelled => {
                "the library keeps to the document, which says that another thread may end a running call with this function (`x-cancel`). Nothing frees the handles before."
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
            Self::Owned => "every pointer is NULL, or is to memory of `lent` that is what the table says.",
            Self::OwnedCopy => "the caller vouches that the pointers are what the table says.",
            Self::OwnedDefault => "its pointers are NULL, or to strings of this program.",
            Self::PlainWithUnions => {
                "its members are numbers, pointers, and structs, unions and arrays of them."
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
        Obligation::Outlives { .. } => {
            vec![format!("in the table, what keeps `{key}` lives in it and is freed first")]
        }
        Obligation::Depends { .. } => {
            vec![format!("in the table, the new owner of `{key}` lives in everything that `{key}` lives in")]
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
