//! Calls of functions whose tables are only known at run time, for `opendyn-interpreter`: the same reader and the same
//! writer as for compiled bindings, with a closure in place of a thunk.

use opentool::{Map, ToolError, Value};
use serde_core::{Deserializer, Serializer};

use super::arena::Arena;
use super::datum::{Datum, ListView, datum_at};
use super::from_serde;
use super::function::{Field, with_arguments};
use super::kind::Kind;
use super::output::Output;
use super::put::Encoded;
use super::put::Put;
use super::reader;
use super::slots::{Args, Slot};
use super::to_serde::Collected;
use crate::Handles;

/// Checks the JSON text `arguments` against `fields`.
///
/// # Errors
///
/// They are invalid.
pub fn check_json(fields: &[Field], arguments: &[u8]) -> Result<(), ToolError> {
    with_arguments(fields, |slots, arena| reader::read(fields, arguments, slots, arena), |_| Ok(()))
}

/// Calls `act` with `count` arguments that are all absent.
pub fn without_arguments<T>(count: usize, act: impl FnOnce(&Args<'_>) -> T) -> T {
    let slots = vec![Slot::UNSEEN; count];
    act(&Args::new(&slots, &mut Arena::new()))
}

/// Reads the JSON text `arguments`, and appends the reply of `act` to `out`. An error leaves `out` unchanged. `own` is the
/// table of handles of the binding, `handles` that of the caller, if it has one.
///
/// # Errors
///
/// The arguments are invalid, or `act` reported an error.
///
/// # Safety
///
/// As for [`Functions::new`](super::Functions::new), of `act`.
#[inline]
pub unsafe fn call_json(
    fields: &[Field],
    own: &Handles,
    handles: Option<&Handles>,
    arguments: &[u8],
    out: &mut Vec<u8>,
    act: impl for<'o> FnOnce(&'o Handles, &Args<'_>, &mut Output<'o>),
) -> Result<(), ToolError> {
    with_arguments(
        fields,
        |slots, arena| reader::read(fields, arguments, slots, arena),
        |args| {
            let before = out.len();
            let mut output = Output::json(out, handles);
            act(own, args, &mut output);
            output.finish().inspect_err(|_| out.truncate(before))
        },
    )
}

/// Reads `arguments` in any format, and writes the reply of `act` in any format.
///
/// # Errors
///
/// The arguments are invalid, `act` reported an error, or the serializer failed.
///
/// # Safety
///
/// As for [`Functions::new`](super::Functions::new), of `act`.
pub unsafe fn call_serde<'de, D: Deserializer<'de>, S: Serializer>(
    fields: &[Field],
    own: &Handles,
    arguments: D,
    serializer: S,
    act: impl for<'o> FnOnce(&'o Handles, &Args<'_>, &mut Output<'o>),
) -> Result<S::Ok, ToolError> {
    let mut collected = Collected::new(serializer.is_human_readable());
    with_arguments(
        fields,
        |slots, arena| from_serde::read(fields, arguments, slots, arena),
        |args| {
            let mut output = Output::collect(&mut collected);
            act(own, args, &mut output);
            output.finish()
        },
    )?;
    collected.serialize(serializer)
}

/// Reads a map, and returns the reply of `act` as a map.
///
/// # Errors
///
/// As for [`call_serde`].
///
/// # Safety
///
/// As for [`Functions::new`](super::Functions::new), of `act`.
pub unsafe fn call_map(
    fields: &[Field],
    own: &Handles,
    arguments: &Map<String, Value>,
    act: impl for<'o> FnOnce(&'o Handles, &Args<'_>, &mut Output<'o>),
) -> Result<Map<String, Value>, ToolError> {
    // SAFETY: as the caller guarantees.
    object(unsafe { call_serde(fields, own, arguments, serde_json::value::Serializer, act) }?)
}

/// Results are always written as a map.
pub(super) fn object(value: Value) -> Result<Map<String, Value>, ToolError> {
    match value {
        Value::Object(result) => Ok(result),
        other => Err(ToolError::call_failed(format!("the result is {other}, not an object"))),
    }
}

impl Args<'_> {
    /// Whether there is a value for the field at `index`.
    #[inline]
    #[must_use]
    pub fn is_present(&self, index: usize) -> bool {
        self.slot(index).is_present()
    }

    /// The scalar for the field at `index`: the bits of an integer, extended with its sign, or of a floating-point
    /// number; 0 if it is absent.
    #[inline]
    #[must_use]
    pub fn word(&self, index: usize) -> u64 {
        self.slot(index).word
    }

    /// Where the text, list or record of the field at `index` is, and its number of units or elements. C may write
    /// there while the arguments are borrowed.
    #[inline]
    #[must_use]
    pub fn memory(&self, index: usize) -> (*mut u8, usize) {
        let (start, length) = self.place(self.slot(index));
        (start.cast(), length)
    }
}

impl Output<'_> {
    /// Adds the value at `at`.
    ///
    /// # Safety
    ///
    /// `at` points to an initialised value with the layout of `kind`. The pointers to strings in it are NULL or point
    /// to aligned NUL-terminated strings.
    #[inline]
    pub unsafe fn put_at(&mut self, name: &'static str, kind: Kind, at: *const u8) {
        // SAFETY: the caller guarantees a value with this layout.
        let datum = unsafe { datum_at(kind, at) };
        self.datum(name, datum.unwrap_or(Datum::Null));
    }

    /// Adds the `count` elements at `at`.
    ///
    /// # Safety
    ///
    /// `at` points to `count` adjacent elements, each as for [`Output::put_at`], and is aligned for them.
    pub unsafe fn put_list(&mut self, name: &'static str, kind: &'static Kind, at: *const u8, count: usize) {
        // SAFETY: the caller guarantees the elements, which outlive the view.
        let list = unsafe { ListView::new(kind, at, count) };
        self.datum(name, Datum::List(list));
    }
}

/// Always UTF-16: no other encoding has 16-bit units.
impl Put for Encoded<&[u16]> {
    fn put(self, name: &'static str, output: &mut Output<'_>) {
        output.datum(name, Datum::Units(self.0));
    }
}
