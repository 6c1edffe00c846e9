//! A compiled binding and an interpreter of the same document, side by side: every JSON call goes to both.
//!
//! A [`Twin`] is the binding for typed calls, and a tool for JSON calls. It panics if the two answer differently. Each
//! has a copy of the library of its own, so that a call changes the variables of both alike. Typed calls reach the copy
//! of the compiled binding alone.

mod compiled;
mod difference;
mod sessions;
mod tokens;

use std::ops::Deref;
use std::path::Path;

use opendyn::{OpenTool, Tool, ToolError, libloading};
use opendyn_interpreter::{Document, Interpreted, LoadError};
use serde_json::{Map, Value};

pub use compiled::Compiled;
pub use difference::{Answer, Difference, equal};

use crate::TwinLibrary;
use tokens::{translated, translated_map, translated_value};

/// A compiled binding and an interpreter of the same document.
#[derive(Debug)]
pub struct Twin<T> {
    compiled: T,
    interpreted: Interpreted,
}

impl<T> Deref for Twin<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.compiled
    }
}

impl<T: Compiled> Twin<T> {
    /// Opens both with a copy of `tests/c/NAME.c` each.
    ///
    /// # Errors
    ///
    /// Neither can be opened.
    ///
    /// # Panics
    ///
    /// The library cannot be compiled, the document has errors, or one of the two reports an error that the other does
    /// not report.
    ///
    /// # Safety
    ///
    /// The document must describe the library correctly.
    pub unsafe fn open(name: &str, flags: &[&str]) -> Result<Self, LoadError> {
        // SAFETY: the caller vouches for the library.
        unsafe { Self::open_in(&TwinLibrary::new(name, flags)) }
    }

    /// Opens both with the libraries that are given, or the same system library.
    ///
    /// # Errors
    ///
    /// Neither can be opened.
    ///
    /// # Panics
    ///
    /// The document has errors, or one of the two reports an error that the other does not report.
    ///
    /// # Safety
    ///
    /// The document must describe the library correctly.
    pub unsafe fn open_in(library: &TwinLibrary) -> Result<Self, LoadError> {
        let source = T::source();
        // SAFETY: the caller vouches for the library.
        unsafe { Self::open_with(&source, library.compiled.path(), library.interpreted.path()) }
    }

    /// Opens both beside another twin of the same libraries, which sees what the other leaves behind.
    ///
    /// # Panics
    ///
    /// One of the two cannot be opened.
    ///
    /// # Safety
    ///
    /// The document must describe the library correctly, and one thread uses both twins.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test needs its library")]
    pub unsafe fn beside(library: &TwinLibrary) -> Self {
        let document = Document::read(T::DOCUMENT, &T::source(), &T::options()).expect("it has no errors");
        // SAFETY: the other twin has loaded both libraries, and the caller vouches for them.
        unsafe {
            let compiled = libloading::Library::new(library.compiled.path()).expect("a library");
            let interpreted = libloading::Library::new(library.interpreted.path()).expect("a library");
            Self {
                compiled: T::bound_again(compiled).expect("every function is there"),
                interpreted: Interpreted::from_library(document, interpreted)
                    .expect("every function is there"),
            }
        }
    }

