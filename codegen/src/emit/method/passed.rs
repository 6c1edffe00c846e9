//! What is passed to C.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::types as type_tokens;
use super::super::{ident, literal, zero};
use super::locals::{handle_pointer, pointer_ident, pointers_ident};
use super::{is_char, is_converted};
use opendyn_model::c_type::CType;
use opendyn_model::ir::{
    Constant, Default, Direction, Encoding, Function, HandleRole, Param, Passing, Scalar, StateRole, Types,
    View,
};

/// What is passed to C for a parameter.
pub(super) fn argument(function: &Function, index: usize, param: &Param, types: &Types) -> TokenStream {
    let passed = plain_argument(param, types);
    match (&param.passing, function.variadic) {
        // What C promotes on the way through `...`, Rust makes us promote.
        (
            Passing::Value(Scalar { c_type, .. })
            | Passing::Constant { of: Constant::Scalar(Scalar { c_type, .. }), .. }
            | Passing::Capacity { c_type, pointer: false, .. }
            | Passing::Length { c_type, pointer: false, .. },
            Some(fixed),
        ) if index >= fixed && c_type.promoted() != *c_type => {
            let promoted = type_tokens::c_type(c_type.promoted());
            quote!(<#promoted>::from(#passed))
        }
        _ => passed,
    }
}

fn plain_argument(param: &Param, types: &Types) -> TokenStream {
    let name = ident(&param.ident);
    let optional = param.is_optional();
    let null = quote!(::core::ptr::null());
    let null_mut = quote!(::core::ptr::null_mut());
    match &param.passing {
        Passing::Value(scalar) => value(param, *scalar, types),
        Passing::Str(text) => {
            let pointer = match (&param.default, optional) {
                (Some(Default::Text(default)), true) => match text.one_of {
                    Some(_) => {
                        let default = c_literal(default, text.encoding);
                        quote!(#name.map_or(#default, |given| given.as_c_str()).as_ptr())
                    }
                    None if text.encoding == Encoding::Utf16 => {
                        let units = default.encode_utf16().chain([0]).map(Literal::u16_unsuffixed);
                        quote!(#name.map_or([#(#units),*].as_ptr(), |given| given.as_ptr()))
                    }
                    None => {
                        let default = c_literal(default, text.encoding);
                        quote!(#name.unwrap_or(#default).as_ptr())
                    }
                },
                (_, true) if text.one_of.is_some() => {
                    quote!(#name.map_or(#null, |given| given.as_c_str().as_ptr()))
                }
                (_, true) if text.encoding == Encoding::Utf16 => quote!(runtime::optional_utf16(#name)),
                (_, true) => quote!(runtime::optional_str(#name)),
                (_, false) if text.one_of.is_some() => quote!(#name.as_c_str().as_ptr()),
                (_, false) => quote!(#name.as_ptr()),
            };
            let same = is_char(text.c_type) || text.encoding == Encoding::Utf16;
            if same {
                pointer
            } else {
                let of = type_tokens::c_type(text.c_type);
                quote!(#pointer.cast::<#of>())
            }
        }
        Passing::Pointer(scalar) | Passing::InOut(scalar) if scalar.view == View::Truth => {
            let lent = if optional { quote!(optional) } else { quote!(new) };
            let of = type_tokens::c_type(scalar.c_type);
            quote!(runtime::Flag::<#of>::#lent(#name).as_mut_ptr())
        }
        Passing::Pointer(_) | Passing::InOut(_) if optional => quote!(runtime::optional_mut(#name)),
        Passing::Slice { length: None, .. } if optional => quote!(runtime::optional_slice(#name)),
        Passing::Slice { length: None, .. } | Passing::Buffer { .. } => quote!(#name.as_mut_ptr()),
        Passing::Slice { inout: true, .. } if optional => {
            quote!(#name.map_or(#null_mut, |given| given.as_mut_ptr()))
        }
        Passing::Slice { inout: true, .. } => quote!(#name.as_mut_ptr()),
        Passing::Slice { .. } if optional => quote!(#name.map_or(#null, |given| given.as_ptr())),
        Passing::Slice { .. } => quote!(#name.as_ptr()),
        Passing::Counted { inout: true, c_type, .. } => {
            let of = type_tokens::c_type(*c_type);
            if optional {
                quote!(#name.map_or(#null_mut, |given| given.as_mut_ptr()).cast::<#of>())
            } else {
                quote!(#name.as_mut_ptr().cast::<#of>())
            }
        }
        Passing::Counted { c_type, .. } => {
            let of = type_tokens::c_type(*c_type);
            if optional {
                quote!(#name.map_or(#null, |given| given.as_ptr()).cast::<#of>())
            } else {
                quote!(#name.as_ptr().cast::<#of>())
            }
        }
        Passing::Strings { .. } => {
            let pointers = pointers_ident(param);
            if optional {
                quote!(#name.map_or(#null, |_| #pointers.as_ptr()))
            } else {
                quote!(#pointers.as_ptr())
            }
        }
        Passing::Record { direction: Direction::In, .. } if optional => {
            quote!(#name.map_or(#null, ::core::ptr::from_ref))
        }
        Passing::Record { direction: Direction::InOut, .. } if optional => {
            quote!(runtime::optional_mut(#name))
        }
        Passing::Record { direction: Direction::Value, .. } if optional => {
            quote!(#name.unwrap_or_else(runtime::zeroed))
        }
        Passing::State { role: StateRole::Used, .. } if optional => {
            quote!(#name.map_or(#null_mut, |given| given.0.as_mut_ptr()))
        }
        Passing::State { .. } => quote!(#name.0.as_mut_ptr()),
        Passing::Handle { role: HandleRole::Borrowed, .. } if optional => {
            quote!(#name.map_or(#null_mut, |given| given.0.as_ptr_for(self)))
        }
        Passing::Handle { role: HandleRole::Borrowed, .. } => quote!(#name.0.as_ptr_for(self)),
        Passing::Handle { role: HandleRole::Consumed, .. } => handle_pointer(param, &quote!(#name)),
        Passing::Handle { role: HandleRole::ConsumedThrough, .. } => {
            let pointer = pointer_ident(param);
            quote!(&mut #pointer)
        }
        Passing::Fetched(_) => quote!(#name.as_mut_ptr()),
        Passing::Output(_)
        | Passing::Count { .. }
        | Passing::Record { direction: Direction::Out, .. }
        | Passing::Length { pointer: true, .. }
        | Passing::Capacity { pointer: true, .. } => quote!(&mut #name),
        Passing::Pointer(_)
        | Passing::InOut(_)
        | Passing::Record { .. }
        | Passing::Opaque { .. }
        | Passing::Length { .. }
        | Passing::Capacity { .. } => quote!(#name),
        Passing::Constant { of: Constant::Scalar(scalar), value } => literal(value, *scalar),
        Passing::Constant { of: Constant::Str(text), value } => {
            let Default::Text(value) = value else { return null };
            let value = c_literal(value, text.encoding);
            if is_char(text.c_type) {
                quote!(#value.as_ptr())
            } else {
                let of = type_tokens::c_type(text.c_type);
                quote!(#value.as_ptr().cast::<#of>())
            }
        }
        // What `prepared` made of them.
        Passing::Callback(_) | Passing::UserData { .. } => TokenStream::new(),
    }
}

/// A scalar by value.
fn value(param: &Param, scalar: Scalar, types: &Types) -> TokenStream {
    let name = ident(&param.ident);
    let Scalar { c_type, view } = scalar;
    let converts = is_converted(view, types) && (view != View::Truth || c_type != CType::Bool);
    let of = type_tokens::c_type(c_type);
    match (&param.default, param.is_optional()) {
        (default, true) if matches!(view, View::Enum(_)) && converts => {
            let default = default.as_ref().map_or_else(|| zero(c_type), |default| literal(default, scalar));
            quote!(#name.map_or(#default, <#of>::from))
        }
        (Some(Default::Bool(default)), true) => {
            let value = quote!(#name.unwrap_or(#default));
            if converts { quote!(<#of>::from(#value)) } else { value }
        }
        (Some(default), true) => {
            let default = literal(default, scalar);
            quote!(#name.unwrap_or(#default))
        }
        (None, true) if converts => quote!(<#of>::from(#name.unwrap_or_default())),
        (None, true) => quote!(#name.unwrap_or_default()),
        (_, false) if converts => quote!(<#of>::from(#name)),
        (_, false) => quote!(#name),
    }
}

/// `c"text"`, in the bytes of its encoding; the text has no NUL, and no character that the encoding lacks.
fn c_literal(text: &str, encoding: Encoding) -> Literal {
    let bytes = match encoding {
        Encoding::Latin1 => text.chars().filter_map(|c| u8::try_from(c).ok()).collect(),
        _ => text.as_bytes().to_vec(),
    };
    Literal::c_string(&std::ffi::CString::new(bytes).unwrap_or_default())
}
