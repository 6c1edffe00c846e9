//! What a JSON call runs: it takes the arguments out of their slots, calls the method, and puts
//! the results.

mod arguments;
mod handles;
mod results;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::ident;
use crate::ir::{Binding, Form, Function, Param, Passing, StateRole};

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
    let called = match (silent, function.is_unsafe()) {
        (true, false) => quote!(#call;),
        (true, true) => quote!(unsafe { #call }),
        (false, false) => put(binding, function, &results, &call),
        (false, true) => {
            // A statement of its own, so that its reason can stand above it.
            let put = put(binding, function, &results, &quote!(returned));
            quote!(let returned = unsafe { #call }; #put)
        }
    };
    let after = arguments.iter().map(|argument| &argument.after);
    let args = if function.inputs().next().is_some() { quote!(args) } else { quote!(_) };
    let written = arguments.iter().any(|argument| !argument.after.is_empty());
    let out = if silent && !written && handles.is_empty() { quote!(_) } else { quote!(out) };
    quote!(|binding, #args, #out| { #handles #(#before)* #called #(#after)* })
}

/// The handles of a call, found before anything is done: while it runs, nobody frees them.
fn handles(function: &Function, arguments: &[Argument]) -> TokenStream {
    if !uses_handles(function) {
        return TokenStream::new();
    }
    let lookups = arguments.iter().map(|argument| &argument.lookup);
    let takes = arguments.iter().map(|argument| &argument.take);
    let states: Vec<&Param> = function
        .params
        .iter()
        .filter(|param| {
            matches!(param.passing, Passing::State { role: StateRole::Used | StateRole::Ends, .. })
                && !param.is_optional()
        })
        .collect();
    // Two exclusive references to one state would be none.
    let distinct = (states.len() > 1).then(|| {
        let keys = states.iter().map(|param| &param.key);
        let pointers = states.iter().map(|param| pointer_ident(param));
        quote! {
            let ::core::option::Option::Some(()) = out.distinct(&[#(#keys),*], &[#(#pointers),*]) else { return };
        }
    });
    quote! {
        let ::core::option::Option::Some(_entered) = out.enter(&binding.handles) else { return };
        #(#lookups)*
        #distinct
        #(#takes)*
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
