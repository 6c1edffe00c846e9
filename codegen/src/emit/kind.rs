//! What a value is in JSON, as the runtime's `Kind`.

use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{Bound, Encoding, Kind, Limits, Scalar, TextKind, Values, View};

use super::{Emitter, ident};
use crate::tokens::{Literal, TokenStream, quote};

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
            Kind::Text(text) => self.text_kind(*text, None),
            Kind::List(of) => {
                let of = self.kind(of);
                quote!(runtime::Kind::List(&#of))
            }
            Kind::Nullable(of) => {
                let of = self.kind(of);
                quote!(runtime::Kind::Nullable(&#of))
            }
            Kind::Fixed(of, count) => {
                let (of, count) = (self.kind(of), Literal::u64_unsuffixed(*count));
                quote!(runtime::Kind::Fixed(&(#of, #count)))
            }
            // Members of a struct, of which the table knows more.
            Kind::Bits { .. } | Kind::Union(_) => quote!(runtime::Kind::Opaque),
            Kind::Within(of, limits) => self.limited_kind(of, *limits),
            Kind::Record(index) if self.types.records[*index].complex.is_some() => {
                let name = ident(&self.types.records[*index].ident);
                quote!(<#name as runtime::Described>::KIND)
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
            Kind::Collect { .. } => quote!(runtime::Kind::Boolean),
            // No table has them: they are only results.
            Kind::Calls(_) | Kind::Events { .. } | Kind::Texts | Kind::Opaque => {
                quote!(runtime::Kind::Opaque)
            }
        }
    }

    fn limited_kind(&self, of: &Kind, limits: Limits) -> TokenStream {
        match of {
            Kind::Text(text) => self.text_kind(*text, limits.length),
            Kind::Scalar(scalar) if limits.has_range() => {
                let of = self.kind(of);
                let (least, most) = (bound(limits.least), bound(limits.most));
                let make =
                    ident(if scalar.c_type.class() == Class::Floating { "numbers" } else { "integers" });
                quote!(runtime::Kind::Within(const { &runtime::Within::#make(#of, #least, #most) }))
            }
            // A step checks the length of an array.
            _ => self.kind(of),
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

    fn text_kind(&self, text: TextKind, at_most: Option<u64>) -> TokenStream {
        let encoding = encoding(text.encoding);
        let kind = if text.counted { quote!(counted) } else { quote!(terminated) };
        let exactly = text.exactly.map(|count| {
            let count = Literal::u64_unsuffixed(count);
            quote!(.exactly(#count))
        });
        let at_most = at_most.map(|most| {
            let most = Literal::u64_unsuffixed(most);
            quote!(.at_most(#most))
        });
        let one_of = match text.one_of.map(|index| &self.types.enums[index].of) {
            Some(Values::Strings(variants)) => {
                let texts = variants.iter().map(|variant| &variant.value);
                Some(quote!(.one_of(&[#(#texts),*])))
            }
            _ => None,
        };
        quote!(runtime::Kind::Text(const { &runtime::Text::#kind(#encoding) #exactly #at_most #one_of }))
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

/// A limit of a number, or none.
pub(super) fn bound(bound: Option<Bound>) -> TokenStream {
    match bound {
        Some(Bound::Integer(value)) => {
            let value = Literal::i128_unsuffixed(value);
            quote!(Some(#value))
        }
        Some(Bound::Number(value)) => {
            let value = Literal::f64_suffixed(value);
            quote!(Some(#value))
        }
        None => quote!(None),
    }
}
