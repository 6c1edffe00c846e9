//! One call for each shape of argument and result: text, numbers, structs, bytes, of several sizes.
//!
//! [`Shape::call`] is the generated binding of `shapes.c`; [`Shape::derived`] is careful hand-written code, which reads
//! the same text into the types that C takes with serde_json and writes the result with it.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_uint};
use std::path::PathBuf;

use data_encoding::BASE64;
use opendyn::LoadError;
use opendyn::libloading::Library;
use serde::{Deserialize, Serialize};

use crate::Error;

opendyn::opendyn!("shapes.json");

/// A function and its arguments.
pub struct Shape {
    /// The name of the function.
    pub function: &'static str,
    /// The arguments, as JSON text.
    pub arguments: String,
}

/// The path of the compiled `shapes.c`.
pub const LIBRARY: &str = env!("SHAPES_LIBRARY");

/// Opens the library, also if it is bound already.
///
/// # Errors
///
/// The library is not where the build script put it.
pub fn open() -> Result<Shapes, LoadError> {
    // SAFETY: shapes.json describes shapes.c correctly. Benchmarks have one thread, and tests take turns.
    unsafe {
        let library = Library::new(LIBRARY);
        Shapes::from_library(
            library.map_err(|source| LoadError::Open { path: PathBuf::from(LIBRARY), source })?,
        )
    }
}

/// A text of `size` bytes.
fn letters(size: usize) -> String {
    ('a'..='p').cycle().take(size).collect()
}

fn join(elements: impl Iterator<Item = String>) -> String {
    elements.collect::<Vec<_>>().join(",")
}

