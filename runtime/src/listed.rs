//! Checks that a value is one that an `enum` lists.

use std::ffi::CStr;

use crate::CallError;
use crate::adapter::Choice;
use crate::count::Count;

/// Returns `given` if the document lists it.
///
/// # Errors
///
/// The document does not list it.
#[inline]
pub fn listed<C: Count>(value: &'static str, given: C, choice: &Choice) -> Result<C, CallError> {
    if choice.values.iter().any(|(known, _)| i128::from(*known) == given.to_i128()) {
        return Ok(given);
    }
    Err(CallError::Unlisted { value })
}

/// Checks that the document lists every value of `given`.
///
/// # Errors
///
/// The document does not list one of them.
pub fn all_listed<C: Count>(value: &'static str, given: &[C], choice: &Choice) -> Result<(), CallError> {
    given.iter().try_for_each(|given| listed(value, *given, choice).map(drop))
}

/// Returns `given` if it is one of `known`.
///
/// # Errors
///
/// It is not one of `known`.
pub fn listed_str<'g>(value: &'static str, given: &'g CStr, known: &[&str]) -> Result<&'g CStr, CallError> {
    if known.iter().any(|known| known.as_bytes() == given.to_bytes()) {
        return Ok(given);
    }
    Err(CallError::Unlisted { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::Kind;

    #[test]
    fn only_listed_values_pass() {
        let choice = Choice { integer: Kind::INT, values: &[(-1, "none"), (3, "all")] };
        assert_eq!(listed("n", -1, &choice), Ok(-1));
        assert_eq!(listed("n", 4, &choice), Err(CallError::Unlisted { value: "n" }));
        assert!(
            all_listed("n", &[3_u8, 3], &choice).is_ok() && all_listed("n", &[3_u8, 255], &choice).is_err()
        );
        assert_eq!(listed_str("s", c"r", &["r", "w"]), Ok(c"r"));
        assert!(listed_str("s", c"rw", &["r", "w"]).is_err());
    }
}
