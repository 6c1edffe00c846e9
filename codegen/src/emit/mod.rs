//! From the IR to tokens. Nothing here can fail, and nothing is decided.
//!
//! What is generated is declarations and calls; every conversion is a function of the runtime.
//! All paths are absolute, so that no name of the document or of the user's crate is in the way.

mod binding;
mod callback;
mod codes;
mod docs;
mod enums;
mod handles;
mod kind;
mod method;
mod opentool;
pub(crate) mod python;
mod records;
mod safety;
mod table;
mod thunk;
mod types;

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use opendyn_model::c_type::{CType, Class};
use opendyn_model::ir::{Binding, Default, Enumeration, Function, Member, Scalar, Types, View};

/// The OpenTool document of the binding, as text.
pub(crate) fn opentool(binding: &Binding) -> String {
    opentool::document(binding)
}

pub(crate) use safety::without as without_reasons;

/// What a JSON call gives to a function and gets from it, with ranges and lengths as JSON Schema has them.
pub(crate) use opentool::{Exchange, exchange};

/// The method of a function, without its body.
pub(crate) fn signature(binding: &Binding, function: &Function) -> TokenStream {
    method::signature(binding, function)
}

/// The struct of its results, where there are several.
pub(crate) fn outputs(binding: &Binding, function: &Function) -> Option<TokenStream> {
    method::outputs(binding, function)
}

/// The schema of a member of a struct, as JSON gives it; `None` for a pointer that is not followed.
pub(crate) fn member_schema(member: &Member, types: &Types) -> Option<serde_json::Value> {
    opentool::member(member, types)
}

/// The whole binding: the types, which have names outside, and a block without a name for the
/// rest. What the block imports is seen in it alone. The reasons of `unsafe` blocks are in front of
/// them; [`without_reasons`] makes of it what a compiler takes.
pub(crate) fn emit(binding: &Binding) -> TokenStream {
    let declaration = binding::declaration(binding);
    let types = &binding.types;
    let handles = types.handles.iter().map(|handle| handles::declaration(binding, handle));
    let records = types.records.iter().map(|record| records::declaration(record, types));
    let shown: Vec<&Enumeration> = types
        .enums
        .iter()
        .enumerate()
        .filter(|(index, _)| binding.shows_enum(*index))
        .map(|(_, of)| of)
        .collect();
    let enums = shown.iter().filter_map(|of| enums::declaration(of));
    let outputs = binding.functions.iter().filter_map(|function| method::outputs(binding, function));
    let codes = codes::codes(binding);
    let methods = binding
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| method::method(binding, index, function));
    let methods = (!binding.functions.is_empty()).then(|| {
        let ident = ident(&binding.ident);
        quote!(impl #ident { #(#methods)* })
    });
    let success = codes::success(binding);
    let frees = handles::frees(binding);
    let handle_types = types.handles.iter().map(|handle| handles::implementation(binding, handle));
    let record_types = types.records.iter().map(|record| records::implementation(record, types));
    let enum_types = shown.iter().map(|of| enums::implementation(of));
    let tables = table::tables(binding);
    let access = binding::access(binding);
    let block = quote! {
        use ::opendyn::generated as runtime;
        #methods
        #access
        #success
        #frees
        #(#handle_types)*
        #(#record_types)*
        #(#enum_types)*
        #tables
    };
    let imports = imports(&block);
    let quiet = quiet_code();
    quote! {
        #declaration
        #(#handles)*
        #(#records)*
        #(#enums)*
        #(#outputs)*
        #codes

        #quiet
        const _: () = {
            #imports
            #block
        };
    }
}

/// The C types that the block names, by their short names: ones that no binding and no function
/// can take.
fn imports(block: &TokenStream) -> Option<TokenStream> {
    let mut used = std::collections::BTreeSet::new();
    collect_types(block.clone(), &mut used);
    (!used.is_empty()).then(|| {
        let used = used.iter().map(|name| ident(name));
        quote!(use ::core::ffi::{#(#used),*};)
    })
}

fn collect_types(tokens: TokenStream, used: &mut std::collections::BTreeSet<&'static str>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect_types(group.stream(), used),
            TokenTree::Ident(name) => used.extend(CType::import(&name.to_string())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Whether generated code calls a method of the variable `name`. A method or a field can be called
/// so too: then a dot stands before it.
fn uses(tokens: &TokenStream, name: &str) -> bool {
    let is_dot =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(dot)) if dot.as_char() == '.');
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(index, token)| match token {
        TokenTree::Group(group) => uses(&group.stream(), name),
        TokenTree::Ident(ident) => {
            *ident == name
                && is_dot(tokens.get(index + 1))
                && !is_dot(index.checked_sub(1).and_then(|before| tokens.get(before)))
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// A value that the document gives, as one of the scalar's C type.
fn literal(value: &Default, scalar: Scalar) -> TokenStream {
    match value {
        Default::Bool(value) if scalar.view == View::Truth && scalar.c_type == CType::Bool => quote!(#value),
        Default::Bool(value) => Literal::u8_unsuffixed(u8::from(*value)).into_token_stream(),
        Default::Integer(value) if scalar.c_type == CType::Char && !(0..=127).contains(value) => {
            // `char` is signed on some targets, unsigned on others.
            let value = Literal::i32_suffixed(i32::try_from(*value).unwrap_or_default());
            quote!(#value as c_char)
        }
        Default::Integer(value) => Literal::i128_unsuffixed(*value).into_token_stream(),
        // As Rust shows it: not with hundreds of zeros.
        Default::Number(value) => format!("{value:?}").parse().unwrap_or_default(),
        Default::Text(_) => TokenStream::new(),
    }
}

/// Zero of a C type.
fn zero(c_type: CType) -> TokenStream {
    if c_type.class() == Class::Floating { quote!(0.0) } else { quote!(0) }
}

/// Lints that a crate may deny for its own code, and that say nothing about generated code: of
/// types. `missing_docs` is not among them: everything is documented.
fn quiet() -> TokenStream {
    quote!(#[allow(dead_code, nonstandard_style, unreachable_pub, clippy::pedantic)])
}

/// The same, of code.
fn quiet_code() -> TokenStream {
    quote!(#[allow(dead_code, nonstandard_style, unreachable_pub, unsafe_code, unused_imports, clippy::all, clippy::pedantic)])
}
