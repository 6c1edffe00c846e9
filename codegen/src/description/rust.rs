//! The Rust signature of the method of a function.

use std::collections::HashMap;

use opendyn_model::plan::{Binding, Function};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::Signature;
use crate::emit;

/// The signature as text for people.
pub(super) fn signature(binding: &Binding, function: &Function) -> Signature {
    let tokens = emit::signature(binding, function);
    let parsed: Option<syn::Signature> = syn::parse2(tokens.clone()).ok();
    let bounds: HashMap<String, &syn::TypeParam> = parsed
        .iter()
        .flat_map(|signature| signature.generics.type_params())
        .map(|param| (param.ident.to_string(), param))
        .collect();
    let parameters = parsed.iter().flat_map(|signature| &signature.inputs).filter_map(|input| match input {
        syn::FnArg::Receiver(_) => None,
        syn::FnArg::Typed(typed) => {
            let of = match bounds.get(&text_of(&typed.ty)) {
                Some(param) => {
                    let bounds = &param.bounds;
                    type_text(&quote!(impl #bounds))
                }
                None => type_text(&typed.ty),
            };
            Some((text_of(&typed.pat), of))
        }
    });
    let parameters = parameters.collect();
    let returns = match parsed.as_ref().map(|signature| &signature.output) {
        Some(syn::ReturnType::Type(_, of)) => type_text(of),
        _ => "()".to_owned(),
    };
    let outputs: Option<syn::ItemStruct> =
        emit::outputs(binding, function).and_then(|outputs| syn::parse2(outputs).ok());
    let field = |field: &syn::Field| Some((field.ident.as_ref()?.to_string(), type_text(&field.ty)));
    Signature {
        outputs: outputs.iter().flat_map(|outputs| &outputs.fields).filter_map(field).collect(),
        method: function.names.method.clone(),
        is_unsafe: function.is_unsafe(),
        parameters,
        returns,
        text: method_text(&tokens),
    }
}

fn text_of(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// A method formatted as in a file, with short paths: on one line if it fits.
fn method_text(signature: &TokenStream) -> String {
    let Ok(file) = syn::parse2(quote!(impl X { #signature {} })) else { return signature.to_string() };
    let text = short(&prettyplease::unparse(&file));
    let lines: Vec<&str> = text.lines().collect();
    let within = lines.get(1..lines.len().saturating_sub(1)).unwrap_or_default();
    let within: Vec<&str> = within.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    let joined: String = within.iter().map(|line| format!("{} ", line.trim())).collect();
    let joined = joined.replace("( ", "(").replace(", )", ")").replace("< ", "<").replace(", >", ">");
    let text = if joined.len() <= 100 { joined } else { within.join("\n") };
    text.trim_end().trim_end_matches("{}").trim_end().to_owned()
}

fn type_text(of: &impl ToTokens) -> String {
    let Ok(file) = syn::parse2(quote!(type X = #of;)) else { return text_of(of) };
    let text = prettyplease::unparse(&file);
    let text = text.trim().trim_start_matches("type X = ").trim_end_matches(';');
    short(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Types without the paths of their modules.
fn short(text: &str) -> String {
    let mut text = text.to_owned();
    for path in ["::core::option::", "::core::result::", "::core::ffi::", "::std::ffi::", "::opendyn::"] {
        text = text.replace(path, "");
    }
    for path in ["::std::boxed::", "::std::vec::", "::std::string::", "::core::ops::"] {
        text = text.replace(path, "");
    }
    text
}
