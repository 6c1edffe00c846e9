//! What is made ready before the call.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::types;
use super::super::{callback, ident, zero};
use super::callee;
use super::passed::argument;
use opendyn_model::ir::{
    Binding, Body, CallArg, Direction, Function, HandleRole, Length, Param, Passing, Scalar, StateRole,
};

/// The statements before the call, and those right behind it.
pub(super) fn prepared(binding: &Binding, function: &Function) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let types = &binding.types;
    let mut before = Vec::new();
    let mut after = Vec::new();
    // First of all: a function that tells a length may be given others.
    before.extend(function.params.iter().filter_map(|param| length_local(function, param)));
    for (index, param) in function.params.iter().enumerate() {
        before.extend(length_check(binding, function, index, param));
        before.extend(enum_check(binding, function, param));
    }
    for param in &function.params {
        before.extend(buffer_local(binding, function, param));
    }
    for param in &function.params {
        if let Passing::Callback(of) = &param.passing {
            let keeper = of.until.map(|until| {
                let name = ident(&function.params[until].ident);
                quote!(#name)
            });
            let prepared = callback::prepare(param, of, types, keeper.as_ref());
            before.push(prepared.statements);
            if !prepared.after.is_empty() {
                after.push(prepared.after);
            }
        } else {
            before.extend(local(binding, function, param));
        }
    }
    (before, after)
}

