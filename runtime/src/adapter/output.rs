//! The results of a call.

use opentool::ToolError;

use super::calls::Call;
use super::datum::Datum;
use super::put::Put;
use super::to_json;
use super::to_serde::{Collected, Owned};
use crate::Handles;

/// Where a thunk puts the results of a call, in the order of the document.
///
/// The first result that cannot be written is the error of the call; later results are ignored.
pub struct Output<'o> {
    pub(super) sink: Sink<'o>,
    pub(super) error: Option<ToolError>,
    /// The handles of the session, or after [`Output::enter`] those of the binding.
    pub(super) handles: Option<&'o Handles>,
}

pub(super) enum Sink<'o> {
    Json(&'o mut Vec<u8>),
    Collected(&'o mut Collected),
    /// One call of a callback.
    Call(&'o mut Call),
}

/// The size of a small reply, in bytes.
pub(crate) const REPLY: usize = 64;

impl<'o> Output<'o> {
    /// Results as JSON text, appended to `out`.
    #[inline]
    pub(crate) fn json(out: &'o mut Vec<u8>, handles: Option<&'o Handles>) -> Self {
        // Room for a small reply, so that most calls allocate only once.
        out.reserve(REPLY);
        let length = out.len();
        // SAFETY: there is room for it, which `push` would test again.
        unsafe {
            out.as_mut_ptr().add(length).write(b'{');
            out.set_len(length + 1);
        }
        Self { sink: Sink::Json(out), error: None, handles }
    }

    pub(crate) fn collect(collected: &'o mut Collected) -> Self {
        Self { sink: Sink::Collected(collected), error: None, handles: None }
    }

    /// The values of one call of a callback.
    pub(super) fn call(call: &'o mut Call) -> Self {
        Self { sink: Sink::Call(call), error: None, handles: None }
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

    /// The value of `result`; an error becomes the error of the call.
    #[inline]
    pub fn check<T, E: Into<ToolError>>(&mut self, result: Result<T, E>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.fail(error.into());
                None
            }
        }
    }

    /// Adds a null result.
    pub fn put_null(&mut self, name: &'static str) {
        self.datum(name, Datum::Null);
    }

    #[inline(never)]
    pub(super) fn datum(&mut self, name: &'static str, datum: Datum<'_>) {
        if self.error.is_some() {
            return;
        }
        let written = match &mut self.sink {
            Sink::Json(out) => to_json::member(out, name, datum),
            Sink::Collected(collected) => collected.push(name, datum),
            Sink::Call(call) => return call.push(name, datum),
        };
        if let Err(flaw) = written {
            self.fail(ToolError::call_failed(flaw.of(name)));
        }
    }

    #[inline(never)]
    pub(super) fn signed(&mut self, name: &'static str, value: i64) {
        match (&mut self.sink, &self.error) {
            (Sink::Json(out), None) => to_json::integer_member(out, name, value < 0, value.unsigned_abs()),
            _ => self.datum(name, Datum::Signed(value)),
        }
    }

    #[inline(never)]
    pub(super) fn unsigned(&mut self, name: &'static str, value: u64) {
        match (&mut self.sink, &self.error) {
            (Sink::Json(out), None) => to_json::integer_member(out, name, false, value),
            _ => self.datum(name, Datum::Unsigned(value)),
        }
    }

    /// Adds a result that is a copy already.
    pub(super) fn owned(&mut self, name: &'static str, value: Owned) {
        let written = match &mut self.sink {
            Sink::Json(out) => to_json::owned(out, name, &value),
            Sink::Collected(collected) => {
                collected.push_owned(name, value);
                Ok(())
            }
            Sink::Call(_) => Ok(()),
        };
        if let Err(flaw) = written {
            self.fail(ToolError::call_failed(flaw.of(name)));
        }
    }

    #[cold]
    pub(super) fn fail(&mut self, error: ToolError) {
        self.error.get_or_insert(error);
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use super::*;
    use crate::Utf16CString;
    use crate::adapter::put::{Character, Encoded};
    use crate::encoding::Encoding;

    fn written(put: impl Fn(&mut Output<'_>)) -> Result<String, String> {
        let mut out = b"before".to_vec();
        let mut output = Output::json(&mut out, None);
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
        assert_eq!(error, Err("the call failed: `s` is not UTF-8: byte 0xff at index 2".to_owned()));
        let error = written(|out| out.put("c", Character(-1_i8)));
        assert_eq!(error, Err("the call failed: `c` is not UTF-8: byte 0xff at index 0".to_owned()));
    }

    #[test]
    fn encoded_strings_are_text_in_their_encoding() {
        let reply = written(|out| {
            out.put("latin", Encoded(c"\xe9", Encoding::Latin1));
            out.put("lossy", Encoded(c"a\xff".to_owned(), Encoding::Utf8Lossy));
            out.put("bytes", Encoded(vec![0_u8, 255], Encoding::Base64));
            out.put("chars", Encoded(vec![0_i8, -1], Encoding::Hex));
            out.put("units", Encoded(vec![0x61_u16, 0, 0xd83e, 0xdd80], Encoding::Utf16));
            out.put("wide", Encoded(Utf16CString::try_from("Ω").expect("no NUL"), Encoding::Utf16));
            out.put("none", None::<Encoded<CString>>);
        });
        let expected = r#"before{"latin":"é","lossy":"a�","bytes":"AP8=","chars":"00ff","units":"a\u0000🦀","wide":"Ω","none":null}"#;
        assert_eq!(reply.as_deref(), Ok(expected));
        let error = written(|out| out.put("w", Encoded(vec![0xd800_u16], Encoding::Utf16)));
        let expected = "the call failed: `w` is not UTF-16: unpaired surrogate 0xd800 at index 0";
        assert_eq!(error, Err(expected.to_owned()));
    }
}
