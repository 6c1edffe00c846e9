//! Lists and records that a thunk can put into an [`Output`]: whatever has the layout of a
//! [`Kind`] is read from where it lies.

use std::ffi::{CString, c_char};
use std::ptr;

use super::datum::{Datum, ListView, datum_at};
use super::kind::Kind;
use super::output::Output;
use super::put::Put;
use crate::plain::Plain;

/// A type of which it is known how it lies in memory.
///
/// # Safety
///
/// The layout of the type is that of `KIND`, and pointers in it that `KIND` calls strings are NULL
/// or point to strings that end with NUL, whenever a value is put into an [`Output`].
pub unsafe trait Described: Plain {
    /// Its layout.
    const KIND: Kind;
}

macro_rules! described {
    ($($type:ty: $kind:ident)*) => {$(
        // SAFETY: they are the same scalar, one named by Rust and one by C.
        unsafe impl Described for $type {
            const KIND: Kind = Kind::$kind;
        }
    )*};
}
described! {
    i8: INT8_T i16: INT16_T i32: INT32_T i64: INT64_T isize: SSIZE_T
    u8: UINT8_T u16: UINT16_T u32: UINT32_T u64: UINT64_T usize: SIZE_T
    f32: Float f64: Double
}

// SAFETY: an array is its elements, side by side.
unsafe impl<T: Described, const N: usize> Described for [T; N] {
    const KIND: Kind = Kind::Fixed(const { &(T::KIND, N) });
}

impl<T: Described> Put for &[T] {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        // SAFETY: the elements have the layout of the kind, and are borrowed.
        let list = unsafe { ListView::new(const { &T::KIND }, self.as_ptr().cast(), self.len()) };
        output.datum(name, Datum::List(list));
    }
}

impl<T: Described> Put for Vec<T> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

impl<T: Described, const N: usize> Put for [T; N] {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

impl Put for &[bool] {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        // SAFETY: a `bool` is a byte.
        let list = unsafe { ListView::new(&Kind::Boolean, self.as_ptr().cast(), self.len()) };
        output.datum(name, Datum::List(list));
    }
}

impl Put for Vec<bool> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

impl<const N: usize> Put for [bool; N] {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

impl Put for Vec<CString> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let pointers: Vec<*const c_char> = self.iter().map(|string| string.as_ptr()).collect();
        // SAFETY: each points to a string that ends with NUL, and `self` lives.
        let list = unsafe { ListView::new(&Kind::Str, pointers.as_ptr().cast(), pointers.len()) };
        output.datum(name, Datum::List(list));
    }
}

/// A C struct.
pub struct Struct<T>(pub T);

impl<T: Described> Put for Struct<T> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        // SAFETY: the value has the layout of the kind, and lives.
        let datum = unsafe { datum_at(T::KIND, ptr::from_ref(&self.0).cast()) };
        output.datum(name, datum.unwrap_or(Datum::Null));
    }
}
