//! Enums as Rust types, and what JSON may give for them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::types::{self, Place};
use super::{docs, ident, quiet};
use opendyn_model::ir::{Enumeration, Values};

/// The enum itself; one without names is plain integers in Rust.
pub(super) fn declaration(enumeration: &Enumeration) -> Option<TokenStream> {
    if !enumeration.is_named() {
        return None;
    }
    let name = ident(&enumeration.ident);
    let mut text = vec![format!("The values of `{}`.", enumeration.name)];
    if let Some(description) = &enumeration.description {
        text = docs::lines(description);
    }
    let docs = docs::attributes(&text);
    let variant = |ident_name: &str, text: String| {
        let (name, docs) = (ident(ident_name), docs::attributes(&[text]));
        quote!(#docs #name,)
    };
    let (variants, unknown, copy): (Vec<TokenStream>, TokenStream, _) = match &enumeration.of {
        Values::Integers { c_type, variants } => (
            variants.iter().map(|of| variant(&of.ident, format!("`{}`: {}", of.name, of.value))).collect(),
            types::c_type_at(*c_type, Place::Outside),
            Some(quote!(Copy,)),
        ),
        Values::Strings(variants) => (
            variants.iter().map(|of| variant(&of.ident, format!("`{:?}`", of.value))).collect(),
            quote!(::std::ffi::CString),
            None,
        ),
    };
    let quiet = quiet();
    Some(quote! {
        #docs
        #[derive(Clone, #copy Debug, PartialEq, Eq, Hash)]
        #quiet
        pub enum #name {
            #(#variants)*
            /// A value that the document does not list.
            Unknown(#unknown),
        }
    })
}

/// Its conversions, and the static that describes it.
pub(super) fn implementation(enumeration: &Enumeration) -> TokenStream {
    let name = ident(&enumeration.ident);
    let constant = ident(&enumeration.constant);
    match &enumeration.of {
        Values::Integers { c_type, variants } => {
            let of = types::c_type(*c_type);
            let kind = ident(c_type.kind());
            let values = variants.iter().map(|variant| {
                let (value, name) = (Literal::i64_unsuffixed(variant.value), &variant.name);
                quote!((#value, #name))
            });
            let table = quote! {
                static #constant: runtime::Choice =
                    runtime::Choice { integer: runtime::Kind::#kind, values: &[#(#values),*] };
            };
            if !enumeration.is_named() {
                return table;
            }
            let pairs: Vec<(TokenStream, proc_macro2::Ident)> = variants
                .iter()
                .map(|variant| {
                    let value = Literal::i64_unsuffixed(variant.value);
                    (quote!(#value), ident(&variant.ident))
                })
                .collect();
            let (values, idents): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            quote! {
                impl ::core::convert::From<#of> for #name {
                    fn from(value: #of) -> Self {
                        match value {
                            #(#values => Self::#idents,)*
                            other => Self::Unknown(other),
                        }
                    }
                }
                impl ::core::convert::From<#name> for #of {
                    fn from(value: #name) -> Self {
                        match value {
                            #(#name::#idents => #values,)*
                            #name::Unknown(other) => other,
                        }
                    }
                }
                #table
            }
        }
        Values::Strings(variants) => {
            let idents: Vec<proc_macro2::Ident> =
                variants.iter().map(|variant| ident(&variant.ident)).collect();
            let bytes = variants.iter().map(|variant| Literal::byte_string(variant.value.as_bytes()));
            let strings = variants.iter().map(|variant| {
                let text = std::ffi::CString::new(variant.value.as_str()).unwrap_or_default();
                Literal::c_string(&text)
            });
            let texts = variants.iter().map(|variant| &variant.value);
            quote! {
                impl #name {
                    /// The string that stands for it.
                    pub fn as_c_str(&self) -> &::core::ffi::CStr {
                        match self {
                            #(Self::#idents => #strings,)*
                            Self::Unknown(other) => other,
                        }
                    }
                }
                impl ::core::convert::From<::std::ffi::CString> for #name {
                    fn from(value: ::std::ffi::CString) -> Self {
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
}
