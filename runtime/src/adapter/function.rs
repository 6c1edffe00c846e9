//! The functions of a binding as tables, and how one is found and called.

use std::sync::OnceLock;

use opentool::{Map, OpenTool, ToolError, Value};
use serde::{Deserializer, Serializer};

use super::arena::Arena;
use super::fault::Fault;
use super::index::Index;
use super::kind::Kind;
use super::output::{Output, REPLY};
use super::plain::Key;
use super::slots::{Args, Slot};
use super::to_serde::Collected;
use super::{from_serde, reader};
use crate::Handles;

/// One argument of a function.
#[derive(Debug)]
pub struct Field {
    pub(crate) key: Key,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
}

impl Field {
    /// An argument that every call gives. `name` needs no escape in JSON.
    #[must_use]
    pub const fn required(name: &'static str, kind: Kind) -> Self {
        Self { key: Key::new(name), kind, required: true }
    }

    /// An argument that may be absent or null. `name` needs no escape in JSON.
    #[must_use]
    pub const fn optional(name: &'static str, kind: Kind) -> Self {
        Self { key: Key::new(name), kind, required: false }
    }
}

/// Whether every argument is there that every call gives.
pub(crate) fn required_are_seen(fields: &[Field], slots: &[Slot]) -> Result<(), Fault> {
    match fields.iter().zip(slots).find(|(field, slot)| field.required && !slot.is_seen()) {
        None => Ok(()),
        Some((field, _)) => Err(Fault::missing(field.key.name, field.kind)),
    }
}

/// Takes checked arguments, calls the method and puts its results.
pub type Thunk<B> = fn(&B, &Args<'_>, &mut Output<'_>);

/// A function of the binding `B`.
pub struct Function<B: 'static> {
    name: &'static str,
    /// The function's part of the OpenTool document.
    opentool: &'static str,
    fields: &'static [Field],
    action: Action<B>,
}

enum Action<B> {
    Call(Thunk<B>),
    Refuse(&'static str),
}

/// Functions with at most so many parameters need no allocation for their slots.
const INLINE: usize = 8;

impl<B> Function<B> {
    /// A function that is called through `thunk`, which takes what `fields` describe.
    #[must_use]
    pub const fn new(
        name: &'static str,
        opentool: &'static str,
        fields: &'static [Field],
        thunk: Thunk<B>,
    ) -> Self {
        Self { name, opentool, fields, action: Action::Call(thunk) }
    }

    /// A function that cannot be called with JSON, and why.
    #[must_use]
    pub const fn refused(name: &'static str, opentool: &'static str, reason: &'static str) -> Self {
        Self { name, opentool, fields: &[], action: Action::Refuse(reason) }
    }

    /// Reads the arguments and runs `act` on them.
    #[inline]
    fn with_arguments(
        &self,
        read: impl FnOnce(&mut [Slot], &mut Arena) -> Result<(), Fault>,
        act: impl FnOnce(Thunk<B>, &Args<'_>) -> Result<(), ToolError>,
    ) -> Result<(), ToolError> {
        let thunk = match self.action {
            Action::Call(thunk) => thunk,
            Action::Refuse(reason) => {
                return Err(ToolError::NotCallable { name: self.name.to_owned(), reason: reason.to_owned() });
            }
        };
        let mut few = [Slot::UNSEEN; INLINE];
        let mut many = Vec::new();
        let slots = match few.get_mut(..self.fields.len()) {
            Some(slots) => slots,
            None => {
                many.resize(self.fields.len(), Slot::UNSEEN);
                &mut many
            }
        };
        let mut arena = Arena::new();
        read(slots, &mut arena)?;
        act(thunk, &Args::new(slots, &mut arena))
    }
}

/// All functions of the binding `B`.
pub struct Functions<B: 'static> {
    /// The `info` of the OpenTool document.
    info: &'static str,
    functions: &'static [&'static Function<B>],
    index: OnceLock<Index>,
}

