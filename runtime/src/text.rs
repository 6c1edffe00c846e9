//! Text of C for an error. It never makes a call fail: what is not valid is replaced, and an empty text is none.

use std::ffi::CStr;

use crate::encoding::Encoding;
use crate::plain::Plain;
use crate::utf16::Utf16CString;

/// A copy of the string at `pointer`; `None` for NULL and for an empty one.
///
/// # Safety
///
/// The pointer is NULL, or points to units of the encoding up to a NUL. They need not be aligned.
#[must_use]
pub unsafe fn text_at<T>(pointer: *const T, encoding: Encoding) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    let text = match encoding {
        // SAFETY: the caller guarantees 16-bit units up to a NUL.
        Encoding::Utf16 => unsafe { Utf16CString::copied(pointer.cast()) }.to_string_lossy(),
        // SAFETY: the caller guarantees bytes up to a NUL.
        _ => of_bytes(unsafe { CStr::from_ptr(pointer.cast()) }.to_bytes(), encoding),
    };
    Some(text).filter(|text| !text.is_empty())
}

/// A copy of the text in place, up to its first NUL if it has one; `None` for an empty one.
#[must_use]
pub fn text_in<T: Plain>(units: &[T], encoding: Encoding) -> Option<String> {
    // SAFETY: the slice has so many initialised units.
    unsafe { text_between(units.as_ptr(), units.len(), encoding) }
}

/// As [`text_in`], for `count` units at `start`.
///
/// # Safety
///
/// `start` points to `count` initialised units of the size of the encoding, or to fewer that end with NUL. They need
/// not be aligned.
#[must_use]
pub unsafe fn text_between<T>(start: *const T, count: usize, encoding: Encoding) -> Option<String> {
    let text = if encoding == Encoding::Utf16 {
        // SAFETY: no unit before this one is NUL, so the caller guarantees it.
        let units = (0..count).map(|index| unsafe { start.cast::<u16>().add(index).read_unaligned() });
        let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
        String::from_utf16_lossy(&units)
    } else {
        // SAFETY: as above.
        let bytes = (0..count).map(|index| unsafe { start.cast::<u8>().add(index).read() });
        let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
        of_bytes(&bytes, encoding)
    };
    Some(text).filter(|text| !text.is_empty())
}

fn of_bytes(bytes: &[u8], encoding: Encoding) -> String {
    match encoding {
        Encoding::Latin1 => bytes.iter().copied().map(char::from).collect(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_at_its_nul_or_with_the_room() {
        assert_eq!(text_in(b"no room\0rest", Encoding::Utf8).as_deref(), Some("no room"));
        assert_eq!(text_in(b"full", Encoding::Utf8).as_deref(), Some("full"));
        assert_eq!(text_in(&[0x7a_u16, 0xfc, 0, 0x7a], Encoding::Utf16).as_deref(), Some("z\u{fc}"));
        assert_eq!(text_in(b"\0rest", Encoding::Utf8), None);
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        assert_eq!(text_in(b"z\xfcrich", Encoding::Utf8).as_deref(), Some("z\u{fffd}rich"));
        assert_eq!(text_in(b"z\xfcrich", Encoding::Latin1).as_deref(), Some("z\u{fc}rich"));
    }

    #[test]
    fn null_is_no_text() {
        // SAFETY: NULL is allowed, and the literals end with NUL.
        unsafe {
            assert_eq!(text_at(std::ptr::null::<u8>(), Encoding::Utf8), None);
            assert_eq!(text_at(c"".as_ptr(), Encoding::Utf8), None);
            assert_eq!(text_at(c"locked".as_ptr(), Encoding::Utf8).as_deref(), Some("locked"));
            assert_eq!(text_at([0x7a_u16, 0].as_ptr(), Encoding::Utf16).as_deref(), Some("z"));
        }
    }
}
