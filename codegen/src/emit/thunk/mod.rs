//! What a JSON call runs: it takes the arguments out of their slots, calls the method, and puts
//! the results.

mod arguments;
mod handles;
mod results;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::safety::because_of_json;
use super::{ident, uses};
use opendyn_model::ir::{Binding, Form, Function, HandleRole, Length, Param, Passing, StateRole};

use arguments::{Argument, argument, pointer_ident};
use results::put;

pub(super) fn thunk(binding: &Binding, function: &Function) -> TokenStream {
    let mut fields = 0_usize..;
    let arguments: Vec<Argument> = function
        .params
        .iter()
        .filter(|param| param.is_taken())
        .map(|param| {
            let index =
                param.is_input().then(|| Literal::usize_unsuffixed(fields.next().unwrap_or_default()));
            argument(binding, param, index.as_ref())
        })
        .collect();
    let handles = handles(function, &arguments);
    let before = arguments.iter().map(|argument| &argument.before);
    let passed = arguments.iter().map(|argument| &argument.passed);
    let name = ident(&function.ident);
    let call = quote!(binding.#name(#(#passed),*));
    let results = function.results();
    let silent = results.is_empty() && !function.is_fallible();
    let reason = because_of_json(function, &binding.types);
    let called = match (silent, function.is_unsafe()) {
        (true, false) => quote!(#call;),
        (true, true) => quote!(#reason unsafe { #call }),
        (false, false) => put(binding, function, &results, &call),
        (false, true) => {
            // A statement of its own, so that its reason can stand above it.
            let put = put(binding, function, &results, &quote!(returned));
            quote!(#reason let returned = unsafe { #call }; #put)
        }
    };
    let after = arguments.iter().map(|argument| &argument.after);
    let limit = computes_capacity(function).then(|| quote!(let _limited = runtime::limit_buffers();));
    let body = quote!(#handles #limit #(#before)* #called #(#after)*);
    let args = if uses(&body, "args") { quote!(args) } else { quote!(_) };
    let out = if uses(&body, "out") { quote!(out) } else { quote!(_) };
    quote!(|binding, #args, #out| { #body })
}

/// Whether a function of the library says how large a buffer is: that can be as much as it likes.
fn computes_capacity(function: &Function) -> bool {
    function
        .params
        .iter()
        .any(|param| matches!(param.passing, Passing::Buffer { capacity: Some(Length::Call { .. }), .. }))
}

/// The handles of a call, found before anything is done: while it runs, nobody frees them.
fn handles(function: &Function, arguments: &[Argument]) -> TokenStream {
    if !uses_handles(function) {
        return TokenStream::new();
    }
    let lookups = arguments.iter().map(|argument| &argument.lookup);
    let takes = arguments.iter().map(|argument| &argument.take);
    let exclusive: Vec<&Param> =
        function.params.iter().filter(|param| is_exclusive(function, param)).collect();
    let distinct = (exclusive.len() > 1).then(|| {
        let keys = exclusive.iter().map(|param| &param.key);
        let pointers = exclusive.iter().map(|param| {
            let pointer = pointer_ident(param);
            if param.is_optional() {
                quote!(#pointer)
            } else {
                quote!(::core::option::Option::Some(#pointer))
            }
        });
        quote! {
            if out.distinct(&[#(#keys),*], &[#(#pointers),*]).is_none() { return }
        }
    });
    quote! {
        let ::core::option::Option::Some(_entered) = out.enter(&binding.handles) else { return };
        #(#lookups)*
        #distinct
        #(#takes)*
    }
}

/// Whether it may not be given twice: two exclusive references to one state would be none, and what
/// the call frees is nothing that it can use besides.
fn is_exclusive(function: &Function, param: &Param) -> bool {
    let frees = || {
        function.params.iter().any(
            |param| matches!(param.passing, Passing::Handle { role, .. } if role != HandleRole::Borrowed),
        )
    };
    match param.passing {
        Passing::State { role, .. } => role != StateRole::Begins,
        Passing::Handle { .. } => frees(),
        _ => false,
    }
}

pub(super) fn uses_handles(function: &Function) -> bool {
    let form = |form: &Form| matches!(form, Form::Handle { .. });
    function.returned.as_ref().is_some_and(|returned| form(&returned.form))
        || function.params.iter().any(|param| match &param.passing {
            Passing::Handle { .. } | Passing::State { .. } => true,
            Passing::Fetched(fetched) => form(fetched),
            _ => false,
        })
}
