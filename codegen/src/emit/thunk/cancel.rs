//! Calls that another thread ends (`x-cancel`).

use opendyn_model::plan::{Function, Through};

use super::super::safety::Reason;
use super::super::{Emitter, ident, ident_after};
use crate::tokens::{Literal, TokenStream, quote};

impl Emitter<'_> {
    /// What ends the call while it runs, if the document says how.
    pub(super) fn cancellable(&self, function: &Function) -> TokenStream {
        let Some(cancel) = &function.cancel else { return TokenStream::new() };
        let handles = match &cancel.through {
            Through::Given(params) => {
                let pointers = params.iter().map(|index| {
                    let param = &function.params[*index];
                    let pointer = ident_after(&param.ident, "_pointer");
                    let is_optional = param.argument.as_ref().is_some_and(|argument| argument.is_optional());
                    if is_optional { quote!(#pointer) } else { quote!(Some(#pointer)) }
                });
                quote!([#(#pointers),*].into_iter().flatten().collect())
            }
            Through::Parents(params) => {
                let constant = ident(&self.types.handles[cancel.handle].constant);
                let found = params.iter().map(|index| {
                    let index = Literal::usize_unsuffixed(function.field(*index));
                    quote!(out.ancestors(args.get(#index), &#constant))
                });
                quote!([#(#found),*].into_iter().flatten().collect())
            }
        };
        let ending = &self.binding.functions[cancel.function];
        let name = ident(&ending.names.callee);
        let callee = self.callee(ending, &name, &quote!(binding));
        let reason = self.because(Reason::Cancelled);
        quote! {
            #reason
            let _cancellable = unsafe {
                #callee
                runtime::ended_by(|| #handles, move |handle| { #name(handle.cast()); })
            };
        }
    }
}
