//! From the IR to tokens. Nothing here can fail, and nothing is decided.
//!
//! What is generated is declarations and calls; every conversion is a function of the runtime.
//! All paths are absolute, so that no name of the document or of the user's crate is in the way.

mod binding;
mod codes;
mod docs;
mod method;
mod opentool;
mod table;
mod types;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::c_type::CType;
use crate::ir::Binding;

/// The whole binding: the types, which have names outside, and a block without a name for the
/// rest. What the block imports is seen in it alone.
pub(crate) fn emit(binding: &Binding) -> TokenStream {
    let declaration = binding::declaration(binding);
    let outputs = binding.functions.iter().filter_map(method::outputs);
    let codes = codes::codes(binding);
    let imports = imports(binding);
    let methods = binding
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| method::method(binding, index, function));
    let tables = table::tables(binding);
    let access = binding::access(binding);
    let quiet = quiet_code();
    let methods = (!binding.functions.is_empty()).then(|| {
        let ident = ident(&binding.ident);
        quote!(impl #ident { #(#methods)* })
    });
    quote! {
        #declaration
        #(#outputs)*
        #codes

        #quiet
        const _: () = {
            #imports
            #methods
            #access
            #tables
        };
    }
}

/// The C types by their short names, and the runtime as `runtime`: two names that no binding
/// and no function can take.
fn imports(binding: &Binding) -> TokenStream {
    let mut used: Vec<&str> = binding
        .functions
        .iter()
        .flat_map(|function| {
            let params = function.params.iter().map(|param| param.passing.c_type());
            params.chain(function.returned.iter().map(|returned| returned.form.c_type()))
        })
        .filter(|c_type| c_type.is_in_ffi())
        .map(CType::ffi)
        .collect();
    used.sort_unstable();
    used.dedup();
    let c_types = (!used.is_empty()).then(|| {
        let used = used.into_iter().map(ident);
        quote!(use ::core::ffi::{#(#used),*};)
    });
    quote!(#c_types use ::opendyn::generated as runtime;)
}

fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// Lints that a crate may deny for its own code, and that say nothing about generated code: of
/// types. `missing_docs` is not among them: everything is documented.
fn quiet() -> TokenStream {
    quote!(#[allow(dead_code, nonstandard_style, unreachable_pub, clippy::pedantic)])
}

/// The same, of code.
fn quiet_code() -> TokenStream {
    quote!(#[allow(dead_code, nonstandard_style, unreachable_pub, unsafe_code, clippy::all, clippy::pedantic)])
}
