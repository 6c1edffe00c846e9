//! The arguments of the method, out of the slots.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::safety::{Reason, because};
use super::super::types as type_tokens;
use super::super::{ident, kind};
use super::handles::{handle_argument, state_argument};
use opendyn_model::ir::{Binding, Direction, Element, Param, Passing, Scalar, Text, View};

/// One argument of the method: what it needs, what it is, and what comes back of it.
pub(super) struct Argument {
    /// Finds the handle; nothing else has happened yet.
    pub(super) lookup: TokenStream,
    /// Takes the handle away, when nothing else can refuse the call.
    pub(super) take: TokenStream,
    pub(super) before: TokenStream,
    pub(super) passed: TokenStream,
    pub(super) after: TokenStream,
}

impl Argument {
    pub(super) fn plain(passed: TokenStream) -> Self {
        let none = TokenStream::new;
        Self { lookup: none(), take: none(), before: none(), passed, after: none() }
    }
}

/// Not the parameter's own name, which may be one of the thunk's.
fn local_ident(param: &Param) -> proc_macro2::Ident {
    format_ident!("{}_value", param.ident.trim_start_matches("r#"))
}

pub(super) fn pointer_ident(param: &Param) -> proc_macro2::Ident {
    format_ident!("{}_pointer", param.ident.trim_start_matches("r#"))
}

