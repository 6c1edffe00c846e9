//! Lists and records that a thunk can put into an [`Output`]: values with the layout of a [`Kind`]
//! are read in place.

use std::ffi::{CString, c_char};
use std::ptr;

use super::datum::{Datum, ListView, datum_at};
use super::kind::Kind;
use super::output::Output;
use super::put::Put;
use crate::copied::Copied;
use crate::plain::Plain;
use crate::{CBool, CStrings};

/// A type whose memory layout is known.
///
/// # Safety
///
/// The layout of the type is that of `KIND`. When a value is put into an [`Output`], the pointers
/// that `KIND` calls strings are NULL or point to aligned NUL-terminated strings.
pub unsafe trait Described: Plain {
    /// Its layout.
    const KIND: Kind;
}

macro_rules! described {
    ($($type:ty: $kind:ident)*) => {$(
        // SAFETY: the Rust type and the C type are the same scalar.
        unsafe impl Described for $type {
            const KIND: Kind = Kind::$kind;
        }
    )*};
}
described! {
    i8: INT8_T i16: INT16_T i32: INT32_T i64: INT64_T isize: SSIZE_T
    u8: UINT8_T u16: UINT16_T u32: UINT32_T u64: UINT64_T usize: SIZE_T
    f32: Float f64: Double
}

// SAFETY: it is one byte, and `Kind::Boolean` reads every byte except 0 as true.
unsafe impl Described for CBool {
    const KIND: Kind = Kind::Boolean;
}

// SAFETY: an array is its elements, without padding between them.
unsafe impl<T: Described, const N: usize> Described for [T; N] {
    const KIND: Kind = Kind::Fixed(const { &(T::KIND, N) });
}

impl<T: Described> Put for &[T] {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        // SAFETY: `Described` promises layout and strings of the elements, which are borrowed.
        let list = unsafe { ListView::new(const { &T::KIND }, self.as_ptr().cast(), self.len()) };
        output.datum(name, Datum::List(list));
    }
}

impl<T: Described> Put for Vec<T> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

impl<T: Described, const N: usize> Put for [T; N] {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

impl Put for &[bool] {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        // SAFETY: a `bool` is one initialised byte, as `Kind::Boolean`; the elements are borrowed.
        let list = unsafe { ListView::new(&Kind::Boolean, self.as_ptr().cast(), self.len()) };
        output.datum(name, Datum::List(list));
    }
}

/// Bytes that are C's `bool`: every byte except 0 is true.
pub struct Truths<'s>(pub &'s [u8]);

impl Put for Truths<'_> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        // SAFETY: `Kind::Boolean` is one byte, and reads every byte; the elements are borrowed.
        let list = unsafe { ListView::new(&Kind::Boolean, self.0.as_ptr(), self.0.len()) };
        output.datum(name, Datum::List(list));
    }
}

impl Put for Vec<bool> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

impl<const N: usize> Put for [bool; N] {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

impl Put for Vec<CString> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let pointers: Vec<*const c_char> = self.iter().map(|string| string.as_ptr()).collect();
        // SAFETY: each pointer points to a NUL-terminated string, and `self` outlives the view.
        let list = unsafe { ListView::new(&Kind::Str, pointers.as_ptr().cast(), pointers.len()) };
        output.datum(name, Datum::List(list));
    }
}

impl Put for Vec<Option<CString>> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let string = |string: &Option<CString>| string.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        let pointers: Vec<*const c_char> = self.iter().map(string).collect();
        // SAFETY: each pointer is NULL or points to a NUL-terminated string, and `self` outlives the view.
        let list = unsafe { ListView::new(&Kind::Str, pointers.as_ptr().cast(), pointers.len()) };
        output.datum(name, Datum::List(list));
    }
}

/// They came from C, and have no NUL.
impl Put for Vec<Option<String>> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let string = |string: Option<String>| string.map(|text| CString::new(text).unwrap_or_default());
        self.into_iter().map(string).collect::<Vec<_>>().put(name, output);
    }
}

/// They came from C, and have no NUL.
impl Put for Vec<String> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let strings: Vec<CString> =
            self.into_iter().map(|text| CString::new(text).unwrap_or_default()).collect();
        strings.put(name, output);
    }
}

impl Put for CStrings<'_> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        let pointers = self.as_pointers();
        // SAFETY: each pointer is NULL or points to a NUL-terminated string, and they are borrowed.
        let list = unsafe { ListView::new(&Kind::Str, pointers.as_ptr().cast(), pointers.len()) };
        output.datum(name, Datum::List(list));
    }
}

/// A C struct.
pub struct Struct<T>(pub T);

impl<T: Described> Put for Struct<T> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        // SAFETY: `Described` promises layout and strings of the value, which outlives the datum.
        let datum = unsafe { datum_at(T::KIND, ptr::from_ref(&self.0).cast()) };
        output.datum(name, datum.unwrap_or(Datum::Null));
    }
}

impl<T: Described> Put for Copied<T> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        // SAFETY: `Described` promises the layout; the value and its copied strings outlive the datum.
        let datum = unsafe { datum_at(T::KIND, ptr::from_ref(&*self).cast()) };
        output.datum(name, datum.unwrap_or(Datum::Null));
    }
}

