//! Handles as Rust types.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{Function, HandleType, Retain};

use super::safety::Reason;
use super::{Emitter, docs, ident};
use crate::tokens::{Ident, TokenStream, quote};

impl Emitter<'_> {
    /// The type of a handle, with its methods.
    pub(super) fn handle(&self, handle: &HandleType, methods: &TokenStream) -> TokenStream {
        let (name, of) = (ident(&handle.ident), ident(&self.binding.ident));
        let docs = docs::attributes(&[
            format!("A handle of the type `{}`.", docs::line(&handle.name)),
            String::new(),
            "An owned handle is freed when it is dropped.".to_owned(),
        ]);
        let (constant, shown) = (ident(&handle.constant), &handle.name);
        let void = self.c_type(CType::Void);
        let vouched = self.because(Reason::Pointer);
        let index = self.types.handles.iter().position(|other| std::ptr::eq(other, handle));
        let lives_in_another = index.is_some_and(|index| self.binding.handle_lives_in_another(index));
        let is_tied = handle.retain.is_some() || lives_in_another;
        let threads = self.threads(&handle.ident, is_tied, self.binding.shares_handles);
        let counted = handle.retain.map(|_| quote!(.counted()));
        let clone = handle.retain.map(|retain| self.clone_of(&name, retain));
        let methods = (!methods.is_empty()).then(|| quote!(impl<'l> #name<'l> { #methods }));
        quote! {
            #docs
            #[derive(Debug)]
            #[must_use]
            pub struct #name<'l>(runtime::Handle<'l, #of>);

            #threads

            #clone

            #methods

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

            static #constant: runtime::HandleType = runtime::HandleType::new(#shown) #counted;
        }
    }

    /// One more owner, whom C counts.
    fn clone_of(&self, name: &Ident, retain: Retain) -> TokenStream {
        let callee = self.callee(
            &self.binding.functions[retain.function],
            &ident("retain"),
            &quote!(self.0.binding()),
        );
        let free = ident(&self.types.frees[retain.free].constant);
        let reason = self.because(Reason::Retained);
        quote! {
            impl Clone for #name<'_> {
                /// One more owner of the same object, which is freed with the last one.
                fn clone(&self) -> Self {
                    #reason
                    unsafe {
                        #callee
                        retain(self.0.as_ptr());
                        Self(self.0.retained(#free))
                    }
                }
            }
        }
    }

    /// Whether a function is a method. One that counts an owner is `clone` instead: called alone it would leave an owner
    /// behind that what a handle keeps does not outlive. One that begins or ends the library is none.
    pub(super) fn has_method(&self, function: &Function) -> bool {
        if self.is_of_init(function) {
            return false;
        }
        let mut retains = self.types.handles.iter().filter_map(|handle| handle.retain);
        !retains.any(|retain| std::ptr::eq(&raw const self.binding.functions[retain.function], function))
    }

    /// Which threads may have or use a handle or a state, where the document says it. One that has another owner, or lives
    /// in another handle, `is_tied`: if it were sent, two threads could use the same object. One that `is_shared` can be
    /// used by two at once.
    pub(super) fn threads(&self, name: &str, is_tied: bool, is_shared: bool) -> TokenStream {
        let name = ident(name);
        let is_sent = self.binding.thread_safe && (!is_tied || is_shared);
        let send = is_sent.then(|| {
            let reason = self.because(Reason::Sent);
            quote!(#reason unsafe impl Send for #name<'_> {})
        });
        let sync = is_shared.then(|| {
            let reason = self.because(Reason::Shared);
            quote!(#reason unsafe impl Sync for #name<'_> {})
        });
        quote!(#send #sync)
    }
}
