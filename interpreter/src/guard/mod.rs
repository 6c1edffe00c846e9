//! Memory that C is lent, beside guard pages, so that a call that does more than the document says is caught.
//!
//! | module | what it does |
//! |---|---|
//! | `region` | one piece of memory between pages that nothing can access |
//! | `parts` | what C is passed for each parameter, and how large the document says it is |
//! | `lend` | copies each part into a region before the call |
//! | `back` | copies what C left back, and closes the regions |
//! | `says` | what the document says about the size of a part |
//! | `fault` | reports an access that the system refused |
//!
//! Only the command uses it, in a process of its own. Without the feature, `Guard` cannot exist, and its calls are removed.

#[cfg(all(unix, feature = "guard"))]
mod back;
#[cfg(all(unix, feature = "guard"))]
mod fault;
#[cfg(all(unix, feature = "guard"))]
mod lend;
#[cfg(all(unix, feature = "guard"))]
mod parts;
#[cfg(all(unix, feature = "guard"))]
mod region;
#[cfg(all(unix, feature = "guard"))]
mod says;

#[cfg(all(unix, feature = "guard"))]
mod watched {
    pub use super::fault::report_faults;
    pub(crate) use super::lend::Guard;
    pub use super::lend::{Guarding, Left, Lent, Observer, Place};
    pub use super::parts::What;
}

#[cfg(all(unix, feature = "guard"))]
pub use watched::*;

#[cfg(not(all(unix, feature = "guard")))]
mod unwatched {
    use std::ffi::c_void;
    use std::ptr::NonNull;

    use crate::call::Call;

    /// There is none.
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum Guard {}

    impl Call<'_> {
        #[inline]
        pub(crate) fn lend_guarded(&self) -> Option<Guard> {
            self.bound.guard
        }

        #[inline]
        pub(crate) fn take_back(&self, guarded: Guard) {
            match guarded {}
        }

        #[inline]
        pub(crate) fn end_loans(&self) {}

        #[inline]
        pub(crate) fn guarded_state(&self, _: usize, _: usize) -> Option<NonNull<c_void>> {
            None
        }
    }
}

#[cfg(not(all(unix, feature = "guard")))]
pub(crate) use unwatched::Guard;
