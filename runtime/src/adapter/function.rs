//! The function tables of a binding, and how a function is found and called.

use std::sync::OnceLock;

use opentool::{CallContext, Map, OpenTool, Refused, ToolError, Value};
use serde_core::{Deserializer, Serializer};

use super::arena::Arena;
use super::fault::Fault;
use super::index::{Index, is_same};
use super::kind::Kind;
use super::output::{Output, REPLY};
use super::plain::Key;
use super::slots::{Args, Slot};
use super::to_serde::Collected;
use super::{from_serde, interpreted, reader};
use crate::Handles;
use crate::cancel::cancellable;

/// One argument of a function.
#[derive(Debug)]
pub struct Field {
    pub(crate) key: Key,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
}

impl Field {
    /// A required argument. `name` needs no escape in JSON.
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

/// Checks that every required argument is present.
pub(crate) fn required_are_seen(fields: &[Field], slots: &[Slot]) -> Result<(), Fault> {
    match fields.iter().zip(slots).find(|(field, slot)| field.required && !slot.is_seen()) {
        None => Ok(()),
        Some((field, _)) => Err(Fault::missing(field.key.name, field.kind)),
    }
}

/// Takes checked arguments, calls the method and puts its results.
pub type Thunk<B> = for<'o> fn(&'o B, &Args<'_>, &mut Output<'o>);

/// A function of the binding `B`.
pub struct Function<B: 'static> {
    name: &'static str,
    /// The function's part of the OpenTool document.
    opentool: &'static str,
    fields: &'static [Field],
    action: Action<B>,
    /// Whether a running call ends when it is cancelled.
    cancels: bool,
}

