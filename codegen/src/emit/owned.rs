//! Structs that own what their members point to: the type that callers have, and its conversions to and from memory.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Element, Field, FieldType, Item, Kind, Many, ManyLength, Record, Scalar, Written};

use super::safety::Reason;
use super::unions::is_lent;
use super::{Emitter, docs, ident, kind};
use crate::tokens::{Ident, Literal, TokenStream, quote};

impl Emitter<'_> {
    /// The type that callers have, if it is not that of the memory.
    pub(super) fn owner(&self, record: &Record, fields: &[Field], described: &TokenStream) -> TokenStream {
        let (name, memory, constant) =
            (ident(&record.ident), ident(record.memory()), ident(&record.constant));
        let seen: Vec<&Field> = fields.iter().filter(|field| is_seen(field)).collect();
        let declared = seen.iter().map(|field| {
            let (name, of) = (ident(&field.ident), self.owned_type(&field.of));
            let text = field.description.as_deref().map_or_else(|| format!("`{}`", field.key), docs::line);
            let docs = docs::attributes(&[text]);
            quote!(#docs pub #name: #of,)
        });
        let lent = seen.iter().map(|field| self.lent_member(field));
        let lengths = lengths(fields);
        let table: Vec<&Field> = fields.iter().filter(|field| !field.hidden).collect();
        let copied = seen.iter().map(|field| {
            let index = table.iter().position(|other| std::ptr::eq(*other, *field)).unwrap_or_default();
            self.copied_member(field, &constant, index)
        });
        let (reason, vouched) = (self.because(Reason::Owned), self.because(Reason::OwnedCopy));
        let zeros = self.because(Reason::OwnedDefault);
        let lent_as = ident(if seen.iter().any(|field| self.is_lent(field)) { "lent" } else { "_lent" });
        let copied = quote!(Self { #(#copied),* });
        // Nothing is unsafe where the only union is one that callers do not see.
        let is_read = |field: &&Field| self.is_lent(field) || matches!(field.of, FieldType::Union(_));
        let copied = if seen.iter().copied().any(|field| is_read(&field)) {
            quote!(#vouched unsafe { #copied })
        } else {
            copied
        };
        quote! {
            #described
            #[derive(Clone, Debug, PartialEq)]
            pub struct #name { #(#declared)* }

            impl Default for #name {
                fn default() -> Self {
                    #zeros
                    unsafe { runtime::Owned::copied(&#memory::default()) }
                }
            }

            #reason
            unsafe impl runtime::Owned for #name {
                type Raw = #memory;

                fn lend(&self, #lent_as: &mut runtime::Lent) -> Result<#memory, opendyn::CallError> {
                    let mut raw: #memory = runtime::zeroed();
                    #(#lent)*
                    #(#lengths)*
                    Ok(raw)
                }

                unsafe fn copied(raw: &#memory) -> Self {
                    #copied
                }
            }
        }
    }

    /// Whether a member needs memory that is lent.
    fn is_lent(&self, field: &Field) -> bool {
        match &field.of {
            FieldType::Str(_) | FieldType::Many(_) | FieldType::Pointed(_) => true,
            FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. } => {
                self.is_owned(*record)
            }
            FieldType::Union(union) => is_lent(union),
            _ => false,
        }
    }

    /// Whether a struct owns what its members point to, so that its memory has another type.
    pub(super) fn is_owned(&self, record: usize) -> bool {
        self.types.records[record].memory.is_some()
    }

    /// The type that callers have for a struct.
    fn caller_type(&self, record: usize) -> Ident {
        ident(&self.types.records[record].ident)
    }

    fn memory_type(&self, record: usize) -> Ident {
        ident(self.types.records[record].memory())
    }

    pub(super) fn owned_type(&self, field: &FieldType) -> TokenStream {
        match field {
            FieldType::Record(record) => {
                let of = self.caller_type(*record);
                quote!(#of)
            }
            FieldType::Array { element: Element::Record(record), count } => {
                let (of, count) = (self.caller_type(*record), Literal::u64_unsuffixed(*count));
                quote!([#of; #count])
            }
            FieldType::Str(_) => {
                let of = self.ffi("CString");
                quote!(Option<#of>)
            }
            FieldType::Pointed(record) => {
                let of = self.caller_type(*record);
                quote!(Option<Box<#of>>)
            }
            FieldType::Many(many) => {
                let of = self.many_type(many);
                if many.nullable { quote!(Option<#of>) } else { of }
            }
            FieldType::Union(union) => self.owned_union(union),
            other => self.field_type(other),
        }
    }

    fn many_type(&self, many: &Many) -> TokenStream {
        let string = || self.ffi("CString");
        match many.of {
            Item::Text(encoding) if encoding.is_binary() => quote!(Vec<u8>),
            Item::Text(_) => {
                let of = string();
                quote!(#of)
            }
            Item::Scalar(scalar) => {
                let of = self.scalar_memory(scalar);
                quote!(Vec<#of>)
            }
            Item::Strings(nullable) => {
                let of = string();
                if nullable { quote!(Vec<Option<#of>>) } else { quote!(Vec<#of>) }
            }
            Item::Record(record) | Item::Pointers(record) => {
                let of = self.caller_type(record);
                quote!(Vec<#of>)
            }
        }
    }

    fn scalar_memory(&self, scalar: Scalar) -> TokenStream {
        if scalar.c_type == CType::Bool { quote!(opendyn::CBool) } else { self.c_type(scalar.c_type) }
    }

    /// A member on its way to C.
    fn lent_member(&self, field: &Field) -> TokenStream {
        let (name, key) = (ident(&field.ident), &field.key);
        match &field.of {
            FieldType::Record(record) if self.is_owned(*record) => {
                quote!(raw.#name = self.#name.lend(lent)?;)
            }
            FieldType::Array { element: Element::Record(record), .. } if self.is_owned(*record) => quote! {
                for (raw, given) in raw.#name.iter_mut().zip(&self.#name) {
                    *raw = given.lend(lent)?;
                }
            },
            FieldType::Str(_) => quote!(raw.#name = lent.text(self.#name.as_deref()).cast();),
            FieldType::Pointed(record) if self.is_owned(*record) => {
                quote!(raw.#name = lent.pointed(self.#name.as_deref())?;)
            }
            FieldType::Pointed(_) => quote!(raw.#name = lent.plain(self.#name.as_deref());),
            FieldType::Many(many) => {
                let pointer = self.lent_elements(many, field);
                let exact = match many.length {
                    ManyLength::Const(count) if many.room.is_none() => {
                        let count = Literal::u64_suffixed(count);
                        let length = length(many, &quote!(given));
                        Some(quote!(runtime::exact_length(#key, #length, #count)?;))
                    }
                    _ => None,
                };
                if many.nullable {
                    quote! {
                        if let Some(given) = &self.#name {
                            #exact
                            raw.#name = #pointer;
                        }
                    }
                } else if exact.is_some() {
                    quote!(let given = &self.#name; #exact raw.#name = #pointer;)
                } else {
                    quote!(let given = &self.#name; raw.#name = #pointer;)
                }
            }
            FieldType::Union(union) => self.lent_union(field, union),
            _ => quote!(raw.#name = self.#name;),
        }
    }

    /// The address of the elements of `given`.
    fn lent_elements(&self, many: &Many, field: &Field) -> TokenStream {
        if let Some(written) = many.room {
            let left = match written {
                Written::Left(left) => {
                    let left = self.sibling(field, left);
                    quote!(runtime::given_count(self.#left))
                }
                Written::All | Written::Field(_) => quote!(0),
            };
            return match many.of {
                Item::Text(encoding) if !encoding.is_binary() => quote!(lent.room(given.to_bytes(), #left)),
                _ => quote!(lent.room(given, #left)),
            };
        }
        match many.of {
            Item::Text(encoding) if encoding.is_binary() => quote!(lent.slice(given)),
            Item::Text(_) => quote!(lent.slice(given.to_bytes())),
            Item::Scalar(_) => quote!(lent.slice(given)),
            Item::Strings(true) => quote!(lent.strings(given.iter().map(|text| text.as_deref()))),
            Item::Strings(false) => quote!(lent.strings(given.iter().map(|text| Some(text.as_c_str())))),
            Item::Record(record) if self.is_owned(record) => quote!(lent.list(given)?),
            Item::Record(_) => quote!(lent.slice(given)),
            Item::Pointers(record) if self.is_owned(record) => quote!(lent.pointers(given)?),
            Item::Pointers(_) => quote!(lent.plain_pointers(given)),
        }
    }

    /// Another member of the struct of a member.
    pub(super) fn sibling(&self, field: &Field, index: usize) -> Ident {
        let is_it = |record: &&Record| record.fields().any(|other| std::ptr::eq(other, field));
        let record = self.types.records.iter().find(is_it);
        let sibling = record.and_then(|record| record.fields().nth(index));
        ident(sibling.map_or("_", |sibling| &sibling.ident))
    }

    /// A copy of what C left in a member.
    fn copied_member(&self, field: &Field, constant: &Ident, index: usize) -> TokenStream {
        let name = ident(&field.ident);
        let index = Literal::usize_unsuffixed(index);
        let value = match &field.of {
            FieldType::Record(record) if self.is_owned(*record) => quote!(runtime::Owned::copied(&raw.#name)),
            FieldType::Array { element: Element::Record(record), .. } if self.is_owned(*record) => {
                quote!(raw.#name.each_ref().map(|raw| runtime::Owned::copied(raw)))
            }
            FieldType::Str(_) => quote!(runtime::copied_string(raw.#name)),
            FieldType::Pointed(record) => {
                let of = self.memory_type(*record);
                let copied = quote!(runtime::copied_pointed::<#of>(raw.#name));
                if self.is_owned(*record) {
                    quote!(#copied.map(|raw| Box::new(runtime::Owned::copied(&raw))))
                } else {
                    quote!(#copied.map(Box::new))
                }
            }
            FieldType::Many(many) => {
                let from = quote!((&#constant, #index, raw));
                let copied = match many.of {
                    Item::Text(encoding) if encoding.is_binary() => quote!(runtime::copied_bytes #from),
                    Item::Text(_) => quote!(runtime::copied_text #from),
                    Item::Scalar(scalar) => {
                        let of = self.scalar_memory(scalar);
                        quote!(runtime::copied_plain::<#of, _> #from)
                    }
                    Item::Strings(true) => quote!(runtime::copied_strings #from),
                    Item::Strings(false) => {
                        quote!(runtime::copied_strings #from.map(|texts| texts.into_iter().flatten().collect()))
                    }
                    Item::Record(record) if self.is_owned(record) => quote!(runtime::copied_list #from),
                    Item::Record(record) => {
                        let of = self.memory_type(record);
                        quote!(runtime::copied_plain::<#of, _> #from)
                    }
                    Item::Pointers(record) => {
                        let of = self.memory_type(record);
                        let copied = quote!(runtime::copied_pointers::<#of, _> #from);
                        if self.is_owned(record) {
                            quote!(#copied.map(|all| all.iter().map(|raw| runtime::Owned::copied(raw)).collect()))
                        } else {
                            copied
                        }
                    }
                };
                if many.nullable { copied } else { quote!(#copied.unwrap_or_default()) }
            }
            FieldType::Union(union) => self.copied_union(field, union),
            _ => quote!(raw.#name),
        };
        quote!(#name: #value)
    }

    /// A pointer to elements, for JSON.
    pub(super) fn many_kind(
        &self,
        record: &Ident,
        fields: &[Field],
        field: &Field,
        many: &Many,
    ) -> TokenStream {
        let of = match many.of {
            Item::Text(_) => quote!(runtime::Kind::UINT8_T),
            Item::Scalar(scalar) => self.kind(&Kind::element(Element::Scalar(scalar))),
            Item::Strings(_) => quote!(runtime::Kind::Str),
            Item::Record(record) => self.target_kind("Nested", record),
            Item::Pointers(record) => self.target_kind("Pointed", record),
        };
        let text = match many.of {
            Item::Text(encoding) => {
                let encoding = kind::encoding(encoding);
                quote!(Some(#encoding))
            }
            _ => quote!(None),
        };
        let name = ident(&field.ident);
        let beside = |index: usize| {
            let other = &fields[index];
            let of = self.kind(&Kind::field(&other.of));
            let other = ident(&other.ident);
            quote! {
                runtime::Beside {
                    by: offset_of!(#record, #other) as isize - offset_of!(#record, #name) as isize,
                    of: #of,
                }
            }
        };
        let length = match many.length {
            ManyLength::Field(index) => {
                let beside = beside(index);
                quote!(runtime::Extent::Beside(#beside))
            }
            ManyLength::Const(count) => {
                let count = Literal::u64_unsuffixed(count);
                quote!(runtime::Extent::Const(#count))
            }
            ManyLength::Terminated => quote!(runtime::Extent::Terminated),
        };
        let room = match many.room {
            None => quote!(None),
            Some(Written::All) => quote!(Some(runtime::Wrote::All)),
            Some(Written::Field(index)) => {
                let beside = beside(index);
                quote!(Some(runtime::Wrote::Beside(#beside)))
            }
            Some(Written::Left(index)) => {
                let beside = beside(index);
                quote!(Some(runtime::Wrote::Left(#beside)))
            }
        };
        let (nullable, items) = (many.nullable, matches!(many.of, Item::Strings(true)));
        quote! {
            runtime::Kind::Many(const {
                &runtime::Many {
                    of: #of,
                    text: #text,
                    length: #length,
                    nullable: #nullable,
                    nullable_items: #items,
                    room: #room,
                }
            })
        }
    }

    /// A struct that a member points to: in place there, or behind one more pointer.
    pub(super) fn target_kind(&self, kind: &str, record: usize) -> TokenStream {
        let (kind, constant) = (ident(kind), ident(&self.types.records[record].constant));
        quote!(runtime::Kind::#kind(runtime::Target::new(&#constant)))
    }
}

/// Whether callers have a member: lengths follow from arrays, and pointers that nothing describes are NULL.
fn is_seen(field: &Field) -> bool {
    !field.hidden && !matches!(field.of, FieldType::Pointer { .. })
}

/// The number of elements of `given`.
fn length(many: &Many, given: &TokenStream) -> TokenStream {
    match many.of {
        Item::Text(encoding) if !encoding.is_binary() => quote!(#given.count_bytes()),
        _ => quote!(#given.len()),
    }
}

/// The lengths that follow from arrays. Arrays that share one are equally long.
fn lengths(fields: &[Field]) -> Vec<TokenStream> {
    let hidden = fields.iter().enumerate().filter(|(_, field)| field.hidden);
    hidden
        .map(|(index, field)| {
            let into = ident(&field.ident);
            let arrays: Vec<(&Field, &Many)> = fields
                .iter()
                .filter_map(|field| match &field.of {
                    FieldType::Many(many)
                        if many.room.is_none() && many.length == ManyLength::Field(index) =>
                    {
                        Some((field, &**many))
                    }
                    _ => None,
                })
                .collect();
            let lengths: Vec<TokenStream> = arrays
                .iter()
                .map(|(field, many)| {
                    let name = ident(&field.ident);
                    if many.nullable {
                        let length = length(many, &quote!(given));
                        quote!(self.#name.as_ref().map(|given| #length))
                    } else {
                        let length = length(many, &quote!(self.#name));
                        quote!(Some(#length))
                    }
                })
                .collect();
            match arrays.as_slice() {
                [] => TokenStream::new(),
                [(field, many)] if !many.nullable => {
                    let (key, name) = (&field.key, ident(&field.ident));
                    let length = length(many, &quote!(self.#name));
                    quote!(raw.#into = runtime::length(#key, #length)?;)
                }
                [(first, _), ..] => {
                    let first = &first.key;
                    let lengths = &lengths;
                    let checks = arrays.iter().zip(lengths).skip(1).map(|((field, _), length)| {
                        let key = &field.key;
                        quote! {
                            if let Some(length) = #length {
                                runtime::same_length(#key, length, #first, shared)?;
                            }
                        }
                    });
                    quote! {
                        let shared = runtime::first_length([#(#lengths),*]);
                        #(#checks)*
                        raw.#into = runtime::length(#first, shared)?;
                    }
                }
            }
        })
        .collect()
}
