//! The codes of a document as a type.

use opendyn_model::plan::Role;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{Emitter, docs, ident};

impl Emitter<'_> {
    /// The type of the codes, and the table in which they are looked up.
    pub(super) fn codes(&self) -> TokenStream {
        let (declaration, table) = (self.code_type(), self.code_table());
        quote!(#declaration #table)
    }

    /// The table, where a function returns a code.
    fn code_table(&self) -> Option<TokenStream> {
        let binding = self.binding;
        let mut returned = binding.functions.iter().filter_map(|function| function.returned.as_ref());
        returned.any(|returned| matches!(returned.role, Role::Code(_))).then(|| {
            let constant = ident(&binding.tables.codes);
            let codes = if binding.codes.is_empty() {
                quote!(opendyn::Codes::new(&[]))
            } else {
                let name = ident(&binding.code_ident);
                quote!(#name::ALL)
            };
            quote!(const #constant: opendyn::Codes = #codes;)
        })
    }

    fn code_type(&self) -> Option<TokenStream> {
        let binding = self.binding;
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
        Some(quote! {
            #title
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct #name(pub i64);

            impl #name {
                #(#constants)*

                /// Every code of the document, with its text.
                pub const ALL: opendyn::Codes = opendyn::Codes::new(&[#(#entries),*]);

                /// The text of `code`, if the document has it.
                #[must_use]
                pub fn describe(code: i64) -> Option<&'static str> {
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
}
