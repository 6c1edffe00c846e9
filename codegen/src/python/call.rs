//! One call: the arguments are read, and then the steps of the plan are carried out.

use super::literals::text;
use super::names::Names;
use super::parts::Part;
use super::records::stand_in;
use super::refusal::{self, Refusal};
use super::script::Script;
use opendyn_model::plan::{
    Amount, Argument, CBase, Callback, FreeArg, FreeBy, Function, Memory, Param, Place, Presence, Shape, Step,
};

/// The most bytes of a buffer whose size the library tells.
const BUFFER_LIMIT: &str = "limit=64 << 20";

/// The body of a call while it is written.
pub(super) struct Call<'s, 'b> {
    pub(super) script: &'s mut Script<'b>,
    pub(super) function: &'b Function,
    pub(super) names: Names,
    /// The lines up to the call of C.
    pub(super) before: Vec<String>,
    /// The lines behind it.
    after: Vec<String>,
    /// What frees memory of C's, whichever way the lines behind the call end.
    frees: Vec<String>,
}

/// The lines of a call.
pub(super) fn lines<'b>(script: &mut Script<'b>, function: &'b Function) -> Result<Vec<String>, Refusal> {
    let mut call = Call {
        script,
        function,
        names: Names::of(function),
        before: Vec::new(),
        after: Vec::new(),
        frees: Vec::new(),
    };
    let types = call.script.types();
    let mut values = function.signature.params.iter().chain(&function.signature.returns);
    if values.any(
        |value| matches!(value.base, CBase::Record(record) if types.records[record].is_odd(&types.records)),
    ) {
        return Err(refusal::odd());
    }
    call.take_arguments()?;
    for step in &function.steps {
        call.step(step)?;
    }
    Ok(call.finish())
}

