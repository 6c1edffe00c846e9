//! Closures that collect the calls of a callback for the reply.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{
    Argument, Callback, CallbackParam, CallbackValue, Collect, Default, Element, Encoding, Function, Got,
    Place, Scalar, Shape, View,
};

use super::super::{Emitter, ident, ident_after, kind, zero};
use super::arguments::{Slot, Taken};
use crate::tokens::{Ident, Literal, TokenStream, format_ident, quote};

/// The events of handles in a thunk.
#[derive(Default)]
pub(super) struct Events {
    pub(super) find: TokenStream,
    pub(super) check: TokenStream,
    pub(super) put: TokenStream,
    /// What C may use from now on stays with its handle.
    pub(super) keep: TokenStream,
}

impl Emitter<'_> {
    /// A closure that collects its calls. If the callback is optional, C gets it only if the caller wants the calls.
    pub(super) fn take_calls(
        &self,
        function: &Function,
        position: usize,
        callback: &Callback,
        collect: &Collect,
        slot: &Slot<'_>,
    ) -> Taken {
        if let (Some(until), Some(into)) = (callback.until, &collect.into) {
            return self.take_kept_calls(function, (position, until), callback, (collect, &into.value), slot);
        }
        let Slot { key, local, index, is_optional } = slot;
        let calls = ident_after(&function.params[position].ident, "_calls");
        let outcome = function.outcomes.iter().find(|outcome| outcome.from == Place::Param(position));
        let omitted = outcome.and_then(|outcome| outcome.omitted()).unwrap_or_default();
        let limit = Literal::u64_unsuffixed(collect.limit);
        let argument = function.params[position].argument.as_ref();
        let is_wanted = argument.is_some_and(Argument::collects_by_default);
        let closure = self.collecting(&calls, callback, collect);
        let begin = quote! {
            let #calls = out.calls(#key, #limit, args.get::<Option<bool>>(#index).unwrap_or(#is_wanted));
        };
        let (before, passed) = if *is_optional {
            let of = self.optional_closure(callback);
            (
                quote!(#begin let mut #local = #closure;),
                quote!(if #calls.is_wanted() { Some(&mut #local as #of) } else { None }),
            )
        } else {
            (begin, closure)
        };
        Taken {
            before,
            passed,
            check: quote!(out.check_calls(&#calls);),
            after: quote!(out.put_calls(#omitted, &#calls);),
            ..Taken::default()
        }
    }

    /// A closure that the handle of the parameter `until` keeps, which adds its calls to the events of that handle.
    fn take_kept_calls(
        &self,
        function: &Function,
        (position, until): (usize, usize),
        callback: &Callback,
        (collect, into): (&Collect, &str),
        slot: &Slot<'_>,
    ) -> Taken {
        let Slot { key, index, is_optional, .. } = slot;
        let calls = ident_after(&function.params[position].ident, "_calls");
        let handle = Literal::usize_unsuffixed(function.field(until));
        let limit = Literal::u64_unsuffixed(collect.limit);
        let argument = function.params[position].argument.as_ref();
        let is_wanted = argument.is_some_and(Argument::collects_by_default);
        let closure = self.collecting(&calls, callback, collect);
        let before = quote! {
            let #calls = out.kept_calls(
                #key,
                #limit,
                args.get::<Option<bool>>(#index).unwrap_or(#is_wanted),
                args.get(#handle),
                #into,
            );
        };
        let passed = if *is_optional {
            let of = self.optional_closure(callback);
            quote!(if #calls.is_wanted() { Some(Box::new(move #closure) as #of) } else { None })
        } else {
            quote!(move #closure)
        };
        Taken { before, passed, ..Taken::default() }
    }

    /// The events of handles: found with the handles, checked after the call, and put at the end.
    pub(super) fn events(&self, function: &Function) -> Events {
        let mut events = Events::default();
        for (position, outcome) in function.outcomes.iter().enumerate() {
            let Got::Events { of, omitted } = &outcome.got else { continue };
            let (name, key) = (format_ident!("events_{position}"), &outcome.key);
            let found = of.iter().map(|index| {
                let field = Literal::usize_unsuffixed(function.field(*index));
                quote!(out.events(args.get(#field), #key))
            });
            events.find.extend(quote!(let #name = [#(#found),*];));
            events.check.extend(quote!(out.check_events(#key, &#name);));
            events.put.extend(quote!(out.put_events(#key, #omitted, &#name);));
        }
        let is_kept_by = |keeper: usize| {
            function.arguments().any(|(_, argument)| {
                matches!(&argument.shape,
                    Shape::Closure(Callback { until, collect: Some(_), .. }) if *until == Some(keeper))
            })
        };
        for (keeper, param) in function.params.iter().enumerate().filter(|(index, _)| is_kept_by(*index)) {
            let handle = ident_after(&param.ident, "_value");
            let field = Literal::usize_unsuffixed(function.field(keeper));
            events.keep.extend(quote!(out.keep(args.get(#field), #handle.0.into_parts().kept);));
        }
        events
    }

    /// The closure itself. It copies what C passes, and answers with a constant.
    fn collecting(&self, calls: &Ident, callback: &Callback, collect: &Collect) -> TokenStream {
        let seen: Vec<(&CallbackParam, Ident)> =
            callback.seen().enumerate().map(|(index, param)| (param, format_ident!("p{index}"))).collect();
        let params = seen.iter().map(|(param, name)| {
            let of = self.closure_param(&param.value);
            let is_put = self.collected(&param.value, name).is_some();
            if is_put { quote!(#name: #of) } else { quote!(_: #of) }
        });
        let puts = seen.iter().filter_map(|(param, name)| {
            let (key, value) = (&param.key, self.collected(&param.value, name)?);
            Some(quote!(call.put(#key, #value);))
        });
        let puts: TokenStream = puts.collect();
        let call = if puts.is_empty() { quote!(_) } else { quote!(call) };
        let add = quote!(#calls.add(|#call| { #puts }));
        let Some(scalar) = callback.returns else { return quote!(|#(#params),*| { #add; }) };
        let of = self.seen(scalar);
        let answer = self.answer(scalar, collect.answer.as_ref());
        if collect.answer == collect.stop {
            return quote!(|#(#params),*| -> #of { #add; #answer });
        }
        let stop = self.answer(scalar, collect.stop.as_ref());
        quote!(|#(#params),*| -> #of { if #add { #answer } else { #stop } })
    }

    /// What C gets back, as the closure returns it.
    pub(super) fn answer(&self, scalar: Scalar, value: Option<&Default>) -> TokenStream {
        let literal = match value {
            Some(value) => self.literal(value, scalar),
            None => zero(scalar.c_type),
        };
        match scalar.view {
            View::Truth => {
                let is_true = matches!(value, Some(Default::Bool(true)));
                quote!(#is_true)
            }
            View::Enum(index) if self.types.enums[index].is_named() => {
                let of = ident(&self.types.enums[index].ident);
                quote!(#of::from(#literal))
            }
            View::Plain | View::Character | View::Enum(_) => literal,
        }
    }

    /// What the reply has of an argument; nothing for what it leaves out.
    fn collected(&self, value: &CallbackValue, name: &Ident) -> Option<TokenStream> {
        let mapped = |nullable: bool, convert: &dyn Fn(TokenStream) -> TokenStream| {
            if nullable {
                let converted = convert(quote!(value));
                quote!(#name.map(|value| #converted))
            } else {
                convert(quote!(#name))
            }
        };
        Some(match value {
            CallbackValue::Scalar(scalar) => match scalar.view {
                View::Character => quote!(runtime::Character(#name)),
                View::Enum(index) if self.types.enums[index].is_named() => {
                    let of = self.c_type(scalar.c_type);
                    quote!(#of::from(#name))
                }
                View::Plain | View::Truth | View::Enum(_) => quote!(#name),
            },
            CallbackValue::Str { encoding: Encoding::Utf8, .. } => quote!(#name),
            CallbackValue::Str { encoding, nullable, .. } => {
                let encoding = kind::encoding(*encoding);
                mapped(*nullable, &|value| quote!(runtime::Encoded(#value, #encoding)))
            }
            CallbackValue::Slice { text: Some(encoding), .. } => {
                let encoding = kind::encoding(*encoding);
                quote!(runtime::TextSlice(#name, #encoding))
            }
            CallbackValue::Slice { element: Element::Scalar(Scalar { c_type: CType::Bool, .. }), .. } => {
                quote!(runtime::Truths(#name))
            }
            CallbackValue::Slice { .. } | CallbackValue::Strings { .. } => quote!(#name),
            CallbackValue::Record { nullable, record } if self.is_owned(*record) => {
                mapped(*nullable, &|value| quote!(runtime::Reply(#value.clone())))
            }
            CallbackValue::Record { nullable, .. } => {
                mapped(*nullable, &|value| quote!(runtime::Struct(*#value)))
            }
            CallbackValue::Length { .. } | CallbackValue::UserData | CallbackValue::Opaque => return None,
        })
    }
}