    /// As [`Twin::open_in`]; the interpreter reads another document. Mutants are made so.
    ///
    /// # Errors
    ///
    /// As for [`Twin::open_in`].
    ///
    /// # Panics
    ///
    /// As for [`Twin::open_in`].
    ///
    /// # Safety
    ///
    /// Both documents must describe the library well enough for the calls that are made.
    #[expect(clippy::panic, reason = "an assertion")]
    pub unsafe fn open_with(source: &str, compiled: &Path, interpreted: &Path) -> Result<Self, LoadError> {
        let document = Document::read(T::DOCUMENT, source, &T::options())
            .unwrap_or_else(|findings| panic!("the interpreter refuses {}:\n{findings}", T::DOCUMENT));
        // SAFETY: the caller vouches for the library.
        let compiled_binding = unsafe { T::open_at(compiled) };
        let interpreter = match &compiled_binding {
            // One library for both, which calls them in turn: a second `open` would be refused.
            Ok(_) if compiled == interpreted => {
                // SAFETY: it is loaded already.
                let loaded = unsafe { libloading::Library::new(interpreted) };
                let loaded = loaded.unwrap_or_else(|error| panic!("{}: {error}", interpreted.display()));
                // SAFETY: the caller vouches for the library, and a twin is used by one thread at a time.
                unsafe { Interpreted::from_library(document, loaded) }
            }
            // SAFETY: the caller vouches for the library.
            _ => unsafe { Interpreted::open(document, interpreted) },
        };
        let opened = (compiled_binding, interpreter);
        match opened {
            (Ok(compiled), Ok(interpreted)) => Ok(Self { compiled, interpreted }),
            (Err(first), Err(second)) => {
                let paths = [compiled, interpreted].map(|path| path.display().to_string());
                for (first, second) in
                    [(first.to_string(), second.to_string()), (format!("{first:?}"), format!("{second:?}"))]
                {
                    assert_eq!(first, second.replace(&paths[1], &paths[0]), "loading");
                }
                Err(first)
            }
            (Ok(_), Err(error)) => panic!("only the interpreter cannot be opened: {error}"),
            (Err(error), Ok(_)) => panic!("only the compiled binding cannot be opened: {error}"),
        }
    }

    /// The binding alone: for calls that the interpreter cannot share.
    #[must_use]
    pub fn compiled(&self) -> &T {
        &self.compiled
    }

    /// The interpreter alone.
    #[must_use]
    pub fn interpreted(&self) -> &Interpreted {
        &self.interpreted
    }

    /// Calls both with JSON text.
    ///
    /// # Errors
    ///
    /// The answers differ.
    pub fn text(&self, function: &str, arguments: &[u8]) -> Result<Answer, Difference> {
        // What is there already must stay.
        let (mut out, mut other) = (b"before".to_vec(), b"before".to_vec());
        let compiled = self.compiled.call_into(function, arguments, &mut out);
        let interpreted = self.interpreted.call_into(function, &translated(arguments), &mut other);
        let reply = |result: Result<(), ToolError>, out: Vec<u8>| match result {
            Ok(()) => Ok(out),
            Err(error) => {
                assert_eq!(out, b"before", "{function}: an error leaves the buffer unchanged");
                Err(error)
            }
        };
        let answer = equal(function, arguments, reply(compiled, out), &reply(interpreted, other))?;
        Ok(answer.map(|reply| reply["before".len()..].to_vec()))
    }

    /// Calls both with a map.
    ///
    /// # Errors
    ///
    /// The answers differ.
    pub fn map(&self, function: &str, arguments: &Map<String, Value>) -> Result<Answer, Difference> {
        let text = |map: Map<String, Value>| Value::Object(map).to_string().into_bytes();
        let compiled = self.compiled.call(function, arguments).map(text);
        let interpreted = self.interpreted.call(function, &translated_map(arguments)).map(text);
        equal(function, &text(arguments.clone()), compiled, &interpreted)
    }

