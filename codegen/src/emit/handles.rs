//! Handles as Rust types, and the functions that free.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::safety::{Reason, because};
use super::{docs, ident, method, quiet};
use opendyn_model::ir::{Binding, Form, HandleRole, HandleType, Passing};

pub(super) fn declaration(binding: &Binding, handle: &HandleType) -> TokenStream {
    let (name, of) = (ident(&handle.ident), ident(&binding.ident));
    let docs = docs::attributes(&[
        format!("A handle of the type `{}`.", docs::line(&handle.name)),
        String::new(),
        "One that is owned is freed when it is dropped.".to_owned(),
    ]);
    let quiet = quiet();
    quote! {
        #docs
        #[derive(Debug)]
        #quiet
        pub struct #name<'l>(::opendyn::generated::Handle<'l, #of>);
    }
}

/// What the block has for a handle.
pub(super) fn implementation(binding: &Binding, handle: &HandleType) -> TokenStream {
    let (name, of) = (ident(&handle.ident), ident(&binding.ident));
    let (constant, shown) = (ident(&handle.constant), &handle.name);
    let vouched = because(Reason::Pointer);
    quote! {
        impl<'l> #name<'l> {
            /// A handle that somebody else made and frees; `None` for NULL.
            ///
            /// # Safety
            ///
            /// The pointer is one that the functions of this library take, for as long as it is used.
            pub unsafe fn from_ptr(
                binding: &'l #of,
                pointer: *mut c_void,
            ) -> ::core::option::Option<::opendyn::Borrowed<Self>> {
                #vouched
                let handle = unsafe { runtime::Handle::new(binding, pointer, ::core::option::Option::None) };
                handle.map(Self).map(::opendyn::Borrowed::new)
            }

            /// The pointer, for functions that the document does not describe.
            pub fn as_ptr(&self) -> *mut c_void {
                self.0.as_ptr()
            }
        }
        static #constant: runtime::HandleType = runtime::HandleType::new(#shown);
    }
}

/// One constant for each function that frees something.
pub(super) fn frees(binding: &Binding) -> TokenStream {
    let returned =
        binding.functions.iter().filter_map(|function| function.returned.as_ref()).map(|of| &of.form);
    let fetched = binding.functions.iter().flat_map(|function| &function.params).filter_map(|param| {
        match &param.passing {
            Passing::Fetched(form) => Some(form),
            _ => None,
        }
    });
    let used: BTreeSet<usize> = returned.chain(fetched).filter_map(Form::free).collect();
    let frees = used.into_iter().map(|index| {
        let function = &binding.functions[index];
        let (constant, of) = (ident(&function.free_constant), ident(&binding.ident));
        let callee = method::callee(
            binding.convention,
            index,
            function,
            &binding.types,
            &ident("free"),
            &quote!(binding),
        );
        let through = function.params.first().is_some_and(|param| {
            matches!(param.passing, Passing::Handle { role: HandleRole::ConsumedThrough, .. })
        });
        let (pointer, argument) = if through {
            (quote!(mut pointer), quote!(&mut pointer))
        } else {
            (quote!(pointer), quote!(pointer.cast()))
        };
        let reason = because(Reason::Free);
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
