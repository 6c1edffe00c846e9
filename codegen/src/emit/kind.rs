//! What a value is in JSON, as the runtime's `Kind`.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Encoding, Kind, Scalar, TextKind, Values, View};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{Emitter, ident};

impl Emitter<'_> {
    pub(super) fn kind(&self, kind: &Kind) -> TokenStream {
        let record = |index: usize| ident(&self.types.records[index].constant);
        match kind {
            Kind::Scalar(scalar) => self.scalar_kind(*scalar),
            Kind::TruthInMemory(c_type) => {
                let kind = ident(c_type.kind());
                quote!(runtime::Kind::Truth(&runtime::Kind::#kind))
            }
            Kind::Text(TextKind {
                encoding: Encoding::Utf8 | Encoding::Utf8Lossy,
                counted: false,
                one_of: None,
                ..
            }) => quote!(runtime::Kind::Str),
            Kind::Text(text) => self.text_kind(*text),
            Kind::List(of) => {
                let of = self.kind(of);
                quote!(runtime::Kind::List(&#of))
            }
            Kind::Fixed(of, count) => {
                let (of, count) = (self.kind(of), Literal::u64_unsuffixed(*count));
                quote!(runtime::Kind::Fixed(&(#of, #count)))
            }
            Kind::Record(index) => {
                let constant = record(*index);
                quote!(runtime::Kind::Record(&#constant))
            }
            Kind::State(index) => {
                let constant = record(*index);
                quote!(runtime::Kind::Handle(&#constant))
            }
            Kind::Handle(index) => {
                let constant = ident(&self.types.handles[*index].constant);
                quote!(runtime::Kind::Handle(&#constant))
            }
            Kind::Capacity { c_type, content, .. } => {
                let (kind, of) = (ident(c_type.kind()), self.content_memory(*content));
                quote!(runtime::Kind::Integer(const { &runtime::Kind::#kind.capacity(size_of::<#of>()) }))
            }
            Kind::Count(c_type) => {
                let kind = ident(c_type.kind());
                quote!(runtime::Kind::#kind)
            }
            Kind::Callback => quote!(runtime::Kind::Callback),
            Kind::Opaque => quote!(runtime::Kind::Opaque),
        }
    }

    fn scalar_kind(&self, scalar: Scalar) -> TokenStream {
        let kind = match scalar.view {
            View::Plain => scalar.c_type.kind(),
            View::Truth => CType::Bool.kind(),
            View::Character => "Character",
            View::Enum(index) => {
                let constant = ident(&self.types.enums[index].constant);
                return quote!(runtime::Kind::Choice(&#constant));
            }
        };
        let kind = ident(kind);
        quote!(runtime::Kind::#kind)
    }

    fn text_kind(&self, text: TextKind) -> TokenStream {
        let encoding = encoding(text.encoding);
        let kind = if text.counted { quote!(counted) } else { quote!(terminated) };
        let exactly = text.exactly.map(|count| {
            let count = Literal::u64_unsuffixed(count);
            quote!(.exactly(#count))
        });
        let one_of = match text.one_of.map(|index| &self.types.enums[index].of) {
            Some(Values::Strings(variants)) => {
                let texts = variants.iter().map(|variant| &variant.value);
                Some(quote!(.one_of(&[#(#texts),*])))
            }
            _ => None,
        };
        quote!(runtime::Kind::Text(const { &runtime::Text::#kind(#encoding) #exactly #one_of }))
    }
}

/// An encoding of the runtime.
pub(super) fn encoding(encoding: Encoding) -> TokenStream {
    let name = ident(match encoding {
        Encoding::Utf8 => "Utf8",
        Encoding::Utf8Lossy => "Utf8Lossy",
        Encoding::Latin1 => "Latin1",
        Encoding::Utf16 => "Utf16",
        Encoding::Base64 => "Base64",
        Encoding::Hex => "Hex",
    });
    quote!(runtime::Encoding::#name)
}
