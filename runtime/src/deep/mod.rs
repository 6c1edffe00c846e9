//! Structs with what their members point to: what C has as pointers and lengths, a caller has as `Vec`, `CString` and
//! `Box`.
//!
//! Generated code has two types for such a struct, the caller's and that of its memory, and converts between them
//! member by member ([`Owned`]). [`Lent`] is the memory that pointers lead to while C runs, [`Rooms`] are the buffers in a
//! struct that C fills, and a [`Loan`] is both with the structs themselves.

mod copied;
mod lent;
mod loan;
mod rooms;

use std::ptr;

use crate::CallError;
use crate::adapter::{Described, Output, Put, Struct, check};

pub use copied::{
    copied_bytes, copied_list, copied_plain, copied_pointed, copied_pointers, copied_string, copied_strings,
    copied_text,
};
pub use lent::Lent;
pub use loan::Loan;
pub use rooms::Rooms;

/// A struct that owns what its members point to.
///
/// # Safety
///
/// `lend` returns a value whose pointers are NULL, or point into the `Lent` to what the layout of `Raw` says.
pub unsafe trait Owned: Sized {
    /// Its memory in C.
    type Raw: Described;

    /// The struct as C has it. Its pointers are valid as long as `lent`.
    ///
    /// # Errors
    ///
    /// A length does not fit its C type, or two arrays that share one differ in length.
    fn lend(&self, lent: &mut Lent) -> Result<Self::Raw, CallError>;

    /// A copy of a struct, with copies of all that it points to.
    ///
    /// # Safety
    ///
    /// The pointers are NULL or point to what the layout of `Raw` says, and [`check`] has found nothing wrong.
    unsafe fn copied(raw: &Self::Raw) -> Self;
}

/// A copy of the result `value`.
///
/// # Errors
///
/// What C left is not a value: a NULL, a count that is impossible, or a cycle.
///
/// # Safety
///
/// The pointers are NULL or point to what the document says.
pub unsafe fn owned<T: Owned>(value: &'static str, raw: &T::Raw) -> Result<T, CallError> {
    // SAFETY: as the caller guarantees.
    unsafe {
        check(T::Raw::KIND, ptr::from_ref(raw).cast(), value)?;
        Ok(T::copied(raw))
    }
}

/// Copies of the elements of the result `value`.
///
/// # Errors
///
/// As for [`owned`].
///
/// # Safety
///
/// As for [`owned`].
pub unsafe fn owned_list<T: Owned>(value: &'static str, raw: &[T::Raw]) -> Result<Vec<T>, CallError> {
    // SAFETY: as the caller guarantees.
    raw.iter().map(|raw| unsafe { owned(value, raw) }).collect()
}

/// An argument from the slots of a JSON call.
///
/// # Safety
///
/// The reader made the struct.
pub unsafe fn argument<T: Owned>(raw: &T::Raw) -> T {
    // SAFETY: the reader lets every pointer point to what the layout says.
    unsafe { T::copied(raw) }
}

/// A struct that owns what its members point to, as a result.
pub struct Reply<T>(pub T);

impl<T: Owned> Put for Reply<T> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let mut lent = Lent::for_reply();
        if let Some(raw) = output.check(self.0.lend(&mut lent)) {
            Struct(raw).put(name, output);
        }
    }
}

impl<T: Owned> Put for Reply<Vec<T>> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let mut lent = Lent::for_reply();
        let raw: Result<Vec<T::Raw>, CallError> = self.0.iter().map(|value| value.lend(&mut lent)).collect();
        if let Some(raw) = output.check(raw) {
            raw.as_slice().put(name, output);
        }
    }
}
