//! Closures that C calls.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::safety::{Reason, because};
use super::types::{self, Place};
use super::{ident, literal};
use opendyn_model::ir::{Callback, CallbackLength, CallbackValue, Default, Param, Scalar, Types, View};

/// The function pointer in the C signature. A closure needs a function of ours behind it, which is
/// unsafe to call; without user data the caller gives the function, and it is safe.
pub(super) fn pointer_type(callback: &Callback, types: &Types) -> TokenStream {
    let function = function_type(callback, types);
    quote!(::core::option::Option<#function>)
}

fn function_type(callback: &Callback, types: &Types) -> TokenStream {
    let unsafety = callback.user_data.map(|_| quote!(unsafe));
    let params = callback.params.iter().map(|param| c_parameter(&param.value, types));
    let returns = c_return(callback);
    quote!(#unsafety extern "C" fn(#(#params),*) #returns)
}

fn c_return(callback: &Callback) -> Option<TokenStream> {
    callback.returns.map(|scalar| {
        let of = types::c_type(scalar.c_type);
        quote!(-> #of)
    })
}

fn c_parameter(value: &CallbackValue, types: &Types) -> TokenStream {
    match value {
        CallbackValue::Scalar(Scalar { c_type, .. }) | CallbackValue::Length { c_type } => {
            types::c_type(*c_type)
        }
        CallbackValue::Str { c_type, .. } => {
            let of = types::c_type(*c_type);
            quote!(*const #of)
        }
        CallbackValue::Slice { element, .. } => {
            let of = types::memory(*element, types);
            quote!(*const #of)
        }
        CallbackValue::Strings { .. } => quote!(*const *const c_char),
        CallbackValue::Record { record, .. } => {
            let record = ident(&types.records[*record].ident);
            quote!(*const #record)
        }
        CallbackValue::UserData | CallbackValue::Opaque => quote!(*mut c_void),
    }
}

/// What the closure gets for a parameter; nothing for what it does not see.
fn seen(value: &CallbackValue, types: &Types) -> Option<TokenStream> {
    Some(match value {
        CallbackValue::Scalar(scalar) => types::seen(*scalar, types, Place::Block),
        CallbackValue::Str { nullable: true, .. } => quote!(::core::option::Option<&::core::ffi::CStr>),
        CallbackValue::Str { .. } => quote!(&::core::ffi::CStr),
        CallbackValue::Slice { element, .. } => {
            let of = types::memory(*element, types);
            quote!(&[#of])
        }
        CallbackValue::Strings { .. } => quote!(::opendyn::CStrings<'_>),
        CallbackValue::Record { record, nullable } => {
            let record = ident(&types.records[*record].ident);
            if *nullable { quote!(::core::option::Option<&#record>) } else { quote!(&#record) }
        }
        CallbackValue::Opaque => quote!(*mut c_void),
        CallbackValue::Length { .. } | CallbackValue::UserData => return None,
    })
}

/// `(c_int, &CStr) -> bool`
fn signature(callback: &Callback, types: &Types) -> TokenStream {
    let params = callback.params.iter().filter_map(|param| seen(&param.value, types));
    let returns = callback.returns.map(|scalar| {
        let of = types::seen(scalar, types, Place::Block);
        quote!(-> #of)
    });
    quote!((#(#params),*) #returns)
}

/// The closure as the method takes it.
pub(super) fn taken(index: usize, param: &Param, callback: &Callback, types: &Types) -> TokenStream {
    if callback.user_data.is_none() {
        let function = function_type(callback, types);
        return if param.required { function } else { quote!(::core::option::Option<#function>) };
    }
    if param.required {
        let generic = generic(index);
        return quote!(#generic);
    }
    let closure = optional_closure(callback, types);
    quote!(::core::option::Option<#closure>)
}

fn optional_closure(callback: &Callback, types: &Types) -> TokenStream {
    let signature = signature(callback, types);
    if callback.until.is_some() {
        {
            let shared = shared(callback);
            quote!(::std::boxed::Box<dyn ::core::ops::Fn #signature #shared>)
        }
    } else {
        quote!(&mut dyn ::core::ops::FnMut #signature)
    }
}

/// What a closure has to be that several threads can lead C to.
fn shared(callback: &Callback) -> Option<TokenStream> {
    callback.shared.then(|| quote!(+ ::core::marker::Send + ::core::marker::Sync))
}

fn generic(index: usize) -> proc_macro2::Ident {
    format_ident!("F{index}")
}

/// The type parameter of the method for a closure that every call gives.
pub(super) fn bound(index: usize, param: &Param, callback: &Callback, types: &Types) -> Option<TokenStream> {
    (callback.user_data.is_some() && param.required).then(|| {
        let name = generic(index);
        let bounds = bounds(callback, types);
        quote!(#name: #bounds)
    })
}

fn bounds(callback: &Callback, types: &Types) -> TokenStream {
    let signature = signature(callback, types);
    if callback.until.is_some() {
        {
            let shared = shared(callback);
            quote!(::core::ops::Fn #signature #shared + 'static)
        }
    } else {
        quote!(::core::ops::FnMut #signature)
    }
}

/// What is done before the call, and after it.
pub(super) struct Prepared {
    pub(super) statements: TokenStream,
    pub(super) after: TokenStream,
}

/// What C is given to call.
pub(super) fn function(index: usize, param: &Param, callback: &Callback, types: &Types) -> TokenStream {
    let name = ident(&param.ident);
    if callback.user_data.is_none() {
        return if param.required { quote!(::core::option::Option::Some(#name)) } else { quote!(#name) };
    }
    let closure = if param.required {
        let generic = generic(index);
        quote!(#generic)
    } else {
        optional_closure(callback, types)
    };
    let (trampoline, function_type) = (trampoline_ident(param), function_type(callback, types));
    let pointer = quote!(#trampoline::<#closure> as #function_type);
    match (callback.until, param.required) {
        (_, true) => quote!(::core::option::Option::Some(#pointer)),
        (None, false) => quote!(#name.as_ref().map(|_| #pointer)),
        (Some(_), false) => {
            let data = data_ident(param);
            quote!((!#data.is_null()).then_some(#pointer))
        }
    }
}

fn trampoline_ident(param: &Param) -> proc_macro2::Ident {
    format_ident!("call_{}", param.ident.trim_start_matches("r#"))
}

/// `keeper` is the handle that keeps the closure, for one that C keeps.
pub(super) fn prepare(
    param: &Param,
    callback: &Callback,
    types: &Types,
    keeper: Option<&TokenStream>,
) -> Prepared {
    let name = ident(&param.ident);
    let data = data_ident(param);
    if callback.user_data.is_none() {
        return Prepared { statements: TokenStream::new(), after: TokenStream::new() };
    }
    let trampoline = trampoline(&trampoline_ident(param), callback, types);
    let (statements, after) = match (keeper, param.required) {
        (None, true) => (
            quote! {
                let mut #name = runtime::Callback::new(#name);
                let #data = #name.user_data();
            },
            quote!(#name.finish();),
        ),
        (None, false) => (
            quote! {
                let mut #name = #name.map(runtime::Callback::new);
                let #data = #name.as_mut().map_or(::core::ptr::null_mut(), |closure| closure.user_data());
            },
            quote!(if let ::core::option::Option::Some(closure) = #name { closure.finish(); }),
        ),
        (Some(keeper), true) => (
            quote! {
                let #name = runtime::Kept::new(#name);
                let #data = #name.user_data();
                #keeper.0.keep(::std::boxed::Box::new(#name));
            },
            TokenStream::new(),
        ),
        (Some(keeper), false) => (
            quote! {
                let #name = #name.map(runtime::Kept::new);
                let #data = #name.as_ref().map_or(::core::ptr::null_mut(), |closure| closure.user_data());
                if let ::core::option::Option::Some(closure) = #name {
                    #keeper.0.keep(::std::boxed::Box::new(closure));
                }
            },
            TokenStream::new(),
        ),
    };
    Prepared { statements: quote!(#trampoline #statements), after }
}

/// What C is given to hand back.
pub(super) fn data_ident(param: &Param) -> proc_macro2::Ident {
    format_ident!("{}_data", param.ident.trim_start_matches("r#"))
}

/// The function that C calls: it finds the closure behind the user data.
fn trampoline(name: &proc_macro2::Ident, callback: &Callback, types: &Types) -> TokenStream {
    let names: Vec<proc_macro2::Ident> =
        (0..callback.params.len()).map(|index| format_ident!("p{index}")).collect();
    let params = callback.params.iter().zip(&names).map(|(param, name)| {
        let of = c_parameter(&param.value, types);
        quote!(#name: #of)
    });
    let returns = c_return(callback);
    let bounds = bounds(callback, types);
    let on_panic = on_panic(callback);
    let checks = callback.params.iter().zip(&names).filter_map(|(param, name)| match param.value {
        CallbackValue::Record { nullable: false, .. } => Some(quote! {
            let ::core::option::Option::Some(#name) = #name.as_ref() else { return #on_panic };
        }),
        _ => None,
    });
    let arguments =
        callback.params.iter().zip(&names).filter_map(|(param, name)| argument(&param.value, name, &names));
    let user_data = &names[callback.user_data.unwrap_or_default()];
    let holder = if callback.until.is_some() { quote!(Kept) } else { quote!(Callback) };
    let called = quote!(closure(#(#arguments),*));
    let called = match callback.returns {
        Some(scalar) => returned(scalar, &called, types),
        None => called,
    };
    let reason = because(if callback.until.is_some() { Reason::KeptCallback } else { Reason::Callback });
    quote! {
        unsafe extern "C" fn #name<F: #bounds>(#(#params),*) #returns {
            #reason
            unsafe {
                #(#checks)*
                runtime::#holder::<F>::invoke(#user_data, #on_panic, |closure| #called)
            }
        }
    }
}

fn argument(
    value: &CallbackValue,
    name: &proc_macro2::Ident,
    names: &[proc_macro2::Ident],
) -> Option<TokenStream> {
    let count = |length: &CallbackLength| match length {
        CallbackLength::Param(index) => {
            let name = &names[*index];
            quote!(runtime::given_count(#name))
        }
        CallbackLength::Const(count) => {
            let count = Literal::u64_unsuffixed(*count);
            quote!(#count)
        }
    };
    Some(match value {
        CallbackValue::Scalar(Scalar { view: View::Truth, .. }) => quote!(runtime::Truth::is_true(#name)),
        CallbackValue::Scalar(Scalar { view: View::Enum(_), .. }) => quote!(#name.into()),
        CallbackValue::Scalar(_) | CallbackValue::Opaque | CallbackValue::Record { nullable: false, .. } => {
            quote!(#name)
        }
        CallbackValue::Str { nullable: true, .. } => quote!(runtime::given_str(#name)),
        CallbackValue::Str { .. } => quote!(runtime::given_str(#name).unwrap_or_default()),
        CallbackValue::Slice { length, .. } => {
            let count = count(length);
            quote!(runtime::given_slice(#name, #count))
        }
        CallbackValue::Strings { length } => {
            let count = count(length);
            quote!(::opendyn::CStrings::new(#name, #count))
        }
        CallbackValue::Record { .. } => quote!(#name.as_ref()),
        CallbackValue::Length { .. } | CallbackValue::UserData => return None,
    })
}

fn returned(scalar: Scalar, value: &TokenStream, types: &Types) -> TokenStream {
    let of = types::c_type(scalar.c_type);
    match scalar.view {
        View::Truth => quote!(<#of>::from(#value)),
        View::Enum(index) if types.enums[index].is_named() => quote!(<#of>::from(#value)),
        View::Plain | View::Character | View::Enum(_) => value.clone(),
    }
}

fn on_panic(callback: &Callback) -> TokenStream {
    match (callback.returns, &callback.on_panic) {
        (None, _) => quote!(()),
        (Some(_), Some(Default::Bool(value))) => {
            let value = Literal::u8_unsuffixed(u8::from(*value));
            quote!(#value)
        }
        (Some(scalar), Some(value)) => literal(value, scalar),
        (Some(scalar), None) => super::zero(scalar.c_type),
    }
}
