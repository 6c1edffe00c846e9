//! What a JSON call runs: it takes the arguments out of their slots, calls the method, and puts
//! the results.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::types as type_tokens;
use super::{ident, kind, method};
use crate::ir::{
    Binding, Body, Content, Direction, Element, Encoding, Form, Function, HandleRole, Outcome, Param,
    Passing, ReturnRole, Scalar, Source, StateRole, Text, View,
};

pub(super) fn thunk(binding: &Binding, function: &Function) -> TokenStream {
    let mut fields = 0_usize..;
    let arguments: Vec<Argument> = function
        .params
        .iter()
        .filter(|param| param.is_taken())
        .map(|param| {
            let index =
                param.is_input().then(|| Literal::usize_unsuffixed(fields.next().unwrap_or_default()));
            argument(binding, param, index.as_ref())
        })
        .collect();
    let handles = handles(function, &arguments);
    let before = arguments.iter().map(|argument| &argument.before);
    let passed = arguments.iter().map(|argument| &argument.passed);
    let name = ident(&function.ident);
    let call = quote!(binding.#name(#(#passed),*));
    let results = function.results();
    let silent = results.is_empty() && !function.is_fallible();
    let called = match (silent, function.is_unsafe()) {
        (true, false) => quote!(#call;),
        (true, true) => quote!(unsafe { #call }),
        (false, false) => put(binding, function, &results, &call),
        (false, true) => {
            // A statement of its own, so that its reason can stand above it.
            let put = put(binding, function, &results, &quote!(returned));
            quote!(let returned = unsafe { #call }; #put)
        }
    };
    let after = arguments.iter().map(|argument| &argument.after);
    let args = if function.inputs().next().is_some() { quote!(args) } else { quote!(_) };
    let written = arguments.iter().any(|argument| !argument.after.is_empty());
    let out = if silent && !written && handles.is_empty() { quote!(_) } else { quote!(out) };
    quote!(|binding, #args, #out| { #handles #(#before)* #called #(#after)* })
}

/// One argument of the method: what it needs, what it is, and what comes back of it.
struct Argument {
    /// Finds the handle; nothing else has happened yet.
    lookup: TokenStream,
    /// Takes the handle away, when nothing else can refuse the call.
    take: TokenStream,
    before: TokenStream,
    passed: TokenStream,
    after: TokenStream,
}

impl Argument {
    fn plain(passed: TokenStream) -> Self {
        let none = TokenStream::new;
        Self { lookup: none(), take: none(), before: none(), passed, after: none() }
    }
}

/// The handles of a call, found before anything is done: while it runs, nobody frees them.
fn handles(function: &Function, arguments: &[Argument]) -> TokenStream {
    if !uses_handles(function) {
        return TokenStream::new();
    }
    let lookups = arguments.iter().map(|argument| &argument.lookup);
    let takes = arguments.iter().map(|argument| &argument.take);
    let states: Vec<&Param> = function
        .params
        .iter()
        .filter(|param| {
            matches!(param.passing, Passing::State { role: StateRole::Used | StateRole::Ends, .. })
                && !param.is_optional()
        })
        .collect();
    // Two exclusive references to one state would be none.
    let distinct = (states.len() > 1).then(|| {
        let keys = states.iter().map(|param| &param.key);
        let pointers = states.iter().map(|param| pointer_ident(param));
        quote! {
            let ::core::option::Option::Some(()) = out.distinct(&[#(#keys),*], &[#(#pointers),*]) else { return };
        }
    });
    quote! {
        let ::core::option::Option::Some(_entered) = out.enter(&binding.handles) else { return };
        #(#lookups)*
        #distinct
        #(#takes)*
    }
}

pub(super) fn uses_handles(function: &Function) -> bool {
    let form = |form: &Form| matches!(form, Form::Handle { .. });
    function.returned.as_ref().is_some_and(|returned| form(&returned.form))
        || function.params.iter().any(|param| match &param.passing {
            Passing::Handle { .. } | Passing::State { .. } => true,
            Passing::Fetched(fetched) => form(fetched),
            _ => false,
        })
}

/// Not the parameter's own name, which may be one of the thunk's.
fn local_ident(param: &Param) -> proc_macro2::Ident {
    format_ident!("{}_value", param.ident.trim_start_matches("r#"))
}

fn pointer_ident(param: &Param) -> proc_macro2::Ident {
    format_ident!("{}_pointer", param.ident.trim_start_matches("r#"))
}

fn argument(binding: &Binding, param: &Param, index: Option<&Literal>) -> Argument {
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
            let before = quote!(let #local = #taken;);
            match (direction, optional) {
                (Direction::Value, false) => Argument { before, ..Argument::plain(quote!(*#local)) },
                (Direction::Value, true) => Argument { before, ..Argument::plain(quote!(#local.copied())) },
                (Direction::InOut, false) => Argument {
                    before,
                    after: quote!(out.put(#key, runtime::Struct(*#local));),
                    ..Argument::plain(quote!(#local))
                },
                (Direction::InOut, true) => Argument {
                    before: quote!(let mut #local = #taken;),
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
        Passing::State { record, role } => state(binding, param, *record, *role, &local, index),
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
    if !inout {
        let passed = if param.is_optional() { quote!(#local.as_deref()) } else { quote!(#local) };
        return Argument { before: quote!(let #local = #taken;), ..Argument::plain(passed) };
    }
    let of = type_tokens::memory(element, &binding.types);
    let list = if fixed { quote!([#of; _]) } else { quote!([#of]) };
    let (declared, passed, put) = if param.is_optional() {
        (
            quote!(let mut #local: ::core::option::Option<&mut #list> = #taken;),
            quote!(#local.as_deref_mut()),
            quote!(#local.map(|given| given.to_vec())),
        )
    } else {
        (quote!(let #local: &mut #list = #taken;), quote!(#local), quote!(#local.to_vec()))
    };
    let of_bools = matches!(element, Element::Scalar(Scalar { view: View::Truth, .. }));
    let put = match (of_bools, param.is_optional()) {
        (false, _) => put,
        (true, false) => quote!(runtime::truths(#put)),
        (true, true) => quote!(#put.map(runtime::truths)),
    };
    Argument { before: declared, after: quote!(out.put(#key, #put);), ..Argument::plain(passed) }
}

fn handle_argument(
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
    let (find, take) = if optional {
        (quote!(optional_handle), quote!(optional_take_handle))
    } else {
        (quote!(handle), quote!(take_handle))
    };
    let lookup = quote! {
        let ::core::option::Option::Some(#pointer) = out.#find(#key, args.get(#index), &#constant) else { return };
    };
    let consumed = role != HandleRole::Borrowed;
    let take = if consumed {
        quote!(if out.#take(#key, args.get(#index), &#constant).is_none() { return })
    } else {
        TokenStream::new()
    };
    let (before, passed) = if optional {
        let lent = quote!(#pointer.and_then(|pointer| unsafe { #of::from_ptr(binding, pointer.as_ptr()) }));
        let passed = if consumed { quote!(#local) } else { quote!(#local.as_ref()) };
        (quote!(let #local = #lent;), passed)
    } else {
        let lent = quote! {
            let ::core::option::Option::Some(#local) = (unsafe { #of::from_ptr(binding, #pointer.as_ptr()) }) else {
                return;
            };
        };
        (lent, if consumed { quote!(#local) } else { quote!(&#local) })
    };
    Argument { lookup, take, before, passed, after: TokenStream::new() }
}

fn state(
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
    let take = if optional { quote!(optional_take_handle) } else { quote!(take_handle) };
    let lookup = quote! {
        let ::core::option::Option::Some(#pointer) = out.#find(#key, args.get(#index), &#constant) else { return };
    };
    let take = if ends {
        quote!(if out.#take(#key, args.get(#index), &#constant).is_none() { return })
    } else {
        TokenStream::new()
    };
    let made = quote!(#of(unsafe { runtime::State::from_raw(pointer, #size, #align) }));
    let (before, passed) = match (optional, ends) {
        (false, true) => (quote!(let #local = { let pointer = #pointer; #made };), quote!(#local)),
        (false, false) => (
            quote!(let mut #local = { let pointer = #pointer; ::core::mem::ManuallyDrop::new(#made) };),
            quote!(&mut *#local),
        ),
        (true, true) => (quote!(let #local = #pointer.map(|pointer| #made);), quote!(#local)),
        (true, false) => (
            quote!(let mut #local = #pointer.map(|pointer| ::core::mem::ManuallyDrop::new(#made));),
            quote!(#local.as_deref_mut()),
        ),
    };
    Argument { lookup, take, before, passed, after: TokenStream::new() }
}

/// The value of a call on its way out: one result, several, or only the question whether it failed.
fn put(binding: &Binding, function: &Function, results: &[Outcome<'_>], call: &TokenStream) -> TokenStream {
    match results {
        [] => quote!(out.check(#call);),
        [result] => {
            let key = result.key;
            match conversion(binding, function, result) {
                Conversion::None => quote!(out.put(#key, #call);),
                Conversion::Mapped(convert) if function.is_fallible() => {
                    quote!(out.put(#key, #call.map(|value| #convert));)
                }
                Conversion::Mapped(convert) => quote!({ let value = #call; out.put(#key, #convert); }),
                Conversion::Own(put) if function.is_fallible() => quote! {
                    if let ::core::option::Option::Some(value) = out.check(#call) { #put }
                },
                Conversion::Own(put) => quote!({ let value = #call; #put }),
            }
        }
        _ => {
            let puts: Vec<TokenStream> = results
                .iter()
                .map(|result| {
                    let (key, field) = (result.key, ident(result.ident));
                    match conversion(binding, function, result) {
                        Conversion::None => quote!(out.put(#key, outputs.#field);),
                        Conversion::Mapped(convert) => {
                            quote!({ let value = outputs.#field; out.put(#key, #convert); })
                        }
                        Conversion::Own(put) => quote!({ let value = outputs.#field; #put }),
                    }
                })
                .collect();
            if function.is_fallible() {
                quote!(if let ::core::option::Option::Some(outputs) = out.check(#call) { #(#puts)* })
            } else {
                quote!(let outputs = #call; #(#puts)*)
            }
        }
    }
}

/// What a result needs on its way out, as an expression or statement over `value`.
enum Conversion {
    None,
    Mapped(TokenStream),
    /// It puts itself.
    Own(TokenStream),
}

fn conversion(binding: &Binding, function: &Function, result: &Outcome<'_>) -> Conversion {
    match result.source {
        Source::Returned(returned) => match &returned.role {
            ReturnRole::Code(_) if !binding.codes.is_empty() => Conversion::Mapped(quote!(value.0)),
            _ => of_form(binding, function, &returned.form, result.key),
        },
        Source::Param(param) => match &param.passing {
            Passing::Output(scalar) => of_scalar(binding, *scalar, false),
            Passing::Buffer { content, .. } => of_content(*content, false),
            Passing::Record { .. } => Conversion::Mapped(quote!(runtime::Struct(value))),
            Passing::State { record, .. } => {
                let record = &binding.types.records[*record];
                let constant = ident(&record.constant);
                let Body::State { size, align } = record.body else { return Conversion::None };
                let (size, align) = (Literal::u64_unsuffixed(size), Literal::u64_unsuffixed(align));
                let key = result.key;
                Conversion::Own(quote! {
                    out.put_handle(
                        #key,
                        value.0.into_raw(),
                        &#constant,
                        ::core::option::Option::Some(runtime::State::free::<#size, #align>),
                        ::core::option::Option::None,
                    );
                })
            }
            Passing::Fetched(form) => of_form(binding, function, form, result.key),
            _ => Conversion::None,
        },
    }
}

fn of_form(binding: &Binding, function: &Function, form: &Form, key: &str) -> Conversion {
    let nullable = form.is_nullable();
    let mapped = |convert: TokenStream| {
        Conversion::Mapped(if nullable { quote!(value.map(|value| #convert)) } else { convert })
    };
    match form {
        Form::Value(scalar) | Form::Pointed { scalar, .. } => of_scalar(binding, *scalar, nullable),
        Form::Str { text: Text { one_of: Some(_), encoding, .. }, .. } => {
            let encoding = kind::encoding_tokens(*encoding);
            mapped(quote!(runtime::Encoded(value.as_c_str().to_owned(), #encoding)))
        }
        Form::Str { text, .. } if text.encoding == Encoding::Utf8 => Conversion::None,
        Form::Str { text, .. } => {
            let encoding = kind::encoding_tokens(text.encoding);
            mapped(quote!(runtime::Encoded(value, #encoding)))
        }
        Form::Array { content, .. } => of_content(*content, nullable),
        Form::Record { .. } | Form::RecordValue(_) => mapped(quote!(runtime::Struct(value))),
        Form::Handle { handle, parent, .. } => {
            let constant = ident(&binding.types.handles[*handle].constant);
            let free = method::free(binding, form.free());
            let parent = parent.map_or_else(
                || quote!(::core::option::Option::None),
                |parent| {
                    let index = function.params.iter().take(parent).filter(|param| param.is_input()).count();
                    let index = Literal::usize_unsuffixed(index);
                    quote!(::core::option::Option::Some(args.get(#index)))
                },
            );
            let put = quote!(out.put_handle(#key, value.0.into_raw().as_ptr(), &#constant, #free, #parent););
            Conversion::Own(if nullable {
                quote! {
                    match value {
                        ::core::option::Option::Some(value) => { #put }
                        ::core::option::Option::None => out.put_null(#key),
                    }
                }
            } else {
                put
            })
        }
        Form::Strings { .. } | Form::Opaque => Conversion::None,
    }
}

fn of_scalar(binding: &Binding, scalar: Scalar, nullable: bool) -> Conversion {
    let convert = match scalar.view {
        View::Character => quote!(runtime::Character(value)),
        View::Enum(index) if binding.types.enums[index].is_named() => {
            let of = type_tokens::c_type(scalar.c_type);
            quote!(<#of>::from(value))
        }
        View::Plain | View::Truth | View::Enum(_) => return Conversion::None,
    };
    Conversion::Mapped(if nullable { quote!(value.map(|value| #convert)) } else { convert })
}

fn of_content(content: Content, nullable: bool) -> Conversion {
    match content {
        Content::Elements(_) => Conversion::None,
        Content::Text { encoding: Encoding::Utf8, .. } => Conversion::None,
        Content::Text { encoding, .. } => {
            let encoding = kind::encoding_tokens(encoding);
            let convert = quote!(runtime::Encoded(value, #encoding));
            Conversion::Mapped(if nullable { quote!(value.map(|value| #convert)) } else { convert })
        }
    }
}
