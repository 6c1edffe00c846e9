//! Ends running calls from another thread (`x-cancel`).

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use opendyn::generated::{Output, System};
use opendyn::interpreted::{ended_by, is_cancellable};
use opendyn_model::plan::Through;

use crate::bound::Bound;
use crate::call::Call;
use crate::prepared::Prepared;

impl Call<'_> {
    /// Notes the handles with which the call is ended if a server cancels it.
    pub(crate) fn find_cancelled(&mut self, out: &Output<'_>) {
        let Some(cancel) = self.function.plan.cancel.as_ref().filter(|_| is_cancellable()) else { return };
        let of = self.bound.kinds().handle(cancel.handle);
        self.cancelled_with = match &cancel.through {
            Through::Given(params) => {
                params.iter().filter_map(|param| NonNull::new(self.pointer(*param))).collect()
            }
            Through::Parents(params) => {
                params.iter().flat_map(|param| out.ancestors(self.token(*param), of)).collect()
            }
        };
    }

    /// Calls C. If the call is cancelled, the function of the document that ends it is called in another thread. Returns
    /// what C left in the system.
    pub(crate) fn invoke_cancellable(&self, invoke: impl FnOnce()) -> (i64, i64) {
        let (bound, ending) = (Arc::clone(self.bound), self.function.plan.cancel.as_ref());
        let end = move |handle| {
            // It takes a handle, and returns nothing or a number: libffi can call it.
            let function = ending.and_then(|ending| bound.prepared(ending.function));
            if let Some(function) = function {
                call(&bound, function, handle);
            }
        };
        // SAFETY: the document says that another thread may end a running call with this function and these handles
        // (`x-cancel`). The running call does not free them, and no other call does while this one runs.
        let _cancellable = unsafe { ended_by(|| self.cancelled_with.clone(), end) };
        invoke();
        (System::Errno.left(), System::LastError.left())
    }
}

/// Calls a function that takes a handle, and ignores what it returns.
fn call(bound: &Bound, function: &Prepared, mut handle: *mut c_void) {
    let mut operands = [ptr::from_mut(&mut handle).cast()];
    let mut returned = [0_u64; 2];
    // SAFETY: whoever opened the library vouched that the function has this signature. It is not optional, and there is room
    // for what it returns.
    unsafe {
        let address = bound.address(function);
        function.interface.call(address, operands.as_mut_ptr(), returned.as_mut_ptr().cast());
    }
}
