//! The codes of a document as a type.

use opendyn_model::plan::Step;

use super::{Emitter, docs, ident};
use crate::tokens::{Literal, TokenStream, quote};

impl Emitter<'_> {
    /// The type of the codes, and the table in which they are looked up.
    pub(super) fn codes(&self) -> TokenStream {
        let (declaration, table) = (self.code_type(), self.code_table());
        quote!(#declaration #table)
    }

    /// The table, where a function can fail with a code.
    fn code_table(&self) -> Option<TokenStream> {
        let binding = self.binding;
        let mut steps = binding.functions.iter().flat_map(|function| &function.steps);
        steps.any(|step| matches!(step, Step::Fail(_))).then(|| {
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
        let entry = |value: i64, text: &str| {
            let value = Literal::i64_unsuffixed(value);
            quote!((#value, #text))
        };
        let codes = || binding.codes.iter();
        let entries = codes().filter(|code| code.has_text()).map(|code| entry(code.value, &code.text));
        let named: Vec<TokenStream> =
            codes().filter_map(|code| Some(entry(code.value, code.name.as_ref()?))).collect();
        let (names, all) = if named.is_empty() {
            (None, quote!(opendyn::Codes::new(&[#(#entries),*])))
        } else {
            (
                Some(quote!(const NAMES: &[(i64, &str)] = &[#(#named),*];)),
                quote!(opendyn::Codes::named(&[#(#entries),*], &Self::NAMES)),
            )
        };
        Some(quote! {
            #title
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct #name(pub i64);

            impl #name {
                #(#constants)*

                #names

                /// Every code of the document, with its text.
                pub const ALL: opendyn::Codes = #all;

                /// The text of `code`, if the document has it.
                #[must_use]
                pub fn describe(code: i64) -> Option<&'static str> {
                    Self::ALL.describe(code)
                }
            }

            impl From<#name> for i64 {
                fn from(code: #name) -> Self {
                    code.0
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
