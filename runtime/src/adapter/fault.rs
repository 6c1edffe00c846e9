//! The messages of refused arguments. Successful calls do not run this code.

use std::fmt::{self, Write};

use opentool::ToolError;

use super::record::Record;
use super::{Field, Kind, MAX_ARGUMENTS, MAX_DEPTH};

/// A refusal: the place in the arguments, and the error there.
#[derive(Debug)]
pub(crate) struct Fault(Box<Parts>);

#[derive(Debug)]
struct Parts {
    pointer: String,
    message: String,
}

/// How many characters of a value are quoted.
const QUOTED: usize = 40;

impl Fault {
    #[cold]
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(Box::new(Parts { pointer: String::new(), message: message.into() }))
    }

    /// The text is not JSON at `at`.
    #[cold]
    pub(crate) fn not_json(text: &[u8], at: usize, expected: &str) -> Self {
        let before = &text[..at.min(text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        let found = match text.get(at..).and_then(|rest| String::from_utf8_lossy(rest).chars().next()) {
            Some(character) => format!("{character:?}"),
            None => "the end".to_owned(),
        };
        Self::new(format!("not JSON: line {line} column {column}: expected {expected}, found {found}"))
    }

    /// A value of a JSON type that the field does not accept.
    #[cold]
    pub(crate) fn wrong_type(value: impl fmt::Display, is: &str, kind: Kind) -> Self {
        Self::new(format!("{} is {is}; expected {kind}", Quoted(value)))
    }

    /// A value of the right JSON type that the C type cannot hold.
    #[cold]
    pub(crate) fn out_of_range(value: impl fmt::Display, kind: Kind) -> Self {
        let value = Quoted(value);
        match kind {
            Kind::Integer(integer) => {
                Self::new(format!("{value} does not fit {} ({})", integer.name(), integer.limits()))
            }
            Kind::Choice(_) | Kind::Text(_) => Self::new(format!("{value} is not {kind}")),
            Kind::Float => {
                Self::new(format!("{value} does not fit float ({:e} to {:e})", f32::MIN, f32::MAX))
            }
            _ => Self::new(format!("{value} does not fit double ({:e} to {:e})", f64::MIN, f64::MAX)),
        }
    }

    #[cold]
    pub(crate) fn not_an_object(value: impl fmt::Display, is: &str) -> Self {
        Self::new(format!("{} is {is}; expected an object of arguments", Quoted(value)))
    }

    #[cold]
    pub(crate) fn unknown(key: &str, fields: &[Field]) -> Self {
        let known: Vec<&str> = fields.iter().map(|field| field.key.name).collect();
        let message = if known.is_empty() {
            "unknown argument; this function takes none".to_owned()
        } else {
            format!("unknown argument; this function takes {}", known.join(", "))
        };
        Self::new(message).inside(key)
    }

    #[cold]
    pub(crate) fn unknown_member(key: &str, record: &Record) -> Self {
        Self::new(format!("unknown member; expected {record}")).inside(key)
    }

    #[cold]
    pub(crate) fn duplicate(name: &str) -> Self {
        Self::new("given twice").inside(name)
    }

    #[cold]
    pub(crate) fn missing(name: &str, kind: Kind) -> Self {
        Self::new(format!("missing; expected {kind}")).inside(name)
    }

    /// A string with a NUL at the byte or unit `place`.
    #[cold]
    pub(crate) fn nul(unit: &str, place: usize, kind: Kind) -> Self {
        Self::new(format!("the string has a NUL at {unit} {place}, where C would end it; expected {kind}"))
    }

    /// The first element that `kind` has no room for.
    #[cold]
    pub(crate) fn one_too_many(kind: Kind) -> Self {
        Self::new(format!("one element too many; expected {kind}"))
    }

    /// An array with fewer elements than `kind` needs.
    #[cold]
    pub(crate) fn too_few(count: usize, kind: Kind) -> Self {
        let elements = if count == 1 { "element is" } else { "elements are" };
        Self::new(format!("{count} {elements} too few; expected {kind}"))
    }

    #[cold]
    pub(crate) fn too_long(length: usize, limit: usize) -> Self {
        Self::new(format!("the arguments are {length} bytes long; the limit is {limit}"))
    }

    #[cold]
    pub(crate) fn too_large() -> Self {
        Self::new(format!("the arguments take more than {MAX_ARGUMENTS} bytes in memory"))
    }

    #[cold]
    pub(crate) fn too_deep() -> Self {
        Self::new(format!("nested deeper than {MAX_DEPTH} levels"))
    }

    /// Adds the member or element `step` to the front of the path.
    #[cold]
    pub(crate) fn inside(mut self, step: impl fmt::Display) -> Self {
        let step = step.to_string().replace('~', "~0").replace('/', "~1");
        self.0.pointer = format!("/{step}{}", self.0.pointer);
        self
    }
}

impl From<Fault> for ToolError {
    fn from(fault: Fault) -> Self {
        Self::invalid_arguments(fault.0.pointer, fault.0.message)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

/// A value, truncated if it is long.
struct Quoted<T>(T);

impl<T: fmt::Display> fmt::Display for Quoted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cut = Cut { text: String::new(), left: QUOTED };
        // `Cut` stops the formatting, so that a huge value is not copied first.
        let whole = write!(cut, "{}", self.0).is_ok();
        f.write_str(&cut.text)?;
        if whole { Ok(()) } else { f.write_str("…") }
    }
}

/// Accepts the first `left` characters; more are an error.
struct Cut {
    text: String,
    left: usize,
}

impl Write for Cut {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for character in s.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(character);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_json_pointer() {
        let fault = Fault::new("wrong").inside(3).inside("a/b~c");
        assert_eq!(ToolError::from(fault).to_string(), "invalid arguments: /a~1b~0c/3: wrong");
    }

    #[test]
    fn a_long_value_is_cut() {
        for (length, shown) in [(40, "x".repeat(40)), (41, "x".repeat(40) + "…")] {
            let fault = Fault::wrong_type("x".repeat(length), "a string", Kind::Boolean);
            assert_eq!(fault.to_string(), format!("{shown} is a string; expected true or false"));
        }
    }

    #[test]
    fn errors_name_the_range() {
        assert_eq!(
            Fault::out_of_range(300, Kind::UNSIGNED_CHAR).to_string(),
            "300 does not fit unsigned char (0 to 255)"
        );
        assert_eq!(
            Fault::out_of_range("1e39", Kind::Float).to_string(),
            "1e39 does not fit float (-3.4028235e38 to 3.4028235e38)"
        );
    }

    #[test]
    fn columns_count_characters() {
        let text = "{\n \"é\" 1".as_bytes();
        let fault = Fault::not_json(text, text.len() - 1, "`:`");
        assert_eq!(fault.to_string(), "not JSON: line 2 column 6: expected `:`, found '1'");
    }
}
