//! One typed method a function, and the struct of its results.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::types::{self, Place};
use super::{docs, ident, quiet};
use crate::c_type::{CType, Class};
use crate::ir::{Binding, Convention, Form, Function, Param, Passing, Returned, Scalar, View};

/// The struct of several results.
pub(super) fn outputs(function: &Function) -> Option<TokenStream> {
    let results = function.results();
    if results.len() < 2 {
        return None;
    }
    let name = ident(&function.outputs_ident);
    let docs = docs::attributes(&[format!("What `{}` returns.", function.name)]);
    let fields = results.iter().map(|result| {
        let field = ident(result.ident);
        let of = types::result(result, Place::Outside);
        let text = result.description.map_or_else(|| format!("`{}`", result.key), docs::line);
        let docs = docs::attributes(&[text]);
        quote!(#docs pub #field: #of,)
    });
    let quiet = quiet();
    Some(quote! {
        #docs
        #[derive(Clone, Debug, PartialEq)]
        #quiet
        pub struct #name { #(#fields)* }
    })
}

/// The method, and for an optional function the question whether it is there.
pub(super) fn method(binding: &Binding, index: usize, function: &Function) -> TokenStream {
    let docs = docs::attributes(&text(function));
    let name = ident(&function.ident);
    let unsafety = function.is_unsafe().then(|| quote!(unsafe));
    let params = function.params.iter().filter_map(|param| {
        let name = ident(&param.ident);
        types::taken(param).map(|taken| quote!(#name: #taken))
    });
    let returns = return_type(function);
    let body = body(binding, index, function);
    let asked = (!function.required).then(|| asked(index, function));
    quote! {
        #docs
        #[inline]
        pub #unsafety fn #name(&self, #(#params),*) #returns { #body }
        #asked
    }
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

fn return_type(function: &Function) -> TokenStream {
    let results = function.results();
    let value = match results.as_slice() {
        [] => quote!(()),
        [result] => types::result(result, Place::Block),
        _ => {
            let outputs = ident(&function.outputs_ident);
            quote!(#outputs)
        }
    };
    if function.is_fallible() {
        quote!(-> ::core::result::Result<#value, ::opendyn::CallError>)
    } else if results.is_empty() {
        TokenStream::new()
    } else {
        quote!(-> #value)
    }
}

fn text(function: &Function) -> Vec<String> {
    let mut text = docs::lines(&function.description);
    if text.iter().all(String::is_empty) {
        text = vec![format!("Calls `{}`.", function.name)];
    }
    let mut list: Vec<String> = Vec::new();
    for param in &function.params {
        if let (Some(description), true) = (&param.description, !matches!(param.passing, Passing::Output(_)))
        {
            list.push(format!("- `{}`: {}", param.ident, docs::line(description)));
        }
    }
    section(&mut text, None, list);
    if let [result] = function.results().as_slice()
        && let Some(description) = result.description
    {
        section(&mut text, None, vec![format!("Returns `{}`: {}", result.key, docs::line(description))]);
    }
    if function.is_fallible() {
        let mut errors = Vec::new();
        if !function.required {
            errors.push(format!("The loaded library has no `{}`.", function.symbol));
        }
        if let Some(returned) = function.returned.as_ref().filter(|returned| returned.form.is_fallible()) {
            errors.push(format!("C returned NULL for `{}`.", returned.key));
        }
        section(&mut text, Some("# Errors"), errors);
    }
    if function.is_unsafe() {
        section(&mut text, Some("# Safety"), function.params.iter().filter_map(obligation).collect());
    }
    text
}

fn section(text: &mut Vec<String>, title: Option<&str>, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push(String::new());
    }
    if let Some(title) = title {
        text.extend([title.to_owned(), String::new()]);
    }
    text.extend(lines);
}

/// What the caller of an unsafe method owes.
fn obligation(param: &Param) -> Option<String> {
    let name = &param.ident;
    match param.passing {
        Passing::Slice(element) => {
            let bool_rule = if element == CType::Bool { " Only 0 and 1 may be written to it." } else { "" };
            Some(format!(
                "- `{name}` must be as long as the function takes it to be, when it reads and when it writes.{bool_rule}"
            ))
        }
        Passing::Buffer { .. } => {
            Some(format!("- `{name}` must be large enough for everything that the function writes."))
        }
        Passing::Opaque { .. } => {
            let null = if param.required { "" } else { ", or be NULL" };
            Some(format!(
                "- `{name}` must point to what the function expects, for as long as it is used{null}."
            ))
        }
        Passing::Value(_) | Passing::Str(_) | Passing::Pointer(_) | Passing::Output(_) => None,
    }
}

fn body(binding: &Binding, index: usize, function: &Function) -> TokenStream {
    let guard = (!function.required).then(|| {
        let has = ident(&function.has_ident);
        let symbol = &function.symbol;
        quote! {
            if !self.#has() {
                return ::core::result::Result::Err(::opendyn::CallError::Missing { symbol: #symbol });
            }
        }
    });
    let locals = function.params.iter().filter_map(|param| match param.passing {
        Passing::Output(scalar) => {
            let name = ident(&param.ident);
            let of = types::c_type(scalar.c_type);
            let zero = zero(scalar.c_type);
            Some(quote!(let mut #name: #of = #zero;))
        }
        _ => None,
    });
    let declared = callee(binding.convention, index, function);
    let callee = ident(&function.callee);
    let arguments = function.params.iter().map(argument);
    let call = quote!(#callee(#(#arguments),*));
    let value =
        function.returned.as_ref().map_or_else(|| call.clone(), |returned| converted(returned, &call));
    let tail = tail(function, &quote!(unsafe { #declared #value }));
    quote!(#guard #(#locals)* #tail)
}

/// The function of the library, with its type in C.
fn callee(convention: Convention, index: usize, function: &Function) -> TokenStream {
    let name = ident(&function.callee);
    let params: Vec<TokenStream> =
        function.params.iter().map(|param| types::parameter(param.passing)).collect();
    let returns = function.returned.as_ref().map(|returned| {
        let of = types::returned(returned.form);
        quote!(-> #of)
    });
    let index = Literal::usize_unsuffixed(index);
    let cdecl = quote!(let #name: unsafe extern "C" fn(#(#params),*) #returns = self.library.symbol(#index););
    match convention {
        Convention::Cdecl => cdecl,
        // Only 32-bit x86 has the convention; elsewhere the compiler refuses its name.
        Convention::Stdcall => quote! {
            #[cfg(target_arch = "x86")]
            let #name: unsafe extern "stdcall" fn(#(#params),*) #returns = self.library.symbol(#index);
            #[cfg(not(target_arch = "x86"))]
            #cdecl
        },
    }
}

fn zero(c_type: CType) -> TokenStream {
    if c_type.class() == Class::Floating { quote!(0.0) } else { quote!(0) }
}

/// What is passed to C for a parameter.
fn argument(param: &Param) -> TokenStream {
    let name = ident(&param.ident);
    let optional = !param.required;
    match param.passing {
        Passing::Value(Scalar { c_type, view }) => {
            let value = if optional { quote!(#name.unwrap_or_default()) } else { quote!(#name) };
            if view == View::Truth && c_type != CType::Bool {
                let of = types::c_type(c_type);
                quote!(<#of>::from(#value))
            } else {
                value
            }
        }
        Passing::Str(element) => {
            let pointer =
                if optional { quote!(runtime::optional_str(#name)) } else { quote!(#name.as_ptr()) };
            if element == CType::Char { pointer } else { quote!(#pointer.cast()) }
        }
        Passing::Pointer(Scalar { view: View::Truth, .. }) => {
            let lent = if optional { quote!(optional) } else { quote!(new) };
            quote!(runtime::Flag::#lent(#name).as_mut_ptr())
        }
        Passing::Pointer(_) if optional => quote!(runtime::optional_mut(#name)),
        Passing::Slice(_) if optional => quote!(runtime::optional_slice(#name)),
        Passing::Pointer(_) | Passing::Opaque { .. } => quote!(#name),
        Passing::Output(_) => quote!(&mut #name),
        Passing::Slice(_) | Passing::Buffer { .. } => quote!(#name.as_mut_ptr()),
    }
}

/// The return value as Rust sees it; a `Result` where it may be NULL.
fn converted(returned: &Returned, call: &TokenStream) -> TokenStream {
    let key = &returned.key;
    match returned.form {
        Form::Value(Scalar { view: View::Truth, .. }) => quote!(runtime::Truth::is_true(#call)),
        Form::Value(_) | Form::Array(_) | Form::Opaque => call.clone(),
        Form::Str(_) => quote!(runtime::string(#key, #call)),
        Form::Pointed(Scalar { view: View::Truth, .. }) => {
            quote!(runtime::copied(#key, #call).map(runtime::Truth::is_true))
        }
        Form::Pointed(_) => quote!(runtime::copied(#key, #call)),
    }
}

/// The end of the method: `value` alone, or gathered with the outputs.
fn tail(function: &Function, value: &TokenStream) -> TokenStream {
    let nullable = function.returned.as_ref().is_some_and(|returned| returned.form.is_fallible());
    let outputs: Vec<(&Param, Scalar)> = function
        .params
        .iter()
        .filter_map(|param| match param.passing {
            Passing::Output(scalar) => Some((param, scalar)),
            _ => None,
        })
        .collect();
    if outputs.is_empty() && (nullable || function.required) {
        return value.clone();
    }

    let question = nullable.then(|| quote!(?));
    let (bound, first) = match &function.returned {
        Some(returned) => {
            let name = ident(&returned.ident);
            (quote!(let #name = #value #question;), Some(quote!(#name)))
        }
        None => (quote!(#value), None),
    };
    let single = first.iter().count() + outputs.len() == 1;
    let fields = outputs.iter().map(|(param, Scalar { view, .. })| {
        let name = ident(&param.ident);
        match (view, single) {
            (View::Truth, true) => quote!(runtime::Truth::is_true(#name)),
            (View::Truth, false) => quote!(#name: runtime::Truth::is_true(#name)),
            _ => quote!(#name),
        }
    });
    let fields: Vec<TokenStream> = first.into_iter().chain(fields).collect();
    let gathered = match fields.as_slice() {
        [] => quote!(()),
        [field] => field.clone(),
        _ => {
            let outputs = ident(&function.outputs_ident);
            quote!(#outputs { #(#fields),* })
        }
    };
    // A block in front of more is a statement, and needs its semicolon only to be one.
    let bound = if function.returned.is_some() { bound } else { quote!(#bound;) };
    let gathered =
        if function.is_fallible() { quote!(::core::result::Result::Ok(#gathered)) } else { gathered };
    quote!(#bound #gathered)
}
