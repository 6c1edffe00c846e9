//! C structs as Rust types, and their layout for JSON.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::safety::{Reason, because};
use super::types::{self, Place};
use super::{docs, ident, kind, literal, quiet};
use opendyn_model::c_type::CType;
use opendyn_model::ir::{Body, Default, Element, Field, Member, Record, Types};

pub(super) fn declaration(record: &Record, types: &Types) -> TokenStream {
    let name = ident(&record.ident);
    let mut text = match &record.description {
        Some(description) => docs::lines(description),
        None if record.is_named => vec![format!("The C struct `{}`.", record.name)],
        None => vec!["A C struct that the document describes where it is used.".to_owned()],
    };
    let quiet = quiet();
    match &record.body {
        Body::Fields(fields) => {
            let docs = docs::attributes(&text);
            let fields = fields.iter().map(|field| {
                let (name, of) = (ident(&field.ident), member_type(&field.member, types));
                let text =
                    field.description.as_deref().map_or_else(|| format!("`{}`", field.key), docs::line);
                let docs = docs::attributes(&[text]);
                quote!(#docs pub #name: #of,)
            });
            quote! {
                #docs
                #[derive(Clone, Copy, Debug, PartialEq)]
                #quiet
                #[repr(C)]
                pub struct #name { #(#fields)* }
            }
        }
        Body::State { .. } => {
            text.extend([
                String::new(),
                "Memory that only C looks into; it stays where it is while this value is moved.".to_owned(),
            ]);
            let docs = docs::attributes(&text);
            quote! {
                #docs
                #[derive(Debug)]
                #quiet
                pub struct #name(::opendyn::generated::State);
            }
        }
    }
}

fn member_type(member: &Member, types: &Types) -> TokenStream {
    let c_type = |of| match of {
        CType::Bool => quote!(::opendyn::CBool),
        of => types::c_type_at(of, Place::Outside),
    };
    match member {
        Member::Scalar(scalar) => c_type(scalar.c_type),
        Member::Record(record) => {
            let name = ident(&types.records[*record].ident);
            quote!(#name)
        }
        Member::Array { element, count } => {
            let of = match element {
                Element::Scalar(scalar) => c_type(scalar.c_type),
                Element::Record(record) => {
                    let name = ident(&types.records[*record].ident);
                    quote!(#name)
                }
            };
            let count = Literal::u64_unsuffixed(*count);
            quote!([#of; #count])
        }
        Member::Text { c_type: of, count, .. } => {
            let (of, count) = (c_type(*of), Literal::u64_unsuffixed(*count));
            quote!([#of; #count])
        }
        Member::Str(of) => {
            let of = c_type(*of);
            quote!(*const #of)
        }
        Member::Pointer(of) => {
            let of = c_type(*of);
            quote!(*mut #of)
        }
    }
}

/// What the block has for a struct: its table and its promises.
pub(super) fn implementation(record: &Record, types: &Types) -> TokenStream {
    let name = ident(&record.ident);
    let constant = ident(&record.constant);
    let shown = &record.name;
    let fields = match &record.body {
        Body::Fields(fields) => fields,
        Body::State { size, align } => {
            let (size, align) = (Literal::u64_unsuffixed(*size), Literal::u64_unsuffixed(*align));
            return quote! {
                impl #name {
                    /// Memory of zeros, where that is what C begins with.
                    ///
                    /// # Safety
                    ///
                    /// Every function that is given it must take zeros for a state.
                    pub unsafe fn zeroed() -> Self {
                        Self(runtime::State::new(#size, #align))
                    }
                }
                static #constant: runtime::HandleType = runtime::HandleType::new(#shown);
            };
        }
    };
    let members = fields.iter().map(|field| member(&name, field, types));
    let given: Vec<TokenStream> = fields.iter().filter_map(given_default).collect();
    let default = if given.is_empty() {
        quote!(runtime::zeroed())
    } else {
        quote!(Self { #(#given,)* ..runtime::zeroed() })
    };
    let size = record.size.map(|size| {
        let message = format!("the document says that `{shown}` has {size} bytes");
        let size = Literal::u64_unsuffixed(size);
        quote! {
            const _: () = {
                let size = ::core::mem::size_of::<#name>();
                ::core::assert!(size == #size, #message);
            };
        }
    });
    let align = record.align.map(|align| {
        let message = format!("the document says that `{shown}` is aligned to {align} bytes");
        let align = Literal::u64_unsuffixed(align);
        quote! {
            const _: () = {
                let align = ::core::mem::align_of::<#name>();
                ::core::assert!(align == #align, #message);
            };
        }
    });
    let text = record.has_text(&types.records);
    let plain = because(Reason::Plain);
    let layout = because(if text { Reason::LayoutAndText } else { Reason::Layout });
    quote! {
        #size
        #align
        #plain
        unsafe impl runtime::Plain for #name {}
        #layout
        unsafe impl runtime::Described for #name {
            const KIND: runtime::Kind = runtime::Kind::Record(&#constant);
        }
        impl ::core::default::Default for #name {
            fn default() -> Self { #default }
        }
        static #constant: runtime::Record = runtime::Record {
            name: #shown,
            size: ::core::mem::size_of::<#name>(),
            align: ::core::mem::align_of::<#name>(),
            members: &[#(#members),*],
        };
    }
}

fn member(record: &proc_macro2::Ident, field: &Field, types: &Types) -> TokenStream {
    let (key, name) = (&field.key, ident(&field.ident));
    let kind = kind::of_member(&field.member, types);
    let offset = quote!(::core::mem::offset_of!(#record, #name));
    match (&field.default, field.required) {
        (_, true) => quote!(runtime::Member::required(#key, #kind, #offset)),
        (None, false) => quote!(runtime::Member::optional(#key, #kind, #offset)),
        (Some(Default::Text(text)), false) => quote!(runtime::Member::or_text(#key, #kind, #offset, #text)),
        (Some(default), false) => {
            let word = Literal::u64_unsuffixed(word(default, &field.member));
            quote!(runtime::Member::or(#key, #kind, #offset, #word))
        }
    }
}

/// A member with the value that the document gives for it.
fn given_default(field: &Field) -> Option<TokenStream> {
    let name = ident(&field.ident);
    let value = match (&field.member, field.default.as_ref()?) {
        (Member::Scalar(scalar), Default::Bool(value)) if scalar.c_type == CType::Bool => {
            quote!(<::opendyn::CBool as ::core::convert::From<bool>>::from(#value))
        }
        (Member::Scalar(scalar), value) => literal(value, *scalar),
        (Member::Str(_), Default::Text(text)) => {
            let text = std::ffi::CString::new(text.as_str()).unwrap_or_default();
            let text = Literal::c_string(&text);
            quote!(#text.as_ptr().cast())
        }
        _ => return None,
    };
    Some(quote!(#name: #value))
}

/// The bits of a default, extended with its sign.
fn word(default: &Default, member: &Member) -> u64 {
    let is_float = matches!(member, Member::Scalar(scalar) if scalar.c_type == CType::Float);
    match default {
        Default::Bool(value) => u64::from(*value),
        Default::Integer(value) => *value as u64,
        Default::Number(value) if is_float => u64::from((*value as f32).to_bits()),
        Default::Number(value) => value.to_bits(),
        Default::Text(_) => 0,
    }
}
