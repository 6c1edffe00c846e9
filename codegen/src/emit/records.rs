//! C structs as Rust types, and their layout for JSON.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Body, CBase, CValue, Default, Field, FieldType, Kind, Record};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::body::state_layout;
use super::safety::Reason;
use super::{Emitter, docs, ident};

impl Emitter<'_> {
    /// A struct or a state: its type, its table and its promises.
    pub(super) fn record(&self, record: &Record) -> TokenStream {
        match &record.body {
            Body::Fields(fields) => self.structure(record, fields),
            Body::State { .. } => self.state(record),
        }
    }

    fn state(&self, record: &Record) -> TokenStream {
        let (name, constant, shown) = (ident(&record.ident), ident(&record.constant), &record.name);
        let mut text = description(record);
        text.extend([
            String::new(),
            "Memory that only C looks into; it stays in place when this value is moved.".to_owned(),
        ]);
        let docs = docs::attributes(&text);
        let (size, align) = state_layout(&record.body);
        quote! {
            #docs
            #[derive(Debug)]
            #[must_use]
            pub struct #name(runtime::State);

            impl #name {
                /// Memory of zeros, where C begins with that.
                ///
                /// # Safety
                ///
                /// Every function that is given it must take zeros for a state.
                pub unsafe fn zeroed() -> Self {
                    Self(runtime::State::new(#size, #align))
                }
            }

            static #constant: runtime::HandleType = runtime::HandleType::new(#shown);
        }
    }

    fn structure(&self, record: &Record, fields: &[Field]) -> TokenStream {
        let (name, constant, shown) = (ident(&record.ident), ident(&record.constant), &record.name);
        let docs = docs::attributes(&description(record));
        let declared = fields.iter().map(|field| {
            let (name, of) = (ident(&field.ident), self.field_type(&field.of));
            let text = field.description.as_deref().map_or_else(|| format!("`{}`", field.key), docs::line);
            let docs = docs::attributes(&[text]);
            quote!(#docs pub #name: #of,)
        });
        let members = fields.iter().map(|field| self.member(&name, field));
        let given: Vec<TokenStream> = fields.iter().filter_map(|field| self.given_default(field)).collect();
        let default = if given.is_empty() {
            quote!(runtime::zeroed())
        } else {
            quote!(Self { #(#given,)* ..runtime::zeroed() })
        };
        let size =
            asserted(record.size.map(|size| size.value), &quote!(size_of::<#name>()), shown, "has {} bytes");
        let align = asserted(
            record.align.map(|align| align.value),
            &quote!(align_of::<#name>()),
            shown,
            "is aligned to {} bytes",
        );
        let plain = self.because(Reason::Plain);
        let layout = self.because(if record.has_text(&self.types.records) {
            Reason::LayoutAndText
        } else {
            Reason::Layout
        });
        quote! {
            #docs
            #[derive(Clone, Copy, Debug, PartialEq)]
            #[repr(C)]
            pub struct #name { #(#declared)* }

            #size
            #align
            #plain
            unsafe impl runtime::Plain for #name {}
            #layout
            unsafe impl runtime::Described for #name {
                const KIND: runtime::Kind = runtime::Kind::Record(&#constant);
            }
            impl Default for #name {
                fn default() -> Self { #default }
            }
            static #constant: runtime::Record = runtime::Record {
                name: #shown,
                size: size_of::<#name>(),
                align: align_of::<#name>(),
                members: &[#(#members),*],
            };
        }
    }

    /// The type of a member: as C has it, where a `bool` can hold whatever C leaves, and strings are not written to.
    fn field_type(&self, field: &FieldType) -> TokenStream {
        let value = CValue::field(field).bound();
        let is_string = matches!(field, FieldType::Str(_));
        let mut of = match value.base {
            CBase::Scalar(CType::Bool) => quote!(opendyn::CBool),
            _ => self.c_value(&CValue { stars: 0, ..value.clone() }),
        };
        if value.stars > 0 {
            of = if is_string { quote!(*const #of) } else { quote!(*mut #of) };
        }
        match value.count {
            Some(count) => {
                let count = Literal::u64_unsuffixed(count);
                quote!([#of; #count])
            }
            None => of,
        }
    }

    fn member(&self, record: &Ident, field: &Field) -> TokenStream {
        let (key, name) = (&field.key, ident(&field.ident));
        let kind = self.kind(&Kind::field(&field.of));
        let offset = quote!(offset_of!(#record, #name));
        match (&field.default, field.required) {
            (_, true) => quote!(runtime::Member::required(#key, #kind, #offset)),
            (None, false) => quote!(runtime::Member::optional(#key, #kind, #offset)),
            (Some(Default::Text(text)), false) => {
                quote!(runtime::Member::or_text(#key, #kind, #offset, #text))
            }
            (Some(default), false) => {
                let word = word(default, &field.of);
                quote!(runtime::Member::or(#key, #kind, #offset, #word))
            }
        }
    }

    /// A member with the value that the document gives for it.
    fn given_default(&self, field: &Field) -> Option<TokenStream> {
        let name = ident(&field.ident);
        let value = match (&field.of, field.default.as_ref()?) {
            (FieldType::Scalar(scalar), Default::Bool(value)) if scalar.c_type == CType::Bool => {
                quote!(opendyn::CBool::from(#value))
            }
            (FieldType::Scalar(scalar), value) => self.literal(value, *scalar),
            (FieldType::Str(_), Default::Text(text)) => {
                let text = std::ffi::CString::new(text.as_str()).unwrap_or_default();
                let text = Literal::c_string(&text);
                quote!(#text.as_ptr().cast())
            }
            _ => return None,
        };
        Some(quote!(#name: #value))
    }
}

fn description(record: &Record) -> Vec<String> {
    match &record.description {
        Some(description) => docs::lines(description),
        None if record.is_named => vec![format!("The C struct `{}`.", record.name)],
        None => vec!["A C struct that the document describes where it is used.".to_owned()],
    }
}

/// What the document says of a layout is asserted when the bindings are compiled.
fn asserted(expected: Option<u64>, actual: &TokenStream, name: &str, fact: &str) -> Option<TokenStream> {
    let expected = expected?;
    let message = format!("the document says that `{name}` {}", fact.replace("{}", &expected.to_string()));
    let expected = Literal::u64_unsuffixed(expected);
    Some(quote!(
        const _: () = ::core::assert!(#actual == #expected, #message);
    ))
}

/// The bits of a default, extended with its sign.
fn word(default: &Default, field: &FieldType) -> TokenStream {
    let is_float = matches!(field, FieldType::Scalar(scalar) if scalar.c_type == CType::Float);
    match default {
        Default::Bool(value) => {
            let value = Literal::u64_unsuffixed(u64::from(*value));
            quote!(#value)
        }
        Default::Integer(value) if *value < 0 => {
            let value = Literal::i64_suffixed(i64::try_from(*value).unwrap_or_default());
            quote!(#value as u64)
        }
        Default::Integer(value) => {
            let value = Literal::i128_unsuffixed(*value);
            quote!(#value)
        }
        Default::Number(value) if is_float => {
            let value = Literal::f32_suffixed(*value as f32);
            quote!(#value.to_bits() as u64)
        }
        Default::Number(value) => {
            let value = Literal::f64_suffixed(*value);
            quote!(#value.to_bits())
        }
        // Text has a constructor of its own.
        Default::Text(_) => quote!(0),
    }
}
