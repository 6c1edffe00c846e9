//! How many elements there are: of what the caller gives, of buffers, and of what C gives.

use super::call::Call;
use super::literals::text;
use super::parts::Part;
use super::refusal::{self, Refusal};
use super::types::unit_size;
use opendyn_model::c_type::CType;
use opendyn_model::plan::{Amount, AskArg, Counted, Kind, Place, TextKind};

impl Call<'_, '_> {
    pub(super) fn count(&mut self, into: usize, c_type: CType, counted: &Counted) {
        let (name, of) = (self.names.param(into).to_owned(), self.script.c_type(c_type));
        let count = match counted {
            Counted::Known(count) => count.to_string(),
            Counted::Arrays(arrays) => {
                let length = self.first_length(arrays);
                let key = arrays.first().map(|array| text(&self.function.params[*array].key));
                self.script.call(Part::Length, &[&key.unwrap_or_default(), &length, &of])
            }
        };
        self.before.push(format!("{name} = {count}"));
        if self.is_pointer(into) {
            self.before.push(format!("{} = {of}({name})", self.names.memory(into)));
        }
    }

    /// The length of the first of these arrays that is present.
    pub(super) fn first_length(&mut self, arrays: &[usize]) -> String {
        if let [array] = arrays
            && !self.is_optional(*array)
        {
            return self.length(*array);
        }
        let arrays: Vec<String> = arrays
            .iter()
            .map(|array| match (self.names.param(*array), self.unit(*array)) {
                (name, 1) => name.to_owned(),
                (name, unit) => format!("None if {name} is None else {name}[::{unit}]"),
            })
            .collect();
        let arrays: Vec<&str> = arrays.iter().map(String::as_str).collect();
        self.script.call(Part::First, &arrays)
    }

    /// How many elements an array has that is present.
    fn length(&self, array: usize) -> String {
        match (self.names.param(array), self.unit(array)) {
            (name, 1) => format!("len({name})"),
            (name, unit) => format!("len({name}) // {unit}"),
        }
    }

    /// How many items of the Python value make one element: text is read as bytes.
    fn unit(&self, array: usize) -> usize {
        let kind = self.function.params[array].argument.as_ref().and_then(|argument| argument.kind.as_ref());
        if let Some(Kind::Text(TextKind { encoding, .. })) = kind { unit_size(*encoding) } else { 1 }
    }

    pub(super) fn same_length(&mut self, array: usize, expected: &str) {
        let (key, length) = (text(&self.function.params[array].key), self.length(array));
        let check = self.script.call(Part::Same, &[&key, &length, expected]);
        if self.is_optional(array) {
            self.before.push(format!("if {} is not None:", self.names.param(array)));
            self.before.push(format!("    {check}"));
        } else {
            self.before.push(check);
        }
    }

    /// How many elements, before the call.
    pub(super) fn amount(&mut self, amount: &Amount) -> Result<String, Refusal> {
        Ok(match amount {
            Amount::Param(index) => self.names.param(*index).to_owned(),
            Amount::Const(count) => count.to_string(),
            // Only functions that take a handle have one.
            Amount::Member { .. } => return Err(self.handle_refusal(0)),
            Amount::Ask { function, args, output: None } => self.asked(*function, args)?,
            Amount::Product(_) | Amount::Sum(_) | Amount::Terminated | Amount::Ask { .. } => {
                return Err(refusal::length());
            }
        })
    }

    /// How many elements, after the call; `key` is the literal of the name for messages.
    pub(super) fn counted(&mut self, count: &Amount, key: &str) -> Result<String, Refusal> {
        let count = match count {
            Amount::Const(count) => return Ok(count.to_string()),
            Amount::Member { .. } => return Err(self.handle_refusal(0)),
            Amount::Param(index) => self.left(Place::Param(*index)),
            Amount::Ask { function, args, output: None } => self.asked(*function, args)?,
            Amount::Product(_) | Amount::Sum(_) | Amount::Terminated | Amount::Ask { .. } => {
                return Err(refusal::length());
            }
        };
        Ok(self.script.call(Part::Count, &[&count, key]))
    }

    /// What another function returns.
    fn asked(&mut self, function: usize, args: &[AskArg]) -> Result<String, Refusal> {
        let mut passed = Vec::new();
        for arg in args {
            passed.push(match arg {
                AskArg::Param(index) => self.operand(*index, &self.function.params[*index])?.passed,
                AskArg::Integer(value) => value.to_string(),
                AskArg::Left(index) => self.left(Place::Param(*index)),
                AskArg::Returned => self.left(Place::Returned),
                AskArg::Asked(_) => return Err(refusal::failure()),
            });
        }
        let asked = self.loaded(&self.script.binding.functions[function]);
        Ok(format!("{asked}({})", passed.join(", ")))
    }
}