impl<T: Described> Put for Copied<Vec<T>> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        self.as_slice().put(name, output);
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;
    use crate::adapter::kind::Choice;
    use crate::adapter::record::{Member, Record};
    use crate::adapter::to_serde::Collected;

    #[derive(Clone, Copy)]
    #[repr(C)]
    struct Reading {
        at: u64,
        value: f32,
        mark: c_char,
        on: i16,
        label: *const c_char,
        raw: *const u8,
        level: i32,
        pair: [f64; 2],
    }

    static READING: Record = Record {
        name: "reading",
        size: size_of::<Reading>(),
        align: align_of::<Reading>(),
        members: &[
            Member::required("at", Kind::UINT64_T, offset_of!(Reading, at)),
            Member::required("value", Kind::Float, offset_of!(Reading, value)),
            Member::required("mark", Kind::Character, offset_of!(Reading, mark)),
            Member::required("on", Kind::Truth(&Kind::SHORT), offset_of!(Reading, on)),
            Member::optional("label", Kind::Str, offset_of!(Reading, label)),
            Member::optional("raw", Kind::Opaque, offset_of!(Reading, raw)),
            Member::required("level", Kind::Choice(&LEVEL), offset_of!(Reading, level)),
            Member::required("pair", <[f64; 2]>::KIND, offset_of!(Reading, pair)),
        ],
    };
    static LEVEL: Choice = Choice { integer: Kind::INT, values: &[(0, "low")] };

    // SAFETY: its members are numbers and pointers.
    unsafe impl Plain for Reading {}
    // SAFETY: the table has the offset of every member, and the tests have valid strings.
    unsafe impl Described for Reading {
        const KIND: Kind = Kind::Record(&READING);
    }

    const fn reading() -> Reading {
        Reading {
            at: 1 << 60,
            value: 0.1,
            mark: b'x' as c_char,
            on: 256,
            label: c"a\"b".as_ptr(),
            raw: ptr::dangling(),
            level: -7,
            pair: [1.0, -0.5],
        }
    }

    /// The reply as JSON text, which is the same through serde.
    fn written(put: impl Fn(&mut Output<'_>)) -> Result<String, String> {
        let mut out = Vec::new();
        let mut output = Output::json(&mut out, None);
        put(&mut output);
        let json = output.finish().map_err(|error| error.to_string());
        let json = json.map(|()| String::from_utf8(out).expect("JSON is text"));

        let mut collected = Collected::new(true);
        let mut output = Output::collect(&mut collected);
        put(&mut output);
        let value = output
            .finish()
            .map_err(|error| error.to_string())
            .map(|()| collected.serialize(serde_json::value::Serializer).expect("a value").to_string());
        assert_eq!(value, json);
        json
    }

    #[test]
    fn lists_are_arrays() {
        let reply = written(|out| {
            out.put("i", vec![-1_i8, 127]);
            out.put("u", &[0_u64, u64::MAX][..]);
            out.put("f", [0.1_f32, 2.0]);
            out.put("b", vec![true, false]);
            out.put("s", vec![c"a".to_owned(), c"".to_owned()]);
            out.put("m", vec![[1_u16, 2], [3, 4]]);
            out.put("e", Vec::<i32>::new());
            out.put("n", None::<Vec<i32>>);
            out.put("o", Some(1_i32));
        });
        let expected = r#"{"i":[-1,127],"u":[0,"18446744073709551615"],"f":[0.1,2.0],"b":[true,false],"s":["a",""],"m":[[1,2],[3,4]],"e":[],"n":null,"o":1}"#;
        assert_eq!(reply.as_deref(), Ok(expected));
    }

    #[test]
    fn a_record_is_an_object_without_undescribed_pointers() {
        let reply = written(|out| {
            out.put("r", Struct(reading()));
            out.put("rs", vec![Reading { label: ptr::null(), ..reading() }]);
        });
        let expected = r#"{"r":{"at":"1152921504606846976","value":0.1,"mark":"x","on":true,"label":"a\"b","level":-7,"pair":[1.0,-0.5]},"rs":[{"at":"1152921504606846976","value":0.1,"mark":"x","on":true,"label":null,"level":-7,"pair":[1.0,-0.5]}]}"#;
        assert_eq!(reply.as_deref(), Ok(expected));
    }

    #[test]
    fn what_json_cannot_hold_is_found_wherever_it_is() {
        let nan = Reading { pair: [0.0, f64::NAN], ..reading() };
        let latin = Reading { label: c"\xe9".as_ptr(), ..reading() };
        for (reply, expected) in [
            (
                written(|out| out.put("xs", vec![0.0, 1.0, 2.0, f64::NAN])),
                "`xs`/3 is NaN, which JSON cannot hold",
            ),
            (written(|out| out.put("r", Struct(nan))), "`r`/pair/1 is NaN, which JSON cannot hold"),
            (
                written(|out| out.put("rs", vec![reading(), latin])),
                "`rs`/1/label is not UTF-8: byte 0xe9 at index 0",
            ),
        ] {
            assert_eq!(reply, Err(format!("the call failed: {expected}")));
        }
    }

    #[test]
    fn binary_formats_get_records_as_maps_and_every_float() {
        let mut collected = Collected::new(false);
        let mut output = Output::collect(&mut collected);
        output.put("r", Struct(Reading { value: f32::INFINITY, ..reading() }));
        output.finish().expect("MessagePack has infinity");
        let mut packed = Vec::new();
        collected.serialize(&mut rmp_serde::Serializer::new(&mut packed)).expect("packed");
        let value: rmp_serde_value::Reply = rmp_serde::from_slice(&packed).expect("unpacked");
        assert_eq!((value.r.at, value.r.value, value.r.pair), (1 << 60, f32::INFINITY, vec![1.0, -0.5]));
    }

    /// The types that the reply is unpacked to.
    mod rmp_serde_value {
        #[derive(serde::Deserialize)]
        pub(super) struct Reply {
            pub(super) r: Reading,
        }

        #[derive(serde::Deserialize)]
        pub(super) struct Reading {
            pub(super) at: u64,
            pub(super) value: f32,
            pub(super) pair: Vec<f64>,
        }
    }
}
