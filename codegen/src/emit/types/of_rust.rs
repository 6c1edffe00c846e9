//! What methods take and return.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::{callback, ident};
use super::Place;
use super::of_c::{c_type, c_type_at, memory_at, seen_element, written_element};
use opendyn_model::c_type::CType;
use opendyn_model::ir::{
    Binding, Content, Direction, Element, Encoding, Form, Function, HandleRole, Outcome, Param, Passing,
    ReturnRole, Scalar, Source, StateRole, Types, View,
};

/// What the method takes.
pub(in super::super) fn taken(index: usize, param: &Param, types: &Types) -> TokenStream {
    let taken = match &param.passing {
        Passing::Value(scalar) => seen(*scalar, types, Place::Block),
        Passing::Str(text) => {
            let text = match (text.one_of, text.encoding) {
                (Some(one_of), _) => {
                    let name = ident(&types.enums[one_of].ident);
                    quote!(#name)
                }
                (None, Encoding::Utf16) => quote!(::opendyn::Utf16CStr),
                (None, _) => quote!(::core::ffi::CStr),
            };
            quote!(&#text)
        }
        Passing::Pointer(scalar) | Passing::InOut(scalar) => {
            let to = lent(*scalar);
            quote!(&mut #to)
        }
        Passing::Slice { element, inout, length } => {
            let of = if *inout { written_element(*element, types) } else { seen_element(*element, types) };
            let of = sized(&of, param.passing.array_length());
            if *inout || length.is_none() { quote!(&mut #of) } else { quote!(&#of) }
        }
        Passing::Counted { inout: true, .. } => {
            let of = sized(&quote!(u8), param.passing.array_length());
            quote!(&mut #of)
        }
        Passing::Counted { encoding, .. } => match encoding {
            Encoding::Utf8 | Encoding::Utf8Lossy => quote!(&str),
            Encoding::Utf16 => quote!(&[u16]),
            Encoding::Latin1 | Encoding::Base64 | Encoding::Hex => {
                let of = sized(&quote!(u8), param.passing.array_length());
                quote!(&#of)
            }
        },
        Passing::Strings { .. } => quote!(&[&::core::ffi::CStr]),
        Passing::Buffer { content, .. } => {
            let element = match content {
                Content::Elements(element) => seen_element(*element, types),
                Content::Text { c_type: of, .. } => c_type(*of),
            };
            quote!(&mut [#element])
        }
        Passing::Record { record, direction } => {
            let record = ident(&types.records[*record].ident);
            match direction {
                Direction::In => quote!(&#record),
                Direction::Out | Direction::InOut => quote!(&mut #record),
                Direction::Value => quote!(#record),
            }
        }
        Passing::State { record, role } => {
            let record = ident(&types.records[*record].ident);
            if *role == StateRole::Ends { quote!(#record) } else { quote!(&mut #record) }
        }
        Passing::Handle { handle, role } => {
            let handle = ident(&types.handles[*handle].ident);
            if *role == HandleRole::Borrowed { quote!(&#handle<'_>) } else { quote!(#handle<'_>) }
        }
        Passing::Callback(callback) => return callback::taken(index, param, callback, types),
        Passing::Capacity { c_type: of, .. } => return c_type(*of),
        // A raw pointer can be NULL already.
        Passing::Opaque { .. } => return quote!(*mut c_void),
        Passing::Output(_)
        | Passing::Fetched(_)
        | Passing::UserData { .. }
        | Passing::Constant { .. }
        | Passing::Length { .. }
        | Passing::Count { .. } => TokenStream::new(),
    };
    if param.is_optional() { quote!(::core::option::Option<#taken>) } else { taken }
}

fn sized(of: &TokenStream, length: Option<u64>) -> TokenStream {
    match length {
        Some(length) => {
            let length = Literal::u64_unsuffixed(length);
            quote!([#of; #length])
        }
        None => quote!([#of]),
    }
}

/// What a result is in Rust. `lifetime` is that of the handles in it.
pub(in super::super) fn result(
    outcome: &Outcome<'_>,
    function: &Function,
    binding: &Binding,
    place: Place,
    lifetime: &TokenStream,
) -> TokenStream {
    let types = &binding.types;
    let whole = |of: TokenStream| {
        if function.copies_text(outcome, types) { quote!(::opendyn::Copied<#of>) } else { of }
    };
    match outcome.source {
        Source::Returned(returned) => match (&returned.role, &returned.form) {
            (ReturnRole::Code(_), _) if !binding.codes.is_empty() => {
                let code = ident(&binding.code_ident);
                quote!(#code)
            }
            (_, form) => form_type(form, types, place, lifetime, &whole),
        },
        Source::Param(param) => match &param.passing {
            Passing::Output(scalar) => seen(*scalar, types, place),
            Passing::Buffer { content, .. } => whole(content_type(*content, types, place)),
            Passing::Record { record, .. } | Passing::State { record, .. } => {
                let record = ident(&types.records[*record].ident);
                whole(quote!(#record))
            }
            Passing::Fetched(form) => form_type(form, types, place, lifetime, &whole),
            Passing::Length { c_type, .. } => c_type_at(*c_type, place),
            // What is written back is the caller's own.
            _ => TokenStream::new(),
        },
    }
}

fn form_type(
    form: &Form,
    types: &Types,
    place: Place,
    lifetime: &TokenStream,
    whole: &impl Fn(TokenStream) -> TokenStream,
) -> TokenStream {
    let of = match form {
        Form::Value(scalar) | Form::Pointed { scalar, .. } => seen(*scalar, types, place),
        Form::Str { text, .. } => match (text.one_of, text.encoding) {
            (Some(one_of), _) => {
                let name = ident(&types.enums[one_of].ident);
                quote!(#name)
            }
            (None, Encoding::Utf16) => quote!(::opendyn::Utf16CString),
            (None, _) => quote!(::std::ffi::CString),
        },
        Form::Array { content: Content::Elements(element), length: None, .. } => {
            let of = memory_at(*element, types, place);
            return quote!(*mut #of);
        }
        Form::Array { content: Content::Text { c_type, .. }, length: None, .. } => {
            let of = c_type_at(*c_type, place);
            return quote!(*mut #of);
        }
        Form::Array { content, .. } => whole(content_type(*content, types, place)),
        Form::Strings { .. } => quote!(::std::vec::Vec<::std::ffi::CString>),
        Form::Record { record, .. } | Form::RecordValue(record) => {
            let record = ident(&types.records[*record].ident);
            whole(quote!(#record))
        }
        Form::Handle { handle, free, .. } => {
            let handle = ident(&types.handles[*handle].ident);
            match free {
                Some(_) => quote!(#handle<#lifetime>),
                None => quote!(::opendyn::Borrowed<#handle<#lifetime>>),
            }
        }
        Form::Opaque => {
            let of = c_type_at(CType::Void, place);
            return quote!(*mut #of);
        }
    };
    if form.is_nullable() { quote!(::core::option::Option<#of>) } else { of }
}

fn content_type(content: Content, types: &Types, place: Place) -> TokenStream {
    match content {
        Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => {
            quote!(::std::vec::Vec<bool>)
        }
        Content::Elements(element) => {
            let of = memory_at(element, types, place);
            quote!(::std::vec::Vec<#of>)
        }
        Content::Text { encoding: Encoding::Utf16, .. } => quote!(::std::vec::Vec<u16>),
        Content::Text { encoding, .. } if encoding.is_binary() => quote!(::std::vec::Vec<u8>),
        Content::Text { .. } => quote!(::std::ffi::CString),
    }
}

/// A scalar as Rust sees it.
pub(in super::super) fn seen(scalar: Scalar, types: &Types, place: Place) -> TokenStream {
    match scalar.view {
        View::Truth => quote!(bool),
        View::Enum(index) if types.enums[index].is_named() => {
            let name = ident(&types.enums[index].ident);
            quote!(#name)
        }
        View::Plain | View::Character | View::Enum(_) => c_type_at(scalar.c_type, place),
    }
}

/// A scalar that is lent to C: as C has it, but for truth.
fn lent(scalar: Scalar) -> TokenStream {
    if scalar.view == View::Truth { quote!(bool) } else { c_type(scalar.c_type) }
}
