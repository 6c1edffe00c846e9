//! What C has in its signatures and in memory.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::{callback, ident};
use super::Place;
use opendyn_model::c_type::CType;
use opendyn_model::ir::{
    Constant, Content, Direction, Element, Form, HandleRole, Passing, Scalar, Text, Types,
};

/// The type of memory that C reads and writes, by the name that the block imports.
pub(in super::super) fn c_type(c_type: CType) -> TokenStream {
    c_type_at(c_type, Place::Block)
}

pub(in super::super) fn c_type_at(c_type: CType, place: Place) -> TokenStream {
    let name = ident(c_type.ffi());
    match place {
        Place::Outside if c_type.is_in_ffi() => quote!(::core::ffi::#name),
        Place::Block | Place::Outside => quote!(#name),
    }
}

/// What a parameter is in the C signature.
pub(in super::super) fn parameter(passing: &Passing, types: &Types) -> TokenStream {
    match passing {
        Passing::Value(scalar) => by_value(*scalar),
        Passing::Counted { c_type, inout: true, .. } => pointer(&quote!(*mut), *c_type),
        Passing::Str(Text { c_type, .. }) | Passing::Counted { c_type, .. } => {
            pointer(&quote!(*const), *c_type)
        }
        Passing::Pointer(scalar) | Passing::InOut(scalar) | Passing::Output(scalar) => {
            pointer(&quote!(*mut), scalar.c_type)
        }
        Passing::Slice { element, length: Some(_), inout: false } => {
            let element = seen_element(*element, types);
            quote!(*const #element)
        }
        Passing::Slice { element, length: None, .. } => {
            let element = seen_element(*element, types);
            quote!(*mut #element)
        }
        Passing::Slice { element, .. } => {
            let element = written_element(*element, types);
            quote!(*mut #element)
        }
        Passing::Strings { .. } => quote!(*const *const c_char),
        Passing::Constant { of: Constant::Scalar(scalar), .. } => by_value(*scalar),
        Passing::Constant { of: Constant::Str(text), .. } => pointer(&quote!(*const), text.c_type),
        Passing::Buffer { content: Content::Elements(element), capacity: None, .. } => {
            let element = seen_element(*element, types);
            quote!(*mut #element)
        }
        Passing::Buffer { content, .. } => {
            let element = content_memory(*content, types);
            quote!(*mut #element)
        }
        Passing::Record { record, direction } => {
            let record = ident(&types.records[*record].ident);
            match direction {
                Direction::In => quote!(*const #record),
                Direction::Out | Direction::InOut => quote!(*mut #record),
                Direction::Value => quote!(#record),
            }
        }
        Passing::Handle { role: HandleRole::ConsumedThrough, .. } => quote!(*mut *mut c_void),
        Passing::Fetched(form) => {
            let pointee = pointee(form, types);
            quote!(*mut *mut #pointee)
        }
        Passing::Callback(callback) => callback::pointer_type(callback, types),
        Passing::Length { c_type: of, pointer: by_pointer, .. }
        | Passing::Capacity { c_type: of, pointer: by_pointer, .. } => {
            if *by_pointer {
                pointer(&quote!(*mut), *of)
            } else {
                c_type(*of)
            }
        }
        Passing::Count { c_type } => pointer(&quote!(*mut), *c_type),
        Passing::State { .. }
        | Passing::Handle { .. }
        | Passing::UserData { .. }
        | Passing::Opaque { .. } => pointer(&quote!(*mut), CType::Void),
    }
}

/// A scalar in a C signature. A Rust `bool` is 0 or 1, so it can be passed as the C `bool` that it is.
fn by_value(scalar: Scalar) -> TokenStream {
    if scalar.c_type == CType::Bool { quote!(bool) } else { c_type(scalar.c_type) }
}

/// What a return value is in the C signature.
pub(in super::super) fn returned(form: &Form, types: &Types) -> TokenStream {
    match form {
        Form::Value(scalar) => c_type(scalar.c_type),
        Form::RecordValue(record) => {
            let record = ident(&types.records[*record].ident);
            quote!(#record)
        }
        Form::Str { .. } | Form::Pointed { .. } => {
            let to = pointee(form, types);
            // Only what is freed again is not const to us.
            if form.is_freed() { quote!(*mut #to) } else { quote!(*const #to) }
        }
        _ => {
            let to = pointee(form, types);
            quote!(*mut #to)
        }
    }
}

/// What the pointer that C gives points to.
pub(in super::super) fn pointee(form: &Form, types: &Types) -> TokenStream {
    match form {
        Form::Value(scalar) | Form::Pointed { scalar, .. } => c_type(scalar.c_type),
        Form::Str { text, .. } => c_type(text.c_type),
        Form::Array { content, .. } => content_memory(*content, types),
        Form::Strings { .. } => quote!(*const c_char),
        Form::Record { record, .. } | Form::RecordValue(record) => {
            let record = ident(&types.records[*record].ident);
            quote!(#record)
        }
        Form::Handle { .. } | Form::Opaque => quote!(c_void),
    }
}

fn pointer(kind: &TokenStream, to: CType) -> TokenStream {
    let to = c_type(to);
    quote!(#kind #to)
}

/// An element as C has it in memory.
pub(in super::super) fn memory(element: Element, types: &Types) -> TokenStream {
    memory_at(element, types, Place::Block)
}

pub(super) fn memory_at(element: Element, types: &Types, place: Place) -> TokenStream {
    match element {
        Element::Scalar(scalar) => c_type_at(scalar.c_type, place),
        Element::Record(record) => {
            let record = ident(&types.records[record].ident);
            quote!(#record)
        }
    }
}

pub(in super::super) fn content_memory(content: Content, types: &Types) -> TokenStream {
    match content {
        Content::Elements(element) => memory(element, types),
        Content::Text { c_type: of, .. } => c_type(of),
    }
}

/// What a slice holds that C writes: for `bool`, one that can hold what C leaves there.
pub(in super::super) fn written_element(element: Element, types: &Types) -> TokenStream {
    match element {
        Element::Scalar(Scalar { c_type: CType::Bool, .. }) => quote!(::opendyn::CBool),
        other => memory(other, types),
    }
}

/// What a slice holds: for `bool`, Rust's own.
pub(super) fn seen_element(element: Element, types: &Types) -> TokenStream {
    match element {
        Element::Scalar(Scalar { c_type: CType::Bool, .. }) => quote!(bool),
        other => memory(other, types),
    }
}
