//! What a JSON call runs: it takes the arguments out of their slots, calls the method, and puts the results.

mod arguments;
mod puts;
mod tokens;

use opendyn_model::plan::{Function, JsonCall, Shape};
use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, ident, ident_after};
use arguments::Taken;

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
        let passed = arguments.iter().map(|argument| &argument.passed);
        let name = ident(&function.names.method);
        let called = quote!(binding.#name(#(#passed),*));
        let reason = self.because_of_json(function);
        let is_silent = function.results().is_empty() && !function.is_fallible();
        let called = match (is_silent, function.is_unsafe()) {
            (true, false) => quote!(#called;),
            (true, true) => quote!(#reason unsafe { #called }),
            (false, false) => self.put(function, &called),
            (false, true) => {
                // A statement of its own, so that its reason can stand above it.
                let put = self.put(function, &quote!(returned));
                quote!(#reason let returned = unsafe { #called }; #put)
            }
        };
        let after = arguments.iter().map(|argument| &argument.after);
        let limit = call.limits_buffers.then(|| quote!(let _limited = runtime::limit_buffers();));
        let (args, out) = (self.args_name(function), self.out_name(function, call));
        quote!(|binding, #args, #out| { #handles #limit #(#before)* #called #(#after)* })
    }

    /// The slots, where some argument is taken out of one.
    fn args_name(&self, function: &Function) -> TokenStream {
        let is_used = function.inputs().any(|(_, argument)| !matches!(argument.shape, Shape::Closure(_)));
        if is_used { quote!(args) } else { quote!(_) }
    }

    /// The output, where something is put there or can fail.
    fn out_name(&self, function: &Function, call: &JsonCall) -> TokenStream {
        let is_used = function.is_fallible() || call.uses_handles || !function.outcomes.is_empty();
        if is_used { quote!(out) } else { quote!(_) }
    }

    /// The handles of a call, found before anything is done: while it runs, no other call frees them.
    fn find_handles(&self, function: &Function, call: &JsonCall, arguments: &[Taken]) -> TokenStream {
        let lookups = arguments.iter().map(|argument| &argument.lookup);
        let removals = arguments.iter().map(|argument| &argument.removal);
        let distinct = (call.distinct.len() > 1).then(|| {
            let params = || call.distinct.iter().map(|index| &function.params[*index]);
            let keys = params().map(|param| &param.key);
            let pointers = params().map(|param| {
                let pointer = ident_after(&param.ident, "_pointer");
                let is_optional = param.argument.as_ref().is_some_and(|argument| argument.is_optional());
                if is_optional { quote!(#pointer) } else { quote!(Some(#pointer)) }
            });
            quote!(if out.distinct(&[#(#keys),*], &[#(#pointers),*]).is_none() { return })
        });
        quote! {
            let Some(_entered) = out.enter(&binding.handles) else { return };
            #(#lookups)*
            #distinct
            #(#removals)*
        }
    }
}
