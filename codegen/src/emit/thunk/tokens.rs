//! Arguments that come as tokens.

use opendyn_model::plan::{Access, Param};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::body::state_layout;
use super::super::safety::Reason;
use super::super::{Emitter, ident, ident_after};
use super::arguments::{Slot, Taken};

impl Emitter<'_> {
    /// A handle: the token is looked up, and lent to the method or given to it.
    pub(super) fn take_handle(&self, handle: usize, access: Access, slot: &Slot<'_>, param: &Param) -> Taken {
        let handle = &self.types.handles[handle];
        let (of, constant) = (ident(&handle.ident), ident(&handle.constant));
        let pointer = ident_after(&param.ident, "_pointer");
        let local = &slot.local;
        let is_freed = access == Access::Owned;
        let find = if is_freed { quote!(freeable_handle) } else { quote!(handle) };
        let lookup = self.look_up(slot, &pointer, &find, &constant);
        let removal = if is_freed { remove(slot, &constant) } else { TokenStream::new() };
        let reason = self.because(if is_freed { Reason::TakenToken } else { Reason::Token });
        let passed = match (slot.is_optional, is_freed) {
            (_, true) => quote!(#local),
            (true, false) => quote!(#local.as_ref()),
            (false, false) => quote!(&#local),
        };
        // The reason stands right above the block, in whichever closure that is.
        let before = if slot.is_optional {
            quote! {
                let #local = #pointer.and_then(|pointer| {
                    #reason
                    let handle = unsafe { runtime::Handle::new(binding, pointer.as_ptr(), None) };
                    handle.map(#of)
                });
            }
        } else {
            quote! {
                #reason
                let Some(#local) = (unsafe { runtime::Handle::new(binding, #pointer.as_ptr(), None) }).map(#of) else {
                    return;
                };
            }
        };
        Taken { lookup, removal, before, passed, after: TokenStream::new() }
    }

    /// A state: a token too, for memory of ours.
    pub(super) fn take_state(&self, record: usize, access: Access, slot: &Slot<'_>, param: &Param) -> Taken {
        let record = &self.types.records[record];
        let (of, constant) = (ident(&record.ident), ident(&record.constant));
        let pointer = ident_after(&param.ident, "_pointer");
        let local = &slot.local;
        let (size, align) = state_layout(&record.body);
        let ends = access == Access::Owned;
        let lookup = self.look_up(slot, &pointer, &quote!(handle), &constant);
        let removal = if ends { remove(slot, &constant) } else { TokenStream::new() };
        let reason = self.because(Reason::State);
        let state = if ends { quote!(#of(state)) } else { quote!(runtime::ManuallyDrop::new(#of(state))) };
        let made = |pointer: TokenStream| {
            quote! {
                #reason
                let state = unsafe { runtime::State::from_raw(#pointer, #size, #align) };
                #state
            }
        };
        let made = if slot.is_optional {
            let made = made(quote!(pointer));
            quote!(#pointer.map(|pointer| { #made }))
        } else {
            let made = made(quote!(#pointer));
            quote!({ #made })
        };
        let (before, passed) = match (slot.is_optional, ends) {
            (_, true) => (quote!(let #local = #made;), quote!(#local)),
            (false, false) => (quote!(let mut #local = #made;), quote!(&mut *#local)),
            (true, false) => (quote!(let mut #local = #made;), quote!(#local.as_deref_mut())),
        };
        Taken { lookup, removal, before, passed, after: TokenStream::new() }
    }

    /// Finds the pointer that a token stands for.
    fn look_up(&self, slot: &Slot<'_>, pointer: &Ident, find: &TokenStream, constant: &Ident) -> TokenStream {
        let Slot { key, index, .. } = slot;
        let found = if slot.is_optional { quote!(Some(#pointer)) } else { quote!(Some(Some(#pointer))) };
        quote!(let #found = out.#find(#key, args.get(#index), &#constant) else { return };)
    }
}

/// The token goes, because the call frees what it stands for.
fn remove(slot: &Slot<'_>, constant: &Ident) -> TokenStream {
    let Slot { key, index, .. } = slot;
    quote!(if out.take_handle(#key, args.get(#index), &#constant).is_none() { return })
}
