//! NUL-terminated strings of UTF-16: `x-encoding: utf-16`.
//!
//! The counterparts of [`CStr`](std::ffi::CStr) and [`CString`](std::ffi::CString). Like those, they
//! need not be valid text.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::ptr;
use std::string::FromUtf16Error;

/// A borrowed string of 16-bit units, the last of which is its only NUL.
///
/// ```
/// use opendyn::{Utf16CStr, Utf16CString};
///
/// let text = Utf16CString::try_from("naïve")?;
/// let borrowed: &Utf16CStr = &text;
/// assert_eq!(borrowed.as_slice().len(), 5);
/// assert_eq!(borrowed.to_string()?, "naïve");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Transparent, so that a slice of units can be cast to it.
#[repr(transparent)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utf16CStr([u16]);

impl Utf16CStr {
    /// The units up to and including the first NUL, if there is one.
    ///
    /// ```
    /// use opendyn::Utf16CStr;
    ///
    /// let text = Utf16CStr::from_units_until_nul(&[0x68, 0x69, 0, 0x21]);
    /// assert_eq!(text.map(Utf16CStr::to_string_lossy).as_deref(), Some("hi"));
    /// assert_eq!(Utf16CStr::from_units_until_nul(&[0x68, 0x69]), None);
    /// ```
    #[must_use]
    pub fn from_units_until_nul(units: &[u16]) -> Option<&Self> {
        let end = units.iter().position(|&unit| unit == 0)?;
        Some(Self::from_units(&units[..=end]))
    }

    /// The string at `pointer`.
    ///
    /// # Safety
    ///
    /// The pointer is aligned and points to initialised units up to a NUL, which stay valid and
    /// unchanged for `'a`.
    #[must_use]
    pub unsafe fn from_ptr<'a>(pointer: *const u16) -> &'a Self {
        // SAFETY: the caller guarantees aligned units up to a NUL, whose index `length` returns.
        Self::from_units(unsafe { std::slice::from_raw_parts(pointer, length(pointer) + 1) })
    }

    /// `units` must end with its only NUL.
    #[inline]
    fn from_units(units: &[u16]) -> &Self {
        // SAFETY: `Utf16CStr` is transparent over `[u16]`.
        unsafe { &*(ptr::from_ref(units) as *const Self) }
    }

    /// The address for C, valid as long as the string.
    #[inline]
    #[must_use]
    pub fn as_ptr(&self) -> *const u16 {
        self.0.as_ptr()
    }

    /// The units without the NUL.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u16] {
        &self.0[..self.0.len() - 1]
    }

    /// The units with the NUL.
    #[inline]
    #[must_use]
    pub fn as_slice_with_nul(&self) -> &[u16] {
        &self.0
    }

    /// Whether there are no units before the NUL.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    /// The text.
    ///
    /// # Errors
    ///
    /// There is an unpaired surrogate.
    pub fn to_string(&self) -> Result<String, FromUtf16Error> {
        String::from_utf16(self.as_slice())
    }

    /// The text, with U+FFFD for each unpaired surrogate.
    #[must_use]
    pub fn to_string_lossy(&self) -> String {
        String::from_utf16_lossy(self.as_slice())
    }
}

/// Shows the text, as [`to_string_lossy`](Self::to_string_lossy) does.
impl fmt::Debug for Utf16CStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_string_lossy().fmt(f)
    }
}

impl ToOwned for Utf16CStr {
    type Owned = Utf16CString;

    fn to_owned(&self) -> Utf16CString {
        Utf16CString(self.0.into())
    }
}

/// An owned string of 16-bit units, the last of which is its only NUL.
///
/// It can be created from a `&str` or from units:
///
/// ```
/// use opendyn::Utf16CString;
///
/// let text = Utf16CString::try_from("hi")?;
/// assert_eq!(text, Utf16CString::try_from(vec![0x68, 0x69])?);
/// assert_eq!(format!("{text:?}"), r#""hi""#);
/// assert_eq!(Utf16CString::try_from("h\0i").map_err(|error| error.position()), Err(1));
/// # Ok::<(), opendyn::Utf16NulError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utf16CString(Box<[u16]>);

impl Deref for Utf16CString {
    type Target = Utf16CStr;

    #[inline]
    fn deref(&self) -> &Utf16CStr {
        Utf16CStr::from_units(&self.0)
    }
}

impl Borrow<Utf16CStr> for Utf16CString {
    #[inline]
    fn borrow(&self) -> &Utf16CStr {
        self
    }
}

impl AsRef<Utf16CStr> for Utf16CString {
    #[inline]
    fn as_ref(&self) -> &Utf16CStr {
        self
    }
}

impl fmt::Debug for Utf16CString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The empty string.
impl Default for Utf16CString {
    fn default() -> Self {
        Self(Box::new([0]))
    }
}

impl From<&Utf16CStr> for Utf16CString {
    fn from(string: &Utf16CStr) -> Self {
        string.to_owned()
    }
}

impl TryFrom<&str> for Utf16CString {
    type Error = Utf16NulError;

    fn try_from(text: &str) -> Result<Self, Utf16NulError> {
        // One unit per byte is the maximum, and exact for ASCII.
        let mut units = Vec::with_capacity(text.len() + 1);
        units.extend(text.encode_utf16());
        units.try_into()
    }
}

impl TryFrom<Vec<u16>> for Utf16CString {
    type Error = Utf16NulError;

    fn try_from(mut units: Vec<u16>) -> Result<Self, Utf16NulError> {
        if let Some(position) = units.iter().position(|&unit| unit == 0) {
            return Err(Utf16NulError { position });
        }
        units.push(0);
        Ok(Self(units.into()))
    }
}

/// The text has an interior NUL, where C would end the string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf16NulError {
    position: usize,
}

impl Utf16NulError {
    /// The number of 16-bit units before the NUL.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }
}

impl fmt::Display for Utf16NulError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text has a NUL at index {}", self.position)
    }
}

impl std::error::Error for Utf16NulError {}

impl Utf16CString {
    /// Copies the units up to the NUL.
    ///
    /// # Safety
    ///
    /// The pointer points to initialised 16-bit units up to a NUL. It need not be aligned.
    pub(crate) unsafe fn copied(pointer: *const u16) -> Self {
        // SAFETY: the caller guarantees units up to a NUL.
        let length = unsafe { length(pointer) };
        // SAFETY: the caller guarantees the units up to and including the NUL at `length`.
        let units = (0..=length).map(|index| unsafe { pointer.add(index).read_unaligned() });
        Self(units.collect())
    }
}

/// The number of units before the NUL.
///
/// # Safety
///
/// `pointer` points to initialised units up to a NUL. It need not be aligned.
unsafe fn length(pointer: *const u16) -> usize {
    let mut length = 0;
    // SAFETY: no unit before `length` is NUL, so this unit exists.
    while unsafe { pointer.add(length).read_unaligned() } != 0 {
        length += 1;
    }
    length
}

#[cfg(test)]
#[path = "utf16_tests.rs"]
mod tests;
