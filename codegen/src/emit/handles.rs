//! Handles as Rust types, and the functions that free.

use std::collections::BTreeSet;

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Got, HandleType, Operand, Step};
use proc_macro2::TokenStream;
use quote::quote;

use super::safety::Reason;
use super::{Emitter, docs, ident};

impl Emitter<'_> {
    /// The type of a handle.
    pub(super) fn handle(&self, handle: &HandleType) -> TokenStream {
        let (name, of) = (ident(&handle.ident), ident(&self.binding.ident));
        let docs = docs::attributes(&[
            format!("A handle of the type `{}`.", docs::line(&handle.name)),
            String::new(),
            "An owned handle is freed when it is dropped.".to_owned(),
        ]);
        let (constant, shown) = (ident(&handle.constant), &handle.name);
        let void = self.c_type(CType::Void);
        let vouched = self.because(Reason::Pointer);
        quote! {
            #docs
            #[derive(Debug)]
            #[must_use]
            pub struct #name<'l>(runtime::Handle<'l, #of>);

            impl<'l> #name<'l> {
                /// A handle that other code made and frees; `None` for NULL.
                ///
                /// # Safety
                ///
                /// The pointer must be one that the functions of this library take, for as long as it is used.
                pub unsafe fn from_ptr(binding: &'l #of, pointer: *mut #void) -> Option<opendyn::Borrowed<Self>> {
                    #vouched
                    let handle = unsafe { runtime::Handle::new(binding, pointer, None) };
                    handle.map(Self).map(opendyn::Borrowed::new)
                }

                /// The pointer, for functions that the document does not describe.
                #[must_use]
                pub fn as_ptr(&self) -> *mut #void {
                    self.0.as_ptr()
                }
            }

            static #constant: runtime::HandleType = runtime::HandleType::new(#shown);
        }
    }

    /// One constant for each function that frees what another gave.
    pub(super) fn frees(&self) -> TokenStream {
        let functions = &self.binding.functions;
        let held = functions.iter().flat_map(|function| &function.steps).filter_map(Step::frees);
        let handles = functions.iter().flat_map(|function| &function.outcomes).filter_map(|outcome| {
            match outcome.got {
                Got::Handle { free, .. } => free,
                _ => None,
            }
        });
        let used: BTreeSet<usize> = held.chain(handles).collect();
        let frees = used.into_iter().map(|index| {
            let function = &functions[index];
            let (constant, of) = (ident(&function.names.free), ident(&self.binding.ident));
            let callee = self.callee(function, &ident("free"), &quote!(binding));
            let is_through =
                function.params.first().is_some_and(|param| param.operand == Operand::ReleasedThrough);
            let (pointer, argument) = if is_through {
                (quote!(mut pointer), quote!(&mut pointer))
            } else {
                (quote!(pointer), quote!(pointer.cast()))
            };
            let reason = self.because(Reason::Free);
            quote! {
                #reason
                const #constant: runtime::FreeFn = |binding, #pointer| unsafe {
                    let binding = &*binding.cast::<#of>();
                    #callee
                    free(#argument);
                };
            }
        });
        quote!(#(#frees)*)
    }
}
