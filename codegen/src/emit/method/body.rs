//! The body of a method: what comes before the call, the call, what comes after it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::safety::{Reason, because};
use super::super::{callback, ident};
use super::locals::prepared;
use super::passed::argument;
use super::{callee, results};
use opendyn_model::ir::{Binding, Function, Passing, ReturnRole};

pub(super) fn body(binding: &Binding, index: usize, function: &Function) -> TokenStream {
    let types = &binding.types;
    let guard = (!function.required).then(|| {
        let has = ident(&function.has_ident);
        let symbol = &function.symbol;
        quote! {
            if !self.#has() {
                return ::core::result::Result::Err(::opendyn::CallError::Missing { symbol: #symbol });
            }
        }
    });
    let name = ident(&function.callee);
    let declared = callee(binding.convention, index, function, types, &name, &quote!(self));
    let arguments = function.params.iter().enumerate().map(|(index, param)| match &param.passing {
        Passing::Callback(of) => callback::function(index, param, of, types),
        Passing::UserData { callback } => {
            let data = callback::data_ident(&function.params[*callback]);
            quote!(#data)
        }
        _ => argument(function, index, param, types),
    });
    let call = quote!(#name(#(#arguments),*));
    let (before, mut after) = prepared(binding, function);
    // Whichever function C calls a kept closure from, its panic goes on here.
    if binding.keeps_closures {
        after.push(quote!(runtime::resume_kept_panic();));
    }
    let reason = because(if function.is_unsafe() { Reason::SignatureAndPointers } else { Reason::Signature });
    if is_plain(function) && after.is_empty() {
        let value = function
            .returned
            .as_ref()
            .map_or_else(|| call.clone(), |returned| results::plain(returned, &call, types));
        let tail = results::plain_tail(function, &quote!(unsafe { #declared #value }), &reason, types);
        return quote!(#guard #(#before)* #tail);
    }
    let gathered = results::gathered(binding, function, &call, &after);
    quote!(#guard #reason unsafe { #declared #(#before)* #gathered })
}

/// Whether the call is all that there is, but for scalars that C writes.
fn is_plain(function: &Function) -> bool {
    let simple = |passing: &Passing| match passing {
        Passing::Value(_)
        | Passing::Str(_)
        | Passing::Pointer(_)
        | Passing::InOut(_)
        | Passing::Output(_)
        | Passing::Constant { .. } => true,
        Passing::Slice { length, .. } => length.is_none(),
        Passing::Buffer { capacity, .. } => capacity.is_none(),
        Passing::Opaque { .. } => true,
        _ => false,
    };
    function.params.iter().all(|param| simple(&param.passing) && function.enum_of(param).is_none())
        && function
            .returned
            .as_ref()
            .is_none_or(|returned| returned.role == ReturnRole::Result && results::is_plain(&returned.form))
}
