//! One typed method a function, and the struct of its results.

mod body;
mod forms;
mod locals;
mod passed;
mod results;
mod text;

pub(super) use locals::free;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::types::{self, Place};
use super::{callback, docs, ident, quiet};
use opendyn_model::c_type::CType;
use opendyn_model::ir::{
    Binding, Convention, Failure, Form, Function, HandleRole, Outcome, Param, Passing, Source, Types, View,
};

/// The struct of several results.
pub(super) fn outputs(binding: &Binding, function: &Function) -> Option<TokenStream> {
    let results = function.results();
    if results.len() < 2 {
        return None;
    }
    let name = ident(&function.outputs_ident);
    let docs = docs::attributes(&[format!("What `{}` returns.", function.name)]);
    let fields = results.iter().map(|result| {
        let field = ident(result.ident);
        let of = types::result(result, function, binding, Place::Outside, &quote!('l));
        let text = result.description.map_or_else(|| format!("`{}`", result.key), docs::line);
        let docs = docs::attributes(&[text]);
        quote!(#docs pub #field: #of,)
    });
    let lifetime = has_handles(&results).then(|| quote!(<'l>));
    let owned = results.iter().any(|result| is_owned(result));
    // Text is compared by its address, which no copy has.
    let copied = results.iter().any(|result| function.copies_text(result, &binding.types));
    let derives = match (owned, copied) {
        (true, _) => quote!(Debug),
        (false, true) => quote!(Clone, Debug),
        (false, false) => quote!(Clone, Debug, PartialEq),
    };
    let quiet = quiet();
    Some(quote! {
        #docs
        #[derive(#derives)]
        #quiet
        pub struct #name #lifetime { #(#fields)* }
    })
}

/// Whether it cannot be had twice: a handle or a state.
fn is_owned(result: &Outcome<'_>) -> bool {
    is_handle(result) || matches!(result.source, Source::Param(Param { passing: Passing::State { .. }, .. }))
}

fn is_handle(result: &Outcome<'_>) -> bool {
    match result.source {
        Source::Returned(returned) => matches!(returned.form, Form::Handle { .. }),
        Source::Param(param) => matches!(param.passing, Passing::Fetched(Form::Handle { .. })),
    }
}

fn has_handles(results: &[Outcome<'_>]) -> bool {
    results.iter().any(is_handle)
}

/// The method, and for an optional function the question whether it is there.
pub(super) fn method(binding: &Binding, index: usize, function: &Function) -> TokenStream {
    let docs = docs::attributes(&text::text(function));
    let signature = signature(binding, function);
    let body = body::body(binding, index, function);
    let asked = (!function.required).then(|| asked(index, function));
    quote! {
        #docs
        #[inline]
        pub #signature { #body }
        #asked
    }
}

/// `fn add(&self, a: c_int) -> c_int`, with all that belongs to it.
pub(super) fn signature(binding: &Binding, function: &Function) -> TokenStream {
    let types = &binding.types;
    let name = ident(&function.ident);
    let unsafety = function.is_unsafe().then(|| quote!(unsafe));
    let borrowed = borrowed(function);
    let params =
        function.params.iter().enumerate().filter(|(_, param)| param.is_taken()).map(|(index, param)| {
            let name = ident(&param.ident);
            let taken = match &param.passing {
                Passing::Handle { handle, role: HandleRole::Borrowed } if borrowed.contains(&index) => {
                    let handle = ident(&types.handles[*handle].ident);
                    let taken = quote!(&'h #handle<'_>);
                    if param.required { taken } else { quote!(::core::option::Option<#taken>) }
                }
                _ => types::taken(index, param, types),
            };
            quote!(#name: #taken)
        });
    let bounds: Vec<TokenStream> = function
        .params
        .iter()
        .enumerate()
        .filter_map(|(index, param)| match &param.passing {
            Passing::Callback(of) => callback::bound(index, param, of, types),
            _ => None,
        })
        .collect();
    let lifetime = (!borrowed.is_empty()).then(|| quote!('h));
    let generics = lifetime.clone().into_iter().chain(bounds.iter().cloned());
    let generics = (lifetime.is_some() || !bounds.is_empty()).then(|| quote!(<#(#generics),*>));
    let this = if lifetime.is_some() { quote!(&'h self) } else { quote!(&self) };
    let returns = return_type(binding, function, &lifetime.unwrap_or_else(|| quote!('_)));
    quote!(#unsafety fn #name #generics (#this, #(#params),*) #returns)
}

/// The handles that the function is given and that its results live in: the parent, or where
/// nobody says whose a handle is, all of them.
fn borrowed(function: &Function) -> Vec<usize> {
    let mut borrowed = Vec::new();
    let returned = function.returned.iter().map(|returned| &returned.form);
    let fetched = function.params.iter().filter_map(|param| match &param.passing {
        Passing::Fetched(form) => Some(form),
        _ => None,
    });
    for form in returned.chain(fetched) {
        match form {
            Form::Handle { parent: Some(parent), .. } => borrowed.push(*parent),
            Form::Handle { free: None, .. } => {
                borrowed.extend(function.params.iter().enumerate().filter_map(|(index, param)| {
                    matches!(param.passing, Passing::Handle { role: HandleRole::Borrowed, .. })
                        .then_some(index)
                }));
            }
            _ => {}
        }
    }
    borrowed
}

fn asked(index: usize, function: &Function) -> TokenStream {
    let docs = docs::attributes(&[format!("Whether the loaded library has `{}`.", function.name)]);
    let has = ident(&function.has_ident);
    let index = Literal::usize_unsuffixed(index);
    quote! {
        #docs
        pub fn #has(&self) -> bool { self.library.has(#index) }
    }
}

fn return_type(binding: &Binding, function: &Function, lifetime: &TokenStream) -> TokenStream {
    let results = function.results();
    let value = match results.as_slice() {
        [] => quote!(()),
        [result] => types::result(result, function, binding, Place::Block, lifetime),
        _ => {
            let outputs = ident(&function.outputs_ident);
            let lifetime = has_handles(&results).then(|| quote!(<#lifetime>));
            quote!(#outputs #lifetime)
        }
    };
    match function.failure() {
        Failure::Call => quote!(-> ::core::result::Result<#value, ::opendyn::CallError>),
        Failure::Code => quote!(-> ::core::result::Result<#value, ::opendyn::CodeError>),
        Failure::Never if results.is_empty() => TokenStream::new(),
        Failure::Never => quote!(-> #value),
    }
}

/// The function of the library, with its type in C.
pub(super) fn callee(
    convention: Convention,
    index: usize,
    function: &Function,
    types: &Types,
    name: &proc_macro2::Ident,
    binding: &TokenStream,
) -> TokenStream {
    let params = function.params.iter().enumerate().map(|(index, param)| match function.variadic {
        Some(fixed) if index >= fixed => None,
        _ => Some(types::parameter(&param.passing, types)),
    });
    let mut params: Vec<TokenStream> = params.flatten().collect();
    if function.variadic.is_some() {
        params.push(quote!(...));
    }
    let returns = function.returned.as_ref().map(|returned| {
        let of = types::returned(&returned.form, types);
        quote!(-> #of)
    });
    let index = Literal::usize_unsuffixed(index);
    let cdecl =
        quote!(let #name: unsafe extern "C" fn(#(#params),*) #returns = #binding.library.symbol(#index););
    match convention {
        Convention::Cdecl => cdecl,
        // Only 32-bit x86 has the convention; elsewhere the compiler refuses its name.
        Convention::Stdcall => quote! {
            #[cfg(target_arch = "x86")]
            let #name: unsafe extern "stdcall" fn(#(#params),*) #returns = #binding.library.symbol(#index);
            #[cfg(not(target_arch = "x86"))]
            #cdecl
        },
    }
}

/// A value that C left, as Rust sees it.
fn viewed(view: View, value: &TokenStream, types: &Types) -> TokenStream {
    match view {
        View::Truth => quote!(runtime::Truth::is_true(#value)),
        View::Enum(index) if types.enums[index].is_named() => {
            let name = ident(&types.enums[index].ident);
            quote!(#name::from(#value))
        }
        View::Plain | View::Character | View::Enum(_) => value.clone(),
    }
}

/// Whether a view changes what C left.
fn is_converted(view: View, types: &Types) -> bool {
    match view {
        View::Truth => true,
        View::Enum(index) => types.enums[index].is_named(),
        View::Plain | View::Character => false,
    }
}

/// Whether it is the C type of a `char*` that needs no cast.
fn is_char(c_type: CType) -> bool {
    c_type == CType::Char
}
