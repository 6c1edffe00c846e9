//! What C gave through a pointer, as Rust sees it.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::ident;
use super::locals::{called, free};
use super::{is_converted, viewed};
use opendyn_model::c_type::CType;
use opendyn_model::ir::{Binding, Content, Element, Encoding, Form, Function, Length, Scalar};

/// What a pointer that C gave points to, or a value itself. `held` is the variable; `whole` if structs
/// are copied with their text.
pub(super) fn form_value(
    binding: &Binding,
    function: &Function,
    form: &Form,
    key: &str,
    held: &TokenStream,
    whole: bool,
) -> TokenStream {
    let types = &binding.types;
    let nullable = form.is_nullable();
    let copied = |value: TokenStream| match (whole, nullable) {
        (false, _) => value,
        (true, false) => quote!(runtime::copied_whole(#value)),
        (true, true) => quote!(#value.map(|value| runtime::copied_whole(value))),
    };
    match form {
        Form::Value(scalar) => viewed(scalar.view, held, types),
        Form::RecordValue(_) => copied(held.clone()),
        Form::Opaque | Form::Array { length: None, .. } => match function.returned.as_ref() {
            // Through a `T**` it is held until here.
            Some(returned) if std::ptr::eq(&raw const returned.form, form) => held.clone(),
            _ => quote!(#held.into_raw()),
        },
        Form::Str { text, .. } => {
            let utf16 = text.encoding == Encoding::Utf16;
            let string = match (nullable, utf16) {
                (false, false) => quote!(#held.string(#key)?),
                (true, false) => quote!(#held.nullable_string()),
                (false, true) => quote!(runtime::utf16(#key, #held.as_ptr())?),
                (true, true) => quote!(runtime::nullable_utf16(#held.as_ptr())),
            };
            match text.one_of {
                None => string,
                Some(one_of) => {
                    let name = ident(&types.enums[one_of].ident);
                    if nullable { quote!(#string.map(#name::from)) } else { quote!(#name::from(#string)) }
                }
            }
        }
        Form::Pointed { scalar, .. } => {
            if nullable {
                let copied = quote!(#held.nullable_copied());
                if is_converted(scalar.view, types) {
                    let value = viewed(scalar.view, &quote!(value), types);
                    quote!(#copied.map(|value| #value))
                } else {
                    copied
                }
            } else {
                viewed(scalar.view, &quote!(#held.copied(#key)?), types)
            }
        }
        Form::Record { .. } if nullable => copied(quote!(#held.nullable_copied())),
        Form::Record { .. } => copied(quote!(#held.copied(#key)?)),
        Form::Array { content, length: Some(length), .. } => {
            let count = count(binding, function, length, key);
            copied(array_value(*content, nullable, key, held, &count))
        }
        Form::Strings { length, .. } => {
            let count = count(binding, function, length, key);
            let strings = quote!(runtime::strings(#key, #held.as_ptr().cast_const(), #count)?);
            if nullable {
                quote!(if #held.is_null() { ::core::option::Option::None } else { ::core::option::Option::Some(#strings) })
            } else {
                strings
            }
        }
        Form::Handle { handle, .. } => {
            let of = ident(&types.handles[*handle].ident);
            let lent = (!form.is_freed()).then(|| quote!(.map(::opendyn::Borrowed::new)));
            let free = free(binding, form.free());
            let made = quote!(runtime::Handle::new(self, #held.into_raw(), #free).map(#of) #lent);
            if nullable { made } else { quote!(#made.ok_or(::opendyn::CallError::Null { value: #key })?) }
        }
    }
}

fn array_value(
    content: Content,
    nullable: bool,
    key: &str,
    held: &TokenStream,
    count: &TokenStream,
) -> TokenStream {
    let method = match content {
        Content::Elements(_) => "slice",
        Content::Text { .. } if is_wide(content) => "slice",
        Content::Text { encoding, .. } if encoding.is_binary() => "bytes",
        Content::Text { .. } => "text",
    };
    let of_bools = matches!(content, Content::Elements(Element::Scalar(Scalar { c_type: CType::Bool, .. })));
    if nullable {
        let method = ident(&format!("nullable_{method}"));
        let taken = quote!(#held.#method(#count));
        if of_bools { quote!(#taken.map(runtime::truths)) } else { taken }
    } else {
        let method = ident(method);
        let taken = quote!(#held.#method(#key, #count)?);
        if of_bools { quote!(runtime::truths(#taken)) } else { taken }
    }
}

/// How many elements C gave.
fn count(binding: &Binding, function: &Function, length: &Length, key: &str) -> TokenStream {
    match length {
        Length::Const(count) => {
            let count = Literal::u64_unsuffixed(*count);
            quote!(#count)
        }
        Length::Param(index) => {
            let name = ident(&function.params[*index].ident);
            quote!(runtime::count(#key, #name)?)
        }
        Length::Call { function: target, args } => {
            let called = called(binding, function, *target, args);
            quote!(runtime::count(#key, #called)?)
        }
    }
}

/// Whether the units of a text are 16 bits wide.
pub(super) fn is_wide(content: Content) -> bool {
    matches!(content, Content::Text { encoding: Encoding::Utf16, .. })
}
