//! Results on their way out.

use std::ffi::{CStr, CString};

use opentool::ToolError;

use super::EXACT;
use super::to_serde::Collected;
use crate::CallError;

/// Where a thunk puts the results of a call, in the order of the document.
///
/// The first result that cannot be put is the error of the call; what follows is ignored.
pub struct Output<'o> {
    sink: Sink<'o>,
    error: Option<ToolError>,
}

enum Sink<'o> {
    Json(&'o mut Vec<u8>),
    Collected(&'o mut Collected),
}

/// One result.
#[derive(Clone, Copy)]
pub(crate) enum Datum<'d> {
    Boolean(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    Text(&'d str),
}

/// The bytes that a small reply takes.
pub(crate) const REPLY: usize = 64;

impl<'o> Output<'o> {
    /// Results as JSON text, appended to `out`.
    #[inline]
    pub(crate) fn json(out: &'o mut Vec<u8>) -> Self {
        // Room for a small reply at once, so that most calls allocate no second time.
        out.reserve(REPLY);
        out.push(b'{');
        Self { sink: Sink::Json(out), error: None }
    }

    pub(crate) fn collect(collected: &'o mut Collected) -> Self {
        Self { sink: Sink::Collected(collected), error: None }
    }

    /// Ends the reply.
    #[inline]
    pub(crate) fn finish(self) -> Result<(), ToolError> {
        match self.error {
            None => {
                if let Sink::Json(out) = self.sink {
                    out.push(b'}');
                }
                Ok(())
            }
            Some(error) => Err(error),
        }
    }

    /// Adds a result.
    #[inline]
    pub fn put<T: Put>(&mut self, name: &'static str, value: T) {
        value.put(name, self);
    }

    /// The value of a call that may fail; a failure is the error of the call.
    #[inline]
    pub fn check<T>(&mut self, result: Result<T, CallError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.fail(error.into());
                None
            }
        }
    }

    #[inline(never)]
    fn datum(&mut self, name: &'static str, datum: Datum<'_>) {
        if self.error.is_some() {
            return;
        }
        let written = match &mut self.sink {
            Sink::Json(out) => write_json(out, name, datum),
            Sink::Collected(collected) => collected.push(name, datum),
        };
        if let Err(what) = written {
            self.fail(ToolError::call_failed(format!("`{name}` is {what}, which JSON cannot hold")));
        }
    }

    fn text(&mut self, name: &'static str, bytes: &[u8]) {
        match str::from_utf8(bytes) {
            Ok(text) => self.datum(name, Datum::Text(text)),
            Err(error) => {
                let place = error.valid_up_to();
                self.fail(ToolError::call_failed(format!(
                    "`{name}` is not UTF-8: byte 0x{:02x} at place {place}",
                    bytes[place]
                )));
            }
        }
    }

    #[cold]
    fn fail(&mut self, error: ToolError) {
        self.error.get_or_insert(error);
    }
}

fn write_json(out: &mut Vec<u8>, name: &str, datum: Datum<'_>) -> Result<(), &'static str> {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
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
        Datum::Text(text) => {
            // Writing to a Vec does not fail, and a str is always JSON.
            serde_json::to_writer(out, text).map_err(|_| "a string")?;
        }
    }
    Ok(())
}

/// Beyond 2^53 as a string, because many JSON readers would round the number.
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

/// What a float is that JSON has no number for.
pub(crate) fn finite(value: f64) -> Result<(), &'static str> {
    if value.is_finite() {
        Ok(())
    } else if value.is_nan() {
        Err("NaN")
    } else if value > 0.0 {
        Err("infinity")
    } else {
        Err("-infinity")
    }
}

/// What a thunk can put into an [`Output`].
pub trait Put {
    /// Adds `self` under `name`.
    fn put(self, name: &'static str, output: &mut Output<'_>);
}

macro_rules! scalars {
    ($($type:ident $datum:ident)*) => {$(
        impl Put for $type {
            #[inline]
            fn put(self, name: &'static str, output: &mut Output<'_>) {
                output.datum(name, Datum::$datum(self.into()));
            }
        }
    )*};
}
scalars! {
    bool Boolean
    i8 Signed i16 Signed i32 Signed i64 Signed
    u8 Unsigned u16 Unsigned u32 Unsigned u64 Unsigned
    f32 Float f64 Double
}

/// The integers of the width of a pointer, which has no `From` because it differs.
macro_rules! pointer_sized {
    ($($type:ident $datum:ident $wide:ident)*) => {$(
        impl Put for $type {
            #[inline]
            fn put(self, name: &'static str, output: &mut Output<'_>) {
                output.datum(name, Datum::$datum(self as $wide));
            }
        }
    )*};
}
pointer_sized!(isize Signed i64 usize Unsigned u64);

impl Put for &CStr {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.text(name, self.to_bytes());
    }
}

impl Put for CString {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_c_str().put(name, output);
    }
}

impl<T: Put> Put for Result<T, CallError> {
    #[inline]
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        if let Some(value) = output.check(self) {
            value.put(name, output);
        }
    }
}

/// A `char` or `unsigned char` that is a string of one byte.
pub struct Character<T>(pub T);

impl Put for Character<i8> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        Character(self.0.cast_unsigned()).put(name, output);
    }
}

impl Put for Character<u8> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.text(name, &[self.0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(put: impl Fn(&mut Output<'_>)) -> Result<String, String> {
        let mut out = b"before".to_vec();
        let mut output = Output::json(&mut out);
        put(&mut output);
        output.finish().map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).expect("JSON is text"))
    }

    #[test]
    fn results_are_an_object_in_order() {
        let reply = written(|out| {
            out.put("z", -1_i8);
            out.put("a", true);
            out.put("f", 1.5_f32);
            out.put("s", c"q\"\n\u{e9}");
            out.put("c", Character(b'x'));
        });
        assert_eq!(reply.as_deref(), Ok(r#"before{"z":-1,"a":true,"f":1.5,"s":"q\"\né","c":"x"}"#));
        assert_eq!(written(|_| {}).as_deref(), Ok("before{}"));
    }

    #[test]
    fn integers_beyond_2_53_are_strings() {
        let reply = written(|out| {
            out.put("exact", 9_007_199_254_740_992_u64);
            out.put("beyond", 9_007_199_254_740_993_u64);
            out.put("below", -9_007_199_254_740_993_i64);
            out.put("lowest", i64::MIN);
        });
        assert_eq!(
            reply.as_deref(),
            Ok(
                r#"before{"exact":9007199254740992,"beyond":"9007199254740993","below":"-9007199254740993","lowest":"-9223372036854775808"}"#
            )
        );
    }

    #[test]
    fn what_json_cannot_hold_is_named() {
        for (value, name) in
            [(f64::NAN, "NaN"), (f64::INFINITY, "infinity"), (f64::NEG_INFINITY, "-infinity")]
        {
            let error = written(|out| {
                out.put("x", value);
                out.put("y", f64::NAN);
            });
            assert_eq!(error, Err(format!("the call failed: `x` is {name}, which JSON cannot hold")));
        }
    }

    #[test]
    fn text_that_is_not_utf_8_says_where() {
        let error = written(|out| out.put("s", c"ab\xff"));
        assert_eq!(error, Err("the call failed: `s` is not UTF-8: byte 0xff at place 2".to_owned()));
        let error = written(|out| out.put("c", Character(-1_i8)));
        assert_eq!(error, Err("the call failed: `c` is not UTF-8: byte 0xff at place 0".to_owned()));
    }
}
