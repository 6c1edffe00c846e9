//! Results as JSON text.

use super::EXACT;
use super::datum::{Datum, Flaw, finite, text_of, text_of_units};
use super::to_serde::Owned;

/// Adds the member `name` to the object that is open in `out`.
#[inline]
pub(crate) fn member(out: &mut Vec<u8>, name: &str, datum: Datum<'_>) -> Result<(), Flaw> {
    let is_first = out.last() == Some(&b'{');
    key(out, name, is_first);
    value(out, datum)
}

/// Adds the member `name`, a value that is a copy.
pub(crate) fn owned(out: &mut Vec<u8>, name: &str, value: &Owned) -> Result<(), Flaw> {
    let is_first = out.last() == Some(&b'{');
    key(out, name, is_first);
    serde_json::to_writer(out, value).map_err(|error| Flaw::new(format!("cannot be written: {error}")))
}

/// Writes `,"name":`, the comma only behind another member. One test of the capacity serves all of it: this is on
/// the path of every call.
#[inline]
fn key(out: &mut Vec<u8>, name: &str, is_first: bool) {
    out.reserve(name.len() + 4);
    let mut length = out.len();
    let start = out.as_mut_ptr();
    // SAFETY: there is room for the name and four bytes more, and no more is written; all bytes up to the new length
    // are initialised.
    unsafe {
        if !is_first {
            start.add(length).write(b',');
            length += 1;
        }
        start.add(length).write(b'"');
        start.add(length + 1).copy_from_nonoverlapping(name.as_ptr(), name.len());
        length += 1 + name.len();
        start.add(length).cast::<[u8; 2]>().write(*b"\":");
        out.set_len(length + 2);
    }
}

#[inline(always)]
fn value(out: &mut Vec<u8>, datum: Datum<'_>) -> Result<(), Flaw> {
    match datum {
        Datum::Boolean(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
        Datum::Signed(value) => integer(out, value.unsigned_abs() > EXACT, itoa::Buffer::new().format(value)),
        Datum::Unsigned(value) => integer(out, value > EXACT, itoa::Buffer::new().format(value)),
        Datum::Float(value) => {
            finite(value.into())?;
            out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
        }
        Datum::Double(value) => {
            finite(value)?;
            out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
        }
        Datum::Text(value) => return text(out, value),
        other => return composite(out, &other),
    }
    Ok(())
}

/// Writes a non-scalar. A separate function, so that scalars do not pay for it.
#[inline(never)]
fn composite(out: &mut Vec<u8>, datum: &Datum<'_>) -> Result<(), Flaw> {
    match *datum {
        Datum::Bytes(bytes, encoding) => text(out, &text_of(bytes, encoding)?),
        Datum::Units(units) => text(out, &text_of_units(units)?),
        Datum::List(list) => {
            out.push(b'[');
            for (index, element) in list.elements().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                value(out, element).map_err(|flaw| flaw.inside(index))?;
            }
            out.push(b']');
            Ok(())
        }
        Datum::Record(record) => {
            out.push(b'{');
            for (name, datum) in record.members() {
                member(out, name, datum).map_err(|flaw| flaw.inside(name))?;
            }
            out.push(b'}');
            Ok(())
        }
        _ => {
            out.extend_from_slice(b"null");
            Ok(())
        }
    }
}

fn text(out: &mut Vec<u8>, text: &str) -> Result<(), Flaw> {
    // Neither fails: writing to a `Vec`, and a `str` as JSON.
    serde_json::to_writer(out, text).map_err(|error| Flaw::new(format!("cannot be written: {error}")))
}

/// Writes integers beyond 2^53 as strings, because many JSON readers would round them.
#[inline]
fn integer(out: &mut Vec<u8>, wide: bool, digits: &str) {
    if wide {
        out.push(b'"');
    }
    out.extend_from_slice(digits.as_bytes());
    if wide {
        out.push(b'"');
    }
}
