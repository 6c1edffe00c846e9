//! Texts of the system as JSON. A path need not be Unicode: it travels as the numbers that it consists of, bytes on Unix and
//! 16-bit units on Windows.

use std::ffi::{OsStr, OsString};

use serde_json::Value;

use crate::system::{Unit, from_units, units};

/// The text as an array of numbers.
#[must_use]
pub fn to_json(text: &OsStr) -> Value {
    units(text).into_iter().map(Value::from).collect()
}

/// Reads what [`to_json`] wrote on the same system; `None` if it is something else.
#[must_use]
pub fn from_json(value: &Value) -> Option<OsString> {
    let unit = |value: &Value| Unit::try_from(value.as_u64()?).ok();
    value.as_array()?.iter().map(unit).collect::<Option<Vec<_>>>().map(from_units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_as_it_was_written() {
        let text = OsString::from("C:\\é x/y");
        assert_eq!(from_json(&to_json(&text)), Some(text));
        for other in [Value::Null, "text".into(), vec![70_000].into(), vec![-1].into(), vec!["a"].into()] {
            assert_eq!(from_json(&other), None, "{other}");
        }
    }
}