    /// Calls both with MessagePack. The answer is the reply as JSON text.
    ///
    /// # Errors
    ///
    /// The answers differ.
    ///
    /// # Panics
    ///
    /// A reply is not MessagePack.
    #[expect(clippy::expect_used, reason = "an assertion")]
    pub fn packed(&self, function: &str, arguments: &Value) -> Result<Answer, Difference> {
        let pack = |value: &Value| rmp_serde::to_vec(value).expect("every value can be packed");
        let (packed, other) = (pack(arguments), pack(&translated_value(arguments)));
        let (mut out, mut out_other) = (Vec::new(), Vec::new());
        let compiled = self.compiled.serde(
            function,
            &mut rmp_serde::Deserializer::new(&packed[..]),
            &mut rmp_serde::Serializer::new(&mut out),
        );
        let interpreted = self.interpreted.call_serde(
            function,
            &mut rmp_serde::Deserializer::new(&other[..]),
            &mut rmp_serde::Serializer::new(&mut out_other),
        );
        let text = |out: &[u8]| {
            let value: Value = rmp_serde::from_slice(out).expect("a reply is MessagePack");
            value.to_string().into_bytes()
        };
        let shown = arguments.to_string();
        let (compiled, interpreted) = (compiled.map(|()| text(&out)), interpreted.map(|()| text(&out_other)));
        let answer = equal(function, shown.as_bytes(), compiled, &interpreted)?;
        // Tokens differ in length. Where there are none, so must the bytes be equal.
        if answer.is_ok() && !out.contains(&b':') {
            assert_eq!(out, out_other, "{function} {shown}");
        }
        Ok(answer)
    }

    /// Calls both with MessagePack.
    ///
    /// # Errors
    ///
    /// Both refused the call, or it failed.
    ///
    /// # Panics
    ///
    /// The answers differ.
    pub fn call_packed(&self, function: &str, arguments: &Value) -> Result<Value, ToolError> {
        agreed(self.packed(function, arguments)).map(|reply| parsed(&reply))
    }

    /// Calls both with a tree of values.
    ///
    /// # Errors
    ///
    /// Both refused the call, or it failed.
    ///
    /// # Panics
    ///
    /// The answers differ.
    pub fn call_serde(
        &self,
        function: &str,
        arguments: &Value,
        _: serde_json::value::Serializer,
    ) -> Result<Value, ToolError> {
        let text = |value: Value| value.to_string().into_bytes();
        let compiled = self.compiled.serde(function, arguments, serde_json::value::Serializer).map(text);
        let arguments = translated_value(arguments);
        let interpreted =
            self.interpreted.call_serde(function, &arguments, serde_json::value::Serializer).map(text);
        let shown = arguments.to_string();
        agreed(equal(function, shown.as_bytes(), compiled, &interpreted)).map(|reply| parsed(&reply))
    }

    /// As [`Tool::call_json`]. Without this, a test that does not import `Tool` would call the binding alone.
    ///
    /// # Errors
    ///
    /// As for [`Tool::call_json`].
    ///
    /// # Panics
    ///
    /// The answers differ.
    pub fn call_json(&self, function: &str, arguments: &str) -> Result<String, ToolError> {
        Tool::call_json(self, function, arguments)
    }

    /// As [`Tool::load`]: the document of both.
    ///
    /// # Panics
    ///
    /// They describe themselves differently.
    pub fn load(&self) -> Option<OpenTool> {
        let (compiled, interpreted) = (self.compiled.load(), Tool::load(&self.interpreted));
        assert_eq!(compiled, interpreted, "the documents differ");
        let text = |document: &Option<OpenTool>| serde_json::to_string(document).ok();
        assert_eq!(text(&compiled), text(&interpreted), "the documents differ");
        compiled
    }
}

#[expect(clippy::panic, reason = "an assertion")]
fn agreed(answer: Result<Answer, Difference>) -> Answer {
    answer
        .unwrap_or_else(|difference| panic!("the compiled binding and the interpreter differ:\n{difference}"))
}

#[expect(clippy::expect_used, reason = "an assertion")]
fn parsed(reply: &[u8]) -> Value {
    serde_json::from_slice(reply).expect("a reply is JSON")
}

impl<T: Compiled> Tool for Twin<T> {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        out.extend(agreed(self.text(name, arguments))?);
        Ok(())
    }

    fn load(&self) -> Option<OpenTool> {
        self.load()
    }

    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        match parsed(&agreed(self.map(name, arguments))?) {
            Value::Object(reply) => Ok(reply),
            other => Err(ToolError::call_failed(format!("{other} is not an object"))),
        }
    }
}
