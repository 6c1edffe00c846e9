//! Ends running calls from another thread (`x-cancel`).

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use opendyn::generated::{Output, System};
use opendyn::interpreted::{ended_by, is_cancellable};
use opendyn_model::plan::Through;

use crate::bound::Bound;
use crate::call::Call;

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
        let ending = self.function.plan.cancel.as_ref().map(|cancel| Ending {
            bound: Arc::clone(self.bound),
            function: cancel.function,
            handles: self.cancelled_with.clone(),
        });
        let cancel = move || ending.iter().for_each(Ending::call);
        ended_by(cancel, || {
            invoke();
            (System::Errno.left(), System::LastError.left())
        })
    }
}

/// The function that ends a call, and what it is called with.
struct Ending {
    bound: Arc<Bound>,
    function: usize,
    handles: Vec<NonNull<c_void>>,
}

// SAFETY: the document says that any thread may call the function with the handles of a running call (`x-cancel`), and
// nothing else is done with them.
unsafe impl Send for Ending {}

impl Ending {
    fn call(&self) {
        // It takes a handle, and returns nothing or a number: libffi can call it.
        let Some(function) = self.bound.prepared(self.function) else { return };
        let address = self.bound.address(function);
        for handle in &self.handles {
            let mut pointer = handle.as_ptr();
            let mut operands = [ptr::from_mut(&mut pointer).cast()];
            let mut returned = [0_u64; 2];
            // SAFETY: whoever opened the library vouched that the function has this signature, and that it may be called
            // with a handle that another thread uses. The running call neither frees the handle, nor do others while it
            // runs: it has not returned, because `ended_by` waits for this. The function is not optional, and there is room
            // for what it returns.
            unsafe { function.interface.call(address, operands.as_mut_ptr(), returned.as_mut_ptr().cast()) };
        }
    }
}
