//! Scalars and strings that a thunk can put into an [`Output`]. Lists and records are in `described`.

use std::ffi::{CStr, CString};

use super::datum::Datum;
use super::output::Output;
use crate::encoding::Encoding;
use crate::{ToolError, Utf16CString};

/// A type that a thunk can put into an [`Output`].
pub trait Put {
    /// Adds `self` under `name`.
    fn put(self, name: &'static str, output: &mut Output<'_>);
}

macro_rules! scalars {
    ($($type:ident $datum:ident)*) => {$(
        impl Put for $type {
            #[inline]
            fn put(self, name: &'static str, output: &mut Output<'_>) {
                output.datum(name, Datum::$datum(self));
            }
        }
    )*};
}
scalars!(bool Boolean f32 Float f64 Double);

/// Integers, of which those of pointer size have no `From`, because their width differs per target.
macro_rules! integers {
    ($($type:ident $put:ident $wide:ident)*) => {$(
        impl Put for $type {
            #[inline]
            fn put(self, name: &'static str, output: &mut Output<'_>) {
                output.$put(name, self as $wide);
            }
        }
    )*};
}
integers! {
    i8 signed i64 i16 signed i64 i32 signed i64 i64 signed i64 isize signed i64
    u8 unsigned u64 u16 unsigned u64 u32 unsigned u64 u64 unsigned u64 usize unsigned u64
}

impl Put for &CStr {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        match self.to_str() {
            Ok(text) => output.datum(name, Datum::Text(text)),
            // This error has the position.
            Err(_) => Encoded(self, Encoding::Utf8).put(name, output),
        }
    }
}

impl Put for CString {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_c_str().put(name, output);
    }
}

impl Put for String {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.datum(name, Datum::Text(&self));
    }
}

impl<T: Put> Put for Option<T> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        match self {
            Some(value) => value.put(name, output),
            None => output.put_null(name),
        }
    }
}

impl<T: Put, E: Into<ToolError>> Put for Result<T, E> {
    #[inline]
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        if let Some(value) = output.check(self) {
            value.put(name, output);
        }
    }
}

/// A `char` or `unsigned char`, as a string of one byte.
pub struct Character<T>(pub T);

impl Put for Character<i8> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        Character(self.0.cast_unsigned()).put(name, output);
    }
}

impl Put for Character<u8> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.datum(name, Datum::Bytes(&[self.0], Encoding::Utf8));
    }
}

/// A string and its encoding.
pub struct Encoded<T>(pub T, pub Encoding);

impl Put for Encoded<&[u8]> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.datum(name, Datum::Bytes(self.0, self.1));
    }
}

impl Put for Encoded<&CStr> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        Encoded(self.0.to_bytes(), self.1).put(name, output);
    }
}

impl Put for Encoded<CString> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        Encoded(self.0.as_bytes(), self.1).put(name, output);
    }
}

impl Put for Encoded<Vec<u8>> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        Encoded(&*self.0, self.1).put(name, output);
    }
}

impl Put for Encoded<Vec<i8>> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let bytes: Vec<u8> = self.0.into_iter().map(i8::cast_unsigned).collect();
        Encoded(bytes, self.1).put(name, output);
    }
}

/// Always UTF-16: no other encoding has 16-bit units.
impl Put for Encoded<Vec<u16>> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.datum(name, Datum::Units(&self.0));
    }
}

/// Always UTF-16: no other encoding has 16-bit units.
impl Put for Encoded<Utf16CString> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.datum(name, Datum::Units(self.0.as_slice()));
    }
}

/// Text or bytes with a length, as C passes them to a callback. Text ends at its first NUL, if it has one.
pub struct TextSlice<'s, T>(pub &'s [T], pub Encoding);

impl Put for TextSlice<'_, u8> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let Self(bytes, encoding) = self;
        let text = if encoding.is_binary() {
            bytes
        } else {
            bytes.split(|&byte| byte == 0).next().unwrap_or_default()
        };
        Encoded(text, encoding).put(name, output);
    }
}

impl Put for TextSlice<'_, i8> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let Self(bytes, encoding) = self;
        // SAFETY: both are bytes, and every byte is a value of both.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<u8>(), bytes.len()) };
        TextSlice(bytes, encoding).put(name, output);
    }
}

/// Always UTF-16: no other encoding has 16-bit units.
impl Put for TextSlice<'_, u16> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.datum(name, Datum::Units(self.0));
    }
}
