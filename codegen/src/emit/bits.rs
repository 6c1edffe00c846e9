//! Bit fields: the bytes of a run of them, and methods that read and write one.

use opendyn_model::c_type::CType;
use opendyn_model::data_model::Sign;
use opendyn_model::plan::{Field, FieldType, Record};

use super::{Emitter, docs, ident};
use crate::tokens::{Ident, Literal, TokenStream, format_ident, quote};

/// The runs of bit fields among these members: the first and the last of each.
fn runs(fields: &[Field]) -> Vec<(usize, usize)> {
    let is_bits =
        |index: usize| fields.get(index).is_some_and(|field| matches!(field.of, FieldType::Bits { .. }));
    let mut runs = Vec::new();
    let mut first = None;
    for index in 0..=fields.len() {
        match (is_bits(index), first) {
            (true, None) => first = Some(index),
            (false, Some(begun)) => {
                runs.push((begun, index - 1));
                first = None;
            }
            _ => {}
        }
    }
    runs
}

fn bytes_of(first: usize) -> Ident {
    format_ident!("bits_{first}")
}

fn parts_of(record: &Record) -> Ident {
    format_ident!("{}_PARTS", record.constant)
}

impl Emitter<'_> {
    /// The members that C has for the bit fields that begin at `index`; `None` if none begin there.
    pub(super) fn bit_members(&self, record: &Record, fields: &[Field], index: usize) -> Option<TokenStream> {
        let (first, last) = runs(fields).into_iter().find(|(first, _)| *first == index)?;
        let (bytes, parts) = (bytes_of(first), parts_of(record));
        let names: Vec<String> =
            fields[first..=last].iter().map(|field| format!("`{}`", field.key)).collect();
        let docs = docs::attributes(&[format!("The bits of {}: use the methods.", names.join(", "))]);
        let (first, last) = (Literal::usize_unsuffixed(first), Literal::usize_unsuffixed(last));
        Some(quote!(#docs pub #bytes: [u8; runtime::run_bytes(&#parts, #first, #last)],))
    }

    /// A member without a size that aligns the struct as its bit fields do; it comes first.
    pub(super) fn bit_alignment(&self, fields: &[Field]) -> Option<TokenStream> {
        let types: Vec<TokenStream> = fields
            .iter()
            .filter_map(|field| match &field.of {
                FieldType::Bits { c_type, .. } => {
                    let of = self.bit_unit(*c_type);
                    Some(quote!([#of; 0]))
                }
                _ => None,
            })
            .collect();
        (!types.is_empty()).then(|| quote!(#[doc(hidden)] pub aligned: (#(#types,)*),))
    }

    fn bit_unit(&self, c_type: CType) -> TokenStream {
        if c_type == CType::Bool { quote!(u8) } else { self.c_type(c_type) }
    }

    /// The layout of a struct with bit fields, and their methods.
    pub(super) fn bit_items(&self, record: &Record, fields: &[Field]) -> Option<TokenStream> {
        let runs = runs(fields);
        if runs.is_empty() {
            return None;
        }
        let (name, parts) = (ident(&record.ident), parts_of(record));
        let count = Literal::usize_unsuffixed(fields.len());
        let listed = fields.iter().map(|field| match &field.of {
            FieldType::Bits { c_type, width, .. } => {
                let (of, width) = (self.bit_unit(*c_type), Literal::u32_unsuffixed(*width));
                quote!(runtime::Part::bits::<#of>(#width))
            }
            of => {
                let of = self.field_type(of);
                quote!(runtime::Part::plain::<#of>())
            }
        });
        let methods = runs.iter().flat_map(|(first, last)| {
            (*first..=*last).map(|index| self.bit_methods(&fields[index], &parts, *first, index))
        });
        let methods: TokenStream = methods.collect();
        Some(quote! {
            const _: () = runtime::assert_bit_fields();
            const #parts: [runtime::Part; #count] = [#(#listed),*];

            impl #name { #methods }
        })
    }

    fn bit_methods(&self, field: &Field, parts: &Ident, first: usize, index: usize) -> TokenStream {
        let FieldType::Bits { c_type, width, truth } = &field.of else { return TokenStream::new() };
        let (name, bytes) = (ident(&field.ident), bytes_of(first));
        let set = format_ident!("set_{}", field.ident.trim_start_matches("r#"));
        let text = field.description.as_deref().map_or_else(|| format!("`{}`", field.key), docs::line);
        let read = docs::attributes(&[text]);
        let written =
            docs::attributes(&[format!("Sets `{}` to the low {width} bits, as C does.", field.key)]);
        let (first, index) = (Literal::usize_unsuffixed(first), Literal::usize_unsuffixed(index));
        let width = Literal::u32_unsuffixed(*width);
        let place =
            quote!(const { runtime::bit_place(&#parts, #index) - 8 * runtime::run_start(&#parts, #first) });
        let (of, got, given) = if *truth {
            (
                quote!(bool),
                quote!(runtime::get_bits(&self.#bytes, #place, #width) != 0),
                quote!(u64::from(value)),
            )
        } else {
            let of = self.c_type(*c_type);
            let got = match c_type.on(opendyn_model::data_model::DataModel::ALL[0]).sign {
                Sign::Signed => quote!(runtime::get_signed_bits(&self.#bytes, #place, #width) as #of),
                Sign::Unsigned | Sign::OfTarget => {
                    quote!(runtime::get_bits(&self.#bytes, #place, #width) as #of)
                }
            };
            (quote!(#of), got, quote!(value as u64))
        };
        quote! {
            #read
            #[must_use]
            pub fn #name(&self) -> #of { #got }
            #written
            pub fn #set(&mut self, value: #of) { runtime::set_bits(&mut self.#bytes, #place, #width, #given) }
        }
    }

    /// The member of the table for JSON, if it is a bit field.
    pub(super) fn bit_member(&self, record: &Record, field: &Field, index: usize) -> Option<TokenStream> {
        let FieldType::Bits { c_type, width, truth } = &field.of else { return None };
        let (key, parts) = (&field.key, parts_of(record));
        let (index, width) = (Literal::usize_unsuffixed(index), Literal::u32_unsuffixed(*width));
        let signed = c_type.on(opendyn_model::data_model::DataModel::ALL[0]).sign == Sign::Signed;
        let form = ident(if *truth {
            "Truth"
        } else if signed {
            "Signed"
        } else {
            "Unsigned"
        });
        let kind = quote!(runtime::Kind::Bits(const {
            &runtime::Bits::new(runtime::bit_place(&#parts, #index), #width, runtime::BitForm::#form)
        }));
        let make = ident(if field.required { "required" } else { "optional" });
        Some(quote!(runtime::Member::#make(#key, #kind, runtime::bit_place(&#parts, #index) / 8)))
    }
}
