//! From values to text.

use std::fmt::{self, Display, Formatter};

use super::{Object, Value};

/// On one line, or indented with `{:#}`.
impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        value(f, self, 0)
    }
}

/// On one line, or indented with `{:#}`.
impl Display for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        object(f, self, 0)
    }
}

fn value(f: &mut Formatter<'_>, of: &Value, depth: usize) -> fmt::Result {
    match of {
        Value::Null => f.write_str("null"),
        Value::Bool(true) => f.write_str("true"),
        Value::Bool(false) => f.write_str("false"),
        Value::Integer(integer) => write!(f, "{integer}"),
        Value::Number(number) => float(f, *number),
        Value::String(text) => string(f, text),
        Value::Array(elements) => {
            let mut separate = "[";
            for element in elements {
                begin(f, separate, depth + 1)?;
                value(f, element, depth + 1)?;
                separate = ",";
            }
            end(f, elements.is_empty(), "[", "]", depth)
        }
        Value::Object(of) => object(f, of, depth),
    }
}

fn object(f: &mut Formatter<'_>, of: &Object, depth: usize) -> fmt::Result {
    let colon = if f.alternate() { ": " } else { ":" };
    let mut separate = "{";
    for (key, member) in of.iter() {
        begin(f, separate, depth + 1)?;
        string(f, key)?;
        f.write_str(colon)?;
        value(f, member, depth + 1)?;
        separate = ",";
    }
    end(f, of.is_empty(), "{", "}", depth)
}

/// What stands before an element or a member.
fn begin(f: &mut Formatter<'_>, separate: &str, depth: usize) -> fmt::Result {
    f.write_str(separate)?;
    line(f, depth)
}

/// What stands behind the last, or instead of any.
fn end(f: &mut Formatter<'_>, empty: bool, open: &str, close: &str, depth: usize) -> fmt::Result {
    if empty {
        f.write_str(open)?;
    } else {
        line(f, depth)?;
    }
    f.write_str(close)
}

fn line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    if !f.alternate() {
        return Ok(());
    }
    f.write_str("\n")?;
    (0..depth).try_for_each(|_| f.write_str("  "))
}

fn string(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        f.write_str(&rest[..at])?;
        match rest.as_bytes()[at] {
            b'"' => f.write_str("\\\"")?,
            b'\\' => f.write_str("\\\\")?,
            b'\n' => f.write_str("\\n")?,
            b'\r' => f.write_str("\\r")?,
            b'\t' => f.write_str("\\t")?,
            0x08 => f.write_str("\\b")?,
            0x0c => f.write_str("\\f")?,
            control => write!(f, "\\u{control:04x}")?,
        }
        rest = &rest[at + 1..];
    }
    f.write_str(rest)?;
    f.write_str("\"")
}

/// The shortest digits that are this number and no other; between 1e-5 and 1e16 without an exponent.
fn float(f: &mut Formatter<'_>, number: f64) -> fmt::Result {
    if !number.is_finite() {
        return f.write_str("null");
    }
    let size = number.abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) {
        // With a fraction, or it would be read as an integer.
        let fraction = usize::from(number.trunc() == number);
        return if fraction == 1 { write!(f, "{number:.1}") } else { write!(f, "{number}") };
    }
    let text = format!("{number:e}");
    f.write_str(&if size < 1.0 { text } else { text.replace('e', "e+") })
}
