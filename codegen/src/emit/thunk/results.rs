//! The results of the method, on their way out.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::types as type_tokens;
use super::super::{ident, kind, method};
use opendyn_model::ir::{
    Binding, Body, Content, Encoding, Form, Function, Outcome, Passing, ReturnRole, Scalar, Source, Text,
    View,
};

/// The value of a call on its way out: one result, several, or only the question whether it failed.
pub(super) fn put(
    binding: &Binding,
    function: &Function,
    results: &[Outcome<'_>],
    call: &TokenStream,
) -> TokenStream {
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
            _ => of_form(binding, function, &returned.form, result),
        },
        Source::Param(param) => match &param.passing {
            Passing::Output(scalar) => of_scalar(binding, *scalar, false),
            Passing::Buffer { content, .. } => of_content(*content, false),
            Passing::Record { .. } if function.copies_text(result, &binding.types) => Conversion::None,
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
            Passing::Fetched(form) => of_form(binding, function, form, result),
            _ => Conversion::None,
        },
    }
}

fn of_form(binding: &Binding, function: &Function, form: &Form, result: &Outcome<'_>) -> Conversion {
    let key = result.key;
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
        _ if function.copies_text(result, &binding.types) => Conversion::None,
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
            let pointer =
                if form.is_freed() { quote!(value.0.into_raw().as_ptr()) } else { quote!(value.0.as_ptr()) };
            let put = quote!(out.put_handle(#key, #pointer, &#constant, #free, #parent););
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