impl Shape {
    /// Text as an argument.
    #[must_use]
    pub fn text(size: usize) -> Self {
        Self { function: "checksum", arguments: format!(r#"{{"text":"{}"}}"#, letters(size)) }
    }

    /// Text in which every eighth character is an escape.
    #[must_use]
    pub fn escaped(size: usize) -> Self {
        let text = r"abcdefg\nhijklmn\u00e9".repeat(size / 16);
        Self { function: "checksum", arguments: format!(r#"{{"text":"{text}"}}"#) }
    }

    /// Text as an argument and returned.
    #[must_use]
    pub fn text_returned(size: usize) -> Self {
        Self { function: "same", ..Self::text(size) }
    }

    /// Text with escapes as an argument and returned.
    #[must_use]
    pub fn escaped_returned(size: usize) -> Self {
        Self { function: "same", ..Self::escaped(size) }
    }

    /// Doubles of a few digits.
    #[must_use]
    pub fn short_doubles(count: usize) -> Self {
        let xs = join((0..count).map(|index| format!("{}", index as f64 * 0.5 + 1.25)));
        Self { function: "sum", arguments: format!(r#"{{"xs":[{xs}]}}"#) }
    }

    /// Doubles of 17 digits, most of them.
    #[must_use]
    pub fn doubles(count: usize) -> Self {
        let xs = join((0..count).map(|index| format!("{}", (index + 1) as f64 / 7.0)));
        Self { function: "sum", arguments: format!(r#"{{"xs":[{xs}]}}"#) }
    }

    /// Integers.
    #[must_use]
    pub fn integers(count: usize) -> Self {
        let xs = join((0..count).map(|index| format!("{}", index * 7919)));
        Self { function: "total", arguments: format!(r#"{{"xs":[{xs}]}}"#) }
    }

    /// Doubles that are returned.
    #[must_use]
    pub fn doubles_returned(count: usize) -> Self {
        Self { function: "spread", arguments: format!(r#"{{"n":{count}}}"#) }
    }

    /// Structs.
    #[must_use]
    pub fn structs(count: usize) -> Self {
        let points = join((0..count).map(|index| {
            format!(r#"{{"x":{},"y":{},"tag":{index}}}"#, index as f64 + 0.5, index as f64 / 8.0)
        }));
        Self { function: "center", arguments: format!(r#"{{"points":[{points}]}}"#) }
    }

    /// Bytes as an argument, in base64.
    #[must_use]
    pub fn bytes(size: usize) -> Self {
        let data = BASE64.encode(letters(size).as_bytes());
        Self { function: "digest", arguments: format!(r#"{{"data":"{data}"}}"#) }
    }

    /// Bytes as an argument and returned, in base64.
    #[must_use]
    pub fn bytes_returned(size: usize) -> Self {
        Self { function: "invert", ..Self::bytes(size) }
    }

    /// Calls it through the binding.
    ///
    /// # Errors
    ///
    /// The arguments are invalid.
    pub fn call(&self, shapes: &Shapes) -> Result<String, Error> {
        Ok(shapes.call_json(self.function, &self.arguments)?)
    }

    /// Calls it through hand-written code.
    ///
    /// # Errors
    ///
    /// The arguments are invalid.
    pub fn derived(&self, by_hand: &ByHand) -> Result<String, Error> {
        by_hand.call(self.function, &self.arguments)
    }
}

/// The functions, looked up once.
pub struct ByHand {
    checksum: unsafe extern "C" fn(*const c_char) -> c_uint,
    same: unsafe extern "C" fn(*const c_char) -> *const c_char,
    sum: unsafe extern "C" fn(*const f64, usize) -> f64,
    total: unsafe extern "C" fn(*const i64, usize) -> i64,
    spread: unsafe extern "C" fn(*mut f64, usize),
    center: unsafe extern "C" fn(*const Place, usize) -> f64,
    digest: unsafe extern "C" fn(*const u8, usize) -> c_uint,
    invert: unsafe extern "C" fn(*mut u8, usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbers<T> {
    xs: Vec<T>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    n: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    points: Vec<Place>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[repr(C)]
struct Place {
    x: f64,
    y: f64,
    tag: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data<'a> {
    #[serde(borrow)]
    data: Cow<'a, str>,
}

#[derive(Serialize)]
struct Sum<T> {
    sum: T,
}

#[derive(Serialize)]
struct Total {
    total: i64,
}

#[derive(Serialize)]
struct TextBack<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct NumbersBack {
    xs: Vec<f64>,
}

#[derive(Serialize)]
struct DataBack {
    data: String,
}

impl ByHand {
    /// Looks the functions up.
    ///
    /// # Errors
    ///
    /// The library lacks a function.
    pub fn new(library: &Library) -> Result<Self, opendyn::libloading::Error> {
        // SAFETY: these are the signatures in shapes.c. Bindings never unload their library.
        unsafe {
            Ok(Self {
                checksum: *library.get("checksum")?,
                same: *library.get("same")?,
                sum: *library.get("sum")?,
                total: *library.get("total")?,
                spread: *library.get("spread")?,
                center: *library.get("center")?,
                digest: *library.get("digest")?,
                invert: *library.get("invert")?,
            })
        }
    }

    fn call(&self, function: &str, arguments: &str) -> Result<String, Error> {
        // SAFETY: each function gets what its signature in shapes.c says: texts that end with NUL, and as many elements as
        // it is told.
        unsafe {
            Ok(match function {
                "checksum" => {
                    let Text { text } = serde_json::from_str(arguments)?;
                    let text = CString::new(text.into_owned())?;
                    serde_json::to_string(&Sum { sum: (self.checksum)(text.as_ptr()) })?
                }
                "same" => {
                    let Text { text } = serde_json::from_str(arguments)?;
                    let text = CString::new(text.into_owned())?;
                    let text = CStr::from_ptr((self.same)(text.as_ptr())).to_str()?;
                    serde_json::to_string(&TextBack { text })?
                }
                "sum" => {
                    let Numbers { xs } = serde_json::from_str(arguments)?;
                    serde_json::to_string(&Sum { sum: (self.sum)(xs.as_ptr(), xs.len()) })?
                }
                "total" => {
                    let Numbers { xs } = serde_json::from_str(arguments)?;
                    serde_json::to_string(&Total { total: (self.total)(xs.as_ptr(), xs.len()) })?
                }
                "spread" => {
                    let Count { n } = serde_json::from_str(arguments)?;
                    let mut xs = vec![0.0; n];
                    (self.spread)(xs.as_mut_ptr(), n);
                    serde_json::to_string(&NumbersBack { xs })?
                }
                "center" => {
                    let Places { points } = serde_json::from_str(arguments)?;
                    serde_json::to_string(&Sum { sum: (self.center)(points.as_ptr(), points.len()) })?
                }
                "digest" => {
                    let Data { data } = serde_json::from_str(arguments)?;
                    let data = BASE64.decode(data.as_bytes())?;
                    serde_json::to_string(&Sum { sum: (self.digest)(data.as_ptr(), data.len()) })?
                }
                "invert" => {
                    let Data { data } = serde_json::from_str(arguments)?;
                    let mut data = BASE64.decode(data.as_bytes())?;
                    (self.invert)(data.as_mut_ptr(), data.len());
                    serde_json::to_string(&DataBack { data: BASE64.encode(&data) })?
                }
                _ => return Err(format!("unknown function `{function}`").into()),
            })
        }
    }
}