impl<'b> Call<'_, 'b> {
    fn take_arguments(&mut self) -> Result<(), Refusal> {
        let function = self.function;
        let keys: Vec<String> = function.inputs().map(|(param, _)| text(&param.key)).collect();
        let taken = if keys.is_empty() { "" } else { "given = " };
        let arguments = self.script.call(Part::Arguments, &["tool_input", &format!("[{}]", keys.join(", "))]);
        self.before.push(format!("{taken}{arguments}"));
        for (index, param) in function.params.iter().enumerate() {
            if let Some(argument) = &param.argument {
                self.take(index, param, argument)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, index: usize, param: &Param, argument: &Argument) -> Result<(), Refusal> {
        if let Shape::Closure(Callback { progress: Some(_), .. }) = &argument.shape {
            return Err(refusal::progress(&param.key));
        }
        // JSON gives nothing for a buffer of unknown size.
        let Some(kind) = &argument.kind else { return Err(refusal::room(&param.key)) };
        let (name, key) = (self.names.param(index).to_owned(), text(&param.key));
        let kind = self.script.kind(kind, &param.key)?;
        let default = match &argument.presence {
            Presence::Required => {
                self.before.push(format!("{name} = given.take({key}, {kind})"));
                return Ok(());
            }
            Presence::Optional(Some(default)) => Some(stand_in(default, &kind)),
            Presence::Optional(None) => self.zero(index),
        };
        let default = default.map(|default| format!(", default={default}")).unwrap_or_default();
        self.before.push(format!("{name} = given.maybe({key}, {kind}{default})"));
        Ok(())
    }

    /// What C is passed by value for an absent argument; without one, NULL.
    fn zero(&mut self, index: usize) -> Option<String> {
        let value = &self.function.signature.params[index];
        if value.stars > 0 {
            return None;
        }
        match &value.base {
            CBase::Scalar(_) => Some("0".to_owned()),
            CBase::Record(record) => Some(format!("{}()", self.script.record_class(*record))),
            CBase::Handle(_) | CBase::Function(_) => None,
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Refusal> {
        match step {
            // `_function` fails for every function that the library lacks.
            Step::Require => {}
            Step::Count { into, c_type, counted } => self.count(*into, *c_type, counted),
            Step::SameLength { array, others } => {
                let expected = self.first_length(others);
                self.same_length(*array, &expected);
            }
            Step::ExactLength { array, expected } => {
                let expected = self.amount(expected)?;
                self.same_length(*array, &expected);
            }
            // The kind of the argument accepts no other values.
            Step::Listed { .. } | Step::Terminate { .. } => {}
            Step::Limits { .. } => return Err(refusal::limits()),
            Step::Allocate { into, memory } => self.allocate(*into, memory)?,
            Step::Release { param }
            | Step::SameArguments { param, .. }
            | Step::Freed { param, .. }
            | Step::Taken { param, .. } => {
                return Err(self.handle_refusal(*param));
            }
            Step::Passed { param, .. } => return Err(refusal::taken(&self.function.params[*param].key)),
            Step::Keep { param, .. } => return Err(refusal::kept(&self.function.params[*param].key)),
            // JSON gives no closure, so that C is passed NULL.
            Step::Lend { .. } | Step::Finish { .. } | Step::ResumeKept => {}
            Step::Invoke => self.invoke()?,
            Step::Settle { .. } => {}
            Step::Dispose { param, .. } => {
                return Err(refusal::member(&self.function.params[*param].key));
            }
            Step::Fill { state, .. } | Step::Clear { state, .. } => {
                let param = &self.function.params[*state];
                return Err(refusal::state(&param.key, &param.key));
            }
            Step::Read(_) => return Err(self.handle_refusal(0)),
            Step::Hold { free } => {
                let returned = self.names.returned.clone();
                self.free(Some(*free), &returned)?;
            }
            Step::Errno(_) => return Err(refusal::failure()),
            Step::Fail(fail) => match fail.code_alone() {
                Some(successes) => self.fail(successes),
                None => return Err(refusal::failure()),
            },
            Step::Collect => self.collect()?,
        }
        Ok(())
    }

    fn allocate(&mut self, into: usize, memory: &Memory) -> Result<(), Refusal> {
        let (name, local) = (self.names.param(into).to_owned(), self.names.memory(into));
        let param = &self.function.params[into];
        let made = match memory {
            Memory::Zero(c_type) => format!("{}()", self.script.c_type(*c_type)),
            Memory::Buffer { content, capacity } => {
                let (key, of) = (text(&param.key), self.script.content_type(*content));
                let room = self.amount(capacity)?;
                match capacity {
                    Amount::Param(_) | Amount::Const(_) | Amount::Member { .. } => {
                        self.script.call(Part::Buffer, &[&key, &of, &room])
                    }
                    Amount::Product(_) | Amount::Sum(_) | Amount::Terminated => return Err(refusal::length()),
                    Amount::Ask { .. } => self.script.call(Part::Buffer, &[&key, &of, &room, BUFFER_LIMIT]),
                }
            }
            Memory::Capacity { c_type, of, by_pointer } => {
                let c_type = self.script.c_type(*c_type);
                self.before.push(format!("{name} = {}.counted({c_type})", self.names.memory(*of)));
                if !by_pointer {
                    return Ok(());
                }
                format!("{c_type}({name})")
            }
            Memory::Copy => {
                let of = self.script.pointee_type(&self.function.signature.params[into]);
                format!("{of}({name})")
            }
            Memory::Record(record) => format!("{}()", self.script.record_class(*record)),
            Memory::State { record, .. } => {
                return Err(refusal::state(&param.key, &self.script.types().records[*record].name));
            }
            Memory::Pointer { free, .. } => {
                self.free(*free, &format!("{local}.value"))?;
                format!("{}()", self.script.ctypes("c_void_p"))
            }
            // The kind of the argument makes the struct; one with buffers is refused there.
            Memory::Loan(_) => return Ok(()),
            Memory::Taken(_) => return Err(refusal::taken(&param.key)),
            // The kind of the argument is refused.
            Memory::Handles { .. } | Memory::Pointers { nullable: true, .. } => return Ok(()),
            Memory::Pointers { terminated: false, nullable: false } => {
                self.script.call(Part::Strings, &[&name])
            }
            Memory::Pointers { terminated: true, .. } | Memory::Terminated(_) => {
                return Err(refusal::length());
            }
        };
        self.before.push(format!("{local} = {made}"));
        Ok(())
    }

    fn invoke(&mut self) -> Result<(), Refusal> {
        let function = self.function;
        let mut passed = Vec::new();
        for (index, param) in function.passed().enumerate() {
            let operand = self.operand(index, param)?;
            if let Some(memory) = operand.memory {
                self.before.push(format!("{} = {memory}", self.names.memory(index)));
            }
            passed.push(operand.passed);
        }
        let called = self.loaded(function);
        self.before.push(format!("function = {called}"));
        let call = format!("function({})", passed.join(", "));
        self.before.push(match function.signature.returns {
            Some(_) => format!("{} = {call}", self.names.returned),
            None => call,
        });
        Ok(())
    }

    /// A function of the library.
    pub(super) fn loaded(&mut self, function: &Function) -> String {
        let (params, returns) = self.script.signature(&function.signature);
        let params = format!("[{}]", params.join(", "));
        self.script.call(Part::Function, &[&text(&function.symbol), &returns, &params])
    }

    fn free(&mut self, free: Option<usize>, address: &str) -> Result<(), Refusal> {
        let Some(free) = free else { return Ok(()) };
        let (binding, types) = (self.script.binding, self.script.types());
        let symbol = match &types.frees[free].by {
            FreeBy::Function { function, args, .. } if *args == [FreeArg::Value] => {
                text(&binding.functions[*function].symbol)
            }
            FreeBy::Symbol(symbol) => text(&types.symbols[*symbol].name.value),
            FreeBy::Function { .. } | FreeBy::Variable(_) => return Err(refusal::free()),
        };
        let freed = self.script.call(Part::Free, &[&symbol, address]);
        self.frees.push(freed);
        Ok(())
    }

    fn fail(&mut self, successes: &[i64]) {
        let successes: Vec<String> = successes.iter().map(i64::to_string).collect();
        let successes = format!("[{}]", successes.join(", "));
        let returned = self.names.returned.clone();
        let codes = || self.script.binding.codes.iter().filter(|code| code.has_text());
        if codes().next().is_none() {
            let check = self.script.call(Part::Success, &[&returned, &successes, "{}"]);
            self.after.push(check);
            return;
        }
        self.after.push(format!("{}({returned}, {successes}, {{", self.script.part(Part::Success)));
        self.after.extend(codes().map(|code| format!("    {}: {},", code.value, text(&code.text))));
        self.after.push("})".to_owned());
    }

    fn collect(&mut self) -> Result<(), Refusal> {
        let function = self.function;
        if function.outcomes.is_empty() {
            self.after.push("return {}".to_owned());
            return Ok(());
        }
        self.after.push("return {".to_owned());
        for outcome in &function.outcomes {
            let value = self.outcome(outcome)?;
            self.after.push(format!("    {}: {value},", text(&outcome.key)));
        }
        self.after.push("}".to_owned());
        Ok(())
    }

    /// The scalar or pointer that is in a place after the call.
    pub(super) fn left(&self, place: Place) -> String {
        match place {
            Place::Returned => self.names.returned.clone(),
            Place::Param(index) if self.is_pointer(index) => format!("{}.value", self.names.memory(index)),
            Place::Param(index) => self.names.param(index).to_owned(),
        }
    }

    pub(super) fn is_pointer(&self, index: usize) -> bool {
        self.function.signature.params.get(index).is_some_and(|value| value.stars > 0)
    }

    pub(super) fn is_optional(&self, index: usize) -> bool {
        self.function.params[index].argument.as_ref().is_some_and(Argument::is_optional)
    }

    /// The lines in order. Where C gave memory to free, the lines behind the call are tried.
    fn finish(self) -> Vec<String> {
        let Self { mut before, after, frees, .. } = self;
        if frees.is_empty() {
            before.extend(after);
            return before;
        }
        let indented = |line: String| format!("    {line}");
        before.push("try:".to_owned());
        before.extend(after.into_iter().map(indented));
        before.push("finally:".to_owned());
        before.extend(frees.into_iter().rev().map(indented));
        before
    }
}
