//! What a method returns: the return value and the outputs, as Rust sees them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::{ident, types as type_tokens};
use super::forms::{form_value, is_wide};
use super::locals::free;
use super::{is_converted, viewed};
use opendyn_model::c_type::CType;
use opendyn_model::ir::{
    Binding, Content, Element, Encoding, Form, Function, HandleRole, Held, Outcome, Param, Passing,
    ReturnRole, Returned, Scalar, Source, Types, View, Written,
};

/// Whether a return value is converted by a call of its own, and nothing else.
pub(super) fn is_plain(form: &Form) -> bool {
    match form {
        Form::Value(_) | Form::RecordValue(_) | Form::Array { length: None, .. } | Form::Opaque => true,
        Form::Str { text, held } => {
            *held == Held::default() && text.one_of.is_none() && text.encoding != Encoding::Utf16
        }
        Form::Pointed { held, .. } => *held == Held::default(),
        Form::Array { .. } | Form::Strings { .. } | Form::Record { .. } | Form::Handle { .. } => false,
    }
}

/// Such a value; a `Result` where it may be NULL.
pub(super) fn plain(returned: &Returned, call: &TokenStream, types: &Types) -> TokenStream {
    let key = &returned.key;
    match &returned.form {
        Form::Value(scalar) => viewed(scalar.view, call, types),
        Form::Str { .. } => quote!(runtime::string(#key, #call)),
        Form::Pointed { scalar, .. } if scalar.view == View::Truth => {
            quote!(runtime::copied(#key, #call).map(runtime::Truth::is_true))
        }
        Form::Pointed { scalar, .. } if is_converted(scalar.view, types) => {
            let of = type_tokens::seen(*scalar, types, type_tokens::Place::Block);
            quote!(runtime::copied(#key, #call).map(#of::from))
        }
        Form::Pointed { .. } => quote!(runtime::copied(#key, #call)),
        _ => call.clone(),
    }
}

/// The end of a plain method: `value` alone, or gathered with the outputs. `reason` is why it is sound.
pub(super) fn plain_tail(
    function: &Function,
    value: &TokenStream,
    reason: &TokenStream,
    types: &Types,
) -> TokenStream {
    let nullable = function
        .returned
        .as_ref()
        .is_some_and(|returned| matches!(returned.form, Form::Str { .. } | Form::Pointed { .. }));
    let outputs: Vec<(&Param, Scalar)> = function
        .params
        .iter()
        .filter_map(|param| match param.passing {
            Passing::Output(scalar) => Some((param, scalar)),
            _ => None,
        })
        .collect();
    if outputs.is_empty() && (nullable || function.required) {
        return quote!(#reason #value);
    }

    let question = nullable.then(|| quote!(?));
    let (bound, first) = match &function.returned {
        Some(returned) => {
            let name = ident(&returned.ident);
            (quote!(#reason let #name = #value #question;), Some((name.clone(), quote!(#name))))
        }
        // A block in front of more is a statement, and needs its semicolon only to be one.
        None => (quote!(#reason #value;), None),
    };
    let outputs = outputs.iter().map(|(param, scalar)| {
        let name = ident(&param.ident);
        let value = viewed(scalar.view, &quote!(#name), types);
        (name, value)
    });
    let fields: Vec<(proc_macro2::Ident, TokenStream)> = first.into_iter().chain(outputs).collect();
    let gathered = one_value(function, &fields);
    quote!(#bound #gathered)
}

/// One value, or the struct of several; in `Ok` where the method can fail.
fn one_value(function: &Function, fields: &[(proc_macro2::Ident, TokenStream)]) -> TokenStream {
    let gathered = match fields {
        [] => quote!(()),
        [(_, value)] => value.clone(),
        _ => {
            let outputs = ident(&function.outputs_ident);
            let fields = fields.iter().map(|(name, value)| {
                if *name == value.to_string() { quote!(#name) } else { quote!(#name: #value) }
            });
            quote!(#outputs { #(#fields),* })
        }
    };
    if function.is_fallible() { quote!(::core::result::Result::Ok(#gathered)) } else { gathered }
}

/// The call, and all that its results need.
pub(super) fn gathered(
    binding: &Binding,
    function: &Function,
    call: &TokenStream,
    after: &[TokenStream],
) -> TokenStream {
    let returned = returned_ident(function);
    let (bound, checked) = match &function.returned {
        None => (quote!(#call;), None),
        Some(Returned { form, role, .. }) => {
            let value = if is_held(form) {
                let free = free(binding, form.free());
                let cast = matches!(form, Form::Str { .. } | Form::Pointed { .. }) && !form.is_freed();
                let pointer = if cast { quote!(#call.cast_mut()) } else { call.clone() };
                quote!(runtime::Held::returned(self, #free, #pointer))
            } else {
                call.clone()
            };
            let checked = match role {
                ReturnRole::Code(successes) => Some(code_check(binding, &returned, successes)),
                ReturnRole::Result | ReturnRole::Written => None,
            };
            (quote!(let #returned = #value;), checked)
        }
    };
    let fields: Vec<(proc_macro2::Ident, TokenStream)> = function
        .results()
        .iter()
        .map(|result| (ident(result.ident), value(binding, function, result, &returned)))
        .collect();
    // All of them are copies: what C gave is freed when the method has made the last one.
    let gathered = one_value(function, &fields);
    let freed = freed(function);
    let nothing = fields.is_empty() && !function.is_fallible();
    let end = if nothing { TokenStream::new() } else { gathered };
    // Before a panic goes on: closures of a handle that is gone are not called any more.
    match checked {
        Some(check) if !freed.is_empty() => {
            quote!(#bound let checked = #check; if checked.is_ok() { #(#freed)* } #(#after)* checked?; #end)
        }
        Some(check) => quote!(#bound #(#after)* #check?; #end),
        None => quote!(#bound #(#freed)* #(#after)* #end),
    }
}

fn is_held(form: &Form) -> bool {
    !matches!(form, Form::Value(_) | Form::RecordValue(_) | Form::Opaque | Form::Array { length: None, .. })
}

/// The variable for what C returned: a name that no parameter has.
fn returned_ident(function: &Function) -> proc_macro2::Ident {
    let mut name = "returned".to_owned();
    while function.params.iter().any(|param| param.ident == name) || function.callee == name {
        name.push('_');
    }
    ident(&name)
}

fn code_check(binding: &Binding, returned: &proc_macro2::Ident, successes: &[i64]) -> TokenStream {
    let successes = successes.iter().map(|code| Literal::i64_unsuffixed(*code));
    let codes = ident(&binding.tables.codes);
    quote!(runtime::success(#returned as i64, &[#(#successes),*], #codes))
}

/// C has freed the handles that it was to free, and does not call their closures any more.
fn freed(function: &Function) -> Vec<TokenStream> {
    function
        .params
        .iter()
        .filter(|param| matches!(param.passing, Passing::Handle { role, .. } if role != HandleRole::Borrowed))
        .map(|param| {
            let name = ident(&param.ident);
            if param.is_optional() {
                quote!(if let ::core::option::Option::Some(given) = #name { given.freed(); })
            } else {
                quote!(#name.freed();)
            }
        })
        .collect()
}

/// One result.
fn value(
    binding: &Binding,
    function: &Function,
    result: &Outcome<'_>,
    returned: &proc_macro2::Ident,
) -> TokenStream {
    let types = &binding.types;
    let whole = function.copies_text(result, types);
    let copied = |value: TokenStream| if whole { quote!(runtime::copied_whole(#value)) } else { value };
    match result.source {
        Source::Returned(Returned { role: ReturnRole::Code(_), .. }) if !binding.codes.is_empty() => {
            let code = ident(&binding.code_ident);
            quote!(#code(#returned as i64))
        }
        Source::Returned(Returned { form, key, .. }) => {
            form_value(binding, function, form, key, &quote!(#returned), whole)
        }
        Source::Param(param) => {
            let name = ident(&param.ident);
            match &param.passing {
                Passing::Output(scalar) => viewed(scalar.view, &quote!(#name), types),
                Passing::Buffer { content, written, .. } => {
                    copied(buffer_value(function, *content, *written, &name, returned))
                }
                Passing::Fetched(form) => {
                    form_value(binding, function, form, &param.key, &quote!(#name), whole)
                }
                _ => copied(quote!(#name)),
            }
        }
    }
}

fn buffer_value(
    function: &Function,
    content: Content,
    written: Option<Written>,
    name: &proc_macro2::Ident,
    returned: &proc_macro2::Ident,
) -> TokenStream {
    let count = written.map(|written| match written {
        Written::Return => quote!(#returned),
        Written::Param(index) => {
            let name = ident(&function.params[index].ident);
            quote!(#name)
        }
    });
    let taken = |whole: TokenStream, counted: TokenStream| match &count {
        Some(count) => quote!(#name.#counted(#count)?),
        None => quote!(#name.#whole()?),
    };
    match content {
        Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })) => {
            let elements = taken(quote!(all), quote!(written));
            quote!(runtime::truths(#elements))
        }
        Content::Elements(_) => taken(quote!(all), quote!(written)),
        Content::Text { .. } if is_wide(content) && count.is_none() => {
            quote!(runtime::units_until_nul(#name.all()?))
        }
        Content::Text { .. } if is_wide(content) => taken(quote!(all), quote!(written)),
        Content::Text { encoding, .. } if encoding.is_binary() => taken(quote!(bytes), quote!(bytes_written)),
        Content::Text { .. } => taken(quote!(text), quote!(text_written)),
    }
}
