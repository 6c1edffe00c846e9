//! The Rust signature of the method of a function.

use std::collections::HashMap;

use opendyn_model::plan::{Binding, Function};
use proc_macro2::{Group, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::Signature;
use crate::emit;
use crate::tokens::TokenStream as Code;

/// The signature as text for people.
pub(super) fn signature(binding: &Binding, function: &Function) -> Signature {
    let (method, code) = emit::signature(binding, function);
    let tokens = shortened(code);
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
        emit::outputs(binding, function).and_then(|outputs| syn::parse2(shortened(outputs)).ok());
    let field = |field: &syn::Field| Some((field.ident.as_ref()?.to_string(), type_text(&field.ty)));
    Signature {
        outputs: outputs.iter().flat_map(|outputs| &outputs.fields).filter_map(field).collect(),
        method,
        is_unsafe: function.is_unsafe(),
        parameters,
        returns,
        text: method_text(&tokens),
    }
}

/// The tokens without paths. What the generator writes parses.
fn shortened(code: Code) -> TokenStream {
    without_paths(code.into_text().parse().unwrap_or_default())
}

fn text_of(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// A method formatted as in a file: on one line if it fits.
fn method_text(signature: &TokenStream) -> String {
    let Ok(file) = syn::parse2(quote!(impl X { #signature {} })) else { return signature.to_string() };
    let text = prettyplease::unparse(&file);
    let lines: Vec<&str> = text.lines().collect();
    let within = lines.get(1..lines.len().saturating_sub(1)).unwrap_or_default();
    let within: Vec<&str> = within.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    let joined = one_line(&within.join(" "));
    let text = if joined.len() < 100 { joined } else { within.join("\n") };
    text.trim_end().trim_end_matches("{}").trim_end().to_owned()
}

fn type_text(of: &impl ToTokens) -> String {
    let Ok(file) = syn::parse2(quote!(type X = #of;)) else { return text_of(of) };
    let text = prettyplease::unparse(&file);
    let text = text.trim().trim_start_matches("type X = ").trim_end_matches(';');
    one_line(text)
}

/// Formatted code on one line, without trailing commas.
fn one_line(code: &str) -> String {
    let joined = code.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.replace("( ", "(").replace(", )", ")").replace("< ", "<").replace(", >", ">")
}

/// The same tokens with the last segment of each path: `CallError` for `opendyn::CallError`.
fn without_paths(tokens: TokenStream) -> TokenStream {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let is_joint =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                kept.push(Group::new(group.delimiter(), without_paths(group.stream())).into());
            }
            second
                if is_colon(&second)
                    && kept.last().is_some_and(|first| is_colon(first) && is_joint(first)) =>
            {
                kept.pop();
                kept.pop_if(|segment| matches!(segment, TokenTree::Ident(_)));
            }
            token => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_spelled_without_paths() {
        let tokens = quote!(fn f(a: &'_ opendyn::CBool) -> Result<Vec<u8>, opendyn::CallError>);
        let expected = quote!(fn f(a: &'_ CBool) -> Result<Vec<u8>, CallError>);
        assert_eq!(without_paths(tokens).to_string(), expected.to_string());
    }

    #[test]
    fn a_type_that_is_formatted_in_several_lines_is_one_line() {
        let name = quote!(AVeryLongNameThatFillsAboutHalfOfALineOfCode);
        let text = type_text(&quote!(Option<&mut dyn FnMut(#name, #name) -> c_int>));
        let name = name.to_string();
        assert_eq!(text, format!("Option<&mut dyn FnMut({name}, {name}) -> c_int>"));
    }
}
