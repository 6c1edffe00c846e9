//! The error of the system that a C function leaves behind: `errno`, and `GetLastError` on Windows.

use std::io;

/// Which of the two. On systems other than Windows they are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// `errno` of the C runtime.
    Errno,
    /// `GetLastError` of Windows.
    LastError,
}

impl System {
    /// What the last C function left on this thread. It must be asked at once: nearly every call changes it.
    #[inline]
    #[must_use]
    pub fn left(self) -> i64 {
        #[cfg(windows)]
        if self == Self::Errno {
            // SAFETY: the C runtime returns the address of this thread's `errno`, which is always valid.
            return unsafe { *windows::_errno() }.into();
        }
        let code = io::Error::last_os_error().raw_os_error().unwrap_or(0);
        // `GetLastError` is unsigned.
        if cfg!(windows) { i64::from(code.cast_unsigned()) } else { code.into() }
    }

    /// The text of the system for a code. A negative code is the negated one, which many functions return.
    #[must_use]
    pub fn text(self, code: i64) -> Option<String> {
        let code = u32::try_from(code.unsigned_abs()).ok()?.cast_signed();
        #[cfg(windows)]
        if self == Self::Errno {
            // SAFETY: `strerror` returns a string for every number, which lives until the next call on this thread.
            return unsafe { crate::text::text_at(windows::strerror(code), crate::encoding::Encoding::Utf8) };
        }
        let text = io::Error::from_raw_os_error(code).to_string();
        let end = text.rfind(" (os error").unwrap_or(text.len());
        Some(text[..end].to_owned()).filter(|text| !text.is_empty())
    }
}

#[cfg(windows)]
mod windows {
    use std::ffi::{c_char, c_int};

    unsafe extern "C" {
        pub(super) fn _errno() -> *mut c_int;
        pub(super) fn strerror(code: c_int) -> *const c_char;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn the_text_is_that_of_the_system_and_nothing_else() {
        assert_eq!(System::Errno.text(2).as_deref(), Some("No such file or directory"));
        assert_eq!(System::Errno.text(-2), System::LastError.text(2));
        assert_eq!(System::Errno.text(i64::MAX), None);
    }

    #[test]
    #[cfg(unix)]
    fn what_the_last_function_left_is_found() {
        assert!(std::fs::metadata("/no/such/file").is_err());
        assert_eq!(System::Errno.left(), 2);
    }
}
