//! Careful hand-written code: function pointers that are looked up once, called with JSON through
//! serde's derive or through `serde_json::Value`.
//!
//! It checks the same as the binding: types, ranges, missing and unknown arguments. It knows one
//! function, so finding it costs almost nothing.

use std::ffi::c_int;

use opendyn::libloading::{self, Library};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Error;

/// The functions of `calc.c` that need no conversions.
pub struct ByHand {
    /// The sum of two numbers.
    pub add: unsafe extern "C" fn(c_int, c_int) -> c_int,
    /// Division with remainder.
    pub divmod: unsafe extern "C" fn(c_int, c_int, *mut c_int, *mut c_int),
}

/// The result of division with remainder.
#[derive(Debug, PartialEq, Eq)]
pub struct Quotient {
    /// The quotient.
    pub quotient: c_int,
    /// The remainder.
    pub remainder: c_int,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AddArguments {
    a: c_int,
    b: c_int,
}

#[derive(Serialize)]
struct AddResult {
    result: c_int,
}

impl ByHand {
    /// Looks the functions up.
    ///
    /// # Errors
    ///
    /// The library lacks a function.
    pub fn new(library: &Library) -> Result<Self, libloading::Error> {
        // SAFETY: these are the signatures in calc.c. Bindings never unload their library.
        unsafe { Ok(Self { add: *library.get("add")?, divmod: *library.get("divmod")? }) }
    }

    /// Calls `add`.
    #[inline]
    #[must_use]
    pub fn add(&self, a: c_int, b: c_int) -> c_int {
        // SAFETY: the signature is the one in calc.c.
        unsafe { (self.add)(a, b) }
    }

    /// Calls `divmod`.
    #[inline]
    #[must_use]
    pub fn divmod(&self, dividend: c_int, divisor: c_int) -> Quotient {
        let mut quotient = 0;
        let mut remainder = 0;
        // SAFETY: the signature is the one in calc.c, and both outputs are valid.
        unsafe { (self.divmod)(dividend, divisor, &mut quotient, &mut remainder) };
        Quotient { quotient, remainder }
    }

    /// Calls `name` through derived structs.
    ///
    /// # Errors
    ///
    /// The name is not `add`, or the arguments are invalid.
    pub fn derived(&self, name: &str, arguments: &str) -> Result<String, Error> {
        if name != "add" {
            return Err(format!("unknown function `{name}`").into());
        }
        let AddArguments { a, b } = serde_json::from_str(arguments)?;
        Ok(serde_json::to_string(&AddResult { result: self.add(a, b) })?)
    }

    /// Calls `name` through `serde_json::Value`.
    ///
    /// # Errors
    ///
    /// The name is not `add`, or the arguments are invalid.
    pub fn through_value(&self, name: &str, arguments: &str) -> Result<String, Error> {
        if name != "add" {
            return Err(format!("unknown function `{name}`").into());
        }
        let arguments: Map<String, Value> = serde_json::from_str(arguments)?;
        let [a, b] = ["a", "b"].map(|key| integer(&arguments, key));
        let (a, b) = (a?, b?);
        if arguments.len() > 2 {
            return Err("unknown argument".into());
        }
        let mut result = Map::with_capacity(1);
        result.insert("result".to_owned(), self.add(a, b).into());
        Ok(serde_json::to_string(&result)?)
    }
}

fn integer(arguments: &Map<String, Value>, key: &str) -> Result<c_int, Error> {
    let value = arguments.get(key).ok_or_else(|| format!("/{key}: missing"))?;
    let value = value.as_i64().ok_or_else(|| format!("/{key}: not an integer"))?;
    Ok(value.try_into().map_err(|_| format!("/{key}: does not fit int"))?)
}
