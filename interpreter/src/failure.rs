//! The error of a call that C reports as failed. Everything in it is a copy: what C gave is freed after that.

use std::ffi::c_void;

use opendyn::generated::{System, Value};
use opendyn::interpreted::{text_at, text_between};
use opendyn::{CallError, Codes, FailedCall};
use opendyn_model::plan::{
    self, AskArg, Asked, CodeSource, Content, Encoding, Fail, FieldType, Got, Outcome, Place, Scalar,
    TextSource, View, When,
};

use crate::call::Call;
use crate::kinds::encoding;
use crate::number::{Form, Number};

impl Call<'_> {
    /// Fails if C reported a failure.
    pub(crate) fn fail(&mut self, fail: &'static Fail) -> Result<(), CallError> {
        if !self.failed(&fail.when)? {
            return Ok(());
        }
        let code = match &fail.code {
            CodeSource::None => None,
            CodeSource::Returned => Some(self.integer(Place::Returned) as i64),
            CodeSource::System(_) => Some(self.errno),
            CodeSource::Call(asked) => self.number_of(asked)?.map(|code| code as i64),
        };
        let codes = match fail.code {
            // The codes of the document are not those of the system.
            CodeSource::System(_) => Codes::new(&[]),
            _ => self.bound.codes(),
        };
        let error = FailedCall::new(codes).with_code(code);
        let mut error = match &fail.text {
            TextSource::Document => error,
            TextSource::System(plan::System::Errno) => error.with_system_text(System::Errno),
            TextSource::System(plan::System::LastError) => error.with_system_text(System::LastError),
            other => error.with_text(self.text(other)?),
        };
        for index in &fail.outputs {
            error = self.with_output(error, &self.function.plan.outcomes[*index]);
        }
        Err(error.into())
    }

    pub(crate) fn failed(&mut self, when: &'static When) -> Result<bool, CallError> {
        let returned = self.integer(Place::Returned);
        Ok(match when {
            When::Unlisted(successes) => !successes.contains(&(returned as i64)),
            When::Negative => returned < 0,
            When::Null | When::Zero => returned == 0,
            When::Nonzero => returned != 0,
            When::Value(value) => returned == *value,
            When::Call(asked) => self.number_of(asked)?.is_some_and(|answer| answer != 0),
        })
    }

    /// The integer that another function returns; `None` if an argument is a NULL that it does not expect.
    fn number_of(&mut self, asked: &'static Asked) -> Result<Option<i128>, CallError> {
        if self.has_null(asked) {
            return Ok(None);
        }
        let Some(function) = self.bound.prepared(asked.function) else { return Ok(None) };
        let returned = self.ask_for(function, &asked.args)?;
        // SAFETY: there is room for every scalar, and the function returned one of this type.
        Ok(returned.map(|returned| unsafe { function.returned.read(returned.as_ptr().cast()) }))
    }

    /// The scalar or handle that another function returns, as a word; `None` for NULL.
    pub(crate) fn word_of(&mut self, asked: &'static Asked) -> Result<Option<u64>, CallError> {
        if self.has_null(asked) {
            return Ok(None);
        }
        let Some(function) = self.bound.prepared(asked.function) else { return Ok(None) };
        let Some(returned) = self.ask_for(function, &asked.args)? else { return Ok(None) };
        let is_pointer = function.plan.signature.returns.as_ref().is_some_and(|value| value.stars > 0);
        // SAFETY: the words have room for a pointer.
        let is_null = is_pointer && unsafe { returned.as_ptr().cast::<*mut c_void>().read() }.is_null();
        Ok((!is_null).then_some(returned[0]))
    }

    /// The text of C for the error.
    fn text(&mut self, text: &'static TextSource) -> Result<Option<String>, CallError> {
        let (asked, read): (_, &dyn Fn(*const u8) -> Option<String>) = match text {
            TextSource::Document | TextSource::System(_) => return Ok(None),
            TextSource::Output(index, of) => return Ok(self.text_left(*index, *of)),
            TextSource::Call { asked, encoding: of, units: None } => {
                // SAFETY: the document says that the function returns NULL or a string.
                (asked, &|start| unsafe { text_at(start, encoding(*of)) })
            }
            TextSource::Call { asked, encoding: of, units: Some(units) } => (asked, &|start| {
                let units = usize::try_from(*units).unwrap_or(usize::MAX);
                // SAFETY: the document says that the function returns NULL, or text of at most so many units.
                if start.is_null() { None } else { unsafe { text_between(start, units, encoding(*of)) } }
            }),
            TextSource::Member { asked, record, field, encoding: of } => {
                let kinds = self.bound.kinds();
                let offset = kinds.layouts[*record].offsets[*field];
                let member = kinds.types().records[*record].fields().nth(*field).map(|field| &field.of);
                let units = match member {
                    Some(FieldType::Text { count, .. }) => {
                        Some(usize::try_from(*count).unwrap_or(usize::MAX))
                    }
                    _ => None,
                };
                (asked, &move |start| {
                    if start.is_null() {
                        return None;
                    }
                    // SAFETY: the document says that the function returns NULL or a pointer to the struct, in which the
                    // member is text in place, or NULL or a string.
                    unsafe {
                        let member = start.add(offset);
                        match units {
                            Some(units) => text_between(member, units, encoding(*of)),
                            None => text_at(member.cast::<*const u8>().read_unaligned(), encoding(*of)),
                        }
                    }
                })
            }
        };
        if self.has_null(asked) {
            return Ok(None);
        }
        let Some(function) = self.bound.prepared(asked.function) else { return Ok(None) };
        let Some(returned) = self.ask_for(function, &asked.args)? else { return Ok(None) };
        // SAFETY: the function returned a pointer, and the words have room for one.
        let pointer = unsafe { returned.as_ptr().cast::<*mut c_void>().read() };
        let text = read(pointer.cast_const().cast());
        if let (Some(free), false) = (asked.free, pointer.is_null()) {
            // SAFETY: the document says that the function frees what the other one returned, which is copied.
            unsafe { self.bound.free(free, pointer, &[]) };
        }
        Ok(text)
    }

    /// Whether an argument is a NULL that the other function does not expect.
    fn has_null(&self, asked: &Asked) -> bool {
        let signature = &self.function.plan.signature;
        asked.args.iter().any(|arg| match arg {
            // What another function returns is looked at when it is known.
            AskArg::Integer(_) | AskArg::Asked(_) => false,
            AskArg::Param(index) => signature.params[*index].stars > 0 && self.pointer(*index).is_null(),
            AskArg::Left(index) => signature.params[*index].stars > 1 && self.pointer(*index).is_null(),
            AskArg::Returned => {
                let is_pointer = signature.returns.as_ref().is_some_and(|value| value.stars > 0);
                is_pointer && self.pointer_at(Place::Returned).is_null()
            }
        })
    }

    /// The text that C left in an output: behind a pointer, or in a buffer.
    fn text_left(&self, index: usize, of: Encoding) -> Option<String> {
        match self.room(index) {
            Some(room) => {
                let capacity = room.capacity_where(Some).ok()?;
                // SAFETY: the buffer was zeroed and has so many units.
                unsafe { text_between(self.pointer_passed(index).cast::<u8>(), capacity, encoding(of)) }
            }
            // SAFETY: the document says that C leaves NULL or a string there.
            None => unsafe { text_at(self.pointer(index).cast::<u8>(), encoding(of)) },
        }
    }

    fn with_output(&self, error: FailedCall, outcome: &'static Outcome) -> FailedCall {
        let key = outcome.key.as_str();
        let Place::Param(index) = outcome.from else { return error };
        match &outcome.got {
            Got::Scalar(Scalar { view: View::Truth, .. }) => {
                error.with_output(key, self.integer(outcome.from) != 0)
            }
            Got::Scalar(Scalar { view: View::Character, .. }) => {
                error.with_output_character(key, self.integer(outcome.from) as u8)
            }
            Got::Scalar(scalar) => error.with_output(key, self.number(index, Number::of(scalar.c_type))),
            Got::Text(text) => error.with_output_text(key, self.text_left(index, text.encoding)),
            Got::Buffer { content: Content::Text { encoding, .. }, .. } => {
                error.with_output_text(key, self.text_left(index, *encoding))
            }
            _ => error,
        }
    }

    /// The number in the local at `index`.
    fn number(&self, index: usize, number: Number) -> Value {
        match (number.form, number.size) {
            // SAFETY: the local holds a `float`.
            (Form::Floating, 4) => Value::from(unsafe { self.address(index).cast::<f32>().read() }),
            // SAFETY: the local holds a `double`.
            (Form::Floating, _) => Value::from(unsafe { self.address(index).cast::<f64>().read() }),
            (Form::Signed, _) => Value::from(self.integer(Place::Param(index)) as i64),
            (Form::Unsigned, _) => Value::from(self.integer(Place::Param(index)) as u64),
        }
    }
}
