//! Results as JSON text.

use super::EXACT;
use super::datum::{Datum, Flaw, ListView, finite, low_bytes, text_of, text_of_units};
use super::kind::Kind;
use super::to_serde::Owned;
use super::{digits, runs};

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

/// Writes `,"name":`, the comma only behind another member.
#[inline]
fn key(out: &mut Vec<u8>, name: &str, is_first: bool) {
    out.reserve(name.len() + 4);
    // SAFETY: there is room for the name and four bytes more.
    unsafe {
        let at = put_key(out.as_mut_ptr().add(out.len()), name, is_first);
        set_end(out, at);
    }
}

/// # Safety
///
/// There is room for the name and four bytes more.
#[inline(always)]
unsafe fn put_key(mut at: *mut u8, name: &str, is_first: bool) -> *mut u8 {
    // SAFETY: as the caller guarantees.
    unsafe {
        at.write(b',');
        at = at.add((!is_first).into());
        at.write(b'"');
        at = put_bytes(at.add(1), name.as_bytes());
        at.cast::<[u8; 2]>().write(*b"\":");
        at.add(2)
    }
}

#[inline(always)]
fn value(out: &mut Vec<u8>, datum: Datum<'_>) -> Result<(), Flaw> {
    match datum {
        Datum::Boolean(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
        Datum::Signed(value) => integer(out, value < 0, value.unsigned_abs()),
        Datum::Unsigned(value) => integer(out, false, value),
        Datum::Float(value) => return float(out, value, value.into()),
        Datum::Double(value) => return float(out, value, value),
        Datum::Text(value) => runs::quote(out, value),
        other => return composite(out, &other),
    }
    Ok(())
}

/// Adds the member `name`, an integer. One test of the capacity serves all of it: this is on the path of every call.
#[inline]
pub(crate) fn integer_member(out: &mut Vec<u8>, name: &str, negative: bool, magnitude: u64) {
    let is_first = out.last() == Some(&b'{');
    out.reserve(name.len() + 4 + INTEGER);
    // SAFETY: there is room for the key and the integer.
    unsafe {
        let at = put_key(out.as_mut_ptr().add(out.len()), name, is_first);
        let at = put_integer(at, negative, magnitude);
        set_end(out, at);
    }
}

/// The maximum length of an integer, with quotes and a minus.
const INTEGER: usize = digits::MOST + 3;

/// Writes an integer, beyond 2^53 as a string, because many JSON readers would round it.
#[inline]
fn integer(out: &mut Vec<u8>, negative: bool, magnitude: u64) {
    out.reserve(INTEGER);
    // SAFETY: there is room for the integer.
    unsafe {
        let at = put_integer(out.as_mut_ptr().add(out.len()), negative, magnitude);
        set_end(out, at);
    }
}

/// # Safety
///
/// There is room for [`INTEGER`] bytes.
#[inline(always)]
unsafe fn put_integer(mut at: *mut u8, negative: bool, magnitude: u64) -> *mut u8 {
    let is_wide = magnitude > EXACT;
    // SAFETY: the caller guarantees room for the digits, a minus and two quotes.
    unsafe {
        at.write(b'"');
        at = at.add(is_wide.into());
        at.write(b'-');
        at = at.add(negative.into());
        at = at.add(digits::write(magnitude, at));
        if is_wide {
            at.write(b'"');
            at = at.add(1);
        }
        at
    }
}

/// Writes a float with the fewest digits that stand for it.
#[inline]
fn float<F: zmij::Float>(out: &mut Vec<u8>, value: F, wide: f64) -> Result<(), Flaw> {
    finite(wide)?;
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    out.reserve(text.len());
    // SAFETY: there is room for the text.
    unsafe {
        let at = put_bytes(out.as_mut_ptr().add(out.len()), text);
        set_end(out, at);
    }
    Ok(())
}

/// Copies a short text without a call.
///
/// # Safety
///
/// There is room for the bytes at `at`.
#[inline(always)]
unsafe fn put_bytes(at: *mut u8, bytes: &[u8]) -> *mut u8 {
    let (from, length) = (bytes.as_ptr(), bytes.len());
    // SAFETY: the caller guarantees the room, and nothing beyond `length` is read or written: of two parts that overlap,
    // the first begins and the last ends with the bytes.
    unsafe {
        match length {
            16..=32 => {
                let last = from.add(length - 16).cast::<u128>().read_unaligned();
                at.cast::<u128>().write_unaligned(from.cast::<u128>().read_unaligned());
                at.add(length - 16).cast::<u128>().write_unaligned(last);
            }
            8..16 => {
                let last = from.add(length - 8).cast::<u64>().read_unaligned();
                at.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned());
                at.add(length - 8).cast::<u64>().write_unaligned(last);
            }
            4..8 => {
                let last = from.add(length - 4).cast::<u32>().read_unaligned();
                at.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned());
                at.add(length - 4).cast::<u32>().write_unaligned(last);
            }
            0..4 => {
                for index in 0..length {
                    at.add(index).write(from.add(index).read());
                }
            }
            _ => at.copy_from_nonoverlapping(from, length),
        }
        at.add(length)
    }
}

