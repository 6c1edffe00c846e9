//! Why an `unsafe` block is sound. The emitter that writes the block knows, and puts the reason in
//! front of the statement or item as an attribute: tokens have no comments. In a file the attribute is
//! printed as a comment; elsewhere [`without`] removes it.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use opendyn_model::ir::{Direction, Element, Function, Param, Passing, Types};

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
    /// The handles that a client leaves.
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
            Self::Signature => "the caller that opened the library vouched for this signature.",
            Self::SignatureAndPointers => {
                "the caller that opened the library vouched for this signature, the caller of this method for the pointers."
            }
            Self::Pointer => "the caller vouches for the pointer.",
            Self::Token => {
                "the table holds the pointer for this binding, and no other call frees it while the guard lives."
            }
            Self::TakenToken => {
                "the table held the pointer for this binding, and has given it to this call alone."
            }
            Self::State => "the table holds what `into_raw` gave up, and gives it out to one call at a time.",
            Self::Field => "the field at this position is of the kind that is taken, and it is taken once.",
            Self::Free => "the pointer came from this binding, which is still there.",
            Self::FreeAll => {
                "the handles are those of this binding, and no call uses them: the guard is held."
            }
            Self::Callback => {
                "C gives what the document says, and the user data that it was given, while the function runs."
            }
            Self::KeptCallback => {
                "C gives what the document says, and the user data that it was given, while the handle keeps it."
            }
            Self::Layout => "the table is made of the sizes and offsets of this very type.",
            Self::LayoutAndText => {
                "the table is made of the sizes and offsets of this very type; in a reply its strings are those of C, or copies."
            }
            Self::Plain => "its members are numbers, pointers, and structs and arrays of them.",
        }
    }
}

/// What stands in front of a statement, an item or a block at the end.
pub(super) fn because(reason: Reason) -> TokenStream {
    comment(reason.text())
}

/// Why a call that comes as JSON may call an unsafe method: of each parameter that makes it unsafe.
pub(super) fn because_of_json(function: &Function, types: &Types) -> TokenStream {
    let mut facts = Vec::new();
    for fact in
        function.params.iter().filter(|param| param.is_unsafe).flat_map(|param| facts_of(param, types))
    {
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    comment(&format!("{}.", facts.join("; ")))
}

fn facts_of(param: &Param, types: &Types) -> Vec<String> {
    let key = &param.key;
    match &param.passing {
        Passing::Slice { length: None, .. } => {
            vec![format!("`unchecked = allow` vouches for the length of `{key}`")]
        }
        Passing::Buffer { capacity: None, .. } => {
            vec![format!("`unchecked = allow` vouches that `{key}` is large enough")]
        }
        Passing::Record { record, direction: Direction::In | Direction::InOut | Direction::Value }
        | Passing::Slice { element: Element::Record(record), .. } => {
            let record = &types.records[*record];
            let text = record.has_text(&types.records).then(|| {
                "the reader ended the strings in structs with NUL and keeps them until the call has returned"
                    .to_owned()
            });
            let opaque = record
                .has_opaque_members(&types.records)
                .then(|| "pointers in structs that the document does not describe are NULL".to_owned());
            text.into_iter().chain(opaque).collect()
        }
        // All else that makes a method unsafe is a pointer to something unknown.
        _ => vec!["JSON gives NULL alone for a pointer that the document does not describe".to_owned()],
    }
}

fn comment(text: &str) -> TokenStream {
    let text = format!(" SAFETY: {text}");
    quote!(#[comment = #text])
}

/// The same tokens without the reasons.
pub(crate) fn without(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                if tokens.next_if(is_comment).is_none() {
                    kept.push(TokenTree::Punct(punct));
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without(group.stream()));
                inner.set_span(group.span());
                kept.push(TokenTree::Group(inner));
            }
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

/// Whether it is the `[comment = "…"]` behind a `#`.
fn is_comment(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group)
        if group.delimiter() == Delimiter::Bracket
            && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(name)) if name == "comment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_a_comment_in_a_file_and_nothing_elsewhere() {
        let reason = because(Reason::Pointer);
        let tokens = quote! {
            #[inline]
            fn f(p: *const u8) -> u8 {
                #reason
                let first = unsafe { *p };
                { #reason unsafe { first + *p } }
            }
        };
        let file = prettyplease::unparse(&syn::parse2(tokens.clone()).expect("a file"));
        assert_eq!(file.matches("// SAFETY: the caller vouches for the pointer.\n").count(), 2, "{file}");
        let expected = quote! {
            #[inline]
            fn f(p: *const u8) -> u8 {
                let first = unsafe { *p };
                { unsafe { first + *p } }
            }
        };
        assert_eq!(without(tokens).to_string(), expected.to_string());
    }
}
