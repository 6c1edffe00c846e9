//! The results of the method, on their way out.

use opendyn_model::plan::{Content, Encoding, Function, Got, Outcome, Scalar, View};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::body::state_layout;
use super::super::{Emitter, ident, kind};

/// What a result needs on its way out, as an expression or a statement over `value`.
enum Conversion {
    None,
    Mapped(TokenStream),
    /// It puts itself.
    Own(TokenStream),
}

impl Emitter<'_> {
    /// The value of a call on its way out: one result, several, or only whether it failed.
    pub(super) fn put(&self, function: &Function, call: &TokenStream) -> TokenStream {
        match function.results().as_slice() {
            [] => quote!(out.check(#call);),
            [result] => {
                let key = &result.key;
                match self.conversion(function, result) {
                    Conversion::None => quote!(out.put(#key, #call);),
                    Conversion::Mapped(convert) if function.is_fallible() => {
                        quote!(out.put(#key, #call.map(|value| #convert));)
                    }
                    Conversion::Mapped(convert) => quote!(let value = #call; out.put(#key, #convert);),
                    Conversion::Own(put) if function.is_fallible() => {
                        quote!(if let Some(value) = out.check(#call) { #put })
                    }
                    Conversion::Own(put) => quote!(let value = #call; #put),
                }
            }
            several => {
                let puts = several.iter().map(|result| {
                    let (key, field) = (&result.key, ident(&result.ident));
                    match self.conversion(function, result) {
                        Conversion::None => quote!(out.put(#key, outputs.#field);),
                        Conversion::Mapped(convert) => {
                            quote!(let value = outputs.#field; out.put(#key, #convert);)
                        }
                        Conversion::Own(put) => quote!(let value = outputs.#field; #put),
                    }
                });
                if function.is_fallible() {
                    quote!(if let Some(outputs) = out.check(#call) { #(#puts)* })
                } else {
                    quote!(let outputs = #call; #(#puts)*)
                }
            }
        }
    }

    fn conversion(&self, function: &Function, outcome: &Outcome) -> Conversion {
        let mapped = |convert: TokenStream| {
            Conversion::Mapped(if outcome.nullable { quote!(value.map(|value| #convert)) } else { convert })
        };
        match &outcome.got {
            Got::Code(_) if !self.binding.codes.is_empty() => Conversion::Mapped(quote!(value.0)),
            Got::Code(scalar) | Got::Scalar(scalar) | Got::Pointed(scalar) => {
                match self.put_scalar(*scalar) {
                    Some(convert) => mapped(convert),
                    None => Conversion::None,
                }
            }
            Got::Record(_) | Got::PointedRecord(_) if !outcome.whole => {
                mapped(quote!(runtime::Struct(value)))
            }
            Got::State(record) => Conversion::Own(self.put_state(*record, &outcome.key)),
            Got::Buffer { content: Content::Text { encoding, .. }, .. }
            | Got::Elements { content: Content::Text { encoding, .. }, .. }
                if *encoding != Encoding::Utf8 =>
            {
                let encoding = kind::encoding(*encoding);
                mapped(quote!(runtime::Encoded(value, #encoding)))
            }
            Got::Text(text) if text.one_of.is_some() => {
                let encoding = kind::encoding(text.encoding);
                mapped(quote!(runtime::Encoded(value.as_c_str().to_owned(), #encoding)))
            }
            Got::Text(text) if text.encoding != Encoding::Utf8 => {
                let encoding = kind::encoding(text.encoding);
                mapped(quote!(runtime::Encoded(value, #encoding)))
            }
            Got::Handle { handle, free, parent } => {
                Conversion::Own(self.put_handle(function, outcome, *handle, *free, *parent))
            }
            Got::Count(_)
            | Got::Record(_)
            | Got::PointedRecord(_)
            | Got::Buffer { .. }
            | Got::Elements { .. }
            | Got::Text(_)
            | Got::Strings { .. }
            | Got::Raw
            | Got::Back(_) => Conversion::None,
        }
    }

    fn put_scalar(&self, scalar: Scalar) -> Option<TokenStream> {
        match scalar.view {
            View::Character => Some(quote!(runtime::Character(value))),
            View::Enum(index) if self.types.enums[index].is_named() => {
                let of = self.c_type(scalar.c_type);
                Some(quote!(#of::from(value)))
            }
            View::Plain | View::Truth | View::Enum(_) => None,
        }
    }

    fn put_state(&self, record: usize, key: &str) -> TokenStream {
        let record = &self.types.records[record];
        let constant = ident(&record.constant);
        let (size, align) = state_layout(&record.body);
        quote! {
            out.put_handle(
                #key,
                value.0.into_raw(),
                &#constant,
                Some(runtime::Free::By(runtime::State::free::<#size, #align>)),
                None,
            );
        }
    }

    fn put_handle(
        &self,
        function: &Function,
        outcome: &Outcome,
        handle: usize,
        free: Option<usize>,
        parent: Option<usize>,
    ) -> TokenStream {
        let (key, constant) = (&outcome.key, ident(&self.types.handles[handle].constant));
        let parent = match parent {
            Some(parent) => {
                let index = Literal::usize_unsuffixed(function.field(parent));
                quote!(Some(args.get(#index)))
            }
            None => quote!(None),
        };
        let pointer =
            if free.is_some() { quote!(value.0.into_raw().as_ptr()) } else { quote!(value.0.as_ptr()) };
        let free = match free {
            Some(free) => {
                let free = ident(&self.binding.functions[free].names.free);
                quote!(Some(runtime::Free::By(#free)))
            }
            None => quote!(None),
        };
        let put = quote!(out.put_handle(#key, #pointer, &#constant, #free, #parent););
        if outcome.nullable {
            quote! {
                match value {
                    Some(value) => { #put }
                    None => out.put_null(#key),
                }
            }
        } else {
            put
        }
    }
}