impl<B> Functions<B> {
    /// The functions, in the order of the document.
    #[must_use]
    pub const fn new(info: &'static str, functions: &'static [&'static Function<B>]) -> Self {
        Self { info, functions, index: OnceLock::new() }
    }

    /// Calls `name` with the JSON text `arguments` and appends the reply to `out`, which is as
    /// it was if there is an error. `handles` is what tokens stand for, where the binding has handles.
    ///
    /// # Errors
    ///
    /// There is no such function, the arguments do not fit it, or the call failed.
    pub fn call_into(
        &self,
        binding: &B,
        handles: Option<&Handles>,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        let function = self.find(name)?;
        function.with_arguments(
            |slots, arena| reader::read(function.fields, arguments, slots, arena),
            |thunk, args| {
                let before = out.len();
                let mut output = Output::json(out, handles);
                thunk(binding, args, &mut output);
                output.finish().inspect_err(|_| out.truncate(before))
            },
        )
    }

    /// Calls `name` with the JSON text `arguments`; the reply is JSON text.
    ///
    /// # Errors
    ///
    /// As for [`Functions::call_into`].
    pub fn call_json(
        &self,
        binding: &B,
        handles: Option<&Handles>,
        name: &str,
        arguments: &str,
    ) -> Result<String, ToolError> {
        let mut out = Vec::with_capacity(REPLY);
        self.call_into(binding, handles, name, arguments.as_bytes(), &mut out)?;
        // SAFETY: `Output` writes names, numbers and strings, each of which is a `str`, and ASCII.
        Ok(unsafe { String::from_utf8_unchecked(out) })
    }

    /// Calls `name` with arguments in any format, and writes the reply in any format.
    ///
    /// # Errors
    ///
    /// There is no such function, the arguments do not fit it, the call failed, or the
    /// serializer did.
    pub fn call_serde<'de, D: Deserializer<'de>, S: Serializer>(
        &self,
        binding: &B,
        handles: Option<&Handles>,
        name: &str,
        arguments: D,
        serializer: S,
    ) -> Result<S::Ok, ToolError> {
        let function = self.find(name)?;
        let mut collected = Collected::new(serializer.is_human_readable());
        function.with_arguments(
            |slots, arena| from_serde::read(function.fields, arguments, slots, arena),
            |thunk, args| {
                let mut output = Output::collect(&mut collected, handles);
                thunk(binding, args, &mut output);
                output.finish()
            },
        )?;
        collected.serialize(serializer)
    }

    /// Calls `name` with a map, without a detour through text.
    ///
    /// # Errors
    ///
    /// As for [`Functions::call_serde`].
    pub fn call(
        &self,
        binding: &B,
        handles: Option<&Handles>,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Map<String, Value>, ToolError> {
        match self.call_serde(binding, handles, name, arguments, serde_json::value::Serializer)? {
            Value::Object(result) => Ok(result),
            // A map is all that the results are ever written as.
            other => Err(ToolError::call_failed(format!("the result is {other}, not an object"))),
        }
    }

    /// The OpenTool document of the binding.
    #[must_use]
    pub fn load(&self) -> Option<OpenTool> {
        let functions: Vec<&str> = self.functions.iter().map(|function| function.opentool).collect();
        let document =
            format!(r#"{{"opentool":"1.0.0","info":{},"functions":[{}]}}"#, self.info, functions.join(","));
        serde_json::from_str(&document).ok()
    }

    #[inline]
    fn find(&self, name: &str) -> Result<&'static Function<B>, ToolError> {
        let index =
            self.index.get_or_init(|| Index::new(self.functions.iter().map(|function| function.name)));
        for candidate in index.candidates(name) {
            let function = self.functions[candidate];
            if function.name == name {
                return Ok(function);
            }
        }
        Err(ToolError::unknown_function(name, self.functions.iter().map(|function| function.name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a generated binding comes to, written by hand.
    struct Calc;

    static ADD: Function<Calc> = Function::new(
        "add",
        r#"{"name":"add","description":"Sum.","parameters":[]}"#,
        &[Field::required("a", Kind::INT), Field::required("b", Kind::INT)],
        |_, args, out| out.put("result", args.get::<i32>(0).wrapping_add(args.get(1))),
    );
    static HALF: Function<Calc> = Function::new(
        "half",
        r#"{"name":"half","description":"Half.","parameters":[]}"#,
        &[Field::optional("of", Kind::Double)],
        |_, args, out| out.put("half", args.get::<Option<f64>>(0).map_or(f64::NAN, |of| of / 2.0)),
    );
    static RAW: Function<Calc> =
        Function::refused("raw", r#"{"name":"raw","description":"","parameters":[]}"#, "no `x-length`");
    static FUNCTIONS: Functions<Calc> =
        Functions::new(r#"{"title":"calc","version":"1"}"#, &[&ADD, &HALF, &RAW]);

    fn text(name: &str, arguments: &str) -> Result<String, String> {
        let mut out = b"kept ".to_vec();
        let result = FUNCTIONS.call_into(&Calc, None, name, arguments.as_bytes(), &mut out);
        let out = String::from_utf8(out).expect("text");
        match result {
            Ok(()) => Ok(out),
            Err(error) => {
                assert_eq!(out, "kept ", "an error leaves the buffer alone");
                Err(error.to_string())
            }
        }
    }

    #[test]
    fn text_to_text() {
        assert_eq!(text("add", r#"{"a":2,"b":3}"#).as_deref(), Ok(r#"kept {"result":5}"#));
        assert_eq!(text("add", r#" { "b" : 3 , "\u0061" : 2.0 } "#).as_deref(), Ok(r#"kept {"result":5}"#));
        assert_eq!(text("half", r#"{"of":1}"#).as_deref(), Ok(r#"kept {"half":0.5}"#));
    }

    #[test]
    fn an_error_leaves_the_buffer_alone() {
        assert!(text("half", "{}").is_err_and(|error| error.contains("`half` is NaN")));
        assert!(text("add", r#"{"a":2}"#).is_err_and(|error| error.contains("/b: missing")));
        assert!(
            text("raw", "{}").is_err_and(|error| error == "`raw` cannot be called with JSON: no `x-length`")
        );
        assert!(text("subtract", "{}").is_err_and(|error| error == "unknown function `subtract`"));
    }

    #[test]
    fn maps_and_message_pack_give_the_same() {
        let arguments = json!({"b": 3, "a": 2.0});
        let map = FUNCTIONS.call(&Calc, None, "add", arguments.as_object().expect("an object")).expect("5");
        assert_eq!(Value::Object(map), json!({"result": 5}));

        let packed = rmp_serde::to_vec(&arguments).expect("packed");
        let mut reply = Vec::new();
        FUNCTIONS
            .call_serde(
                &Calc,
                None,
                "add",
                &mut rmp_serde::Deserializer::new(&packed[..]),
                &mut rmp_serde::Serializer::new(&mut reply),
            )
            .expect("5");
        let reply: Value = rmp_serde::from_slice(&reply).expect("unpacked");
        assert_eq!(reply, json!({"result": 5}));
    }

    #[test]
    fn every_format_names_the_place() {
        let arguments = json!({"a": 2, "b": 3_000_000_000_u64});
        let expected = "invalid arguments: /b: 3000000000 does not fit int (-2147483648 to 2147483647)";
        let error = FUNCTIONS
            .call(&Calc, None, "add", arguments.as_object().expect("an object"))
            .expect_err("too large");
        assert_eq!(error.to_string(), expected);
        assert_eq!(text("add", &arguments.to_string()), Err(expected.to_owned()));
        let packed = rmp_serde::to_vec(&arguments).expect("packed");
        let error = FUNCTIONS
            .call_serde(
                &Calc,
                None,
                "add",
                &mut rmp_serde::Deserializer::new(&packed[..]),
                serde_json::value::Serializer,
            )
            .expect_err("too large");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn the_document_is_put_together() {
        let document = FUNCTIONS.load().expect("a document");
        assert_eq!(document.info.title, "calc");
        assert_eq!(
            document.functions.iter().map(|function| &*function.name).collect::<Vec<_>>(),
            ["add", "half", "raw"]
        );
    }
}