/// How long an input array is; for one that may be absent an `Option`.
fn length_of(param: &Param) -> TokenStream {
    let name = ident(&param.ident);
    if param.is_optional() { quote!(#name.as_ref().map(|given| given.len())) } else { quote!(#name.len()) }
}

/// How long the arrays are that share the length of the one at `of`: all that are there.
fn shared_length(function: &Function, of: usize) -> TokenStream {
    let array = &function.params[of];
    let length = length_of(array);
    if !array.is_optional() {
        return length;
    }
    let others = (0..function.params.len()).filter(|index| function.shares_length(*index) == Some(of));
    let others = others.map(|index| length_of(&function.params[index]));
    quote!(#length #(.or(#others))*.unwrap_or(0))
}

/// The parameter that holds the length of an array.
fn length_local(function: &Function, param: &Param) -> Option<TokenStream> {
    let Passing::Length { c_type, pointer, of, .. } = &param.passing else { return None };
    let name = ident(&param.ident);
    let mutable = pointer.then(|| quote!(mut));
    let counted = types::c_type(*c_type);
    if let Some(length) = function.known_length(*of, *c_type) {
        let length = Literal::u64_unsuffixed(length);
        return Some(quote!(let #mutable #name: #counted = #length;));
    }
    let (key, length) = (&function.params[*of].key, shared_length(function, *of));
    Some(if c_type.holds_every_length() {
        quote!(let #mutable #name: #counted = runtime::every_length(#length);)
    } else {
        quote!(let #mutable #name: #counted = runtime::length(#key, #length)?;)
    })
}

/// Whether a value is one of those that the document lists.
fn enum_check(binding: &Binding, function: &Function, param: &Param) -> Option<TokenStream> {
    let of = &binding.types.enums[function.enum_of(param)?];
    let (name, key, constant) = (ident(&param.ident), &param.key, ident(&of.constant));
    let check = |given: TokenStream| match &param.passing {
        Passing::Value(Scalar { c_type, .. }) => {
            let raw = types::c_type(*c_type);
            let given = if of.is_named() { quote!(<#raw>::from(#given)) } else { given };
            quote!(runtime::listed(#key, #given, &#constant)?;)
        }
        Passing::Str(_) => quote!(runtime::listed_str(#key, #given.as_c_str(), #constant)?;),
        Passing::Slice { .. } => quote!(runtime::all_listed(#key, &#given[..], &#constant)?;),
        _ => quote!(runtime::listed(#key, *#given, &#constant)?;),
    };
    Some(if !param.is_optional() {
        check(quote!(#name))
    } else {
        let by_reference = matches!(
            param.passing,
            Passing::Pointer(_) | Passing::InOut(_) | Passing::Slice { inout: true, .. }
        );
        let (from, check) = if by_reference {
            (
                quote!(&#name),
                if matches!(param.passing, Passing::Slice { .. }) {
                    check(quote!(given))
                } else {
                    check(quote!(*given))
                },
            )
        } else {
            (quote!(#name), check(quote!(given)))
        };
        quote!(if let ::core::option::Option::Some(given) = #from { #check })
    })
}

/// Whether an array is as long as it has to be.
fn length_check(binding: &Binding, function: &Function, index: usize, param: &Param) -> Option<TokenStream> {
    let key = &param.key;
    let name = ident(&param.ident);
    if let Some(other) = function.shares_length(index) {
        let (other_key, expected) = (&function.params[other].key, shared_length(function, other));
        return Some(if param.is_optional() {
            quote! {
                if let ::core::option::Option::Some(given) = &#name {
                    runtime::same_length(#key, given.len(), #other_key, #expected)?;
                }
            }
        } else {
            quote!(runtime::same_length(#key, #name.len(), #other_key, #expected)?;)
        });
    }
    if param.passing.array_length().is_some() {
        return None;
    }
    let expected = match param.passing.length()? {
        Length::Const(count) => {
            let count = Literal::u64_suffixed(*count);
            quote!(#count)
        }
        Length::Call { function: target, args } => called(binding, function, *target, args),
        Length::Param(_) => return None,
    };
    Some(if param.is_optional() {
        quote! {
            if let ::core::option::Option::Some(given) = &#name {
                runtime::exact_length(#key, given.len(), #expected)?;
            }
        }
    } else {
        quote!(runtime::exact_length(#key, #name.len(), #expected)?;)
    })
}

/// What another function returns, called with values of this one.
pub(super) fn called(binding: &Binding, function: &Function, target: usize, args: &[CallArg]) -> TokenStream {
    let called = &binding.functions[target];
    let name = format_ident!("{}_of_length", called.callee.trim_start_matches("r#"));
    let declared = callee(binding.convention, target, called, &binding.types, &name, &quote!(self));
    let args = args.iter().map(|arg| match arg {
        CallArg::Integer(value) => {
            let value = Literal::i128_unsuffixed(*value);
            quote!(#value)
        }
        CallArg::Param(index) => {
            let param = &function.params[*index];
            match param.passing {
                Passing::Length { .. } | Passing::Capacity { .. } => {
                    let name = ident(&param.ident);
                    quote!(#name)
                }
                _ => argument(function, *index, param, &binding.types),
            }
        }
    });
    quote!({ #declared #name(#(#args),*) })
}

/// The buffer that C fills, and the parameter that is told its capacity.
fn buffer_local(binding: &Binding, function: &Function, param: &Param) -> Option<TokenStream> {
    let Passing::Buffer { content, capacity: Some(capacity), .. } = &param.passing else { return None };
    let (name, key) = (ident(&param.ident), &param.key);
    let element = types::content_memory(*content, &binding.types);
    let capacity = match capacity {
        Length::Param(index) => {
            let name = ident(&function.params[*index].ident);
            quote!(#name)
        }
        Length::Const(count) => {
            let count = Literal::u64_suffixed(*count);
            quote!(#count)
        }
        Length::Call { function: target, args } => called(binding, function, *target, args),
    };
    Some(quote!(let mut #name = runtime::Buffer::<#element>::new(#key, #capacity)?;))
}

/// Whatever else a parameter needs.
fn local(binding: &Binding, function: &Function, param: &Param) -> Option<TokenStream> {
    let types = &binding.types;
    let name = ident(&param.ident);
    Some(match &param.passing {
        Passing::Output(Scalar { c_type, .. }) | Passing::Count { c_type } => {
            let (of, zero) = (types::c_type(*c_type), zero(*c_type));
            quote!(let mut #name: #of = #zero;)
        }
        Passing::Capacity { c_type, of, given: false, pointer } => {
            let buffer = ident(&function.params[*of].ident);
            let of = types::c_type(*c_type);
            let mutable = pointer.then(|| quote!(mut));
            quote!(let #mutable #name: #of = #buffer.capacity()?;)
        }
        Passing::Capacity { pointer: true, .. } => quote!(let mut #name = #name;),
        Passing::Strings { .. } => {
            let pointers = pointers_ident(param);
            let given = if param.is_optional() { quote!(#name.unwrap_or_default()) } else { quote!(#name) };
            quote!(let #pointers = runtime::pointers(#given);)
        }
        Passing::Record { record, direction: Direction::Out } => {
            let record = ident(&types.records[*record].ident);
            quote!(let mut #name: #record = runtime::zeroed();)
        }
        Passing::State { record, role: StateRole::Begins } => {
            let record = &types.records[*record];
            let of = ident(&record.ident);
            let Body::State { size, align } = record.body else { return None };
            let (size, align) = (Literal::u64_unsuffixed(size), Literal::u64_unsuffixed(align));
            quote!(let mut #name = #of(runtime::State::new(#size, #align));)
        }
        Passing::State { role: StateRole::Ends, .. } => quote!(let mut #name = #name;),
        Passing::Handle { role: HandleRole::Consumed | HandleRole::ConsumedThrough, .. } => {
            let release = if param.is_optional() {
                quote!(let #name = #name.map(|given| given.0.release(self));)
            } else {
                quote!(let #name = #name.0.release(self);)
            };
            let through = matches!(param.passing, Passing::Handle { role: HandleRole::ConsumedThrough, .. })
                .then(|| {
                    let pointer = pointer_ident(param);
                    let value = handle_pointer(param, &quote!(#name));
                    quote!(let mut #pointer = #value;)
                });
            quote!(#release #through)
        }
        Passing::Fetched(form) => {
            let of = types::pointee(form, types);
            let free = free(binding, form.free());
            quote!(let mut #name = runtime::Held::<#of>::output(self, #free);)
        }
        _ => return None,
    })
}

/// The function that frees what another function of the library made, or none.
pub(in super::super) fn free(binding: &Binding, function: Option<usize>) -> TokenStream {
    match function {
        Some(function) => {
            let constant = ident(&binding.functions[function].free_constant);
            quote!(::core::option::Option::Some(#constant))
        }
        None => quote!(::core::option::Option::None),
    }
}

pub(super) fn pointers_ident(param: &Param) -> proc_macro2::Ident {
    format_ident!("{}_pointers", param.ident.trim_start_matches("r#"))
}

pub(super) fn pointer_ident(param: &Param) -> proc_macro2::Ident {
    format_ident!("{}_pointer", param.ident.trim_start_matches("r#"))
}

/// The pointer of a handle that the call frees.
pub(super) fn handle_pointer(param: &Param, name: &TokenStream) -> TokenStream {
    if param.is_optional() {
        quote!(#name.as_ref().map_or(::core::ptr::null_mut(), |given| given.as_ptr()))
    } else {
        quote!(#name.as_ptr())
    }
}
