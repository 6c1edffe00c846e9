//! libffi with opendyn's own reader and writer: the only difference from a generated binding is the
//! typed call.

use std::ffi::CStr;

use opendyn::generated::{Args, Field, Function, Functions, Kind as Taken, Output};

use super::frame::{Datum, Frame, Kind};
use super::interpreter::{Interpreter, Prepared};
use crate::Error;

/// One function of a document, called by libffi.
pub struct OnTables {
    function: Prepared,
    functions: Functions<Self>,
    /// Static, as the writer requires: leaked, because the benchmark runs once.
    names: Vec<&'static str>,
}

impl OnTables {
    /// Takes the function `name` out of `interpreter`.
    ///
    /// # Errors
    ///
    /// The function does not exist.
    pub fn new(interpreter: Interpreter, name: &str) -> Result<Self, Error> {
        let function = interpreter.take(name)?;
        let inputs = function.parameters.iter().filter(|parameter| parameter.input);
        let fields: Vec<Field> = inputs
            .map(|parameter| Field::required(String::leak(parameter.name.clone()), taken(parameter.kind)))
            .collect();
        let outputs = function.parameters.iter().filter(|parameter| !parameter.input);
        let returned = function.returns.iter().map(|(name, _)| name);
        let names = returned
            .chain(outputs.map(|parameter| &parameter.name))
            .map(|name| &*String::leak(name.clone()))
            .collect();
        let table: &'static Function<Self> =
            Box::leak(Box::new(Function::new(String::leak(name.to_owned()), "{}", fields.leak(), thunk)));
        // SAFETY: the thunk puts no handle.
        let functions = unsafe { Functions::new("{}", vec![table].leak()) };
        Ok(Self { function, functions, names })
    }

    /// Calls the function.
    ///
    /// # Errors
    ///
    /// The function has another name, or the arguments are invalid.
    pub fn call(&self, name: &str, arguments: &str) -> Result<String, Error> {
        Ok(self.functions.call_json(self, name, arguments)?)
    }
}

fn taken(kind: Kind) -> Taken {
    match kind {
        Kind::Bool => Taken::Boolean,
        Kind::Int => Taken::INT,
        Kind::UnsignedInt => Taken::UNSIGNED_INT,
        Kind::LongLong => Taken::LONG_LONG,
        Kind::Double => Taken::Double,
        Kind::Str => Taken::Str,
    }
}

fn thunk(this: &OnTables, args: &Args<'_>, out: &mut Output<'_>) {
    let mut frame = Frame::new();
    let mut field = 0;
    for (index, parameter) in this.function.parameters.iter().enumerate() {
        if parameter.input {
            let word = match parameter.kind {
                Kind::Bool => parameter.kind.boolean(args.get(field)),
                Kind::Double => parameter.kind.double(args.get(field)),
                Kind::Str => {
                    frame.set_borrowed(index, args.get::<&CStr>(field));
                    field += 1;
                    continue;
                }
                Kind::Int | Kind::UnsignedInt | Kind::LongLong => parameter.kind.integer(args.get(field)),
            };
            // Conversion cannot fail: the reader has checked the arguments.
            frame.words[index] = word.unwrap_or(super::frame::Word::ZERO);
            field += 1;
        }
    }
    // SAFETY: the loop above set every input according to its kind.
    unsafe { this.function.call(&mut frame) };
    let mut names = this.names.iter();
    let _ = this.function.results(&frame, |_, datum| {
        let name = names.next().ok_or("as many names as results")?;
        match datum {
            Datum::Bool(value) => out.put(name, value),
            Datum::Signed(value) => out.put(name, value),
            Datum::Unsigned(value) => out.put(name, value),
            Datum::Double(value) => out.put(name, value),
            Datum::Text(_) => return Err("no benchmark returns a string here".into()),
        }
        Ok(())
    });
}
