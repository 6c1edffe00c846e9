//! Enums as Rust types, and what JSON may give for them.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Enumeration, Values, Variant};

use super::{Emitter, docs, ident};
use crate::tokens::{Ident, Literal, TokenStream, quote};

impl Emitter<'_> {
    /// The enum, its conversions and the static that describes it. One without names is plain integers in Rust.
    pub(super) fn enumeration(&self, of: &Enumeration) -> TokenStream {
        match &of.of {
            Values::Integers { c_type, variants } => self.integers(of, *c_type, variants),
            Values::Strings(variants) => self.strings(of, variants),
        }
    }

    fn integers(&self, of: &Enumeration, c_type: CType, variants: &[Variant<i64>]) -> TokenStream {
        let (name, constant) = (ident(&of.ident), ident(&of.constant));
        let (raw, kind) = (self.c_type(c_type), ident(c_type.kind()));
        let listed = variants.iter().map(|variant| {
            let (value, name) = (Literal::i64_unsuffixed(variant.value), &variant.name);
            quote!((#value, #name))
        });
        let table = quote! {
            static #constant: runtime::Choice =
                runtime::Choice { integer: runtime::Kind::#kind, values: &[#(#listed),*] };
        };
        if !of.is_named() {
            return table;
        }
        let shown = variants.iter().map(|of| (&of.ident, format!("`{}`: {}", of.name, of.value)));
        let declaration = declaration(of, shown, &quote!(#raw), &quote!(Copy,));
        let values = variants.iter().map(|variant| Literal::i64_unsuffixed(variant.value));
        let idents = variants.iter().map(|variant| ident(&variant.ident));
        let arms = variants.iter().map(|variant| {
            let (ident, value) = (ident(&variant.ident), Literal::i64_unsuffixed(variant.value));
            quote!(#name::#ident => #value,)
        });
        quote! {
            #declaration

            impl From<#raw> for #name {
                fn from(value: #raw) -> Self {
                    match value {
                        #(#values => Self::#idents,)*
                        other => Self::Unknown(other),
                    }
                }
            }
            impl From<#name> for #raw {
                fn from(value: #name) -> Self {
                    match value {
                        #(#arms)*
                        #name::Unknown(other) => other,
                    }
                }
            }
            #table
        }
    }

    fn strings(&self, of: &Enumeration, variants: &[Variant<String>]) -> TokenStream {
        let (name, constant) = (ident(&of.ident), ident(&of.constant));
        let (c_str, c_string) = (self.ffi("CStr"), self.ffi("CString"));
        let shown = variants.iter().map(|of| (&of.ident, format!("`{:?}`", of.value)));
        let declaration = declaration(of, shown, &quote!(#c_string), &TokenStream::new());
        let idents: Vec<Ident> = variants.iter().map(|variant| ident(&variant.ident)).collect();
        let idents = &idents;
        let bytes = variants.iter().map(|variant| Literal::byte_string(variant.value.as_bytes()));
        let strings = variants.iter().map(|variant| {
            let text = std::ffi::CString::new(variant.value.as_str()).unwrap_or_default();
            Literal::c_string(&text)
        });
        let texts = variants.iter().map(|variant| &variant.value);
        quote! {
            #declaration

            impl #name {
                /// The string that stands for it.
                #[must_use]
                pub fn as_c_str(&self) -> &#c_str {
                    match self {
                        #(Self::#idents => #strings,)*
                        Self::Unknown(other) => other,
                    }
                }
            }
            impl From<#c_string> for #name {
                fn from(value: #c_string) -> Self {
                    match value.as_bytes() {
                        #(#bytes => Self::#idents,)*
                        _ => Self::Unknown(value),
                    }
                }
            }
            static #constant: &[&str] = &[#(#texts),*];
        }
    }
}

/// The type itself.
fn declaration<'v>(
    of: &Enumeration,
    variants: impl Iterator<Item = (&'v String, String)>,
    unknown: &TokenStream,
    copy: &TokenStream,
) -> TokenStream {
    let name = ident(&of.ident);
    let text = match &of.description {
        Some(description) => docs::lines(description),
        None => vec![format!("The values of `{}`.", of.name)],
    };
    let docs = docs::attributes(&text);
    let variants = variants.map(|(name, text)| {
        let (name, docs) = (ident(name), docs::attributes(&[text]));
        quote!(#docs #name,)
    });
    quote! {
        #docs
        #[derive(Clone, #copy Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            /// A value that the document does not list.
            Unknown(#unknown),
        }
    }
}
