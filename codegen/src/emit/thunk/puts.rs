//! The results of the method, on their way out.

use opendyn_model::plan::{
    Content, Encoding, End, Function, Got, Outcome, Param, Place, Role, Scalar, Shape, View,
};

use super::super::{Emitter, ident, kind};
use crate::tokens::{Literal, TokenStream, quote};

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
        if self.owner_of(outcome).is_some() {
            return mapped(quote!(runtime::Reply(value)));
        }
        // It is checked, whatever its encoding.
        if outcome.as_str {
            return Conversion::None;
        }
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
            Got::State { record, end, parents, .. } => {
                Conversion::Own(self.put_state(function, outcome, (*record, *end), parents))
            }
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
            Got::Handle { handle, free, parents, until } => {
                Conversion::Own(self.put_handle(function, outcome, (*handle, *free), parents, until))
            }
            Got::Handles { .. } | Got::TakenAll { .. } => {
                Conversion::Own(self.put_handles(function, outcome))
            }
            Got::Taken { handle, into } => {
                Conversion::Own(self.put_handle(function, outcome, (*handle, None), &[*into], &[]))
            }
            Got::Count(_)
            | Got::Record(_)
            | Got::PointedRecord(_)
            | Got::Buffer { .. }
            | Got::Elements { .. }
            | Got::Text(_)
            | Got::Strings { .. }
            | Got::Raw
            | Got::Back(_)
            | Got::Events { .. } => Conversion::None,
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

    fn put_state(
        &self,
        function: &Function,
        outcome: &Outcome,
        (record, end): (usize, End),
        parents: &[usize],
    ) -> TokenStream {
        let (key, constant) = (&outcome.key, ident(&self.types.records[record].constant));
        let (free, parents) = (self.end(end), tokens(function, parents));
        quote!(out.put_handle(#key, value.0.into_parts(), &#constant, runtime::Free::By(#free), #parents);)
    }

    fn put_handles(&self, function: &Function, outcome: &Outcome) -> TokenStream {
        let (handle, nullable, free, parents) = match &outcome.got {
            Got::Handles { handle, nullable, free, parents, .. } => {
                (handle, nullable, *free, parents.as_slice())
            }
            Got::TakenAll { handle, nullable, into } => (handle, nullable, None, std::slice::from_ref(into)),
            _ => return TokenStream::new(),
        };
        let (key, constant) = (&outcome.key, ident(&self.types.handles[*handle].constant));
        let parents = tokens(function, parents);
        let put = match (free, nullable) {
            (Some(free), nullable) => {
                let free = ident(&self.types.frees[free].constant);
                let parts = if *nullable {
                    quote!(value.map(|value| value.0.into_parts()))
                } else {
                    quote!(Some(value.0.into_parts()))
                };
                let each = quote!(value.into_iter().map(|value| #parts));
                quote!(out.put_handles(#key, #each, &#constant, runtime::Free::By(#free), #parents);)
            }
            (None, nullable) => {
                let pointer = if *nullable {
                    quote!(value.as_ref().map_or(ptr::null_mut(), |value| value.0.as_ptr()))
                } else {
                    quote!(value.0.as_ptr())
                };
                quote!(out.put_all_borrowed(#key, value.iter().map(|value| #pointer), &#constant, #parents);)
            }
        };
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

    fn put_handle(
        &self,
        function: &Function,
        outcome: &Outcome,
        (handle, free): (usize, Option<usize>),
        parents: &[usize],
        until: &[usize],
    ) -> TokenStream {
        let (key, constant) = (&outcome.key, ident(&self.types.handles[handle].constant));
        let parents = tokens(function, parents);
        let put = match free {
            Some(free) if owns(function, outcome.from) => {
                let free = ident(&self.types.frees[free].constant);
                let (taken, name) = (taken(function, outcome.from), &function.name);
                let parts = quote!((value.0.into_parts(), runtime::Free::By(#free)));
                quote!(out.put_owner(#key, #parts, &#constant, #parents, #taken, #name);)
            }
            Some(free) => {
                let free = ident(&self.types.frees[free].constant);
                quote!(out.put_handle(#key, value.0.into_parts(), &#constant, runtime::Free::By(#free), #parents);)
            }
            None => {
                let until = until.iter().map(|function| &self.binding.functions[*function].name);
                quote!(out.put_borrowed(#key, value.0.as_ptr(), &#constant, #parents, &[#(#until),*]);)
            }
        };
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

/// Whether the result at a place owns handles that the call has taken.
fn owns(function: &Function, place: Place) -> bool {
    function.params.iter().any(|param| param.role == Role::Taken(Some(place)))
}

/// The tokens of these handles: of single ones, and of arrays.
fn taken(function: &Function, place: Place) -> TokenStream {
    let taken = function.params.iter().enumerate();
    let taken = taken.filter(|(_, param)| param.role == Role::Taken(Some(place)));
    let is_list = |(_, param): &(usize, &Param)| {
        let shape = param.argument.as_ref().map(|argument| &argument.shape);
        matches!(shape, Some(Shape::Handles { .. }))
    };
    let (lists, single): (Vec<_>, Vec<_>) = taken.partition(is_list);
    let get = |(param, _): (usize, &Param)| {
        let index = Literal::usize_unsuffixed(function.field(param));
        quote!(args.get(#index))
    };
    let (single, lists) = (single.into_iter().map(get), lists.into_iter().map(get));
    quote!((&[#(#single),*], &[#(#lists),*]))
}

/// The tokens of the handles that a result lives in.
fn tokens(function: &Function, parents: &[usize]) -> TokenStream {
    let is_list = |parent: &usize| {
        let argument = function.params[*parent].argument.as_ref();
        argument.is_some_and(|argument| matches!(argument.shape, Shape::Handles { .. }))
    };
    let (lists, single): (Vec<usize>, Vec<usize>) = parents.iter().copied().partition(is_list);
    let get = |parent: usize| {
        let index = Literal::usize_unsuffixed(function.field(parent));
        quote!(args.get(#index))
    };
    let single = single.into_iter().map(get);
    if lists.is_empty() {
        return quote!(&[#(#single),*]);
    }
    let lists = lists.into_iter().map(get);
    quote!(&runtime::tokens(&[#(#single),*], &[#(#lists),*]))
}