pub(super) fn argument(binding: &Binding, param: &Param, index: Option<&Literal>) -> Argument {
    let types = &binding.types;
    let key = &param.key;
    let local = local_ident(param);
    let optional = param.is_optional();
    let Some(index) = index else {
        return match &param.passing {
            Passing::Buffer { .. } => Argument {
                before: quote!(let mut #local = runtime::TextBuffer::new();),
                after: quote!(out.put(#key, #local.text());),
                ..Argument::plain(quote!(#local.as_mut_slice()))
            },
            _ => Argument::plain(quote!(::core::ptr::null_mut())),
        };
    };
    let record_of = |record: &usize| ident(&types.records[*record].ident);
    match &param.passing {
        Passing::Value(Scalar { c_type, view: View::Enum(of) }) if types.enums[*of].is_named() => {
            let (of, raw) = (ident(&types.enums[*of].ident), type_tokens::c_type(*c_type));
            Argument::plain(if optional {
                quote!(args.get::<::core::option::Option<#raw>>(#index).map(#of::from))
            } else {
                quote!(#of::from(args.get::<#raw>(#index)))
            })
        }
        Passing::Str(Text { one_of: Some(of), .. }) => {
            let of = ident(&types.enums[*of].ident);
            if optional {
                Argument {
                    before: quote! {
                        let #local = args
                            .get::<::core::option::Option<&::core::ffi::CStr>>(#index)
                            .map(|text| #of::from(text.to_owned()));
                    },
                    ..Argument::plain(quote!(#local.as_ref()))
                }
            } else {
                Argument::plain(quote!(&#of::from(args.get::<&::core::ffi::CStr>(#index).to_owned())))
            }
        }
        Passing::Pointer(_) if optional => {
            Argument::plain(quote!(args.get::<::core::option::Option<_>>(#index).as_mut()))
        }
        Passing::Pointer(_) => Argument::plain(quote!(&mut args.get(#index))),
        Passing::InOut(scalar) => inout(key, &local, *scalar, optional, index),
        Passing::Slice { element, inout, .. } => slice(binding, param, *element, *inout, &local, index),
        Passing::Counted { inout: true, encoding, .. } => {
            let encoding = kind::encoding_tokens(*encoding);
            let fixed = param.passing.array_length().map(|length| {
                let length = Literal::u64_unsuffixed(length);
                quote!(; #length)
            });
            // A copy of its own: slots are read, not written.
            if optional {
                Argument {
                    before: quote! {
                        let mut #local = args.get::<::core::option::Option<&[u8 #fixed]>>(#index).map(|given| given.to_owned());
                    },
                    after: quote! {
                        out.put(#key, #local.map(|given| runtime::Encoded(given.to_vec(), #encoding)));
                    },
                    ..Argument::plain(if fixed.is_some() {
                        quote!(#local.as_mut())
                    } else {
                        quote!(#local.as_deref_mut())
                    })
                }
            } else {
                Argument {
                    before: quote!(let mut #local = args.get::<&[u8 #fixed]>(#index).to_owned();),
                    after: quote!(out.put(#key, runtime::Encoded(#local.to_vec(), #encoding));),
                    ..Argument::plain(quote!(&mut #local))
                }
            }
        }
        Passing::Strings { .. } => {
            let (taken, passed) = if optional {
                (quote!(args.optional_strings(#index)), quote!(#local.as_deref()))
            } else {
                (quote!(args.strings(#index)), quote!(&#local))
            };
            Argument { before: quote!(let #local = #taken;), ..Argument::plain(passed) }
        }
        Passing::Record { record, direction } => {
            let of = record_of(record);
            let taken = if optional {
                quote!(unsafe { args.optional_record::<#of>(#index) })
            } else {
                quote!(unsafe { args.record::<#of>(#index) })
            };
            let reason = because(Reason::Field);
            let before = quote!(#reason let #local = #taken;);
            match (direction, optional) {
                (Direction::Value, false) => Argument { before, ..Argument::plain(quote!(*#local)) },
                (Direction::Value, true) => Argument { before, ..Argument::plain(quote!(#local.copied())) },
                (Direction::InOut, false) => Argument {
                    before,
                    after: quote!(out.put(#key, runtime::Struct(*#local));),
                    ..Argument::plain(quote!(#local))
                },
                (Direction::InOut, true) => Argument {
                    before: quote!(#reason let mut #local = #taken;),
                    after: quote!(out.put(#key, #local.map(|given| runtime::Struct(*given)));),
                    ..Argument::plain(quote!(#local.as_deref_mut()))
                },
                (Direction::In | Direction::Out, false) => {
                    Argument { before, ..Argument::plain(quote!(#local)) }
                }
                (Direction::In | Direction::Out, true) => {
                    Argument { before, ..Argument::plain(quote!(#local.as_deref())) }
                }
            }
        }
        Passing::State { record, role } => state_argument(binding, param, *record, *role, &local, index),
        Passing::Handle { handle, role } => handle_argument(binding, param, *handle, *role, &local, index),
        Passing::Callback(_) => Argument::plain(quote!(::core::option::Option::None)),
        _ => Argument::plain(quote!(args.get(#index))),
    }
}

fn inout(key: &str, local: &proc_macro2::Ident, scalar: Scalar, optional: bool, index: &Literal) -> Argument {
    let of = if scalar.view == View::Truth { quote!(bool) } else { type_tokens::c_type(scalar.c_type) };
    let character = scalar.view == View::Character;
    let (taken, passed) = if optional {
        (quote!(args.get::<::core::option::Option<#of>>(#index)), quote!(#local.as_mut()))
    } else {
        (quote!(args.get::<#of>(#index)), quote!(&mut #local))
    };
    let put = match (character, optional) {
        (false, _) => quote!(#local),
        (true, false) => quote!(runtime::Character(#local)),
        (true, true) => quote!(#local.map(runtime::Character)),
    };
    Argument {
        before: quote!(let mut #local = #taken;),
        after: quote!(out.put(#key, #put);),
        ..Argument::plain(passed)
    }
}

fn slice(
    binding: &Binding,
    param: &Param,
    element: Element,
    inout: bool,
    local: &proc_macro2::Ident,
    index: &Literal,
) -> Argument {
    let key = &param.key;
    let fixed = param.passing.array_length().is_some();
    let described = param.passing.length().is_some();
    let method = match (fixed, param.is_optional()) {
        (false, false) => quote!(list),
        (false, true) => quote!(optional_list),
        (true, false) => quote!(array),
        (true, true) => quote!(optional_array),
    };
    if !described {
        // The method is unsafe, and so is the block around this.
        return Argument::plain(quote!(args.#method(#index)));
    }
    let taken = quote!(unsafe { args.#method(#index) });
    let reason = because(Reason::Field);
    if !inout {
        let passed = if param.is_optional() { quote!(#local.as_deref()) } else { quote!(#local) };
        return Argument { before: quote!(#reason let #local = #taken;), ..Argument::plain(passed) };
    }
    let of = type_tokens::written_element(element, &binding.types);
    let list = if fixed { quote!([#of; _]) } else { quote!([#of]) };
    let (declared, passed, put) = if param.is_optional() {
        (
            quote!(#reason let mut #local: ::core::option::Option<&mut #list> = #taken;),
            quote!(#local.as_deref_mut()),
            quote!(#local.map(|given| given.to_vec())),
        )
    } else {
        (quote!(#reason let #local: &mut #list = #taken;), quote!(#local), quote!(#local.to_vec()))
    };
    let of_bools = matches!(element, Element::Scalar(Scalar { view: View::Truth, .. }));
    let put = match (of_bools, param.is_optional()) {
        (false, _) => put,
        (true, false) => quote!(runtime::truths(#put)),
        (true, true) => quote!(#put.map(runtime::truths)),
    };
    Argument { before: declared, after: quote!(out.put(#key, #put);), ..Argument::plain(passed) }
}
