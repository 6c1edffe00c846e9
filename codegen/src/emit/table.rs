//! The static tables through which JSON finds and calls the functions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{ident, opentool};
use crate::c_type::CType;
use crate::ir::{Binding, Form, Function, Json, Outcome, Param, Passing, Scalar, Source, View};

/// One static a function, and one for all of them.
pub(super) fn tables(binding: &Binding) -> TokenStream {
    let name = ident(&binding.ident);
    let statics = binding.functions.iter().map(|function| {
        let constant = ident(&function.constant);
        let value = table(function);
        quote!(static #constant: runtime::Function<#name> = #value;)
    });
    let constants = binding.functions.iter().map(|function| ident(&function.constant));
    let functions = ident(&binding.tables.functions);
    let info = opentool::info(binding);
    quote! {
        static #functions: runtime::Functions<#name> = runtime::Functions::new(#info, &[#(&#constants),*]);
        #(#statics)*
    }
}

fn table(function: &Function) -> TokenStream {
    let name = &function.name;
    let described = opentool::function(function);
    if let Json::Refused(reason) = &function.json {
        return quote!(runtime::Function::refused(#name, #described, #reason));
    }
    let fields = function.inputs().map(field);
    let thunk = thunk(function);
    quote!(runtime::Function::new(#name, #described, &[#(#fields),*], #thunk))
}

fn field(param: &Param) -> TokenStream {
    let key = &param.key;
    let presence = if param.required { quote!(required) } else { quote!(optional) };
    let kind = match param.passing {
        Passing::Value(scalar) | Passing::Pointer(scalar) | Passing::Output(scalar) => scalar_kind(scalar),
        Passing::Str(_) => quote!(runtime::Kind::Str),
        Passing::Slice(element) | Passing::Buffer { element, .. } => {
            let kind = ident(element.kind());
            quote!(runtime::Kind::List(&runtime::Kind::#kind))
        }
        Passing::Opaque { .. } => quote!(runtime::Kind::Opaque),
    };
    quote!(runtime::Field::#presence(#key, #kind))
}

fn scalar_kind(scalar: Scalar) -> TokenStream {
    let kind = match scalar.view {
        View::Plain => scalar.c_type.kind(),
        View::Truth => CType::Bool.kind(),
        View::Character => "Character",
    };
    let kind = ident(kind);
    quote!(runtime::Kind::#kind)
}

/// Takes the arguments out of their slots, calls the method, puts the results.
fn thunk(function: &Function) -> TokenStream {
    let method = ident(&function.ident);
    let mut fields = 0_usize..;
    let arguments =
        function.params.iter().filter(|param| !matches!(param.passing, Passing::Output(_))).map(|param| {
            if param.passing.is_input() {
                argument(param, &Literal::usize_unsuffixed(fields.next().unwrap_or_default()))
            } else {
                let name = buffer_ident(param);
                quote!(#name.as_mut_slice())
            }
        });
    let call = quote!(binding.#method(#(#arguments),*));
    let results = function.results();
    let silent = results.is_empty() && !function.is_fallible();
    let called = match (silent, function.is_unsafe()) {
        (true, false) => quote!(#call;),
        (true, true) => quote!(unsafe { #call }),
        (false, false) => put(function, &results, &call),
        (false, true) => {
            // A statement of its own, so that its reason can stand above it.
            let put = put(function, &results, &quote!(returned));
            quote!(let returned = unsafe { #call }; #put)
        }
    };
    let buffers: Vec<&Param> = function.text_buffers().collect();
    let declared = buffers.iter().map(|param| {
        let name = buffer_ident(param);
        quote!(let mut #name = runtime::TextBuffer::new();)
    });
    let filled = buffers.iter().map(|param| {
        let (name, key) = (buffer_ident(param), &param.key);
        quote!(out.put(#key, #name.text());)
    });
    let args = if function.inputs().next().is_some() { quote!(args) } else { quote!(_) };
    let out = if silent && buffers.is_empty() { quote!(_) } else { quote!(out) };
    quote!(|binding, #args, #out| { #(#declared)* #called #(#filled)* })
}

/// Not the parameter's own name, which may be one of the thunk's.
fn buffer_ident(param: &Param) -> proc_macro2::Ident {
    ident(&format!("{}_buffer", param.ident.trim_start_matches("r#")))
}

fn argument(param: &Param, index: &Literal) -> TokenStream {
    match (param.passing, param.required) {
        (Passing::Pointer(_), true) => quote!(&mut args.get(#index)),
        (Passing::Pointer(_), false) => quote!(args.get::<::core::option::Option<_>>(#index).as_mut()),
        (Passing::Slice(_), true) => quote!(args.list(#index)),
        (Passing::Slice(_), false) => quote!(args.optional_list(#index)),
        _ => quote!(args.get(#index)),
    }
}

/// The value of a call on its way out: one result, several, or only the question whether it failed.
fn put(function: &Function, results: &[Outcome<'_>], call: &TokenStream) -> TokenStream {
    match results {
        [] => quote!(out.check(#call);),
        [result] => {
            let key = result.key;
            match (is_character(result), function.is_fallible()) {
                (false, _) => quote!(out.put(#key, #call);),
                (true, false) => quote!(out.put(#key, runtime::Character(#call));),
                (true, true) => quote!(out.put(#key, #call.map(runtime::Character));),
            }
        }
        _ => {
            let puts = results.iter().map(|result| {
                let (key, field) = (result.key, ident(result.ident));
                if is_character(result) {
                    quote!(out.put(#key, runtime::Character(outputs.#field));)
                } else {
                    quote!(out.put(#key, outputs.#field);)
                }
            });
            if function.is_fallible() {
                quote!(if let ::core::option::Option::Some(outputs) = out.check(#call) { #(#puts)* })
            } else {
                quote!(let outputs = #call; #(#puts)*)
            }
        }
    }
}

fn is_character(result: &Outcome<'_>) -> bool {
    match result.source {
        Source::Output(scalar) | Source::Returned(Form::Value(scalar) | Form::Pointed(scalar)) => {
            scalar.view == View::Character
        }
        Source::Returned(Form::Str(_) | Form::Array(_) | Form::Opaque) | Source::Buffer => false,
    }
}
