//! The types of parameters and results: for C, and for Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::ident;
use crate::c_type::CType;
use crate::ir::{Form, Outcome, Param, Passing, Scalar, Source, View};

/// Where a type is named: in the block, which imports the C types, or outside of it.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Block,
    Outside,
}

/// The type of memory that C reads and writes, by the name that the block imports.
pub(super) fn c_type(c_type: CType) -> TokenStream {
    c_type_at(c_type, Place::Block)
}

fn c_type_at(c_type: CType, place: Place) -> TokenStream {
    let name = ident(c_type.ffi());
    match place {
        Place::Outside if c_type.is_in_ffi() => quote!(::core::ffi::#name),
        Place::Block | Place::Outside => quote!(#name),
    }
}

/// What a parameter is in the C signature.
pub(super) fn parameter(passing: Passing) -> TokenStream {
    match passing {
        // A Rust `bool` is 0 or 1, so it can be passed as the C `bool` that it is.
        Passing::Value(Scalar { c_type: CType::Bool, .. }) => quote!(bool),
        Passing::Value(scalar) => c_type(scalar.c_type),
        Passing::Str(element) => pointer(&quote!(*const), element),
        Passing::Pointer(scalar) | Passing::Output(scalar) => pointer(&quote!(*mut), scalar.c_type),
        Passing::Slice(element) | Passing::Buffer { element, .. } => {
            let element = element_type(element);
            quote!(*mut #element)
        }
        Passing::Opaque { .. } => pointer(&quote!(*mut), CType::Void),
    }
}

/// What a return value is in the C signature.
pub(super) fn returned(form: Form) -> TokenStream {
    match form {
        Form::Value(scalar) => c_type(scalar.c_type),
        Form::Str(element) => pointer(&quote!(*const), element),
        Form::Pointed(scalar) => pointer(&quote!(*const), scalar.c_type),
        Form::Array(element) => pointer(&quote!(*mut), element),
        Form::Opaque => pointer(&quote!(*mut), CType::Void),
    }
}

fn pointer(kind: &TokenStream, to: CType) -> TokenStream {
    let to = c_type(to);
    quote!(#kind #to)
}

/// What a slice holds: for `bool`, Rust's own.
fn element_type(element: CType) -> TokenStream {
    if element == CType::Bool { quote!(bool) } else { c_type(element) }
}

/// What the method takes; `None` for what it returns instead.
pub(super) fn taken(param: &Param) -> Option<TokenStream> {
    let taken = match param.passing {
        Passing::Value(scalar) => seen(scalar, Place::Block),
        Passing::Str(_) => quote!(&::core::ffi::CStr),
        Passing::Pointer(scalar) => {
            let to = seen(scalar, Place::Block);
            quote!(&mut #to)
        }
        Passing::Slice(element) | Passing::Buffer { element, .. } => {
            let element = element_type(element);
            quote!(&mut [#element])
        }
        // A raw pointer can be NULL already.
        Passing::Opaque { .. } => return Some(quote!(*mut c_void)),
        Passing::Output(_) => return None,
    };
    let optional = !param.required && param.passing.is_input();
    Some(if optional { quote!(::core::option::Option<#taken>) } else { taken })
}

/// What a result is in Rust.
pub(super) fn result(outcome: &Outcome<'_>, place: Place) -> TokenStream {
    let raw = |to: CType| {
        let to = c_type_at(to, place);
        quote!(*mut #to)
    };
    match outcome.source {
        Source::Output(scalar) | Source::Returned(Form::Value(scalar) | Form::Pointed(scalar)) => {
            seen(scalar, place)
        }
        Source::Returned(Form::Str(_)) | Source::Buffer => quote!(::std::ffi::CString),
        Source::Returned(Form::Array(element)) => raw(element),
        Source::Returned(Form::Opaque) => raw(CType::Void),
    }
}

/// A scalar as Rust sees it.
fn seen(scalar: Scalar, place: Place) -> TokenStream {
    match scalar.view {
        View::Truth => quote!(bool),
        View::Plain | View::Character => c_type_at(scalar.c_type, place),
    }
}
