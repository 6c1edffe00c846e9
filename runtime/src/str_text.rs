//! Strings as `&str` and `String`, for bindings with `strings = str`.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

use crate::CallError;

/// Strings up to this length get their NUL on the stack.
const SHORT: usize = 127;

/// A `&str` with the NUL that C needs.
pub struct CText(Kept);

enum Kept {
    /// This many bytes are initialised, and the last of them is the only NUL.
    Short([MaybeUninit<u8>; SHORT + 1], usize),
    Long(CString),
}

impl CText {
    /// Copies the argument `value`.
    ///
    /// # Errors
    ///
    /// There is a NUL in it, which would end it.
    #[inline]
    pub fn new(value: &'static str, text: &str) -> Result<Self, CallError> {
        if let Some(index) = text.bytes().position(|byte| byte == 0) {
            return Err(CallError::Nul { value, index });
        }
        if text.len() > SHORT {
            // SAFETY: there is no NUL in the text.
            return Ok(Self(Kept::Long(unsafe { CString::from_vec_unchecked(text.into()) })));
        }
        let mut short = [MaybeUninit::uninit(); SHORT + 1];
        for (to, byte) in short.iter_mut().zip(text.bytes().chain([0])) {
            to.write(byte);
        }
        Ok(Self(Kept::Short(short, text.len() + 1)))
    }

    /// The string for C.
    #[inline]
    #[must_use]
    pub fn as_c_str(&self) -> &CStr {
        match &self.0 {
            Kept::Short(bytes, length) => {
                // SAFETY: `new` wrote this many bytes, and only the last is NUL.
                unsafe {
                    let bytes = std::slice::from_raw_parts(bytes.as_ptr().cast::<u8>(), *length);
                    CStr::from_bytes_with_nul_unchecked(bytes)
                }
            }
            Kept::Long(text) => text,
        }
    }
}

/// Copies the elements of the argument `value`, each with the NUL that C needs.
///
/// # Errors
///
/// There is a NUL in one of them, which would end it.
pub fn c_texts(value: &'static str, texts: &[&str]) -> Result<Vec<CText>, CallError> {
    texts.iter().map(|text| CText::new(value, text)).collect()
}

/// The same for strings that may be NULL.
///
/// # Errors
///
/// As for [`c_texts`].
pub fn nullable_c_texts(
    value: &'static str,
    texts: &[Option<&str>],
) -> Result<Vec<Option<CText>>, CallError> {
    texts.iter().map(|text| text.map(|text| CText::new(value, text)).transpose()).collect()
}

/// What C gave as text: a string, one that may be NULL, or several.
pub trait Utf8 {
    /// The same as `String`.
    type Text;

    #[doc(hidden)]
    fn utf8(self, value: &'static str, lossy: bool) -> Result<Self::Text, CallError>;
}

impl Utf8 for CString {
    type Text = String;

    fn utf8(self, value: &'static str, lossy: bool) -> Result<String, CallError> {
        self.into_string().or_else(|error| {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.into_cstring().into_bytes();
            if lossy {
                return Ok(String::from_utf8_lossy(&bytes).into_owned());
            }
            Err(CallError::NotUtf8 { value, byte: bytes[valid], index: valid })
        })
    }
}

impl<T: Utf8> Utf8 for Option<T> {
    type Text = Option<T::Text>;

    fn utf8(self, value: &'static str, lossy: bool) -> Result<Self::Text, CallError> {
        self.map(|text| text.utf8(value, lossy)).transpose()
    }
}

impl<T: Utf8> Utf8 for Vec<T> {
    type Text = Vec<T::Text>;

    fn utf8(self, value: &'static str, lossy: bool) -> Result<Self::Text, CallError> {
        self.into_iter().map(|text| text.utf8(value, lossy)).collect()
    }
}

/// The text of the result `value`.
///
/// # Errors
///
/// It is not UTF-8.
#[inline]
pub fn utf8<T: Utf8>(value: &'static str, text: T) -> Result<T::Text, CallError> {
    text.utf8(value, false)
}

/// The text of the result `value`; bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
///
/// None.
#[inline]
pub fn utf8_lossy<T: Utf8>(value: &'static str, text: T) -> Result<T::Text, CallError> {
    text.utf8(value, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_any_length_gets_its_nul() {
        for length in [0, 1, SHORT - 1, SHORT, SHORT + 1, 10_000] {
            let text = "x".repeat(length);
            let c_text = CText::new("text", &text).expect("no NUL");
            assert_eq!(c_text.as_c_str().to_bytes(), text.as_bytes(), "{length}");
            // It can be moved: C is given its address only afterwards.
            let moved = Box::new(c_text);
            assert_eq!(moved.as_c_str().to_bytes_with_nul().len(), length + 1);
        }
    }

    #[test]
    fn a_nul_in_a_text_is_an_error_that_says_where() {
        for padding in [0, SHORT] {
            let text = format!("{}a\0b", "x".repeat(padding));
            let error = CText::new("sql", &text).map(|_| ());
            assert_eq!(error, Err(CallError::Nul { value: "sql", index: padding + 1 }));
        }
    }

    #[test]
    fn text_that_is_not_utf8_is_an_error_or_is_replaced() {
        let text = || c"ab\xff".to_owned();
        assert_eq!(utf8("s", text()), Err(CallError::NotUtf8 { value: "s", byte: 0xff, index: 2 }));
        assert_eq!(utf8_lossy("s", text()).as_deref(), Ok("ab\u{fffd}"));
        assert_eq!(utf8("s", Some(c"a".to_owned())), Ok(Some("a".to_owned())));
        assert_eq!(utf8("s", vec![c"a".to_owned()]), Ok(vec!["a".to_owned()]));
    }
}
