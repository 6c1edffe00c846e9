//! Arguments that come as tokens.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::ident;
use super::super::safety::{Reason, because};
use super::arguments::{Argument, pointer_ident};
use opendyn_model::ir::{Binding, Body, HandleRole, Param, StateRole};

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
    let made = |pointer: TokenStream| quote!(unsafe { runtime::Handle::new(binding, #pointer.as_ptr(), ::core::option::Option::None) });
    // The reason stands right above the block, in whichever closure that is.
    let (before, passed) = if optional {
        let lent = made(quote!(pointer));
        let passed = if consumed { quote!(#local) } else { quote!(#local.as_ref()) };
        let before = quote! {
            let #local = #pointer.and_then(|pointer| {
                #reason
                let handle = #lent;
                handle.map(#of)
            });
        };
        (before, passed)
    } else {
        let lent = made(quote!(#pointer));
        let passed = if consumed { quote!(#local) } else { quote!(&#local) };
        (quote!(#reason let ::core::option::Option::Some(#local) = (#lent).map(#of) else { return };), passed)
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
    let reason = because(Reason::State);
    let state = if ends { quote!(#of(state)) } else { quote!(::core::mem::ManuallyDrop::new(#of(state))) };
    let made = quote! {
        #reason
        let state = unsafe { runtime::State::from_raw(pointer, #size, #align) };
        #state
    };
    let made = if optional {
        quote!(#pointer.map(|pointer| { #made }))
    } else {
        quote!({ let pointer = #pointer; #made })
    };
    let (before, passed) = match (optional, ends) {
        (_, true) => (quote!(let #local = #made;), quote!(#local)),
        (false, false) => (quote!(let mut #local = #made;), quote!(&mut *#local)),
        (true, false) => (quote!(let mut #local = #made;), quote!(#local.as_deref_mut())),
    };
    Argument { lookup, take, before, passed, after: TokenStream::new() }
}