/// Ends `out` at `at`.
///
/// # Safety
///
/// `at` is in or at the end of the memory of `out`, and all bytes before it are initialised.
#[inline(always)]
unsafe fn set_end(out: &mut Vec<u8>, at: *mut u8) {
    // SAFETY: the caller guarantees that both are of one allocation, and what lies between them.
    unsafe {
        let length = at.offset_from(out.as_ptr());
        out.set_len(length.cast_unsigned());
    }
}

/// Writes a non-scalar. A separate function, so that scalars do not pay for it.
#[inline(never)]
fn composite(out: &mut Vec<u8>, datum: &Datum<'_>) -> Result<(), Flaw> {
    match *datum {
        Datum::Bytes(bytes, encoding) => {
            if encoding.is_binary() {
                // Encoded where it goes.
                out.push(b'"');
                encoding.append(bytes, out);
                out.push(b'"');
            } else {
                runs::quote(out, &text_of(bytes, encoding)?);
            }
            Ok(())
        }
        Datum::Units(units) => {
            runs::quote(out, &text_of_units(units)?);
            Ok(())
        }
        Datum::List(list) => self::list(out, list),
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

/// Writes an array. Of numbers, the kind is looked at once.
fn list(out: &mut Vec<u8>, list: ListView<'_>) -> Result<(), Flaw> {
    match list.kind() {
        Kind::Double => {
            // SAFETY: an element is a double, which is read without alignment.
            let doubles = unsafe { list.each(8, |at| at.cast::<f64>().read_unaligned()) };
            elements(out, doubles, |out, value| float(out, value, value))
        }
        Kind::Float => {
            // SAFETY: an element is a float, which is read without alignment.
            let floats = unsafe { list.each(4, |at| at.cast::<f32>().read_unaligned()) };
            elements(out, floats, |out, value| float(out, value, value.into()))
        }
        Kind::Integer(range) => {
            let (size, unused) = (range.size(), 64 - 8 * range.size() as u32);
            // SAFETY: an element is an integer of that size.
            let words = unsafe { list.each(size, |at| low_bytes(at, size)) };
            let is_signed = range.is_signed();
            elements(out, words, |out, word| {
                let signed = (word << unused).cast_signed() >> unused;
                let negative = is_signed && signed < 0;
                integer(out, negative, if negative { signed.unsigned_abs() } else { word });
                Ok(())
            })
        }
        _ => elements(out, list.elements(), |out, element| value(out, element)),
    }
}

#[inline(always)]
fn elements<T>(
    out: &mut Vec<u8>,
    elements: impl Iterator<Item = T>,
    write: impl Fn(&mut Vec<u8>, T) -> Result<(), Flaw>,
) -> Result<(), Flaw> {
    out.push(b'[');
    for (index, element) in elements.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, element).map_err(|flaw| flaw.inside(index))?;
    }
    out.push(b']');
    Ok(())
}
