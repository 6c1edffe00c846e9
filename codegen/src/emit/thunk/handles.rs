//! Arguments that come as tokens.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::ident;
use super::super::safety::{Reason, because};
use super::arguments::{Argument, pointer_ident};
use crate::ir::{Binding, Body, HandleRole, Param, StateRole};

/// A handle: the token is looked up, and lent to the method or given to it.
pub(super) fn handle_argument(
    binding: &Binding,
    param: &Param,
    handle: usize,
    role: HandleRole,
    local: &proc_macro2::Ident,
    index: &Literal,
) -> Argument {
    let handle = &binding.types.handles[handle];
    let (of, constant, key) = (ident(&handle.ident), ident(&handle.constant), &param.key);
    let pointer = pointer_ident(param);
    let optional = param.is_optional();
    let consumed = role != HandleRole::Borrowed;
    let find = ident(match (consumed, optional) {
        (false, false) => "handle",
        (false, true) => "optional_handle",
        (true, false) => "freeable_handle",
        (true, true) => "optional_freeable_handle",
    });
    let lookup = quote! {
        let ::core::option::Option::Some(#pointer) = out.#find(#key, args.get(#index), &#constant) else { return };
    };
    let take = if consumed { take(key, index, &constant) } else { TokenStream::new() };
    let reason = because(if consumed { Reason::TakenToken } else { Reason::Token });
    let made = |pointer: TokenStream| quote!((unsafe { runtime::Handle::new(binding, #pointer.as_ptr(), ::core::option::Option::None) }).map(#of));
    let (before, passed) = if optional {
        let lent = made(quote!(pointer));
        let passed = if consumed { quote!(#local) } else { quote!(#local.as_ref()) };
        (quote!(#reason let #local = #pointer.and_then(|pointer| #lent);), passed)
    } else {
        let lent = made(quote!(#pointer));
        let passed = if consumed { quote!(#local) } else { quote!(&#local) };
        (quote!(#reason let ::core::option::Option::Some(#local) = #lent else { return };), passed)
    };
    Argument { lookup, take, before, passed, after: TokenStream::new() }
}

/// The token goes, because the call frees what it stands for.
fn take(key: &str, index: &Literal, constant: &proc_macro2::Ident) -> TokenStream {
    quote!(if out.take_handle(#key, args.get(#index), &#constant).is_none() { return })
}

/// A state: a token too, for memory of ours.
pub(super) fn state_argument(
    binding: &Binding,
    param: &Param,
    record: usize,
    role: StateRole,
    local: &proc_macro2::Ident,
    index: &Literal,
) -> Argument {
    let record = &binding.types.records[record];
    let (of, constant, key) = (ident(&record.ident), ident(&record.constant), &param.key);
    let pointer = pointer_ident(param);
    let Body::State { size, align } = record.body else { return Argument::plain(TokenStream::new()) };
    let (size, align) = (Literal::u64_unsuffixed(size), Literal::u64_unsuffixed(align));
    let ends = role == StateRole::Ends;
    let optional = param.is_optional();
    let find = if optional { quote!(optional_handle) } else { quote!(handle) };
    let lookup = quote! {
        let ::core::option::Option::Some(#pointer) = out.#find(#key, args.get(#index), &#constant) else { return };
    };
    let take = if ends { take(key, index, &constant) } else { TokenStream::new() };
    let made = quote!(#of(unsafe { runtime::State::from_raw(pointer, #size, #align) }));
    let reason = because(Reason::State);
    let (before, passed) = match (optional, ends) {
        (false, true) => (quote!(#reason let #local = { let pointer = #pointer; #made };), quote!(#local)),
        (false, false) => (
            quote!(#reason let mut #local = { let pointer = #pointer; ::core::mem::ManuallyDrop::new(#made) };),
            quote!(&mut *#local),
        ),
        (true, true) => (quote!(#reason let #local = #pointer.map(|pointer| #made);), quote!(#local)),
        (true, false) => (
            quote!(#reason let mut #local = #pointer.map(|pointer| ::core::mem::ManuallyDrop::new(#made));),
            quote!(#local.as_deref_mut()),
        ),
    };
    Argument { lookup, take, before, passed, after: TokenStream::new() }
}
