//! The static tables through which JSON finds and calls the functions.

use proc_macro2::TokenStream;
use quote::quote;

use super::{ident, kind, opentool, thunk};
use opendyn_model::ir::{Binding, Function, Json, Param};

/// One static a function, and one for all of them.
pub(super) fn tables(binding: &Binding) -> TokenStream {
    let name = ident(&binding.ident);
    let statics = binding.functions.iter().map(|function| {
        let constant = ident(&function.constant);
        let value = table(binding, function);
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

fn table(binding: &Binding, function: &Function) -> TokenStream {
    let name = &function.name;
    if let Json::Refused(reason) = &function.json {
        return quote!(runtime::Function::refused(#name, #reason));
    }
    let described = opentool::function(function, &binding.types);
    let fields = function.inputs().map(|param| field(binding, function, param));
    let thunk = thunk::thunk(binding, function);
    quote!(runtime::Function::new(#name, #described, &[#(#fields),*], #thunk))
}

fn field(binding: &Binding, function: &Function, param: &Param) -> TokenStream {
    let key = &param.key;
    let presence = if param.required { quote!(required) } else { quote!(optional) };
    let kind = kind::of_parameter(param, &function.params, &binding.types);
    quote!(runtime::Field::#presence(#key, #kind))
}
