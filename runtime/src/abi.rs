//! Truth values: `bool` for a caller, an integer for C.

use std::ptr;

/// The C integer that holds a truth value: `bool` itself (as a byte, because C may store values
/// other than 0 and 1), or an integer type such as `int` where the document says `boolean`.
pub trait Truth: Copy + Default {
    /// 1 for true, 0 for false.
    fn from_bool(value: bool) -> Self;
    /// Every value except 0 is true.
    fn is_true(self) -> bool;
}

macro_rules! truth {
    ($($integer:ty)*) => {$(
        impl Truth for $integer {
            #[inline]
            fn from_bool(value: bool) -> Self {
                value.into()
            }
            #[inline]
            fn is_true(self) -> bool {
                self != 0
            }
        }
    )*};
}
truth!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);

/// A `bool` lent to C as an integer: C gets the integer's address, and the value that C leaves
/// there is stored in the `bool` when this is dropped.
pub struct Flag<'b, T: Truth> {
    target: Option<&'b mut bool>,
    value: T,
}

impl<'b, T: Truth> Flag<'b, T> {
    /// Lends `target`; if it is `None`, the address is NULL.
    #[inline]
    pub fn new(target: impl Into<Option<&'b mut bool>>) -> Self {
        let target = target.into();
        let value = target.as_ref().map_or_else(T::default, |target| T::from_bool(**target));
        Self { target, value }
    }

    /// The address for C, valid while this lives.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        if self.target.is_some() { &raw mut self.value } else { ptr::null_mut() }
    }
}

impl<T: Truth> Drop for Flag<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if let Some(target) = &mut self.target {
            **target = self.value.is_true();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_takes_back_what_c_left_there() {
        let mut value = true;
        let mut flag = Flag::<i32>::new(&mut value);
        let pointer = flag.as_mut_ptr();
        // SAFETY: the pointer is valid while the flag lives.
        unsafe {
            assert_eq!(*pointer, 1);
            *pointer = 0;
        }
        drop(flag);
        assert!(!value);

        let mut flag = Flag::<u8>::new(&mut value);
        // SAFETY: the pointer is valid while the flag lives. 7 is not a valid Rust bool and must not become one.
        unsafe { *flag.as_mut_ptr() = 7 };
        drop(flag);
        assert!(value);
    }

    #[test]
    fn nothing_is_null() {
        assert!(Flag::<u8>::new(None).as_mut_ptr().is_null());
    }
}