enum Action<B> {
    Call(Thunk<B>),
    /// The reason, and the open questions of the document.
    Refuse(&'static str, &'static [&'static str]),
}

/// The maximum number of parameters whose slots need no allocation.
const INLINE: usize = 8;

/// Reads the arguments that `fields` describe with `read`, and passes them to `act`.
#[inline(always)]
pub(super) fn with_arguments(
    fields: &[Field],
    read: impl FnOnce(&mut [Slot], &mut Arena) -> Result<(), Fault>,
    act: impl FnOnce(&Args<'_>) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let mut arena = Arena::new();
    let mut few = [Slot::UNSEEN; INLINE];
    if let Some(slots) = few.get_mut(..fields.len()) {
        read(slots, &mut arena)?;
        return act(&Args::new(slots, &mut arena));
    }
    let mut many = vec![Slot::UNSEEN; fields.len()];
    read(&mut many, &mut arena)?;
    act(&Args::new(&many, &mut arena))
}

impl<B> Function<B> {
    /// A function that is called through `thunk`, which takes the arguments that `fields` describe.
    #[must_use]
    pub const fn new(
        name: &'static str,
        opentool: &'static str,
        fields: &'static [Field],
        thunk: Thunk<B>,
    ) -> Self {
        Self { name, opentool, fields, action: Action::Call(thunk), cancels: false }
    }

    /// As [`Function::new`], for a function whose running calls end when they are cancelled.
    #[must_use]
    pub const fn cancellable(
        name: &'static str,
        opentool: &'static str,
        fields: &'static [Field],
        thunk: Thunk<B>,
    ) -> Self {
        Self { name, opentool, fields, action: Action::Call(thunk), cancels: true }
    }

    /// A function that cannot be called with JSON, and the reason.
    #[must_use]
    pub const fn refused(name: &'static str, reason: &'static str) -> Self {
        Self { name, opentool: "", fields: &[], action: Action::Refuse(reason, &[]), cancels: false }
    }

    /// As [`Function::refused`], with the open questions of the document about the function.
    #[must_use]
    pub const fn unanswered(
        name: &'static str,
        reason: &'static str,
        questions: &'static [&'static str],
    ) -> Self {
        let action = Action::Refuse(reason, questions);
        Self { name, opentool: "", fields: &[], action, cancels: false }
    }

    /// Why it cannot be called, if it cannot.
    fn refusal(&self) -> Option<Refused> {
        let Action::Refuse(reason, questions) = self.action else { return None };
        let questions = questions.iter().map(|question| (*question).to_owned()).collect();
        Some(Refused { name: self.name.to_owned(), reason: reason.to_owned(), questions })
    }

    /// Reads the arguments and passes them to `act`.
    #[inline]
    fn with_arguments(
        &self,
        read: impl FnOnce(&mut [Slot], &mut Arena) -> Result<(), Fault>,
        act: impl FnOnce(Thunk<B>, &Args<'_>) -> Result<(), ToolError>,
    ) -> Result<(), ToolError> {
        let thunk = match self.action {
            Action::Call(thunk) => thunk,
            Action::Refuse(reason, _) => {
                return Err(ToolError::NotCallable { name: self.name.to_owned(), reason: reason.to_owned() });
            }
        };
        with_arguments(self.fields, read, |args| act(thunk, args))
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
    ///
    /// # Safety
    ///
    /// What their thunks put into an output as a handle is one of this binding, with the function that frees it, and
    /// they take handles away only if C frees them. So nothing frees a pointer that safe code made up.
    #[must_use]
    pub const unsafe fn new(info: &'static str, functions: &'static [&'static Function<B>]) -> Self {
        Self { info, functions, index: OnceLock::new() }
    }

    /// Calls `name` with the JSON text `arguments` and appends the reply to `out`. An error leaves
    /// `out` unchanged.
    ///
    /// # Errors
    ///
    /// The function does not exist, the arguments are invalid, or the call failed.
    pub fn call_into(
        &self,
        binding: &B,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        self.call_as(binding, None, name, arguments, out)
    }

    /// As [`Functions::call_into`], for a caller with a table of handles of its own.
    ///
    /// # Errors
    ///
    /// As for [`Functions::call_into`].
    pub fn call_with(
        &self,
        binding: &B,
        handles: &Handles,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        self.call_as(binding, Some(handles), name, arguments, out)
    }

    #[inline(always)]
    fn call_as(
        &self,
        binding: &B,
        handles: Option<&Handles>,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        let Some(function) = self.named(name) else { return Err(self.unknown(name)) };
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

    /// As [`Functions::call_into`], for a server that may cancel the call, or is told how far it is.
    ///
    /// # Errors
    ///
    /// As for [`Functions::call_into`].
    pub fn call_for(
        &self,
        binding: &B,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        if self.can_cancel(name) || context.is_watched() {
            return cancellable(context, || self.call_into(binding, name, arguments, out));
        }
        self.call_into(binding, name, arguments, out)
    }

    /// Whether a running call of `name` ends when it is cancelled.
    #[must_use]
    pub fn can_cancel(&self, name: &str) -> bool {
        self.find(name).is_ok_and(|function| function.cancels)
    }

    /// Calls `name` with the JSON text `arguments`; the reply is JSON text.
    ///
    /// # Errors
    ///
    /// As for [`Functions::call_into`].
    pub fn call_json(&self, binding: &B, name: &str, arguments: &str) -> Result<String, ToolError> {
        let mut out = Vec::with_capacity(REPLY);
        self.call_into(binding, name, arguments.as_bytes(), &mut out)?;
        // SAFETY: `out` was empty, and `Output` writes only `str`s and ASCII punctuation.
        Ok(unsafe { String::from_utf8_unchecked(out) })
    }

    /// Calls `name` with arguments in any format, and writes the reply in any format.
    ///
    /// # Errors
    ///
    /// The function does not exist, the arguments are invalid, or the call or the serializer failed.
    pub fn call_serde<'de, D: Deserializer<'de>, S: Serializer>(
        &self,
        binding: &B,
        name: &str,
        arguments: D,
        serializer: S,
    ) -> Result<S::Ok, ToolError> {
        let function = self.find(name)?;
        let mut collected = Collected::new(serializer.is_human_readable());
        function.with_arguments(
            |slots, arena| from_serde::read(function.fields, arguments, slots, arena),
            |thunk, args| {
                let mut output = Output::collect(&mut collected);
                thunk(binding, args, &mut output);
                output.finish()
            },
        )?;
        collected.serialize(serializer)
    }

    /// Calls `name` with a map, without converting it to text.
    ///
    /// # Errors
    ///
    /// As for [`Functions::call_serde`].
    pub fn call(
        &self,
        binding: &B,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Map<String, Value>, ToolError> {
        interpreted::object(self.call_serde(binding, name, arguments, serde_json::value::Serializer)?)
    }

    /// The OpenTool document of the binding: the functions that can be called with JSON, and why the others cannot.
    #[must_use]
    pub fn load(&self) -> Option<OpenTool> {
        let callable = self.functions.iter().filter(|function| matches!(function.action, Action::Call(_)));
        let functions: Vec<&str> = callable.map(|function| function.opentool).collect();
        let document =
            format!(r#"{{"opentool":"1.0.0","info":{},"functions":[{}]}}"#, self.info, functions.join(","));
        let mut document: OpenTool = serde_json::from_str(&document).ok()?;
        document.refused = self.functions.iter().filter_map(|function| function.refusal()).collect();
        Some(document)
    }

    #[inline]
    fn find(&self, name: &str) -> Result<&'static Function<B>, ToolError> {
        match self.named(name) {
            Some(function) => Ok(function),
            None => Err(self.unknown(name)),
        }
    }

    #[inline]
    fn named(&self, name: &str) -> Option<&'static Function<B>> {
        let index =
            self.index.get_or_init(|| Index::new(self.functions.iter().map(|function| function.name)));
        let mut candidates = index.candidates(name);
        let found = candidates.find(|candidate| {
            self.functions.get(*candidate).is_some_and(|function| is_same(function.name, name))
        })?;
        self.functions.get(found).copied()
    }

    #[cold]
    #[inline(never)]
    fn unknown(&self, name: &str) -> ToolError {
        ToolError::unknown_function(name, self.functions.iter().map(|function| function.name))
    }
}

#[cfg(test)]
#[path = "function_tests.rs"]
mod tests;
