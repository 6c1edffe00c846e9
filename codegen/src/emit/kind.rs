//! What JSON may give for a value, as the runtime's `Kind`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::ident;
use super::types as type_tokens;
use opendyn_model::c_type::CType;
use opendyn_model::ir::{
    Content, Element, Encoding, Length, Member, Param, Passing, Scalar, Text, Types, Values, View,
};

/// The kind of an argument.
pub(super) fn of_parameter(param: &Param, params: &[Param], types: &Types) -> TokenStream {
    match &param.passing {
        Passing::Value(scalar)
        | Passing::Pointer(scalar)
        | Passing::InOut(scalar)
        | Passing::Output(scalar) => of_scalar(*scalar, types),
        Passing::Str(Text { encoding: Encoding::Utf8 | Encoding::Utf8Lossy, one_of: None, .. }) => {
            quote!(runtime::Kind::Str)
        }
        Passing::Str(text) => of_text(text.encoding, false, None, text.one_of, types),
        Passing::Slice { element, length, .. } => {
            let element = of_element(*element, types);
            match length {
                Some(Length::Const(count)) => {
                    let count = Literal::u64_unsuffixed(*count);
                    quote!(runtime::Kind::Fixed(&(#element, #count)))
                }
                _ => quote!(runtime::Kind::List(&#element)),
            }
        }
        Passing::Counted { encoding, length, .. } => {
            let exactly = match length {
                Length::Const(count) => Some(*count),
                Length::Param(_) | Length::Call { .. } => None,
            };
            of_text(*encoding, true, exactly, None, types)
        }
        Passing::Strings { .. } => quote!(runtime::Kind::List(&runtime::Kind::Str)),
        Passing::Record { record, .. } => {
            let constant = ident(&types.records[*record].constant);
            quote!(runtime::Kind::Record(&#constant))
        }
        Passing::State { record, .. } => {
            let constant = ident(&types.records[*record].constant);
            quote!(runtime::Kind::Handle(&#constant))
        }
        Passing::Handle { handle, .. } => {
            let constant = ident(&types.handles[*handle].constant);
            quote!(runtime::Kind::Handle(&#constant))
        }
        Passing::Callback(_) => quote!(runtime::Kind::Callback),
        Passing::Capacity { c_type, of, .. } => {
            let kind = ident(c_type.kind());
            let size = match &params[*of].passing {
                Passing::Buffer { content, .. } => element_size(*content, types),
                _ => quote!(1),
            };
            quote!(runtime::Kind::Integer(const { &runtime::Kind::#kind.capacity(#size) }))
        }
        Passing::Buffer { .. }
        | Passing::Fetched(_)
        | Passing::UserData { .. }
        | Passing::Constant { .. }
        | Passing::Length { .. }
        | Passing::Count { .. }
        | Passing::Opaque { .. } => quote!(runtime::Kind::Opaque),
    }
}

fn element_size(content: Content, types: &Types) -> TokenStream {
    let element = type_tokens::content_memory(content, types);
    quote!(::core::mem::size_of::<#element>())
}

/// The kind of a member of a struct: also how it lies in memory.
pub(super) fn of_member(member: &Member, types: &Types) -> TokenStream {
    match member {
        Member::Scalar(Scalar { c_type, view: View::Truth }) if *c_type != CType::Bool => {
            let kind = ident(c_type.kind());
            quote!(runtime::Kind::Truth(&runtime::Kind::#kind))
        }
        Member::Scalar(scalar) => of_scalar(*scalar, types),
        Member::Record(record) => {
            let constant = ident(&types.records[*record].constant);
            quote!(runtime::Kind::Record(&#constant))
        }
        Member::Array { element, count } => {
            let (element, count) = (of_element(*element, types), Literal::u64_unsuffixed(*count));
            quote!(runtime::Kind::Fixed(&(#element, #count)))
        }
        Member::Text { count, encoding, .. } => of_text(*encoding, true, Some(*count), None, types),
        Member::Str(_) => quote!(runtime::Kind::Str),
        Member::Pointer(_) => quote!(runtime::Kind::Opaque),
    }
}

fn of_element(element: Element, types: &Types) -> TokenStream {
    match element {
        Element::Scalar(scalar) => of_scalar(scalar, types),
        Element::Record(record) => {
            let constant = ident(&types.records[record].constant);
            quote!(runtime::Kind::Record(&#constant))
        }
    }
}

fn of_scalar(scalar: Scalar, types: &Types) -> TokenStream {
    let kind = match scalar.view {
        View::Plain => scalar.c_type.kind(),
        View::Truth => CType::Bool.kind(),
        View::Character => "Character",
        View::Enum(index) => {
            let constant = ident(&types.enums[index].constant);
            return quote!(runtime::Kind::Choice(&#constant));
        }
    };
    let kind = ident(kind);
    quote!(runtime::Kind::#kind)
}

fn of_text(
    encoding: Encoding,
    counted: bool,
    exactly: Option<u64>,
    one_of: Option<usize>,
    types: &Types,
) -> TokenStream {
    let encoding = encoding_tokens(encoding);
    let exactly = match exactly {
        Some(count) => {
            let count = Literal::u64_unsuffixed(count);
            quote!(::core::option::Option::Some(#count))
        }
        None => quote!(::core::option::Option::None),
    };
    let one_of = match one_of.map(|index| &types.enums[index].of) {
        Some(Values::Strings(variants)) => {
            let texts = variants.iter().map(|variant| &variant.value);
            quote!(&[#(#texts),*])
        }
        _ => quote!(&[]),
    };
    quote!(runtime::Kind::Text(&runtime::Text {
        encoding: #encoding,
        counted: #counted,
        exactly: #exactly,
        one_of: #one_of,
    }))
}

pub(super) fn encoding_tokens(encoding: Encoding) -> TokenStream {
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
