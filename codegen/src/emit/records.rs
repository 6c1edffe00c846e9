//! C structs as Rust types, and their layout for JSON.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Body, CBase, CValue, Default, Field, FieldType, Function, Overlap, Read, Record};

use super::body::state_layout;
use super::safety::Reason;
use super::{Emitter, docs, ident};
use crate::tokens::{Ident, Literal, TokenStream, quote};

impl Emitter<'_> {
    /// A struct or a state: its type, its table and its promises, and the methods of a state.
    pub(super) fn record(&self, record: &Record, methods: &dyn Fn() -> TokenStream) -> TokenStream {
        if let Some(part) = record.complex {
            let (name, of) = (ident(&record.ident), self.c_type(part));
            return quote!(type #name = opendyn::Complex<#of>;);
        }
        match &record.body {
            Body::Fields(fields) if record.overlap == Some(Overlap::Members) => {
                self.union_type(record, fields)
            }
            Body::Fields(fields) if record.behind => self.behind(record, fields),
            Body::Fields(fields) => self.structure(record, fields),
            Body::State { .. } => self.state(record, &methods()),
        }
    }

    /// The layout of what is behind a handle, from which members are read.
    fn behind(&self, record: &Record, fields: &[Field]) -> TokenStream {
        let name = ident(&record.ident);
        let members = fields.iter().map(|field| {
            let (name, of) = (ident(&field.ident), self.field_type(&field.of));
            quote!(#name: #of,)
        });
        quote! {
            #[repr(C)]
            struct #name { #(#members)* }
        }
    }

    /// What a function with `x-member` reads, as if C had returned it.
    pub(super) fn read(&self, function: &Function, read: Read) -> TokenStream {
        self.read_from(&self.operand(function, 0), function, read)
    }

    /// The same, from the struct that `pointer` points to.
    pub(super) fn read_from(&self, pointer: &TokenStream, function: &Function, read: Read) -> TokenStream {
        let offset = self.offset(read.record, read.field);
        let returned =
            function.signature.returns.clone().unwrap_or_else(|| CValue::scalar(CType::Void)).bound();
        if read.in_place {
            let to = self.c_value(&CValue { stars: returned.stars.saturating_sub(1), ..returned });
            quote!(runtime::address_of_member::<#to>(#pointer, #offset))
        } else {
            let value = self.c_value(&returned);
            quote!(runtime::member::<#value>(#pointer, #offset))
        }
    }

    /// An integer of the same struct.
    pub(super) fn read_count(&self, function: &Function, record: usize, field: usize) -> TokenStream {
        let of = self.types.records[record].fields().nth(field).map(|field| self.field_type(&field.of));
        let (pointer, offset) = (self.operand(function, 0), self.offset(record, field));
        quote!(runtime::member::<#of>(#pointer, #offset))
    }

    pub(super) fn offset(&self, record: usize, field: usize) -> TokenStream {
        let record = &self.types.records[record];
        let (of, name) = (ident(&record.ident), record.fields().nth(field).map(|field| ident(&field.ident)));
        quote!(offset_of!(#of, #name))
    }

    fn state(&self, record: &Record, methods: &TokenStream) -> TokenStream {
        let (name, constant, shown) = (ident(&record.ident), ident(&record.constant), &record.name);
        let mut text = description(record);
        let used = match record.body {
            Body::State { members: Some(_), .. } => "C uses between calls",
            Body::State { .. } | Body::Fields(_) => "only C looks into",
        };
        text.extend([
            String::new(),
            format!("Memory that {used}; it stays in place when this value is moved."),
        ]);
        let docs = docs::attributes(&text);
        let (size, align) = state_layout(&record.body);
        let of = ident(&self.binding.ident);
        let vouched = self.because(Reason::Pointer);
        let methods = (!methods.is_empty()).then(|| quote!(impl<'l> #name<'l> { #methods }));
        let fits = self.members_fit(record);
        let index = self.types.records.iter().position(|other| std::ptr::eq(other, record));
        let lives_in_another = index.is_some_and(|index| self.binding.state_lives_in_another(index));
        // What the document says of calls with the same handle, it does not say of memory of the caller.
        let threads = self.threads(&record.ident, lives_in_another, false);
        quote! {
            #docs
            #[derive(Debug)]
            #[must_use]
            pub struct #name<'l>(runtime::Handle<'l, #of>);

            #fits
            #threads

            #methods

            impl<'l> #name<'l> {
                /// Memory of zeros, where C begins with that. It needs no end.
                ///
                /// # Safety
                ///
                /// Every function that is given it must take zeros for a state, and no longer use its memory when this
                /// value is dropped.
                pub unsafe fn zeroed(binding: &'l #of) -> Self {
                    let memory = runtime::State::new(#size, #align);
                    #vouched
                    Self(unsafe { runtime::Handle::of_state(binding, memory, runtime::NO_END) })
                }
            }

            static #constant: runtime::HandleType = runtime::HandleType::new(#shown);
        }
    }

    fn structure(&self, record: &Record, fields: &[Field]) -> TokenStream {
        let (name, constant, shown) = (ident(record.memory()), ident(&record.constant), &record.name);
        let docs = docs::attributes(&description(record));
        let owner = record.memory.as_ref().map(|_| self.owner(record, fields, &docs));
        let docs = match record.memory {
            Some(_) => docs::attributes(&[format!("`{}` as C has it.", record.ident)]),
            None => docs,
        };
        let declared = fields.iter().enumerate().filter_map(|(index, field)| {
            if matches!(field.of, FieldType::Bits { .. }) {
                return self.bit_members(record, fields, index);
            }
            let (name, of) = (ident(&field.ident), self.field_type(&field.of));
            let text = field.description.as_deref().map_or_else(|| format!("`{}`", field.key), docs::line);
            let docs = docs::attributes(&[text]);
            Some(quote!(#docs pub #name: #of,))
        });
        let declared = self.bit_alignment(fields).into_iter().chain(declared);
        let bits = self.bit_items(record, fields);
        let shown_fields = fields.iter().enumerate().filter(|(_, field)| !field.hidden);
        let members = shown_fields.map(|(index, field)| {
            self.bit_member(record, field, index).unwrap_or_else(|| self.member(&name, fields, field))
        });
        let given: Vec<TokenStream> = fields.iter().filter_map(|field| self.given_default(field)).collect();
        let default = if given.is_empty() {
            quote!(runtime::zeroed())
        } else {
            quote!(Self { #(#given,)* ..runtime::zeroed() })
        };
        let size =
            asserted(record.size.map(|size| size.value), &quote!(size_of:: <#name>()), shown, "has {} bytes");
        let align = asserted(
            record.align.map(|align| align.value),
            &quote!(align_of:: <#name>()),
            shown,
            "is aligned to {} bytes",
        );
        let limited = self.limited_struct(record);
        let has_unions = record.has_unions_in_place(&self.types.records);
        let enums = self.union_enums(fields);
        let derived = if has_unions {
            quote!(#[derive(Clone, Copy)])
        } else {
            quote!(#[derive(Clone, Copy, Debug, PartialEq)])
        };
        let plain = self.because(if has_unions { Reason::PlainWithUnions } else { Reason::Plain });
        let layout = self.because(if record.has_text(&self.types.records) {
            Reason::LayoutAndText
        } else {
            Reason::Layout
        });
        quote! {
            #enums
            #owner
            #docs
            #derived
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
            #bits
            #limited
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
    pub(super) fn field_type(&self, field: &FieldType) -> TokenStream {
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

    fn member(&self, record: &Ident, fields: &[Field], field: &Field) -> TokenStream {
        let (key, name) = (&field.key, ident(&field.ident));
        let kind = match &field.of {
            FieldType::Many(many) => self.many_kind(record, fields, field, many),
            FieldType::Pointed(record) => self.target_kind("Pointed", *record),
            FieldType::Union(union) => self.union_kind(record, fields, field, union),
            _ => self.kind(&field.kind()),
        };
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
pub(super) fn asserted(
    expected: Option<u64>,
    actual: &TokenStream,
    name: &str,
    fact: &str,
) -> Option<TokenStream> {
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
