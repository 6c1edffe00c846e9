//! The codes of a document as a type.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{docs, ident, quiet};
use opendyn_model::ir::{Binding, ReturnRole};

/// The table in which codes are looked up, where a function returns one.
pub(super) fn success(binding: &Binding) -> Option<TokenStream> {
    let returned = binding.functions.iter().filter_map(|function| function.returned.as_ref());
    let used = returned.map(|returned| &returned.role).any(|role| matches!(role, ReturnRole::Code(_)));
    used.then(|| {
        let constant = ident(&binding.tables.codes);
        let codes = if binding.codes.is_empty() {
            quote!(::opendyn::Codes::new(&[]))
        } else {
            let name = ident(&binding.code_ident);
            quote!(#name::ALL)
        };
        quote!(const #constant: ::opendyn::Codes = #codes;)
    })
}

pub(super) fn codes(binding: &Binding) -> Option<TokenStream> {
    if binding.codes.is_empty() {
        return None;
    }
    let name = ident(&binding.code_ident);
    let title = docs::attributes(&[format!("A code of `{}`, described or not.", binding.ident)]);
    let constants = binding.codes.iter().map(|code| {
        let constant = ident(&code.ident);
        let value = Literal::i64_unsuffixed(code.value);
        let text = docs::line(&code.text);
        let docs = docs::attributes(&[if text.is_empty() { format!("`{}`", code.value) } else { text }]);
        quote!(#docs pub const #constant: Self = Self(#value);)
    });
    let entries = binding.codes.iter().map(|code| {
        let (value, text) = (Literal::i64_unsuffixed(code.value), &code.text);
        quote!((#value, #text))
    });
    let quiet = quiet();
    Some(quote! {
        #title
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #quiet
        pub struct #name(pub i64);

        #quiet
        impl #name {
            #(#constants)*

            /// Every code of the document, with its text.
            pub const ALL: ::opendyn::Codes = ::opendyn::Codes::new(&[#(#entries),*]);

            /// The text of `code`, if the document has it.
            pub fn describe(code: i64) -> ::core::option::Option<&'static str> {
                Self::ALL.describe(code)
            }
        }

        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                Self::ALL.fmt(self.0, f)
            }
        }
    })
}
