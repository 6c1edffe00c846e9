//! Handles and states of JSON callers: tokens, each looked up before anything else is done.

use std::ffi::CStr;
use std::ptr::{self, NonNull};

use opendyn::generated::Output;
use opendyn_model::plan::{Access, JsonCall, Place, Shape};

use crate::call::Call;

impl Call<'_> {
    /// Puts the pointers behind all tokens into their locals, and takes away those that the call frees. `None` is an
    /// error of the call.
    pub(crate) fn find_handles(&mut self, json: &JsonCall, out: &mut Output<'_>) -> Option<()> {
        let tokens = || {
            let params = self.function.plan.params.iter().enumerate();
            params.filter_map(|(index, param)| {
                let shape = &param.argument.as_ref()?.shape;
                Some((index, param.key.as_str(), shape, self.local(index).token?))
            })
        };
        for (index, key, shape, of) in tokens() {
            let token = self.token(index);
            let is_freed = matches!(shape, Shape::Handle { access: Access::Owned, .. });
            let found =
                if is_freed { out.freeable_handle(key, token, of) } else { out.handle(key, token, of) };
            self.set_pointer(index, found?.map_or(ptr::null_mut(), NonNull::as_ptr));
        }
        if json.distinct.len() > 1 {
            let keys: Vec<&'static str> =
                json.distinct.iter().map(|index| self.param(*index).key.as_str()).collect();
            let pointers: Vec<_> =
                json.distinct.iter().map(|index| NonNull::new(self.pointer(*index))).collect();
            out.distinct(&keys, &pointers)?;
        }
        // Last, when nothing else can refuse the call.
        for (index, key, shape, of) in tokens() {
            if let Shape::Handle { access: Access::Owned, .. } | Shape::State { access: Access::Owned, .. } =
                shape
            {
                out.take_handle(key, self.token(index), of)?;
            }
        }
        Some(())
    }

    /// The token that the caller passed.
    pub(crate) fn token(&self, index: usize) -> Option<&CStr> {
        self.args.get(self.local(index).field?)
    }

    /// The pointer at a place belongs to a table of handles now: the call does not free it.
    pub(crate) fn release(&mut self, place: Place) {
        // SAFETY: both places have room for a pointer, and are aligned for it.
        unsafe { self.place(place).cast::<*mut ()>().write(ptr::null_mut()) };
    }
}
