//! An interpreter of documents: libffi with prebuilt call interfaces, and `serde_json::Value`.
//!
//! As much as possible is done before the first call: the document is read, the symbols are looked
//! up, the call interfaces are prepared and the functions are in a hash table.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::mem::ManuallyDrop;
use std::ptr;

use libffi::middle::{Arg, Cif, CodePtr, Type, arg, ret};
use opendyn::libloading::Library;
use serde_json::{Map, Value};

use super::frame::{Datum, Frame, Kind, MOST, Word};
use crate::Error;

/// The functions of a document, ready to be called.
pub struct Interpreter {
    // The hashes are the same in every run, so that the instruction counts are too.
    functions: HashMap<String, Prepared, BuildHasherDefault<DefaultHasher>>,
}

/// A function that is ready to be called.
pub(super) struct Prepared {
    code: CodePtr,
    interface: Cif,
    pub(super) parameters: Vec<Parameter>,
    pub(super) returns: Option<(String, Kind)>,
}

pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) input: bool,
    by_address: bool,
}

impl Interpreter {
    /// Reads `document` and looks its functions up in the library at `path`.
    ///
    /// # Errors
    ///
    /// The document is not one that the benchmarks use, or the library lacks a function.
    ///
    /// # Safety
    ///
    /// The document describes the library correctly.
    pub unsafe fn new(document: &str, path: &str) -> Result<Self, Error> {
        let document: Value = serde_json::from_str(document)?;
        // SAFETY: the caller guarantees the library. It is never unloaded.
        let library = ManuallyDrop::new(unsafe { Library::new(path)? });
        let mut functions = HashMap::default();
        for function in document["functions"].as_array().into_iter().flatten() {
            let name = function["name"].as_str().unwrap_or_default();
            functions.insert(name.to_owned(), Prepared::new(&document, function, &library)?);
        }
        Ok(Self { functions })
    }

    pub(super) fn find(&self, name: &str) -> Result<&Prepared, Error> {
        self.functions.get(name).ok_or_else(|| format!("unknown function `{name}`").into())
    }

    /// Takes one function out.
    pub(super) fn take(mut self, name: &str) -> Result<Prepared, Error> {
        self.functions.remove(name).ok_or_else(|| format!("unknown function `{name}`").into())
    }

    /// Calls `name`, with `serde_json::Value` on both sides.
    ///
    /// # Errors
    ///
    /// The function does not exist, or the arguments are invalid.
    pub fn call(&self, name: &str, arguments: &str) -> Result<String, Error> {
        let function = self.find(name)?;
        let arguments: Map<String, Value> = serde_json::from_str(arguments)?;
        let mut frame = Frame::new();
        let mut found = 0;
        for (index, parameter) in function.parameters.iter().enumerate() {
            if parameter.input {
                let name = &parameter.name;
                let value = arguments.get(name).ok_or_else(|| format!("/{name}: missing"))?;
                set(&mut frame, index, parameter.kind, value)?;
                found += 1;
            }
        }
        if found != arguments.len() {
            return Err("unknown argument".into());
        }
        // SAFETY: `set` wrote every input according to its kind.
        unsafe { function.call(&mut frame) };
        let mut results = Map::with_capacity(function.parameters.len() + 1);
        function.results(&frame, |name, datum| {
            let value = match datum {
                Datum::Bool(value) => value.into(),
                Datum::Signed(value) => value.into(),
                Datum::Unsigned(value) => value.into(),
                Datum::Double(value) => value.into(),
                Datum::Text(text) => text.into(),
            };
            results.insert(name.to_owned(), value);
            Ok(())
        })?;
        Ok(serde_json::to_string(&results)?)
    }
}

fn set(frame: &mut Frame, index: usize, kind: Kind, value: &Value) -> Result<(), Error> {
    frame.words[index] = match value {
        Value::Bool(value) => kind.boolean(*value)?,
        Value::Number(number) => match number.as_i64() {
            Some(integer) => kind.integer(integer)?,
            None => kind.double(number.as_f64().ok_or("beyond double")?)?,
        },
        Value::String(text) if kind == Kind::Str => return frame.set_text(index, text),
        _ => return Err("a value of the wrong type".into()),
    };
    Ok(())
}

impl Prepared {
    fn new(document: &Value, function: &Value, library: &Library) -> Result<Self, Error> {
        let resolve = |schema: &Value| match schema["$ref"].as_str() {
            Some(reference) => Kind::of(&document["schemas"][reference.trim_start_matches("#/schemas/")]),
            None => Kind::of(schema),
        };
        let mut parameters = Vec::new();
        for parameter in function["parameters"].as_array().into_iter().flatten() {
            let (kind, by_address) = resolve(&parameter["schema"])?;
            let name = parameter["name"].as_str().unwrap_or_default().to_owned();
            parameters.push(Parameter { name, kind, input: parameter["isIn"] == true, by_address });
        }
        if parameters.len() > MOST {
            return Err("more parameters than any benchmark has".into());
        }
        let returns = match function.get("return") {
            None => None,
            Some(value) => match resolve(&value["schema"])? {
                (kind, false) => Some((value["name"].as_str().unwrap_or_default().to_owned(), kind)),
                (_, true) => return Err("no benchmark returns a scalar by address".into()),
            },
        };
        let types: Vec<Type> = parameters
            .iter()
            .map(|parameter| if parameter.by_address { Type::pointer() } else { parameter.kind.ffi() })
            .collect();
        let result = returns.as_ref().map_or(Type::void(), |(_, kind)| kind.ffi());
        let name = function["name"].as_str().unwrap_or_default();
        // SAFETY: the address is only stored here.
        let code = unsafe { *library.get::<*const ()>(name)? };
        let interface = Cif::new(types, result);
        Ok(Self { code: CodePtr(code.cast_mut().cast()), interface, parameters, returns })
    }

    /// Calls the function with the words in `frame`, where it leaves its outputs.
    ///
    /// # Safety
    ///
    /// The words of all inputs were set according to their kinds.
    pub(super) unsafe fn call(&self, frame: &mut Frame) {
        let mut addresses = [ptr::null_mut::<Word>(); MOST];
        for (address, word) in addresses.iter_mut().zip(&mut frame.words) {
            *address = word;
        }
        let arguments: [Arg<'_>; MOST] = std::array::from_fn(|index| match self.parameters.get(index) {
            Some(Parameter { by_address: true, .. }) => arg(&addresses[index]),
            // SAFETY: it is the address of a word of the frame, which is not borrowed elsewhere.
            _ => arg(unsafe { &*addresses[index] }),
        });
        let arguments = &arguments[..self.parameters.len()];
        // SAFETY: the caller of `Interpreter::new` guaranteed that the document, from which the interface
        // was made, fits the function; the caller of this function has set the inputs.
        unsafe { self.interface.call_return_into(self.code, arguments, ret(&mut frame.returned)) };
    }

    /// Passes the return value and the outputs to `put`, by name.
    pub(super) fn results<'s>(
        &'s self,
        frame: &'s Frame,
        mut put: impl FnMut(&'s str, Datum<'s>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some((name, kind)) = &self.returns {
            // SAFETY: `call` wrote the word, for a function that returns this kind.
            put(name, unsafe { frame.returned.returned(*kind)? })?;
        }
        for (parameter, word) in self.parameters.iter().zip(&frame.words) {
            if !parameter.input {
                // SAFETY: an output is zero or a value of this kind that the function wrote.
                put(&parameter.name, unsafe { word.datum(parameter.kind)? })?;
            }
        }
        Ok(())
    }
}
