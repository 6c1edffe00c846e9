//! Structs of a caller, as C has them while it runs.

use std::ptr;

use super::{Lent, Owned, Rooms, owned};
use crate::CallError;
use crate::adapter::Described;
use crate::plain::zeroed;

/// Structs of a caller as C has them, and all that they point to.
pub struct Loan<T: Owned> {
    raw: Vec<T::Raw>,
    is_present: bool,
    rooms: Rooms,
    /// Dropped last: the structs point into it.
    _lent: Lent,
}

impl<T: Owned> Loan<T> {
    /// One struct; without one, C is passed NULL.
    ///
    /// # Errors
    ///
    /// A length does not fit its C type, or a capacity is impossible.
    pub fn one(value: Option<&T>) -> Result<Self, CallError> {
        Self::new(value.map(std::slice::from_ref))
    }

    /// Several structs; without them, C is passed NULL.
    ///
    /// # Errors
    ///
    /// As for [`Self::one`].
    pub fn many(values: Option<&[T]>) -> Result<Self, CallError> {
        Self::new(values)
    }

    fn new(values: Option<&[T]>) -> Result<Self, CallError> {
        let mut lent = Lent::default();
        let given = values.unwrap_or_default();
        let mut raw: Vec<T::Raw> =
            given.iter().map(|value| value.lend(&mut lent)).collect::<Result<_, _>>()?;
        let mut rooms = Rooms::default();
        // SAFETY: the structs have the layout of their kind, and stay where they are: the vector does not grow.
        unsafe { rooms.make(T::Raw::KIND, raw.as_mut_ptr().cast(), raw.len())? };
        Ok(Self { raw, is_present: values.is_some(), rooms, _lent: lent })
    }

    /// The address for C, or NULL.
    pub fn as_mut_ptr(&mut self) -> *mut T::Raw {
        if self.is_present { self.raw.as_mut_ptr() } else { ptr::null_mut() }
    }

    /// The struct for C, or zeros.
    #[must_use]
    pub fn value(&self) -> T::Raw {
        self.raw.first().copied().unwrap_or_else(zeroed)
    }

    /// Checks what C did to the buffers.
    ///
    /// # Errors
    ///
    /// C wrote past the end of one.
    pub fn settle(&mut self) -> Result<(), CallError> {
        self.rooms.settle()
    }

    /// The same, and the caller gets what C left in the structs.
    ///
    /// # Errors
    ///
    /// C wrote past the end of a buffer, or left what is not a value.
    ///
    /// # Safety
    ///
    /// The pointers in the structs are NULL or point to what the document says.
    pub unsafe fn give_back(
        &mut self,
        value: &'static str,
        values: Option<&mut [T]>,
    ) -> Result<(), CallError> {
        self.settle()?;
        for (given, raw) in values.into_iter().flatten().zip(&self.raw) {
            // SAFETY: as the caller guarantees.
            *given = unsafe { owned(value, raw)? };
        }
        Ok(())
    }
}
