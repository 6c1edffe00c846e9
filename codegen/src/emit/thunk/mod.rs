//! What a JSON call runs: it takes the arguments out of their slots, calls the method, and puts the results.

mod arguments;
mod calls;
mod cancel;
mod progress;
mod puts;
mod tokens;

use opendyn_model::plan::{Function, JsonCall, Shape};

use super::{Emitter, ident, ident_after};
use crate::tokens::{TokenStream, quote};
use arguments::Taken;
use calls::Events;

impl Emitter<'_> {
    /// The thunk of a function that JSON can call.
    pub(super) fn thunk(&self, function: &Function, call: &JsonCall) -> TokenStream {
        let arguments: Vec<Taken> =
            function.arguments().map(|(param, argument)| self.take(function, param, argument)).collect();
        let handles = if call.uses_handles {
            self.find_handles(function, call, &arguments)
        } else {
            TokenStream::new()
        };
        let before = arguments.iter().map(|argument| &argument.before);
        let receiver = function.receiver.param().map(|index| &function.params[index].key);
        let keys = function.arguments().map(|(param, _)| &param.key);
        let passed = arguments.iter().zip(keys).filter(|(_, key)| Some(*key) != receiver);
        let passed = passed.map(|(argument, _)| &argument.passed);
        let name = ident(&function.names.method);
        let on = match function.receiver.param() {
            None => ident("binding"),
            Some(index) => ident_after(&function.params[index].ident, "_value"),
        };
        let called = quote!(#on.#name(#(#passed),*));
        let reason = self.because_of_json(function);
        let is_silent = function.results().is_empty() && !function.is_fallible();
        let checks: TokenStream = arguments.iter().map(|argument| argument.check.clone()).collect();
        let settled = self.settle_handles(function, &arguments);
        // A value of a callback that could not be copied may be why the function failed.
        let Events { find, check, put: put_events, keep } = self.events(function);
        let then = quote!(#settled #checks #check);
        let called = match (is_silent, function.is_unsafe()) {
            (true, false) => quote!(#called; #then),
            (true, true) => quote!(#reason unsafe { #called } #then),
            (false, false) if then.is_empty() => self.put(function, &called),
            (false, is_unsafe) => {
                // A statement of its own, so that its reason can stand above it.
                let called = if is_unsafe {
                    quote!(#reason let called = unsafe { #called };)
                } else {
                    quote!(let called = #called;)
                };
                let put = self.put(function, &quote!(called));
                quote!(#called #then #put)
            }
        };
        let after = arguments.iter().map(|argument| &argument.after);
        let limit = call.limits_buffers.then(|| quote!(let _limited = runtime::limit_buffers();));
        let (args, out) = (self.args_name(function), self.out_name(function, call));
        let cancellable = self.cancellable(function);
        quote! {
            |binding, #args, #out| { #handles #find #limit #(#before)* #cancellable #called #(#after)* #put_events #keep }
        }
    }

    /// The slots, where some argument is taken out of one.
    fn args_name(&self, function: &Function) -> TokenStream {
        let is_used = function.inputs().any(|(_, argument)| match &argument.shape {
            Shape::Closure(callback) => callback.collect.is_some(),
            _ => true,
        });
        if is_used { quote!(args) } else { quote!(_) }
    }

    /// The output, where something is put there or can fail.
    fn out_name(&self, function: &Function, call: &JsonCall) -> TokenStream {
        let is_used = function.is_fallible() || call.uses_handles || !function.outcomes.is_empty();
        if is_used { quote!(out) } else { quote!(_) }
    }
}
