//! Callbacks that are answered with constants: functions that libffi makes, which copy what C passes into the reply, or tell
//! whoever waits how far the call is.
//!
//! They do what compiled bindings do: the same values, the same answers, the same limits.

use std::ffi::{CStr, c_void};
use std::ptr;

use opendyn::CStrings;
use opendyn::generated::{Encoded, Encoding, Kind, Output, Progress, TextSlice, terminated_strings};
use opendyn::interpreted::check;
use opendyn_model::plan::{
    self as plan, CBase, CCallback, CallbackLength, CallbackValue, Collect, Default, Function, Shape,
};

use crate::interface::Interface;
use crate::kinds::{Kinds, encoding};
use crate::lent::{Lent, Sink};
use crate::number::{Form, Number};
use crate::store::Store;

/// A callback that is answered with constants: its plan, and what the plan leaves to the target.
#[derive(Debug)]
pub(crate) struct Answering {
    pub(crate) plan: Plan,
    pub(crate) interface: Interface,
    values: Vec<(&'static str, Value)>,
    /// The index of the user data among the parameters.
    user_data: usize,
    returns: Option<Number>,
    answer: u64,
    stop: u64,
    pub(crate) on_panic: u64,
}

/// What becomes of the calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan {
    /// They are in a reply.
    Collect(&'static Collect),
    /// They tell how far the call is.
    Progress(&'static plan::Progress),
}

/// What C passes for a parameter.
#[derive(Debug)]
enum Value {
    Scalar(Number, Kind),
    Str {
        encoding: Encoding,
        nullable: bool,
    },
    Text {
        encoding: Encoding,
        count: Count,
    },
    List {
        kind: &'static Kind,
        count: Count,
    },
    Strings {
        count: Count,
    },
    Record {
        kind: Kind,
        nullable: bool,
    },
    /// It is not in the reply.
    Hidden,
}

#[derive(Clone, Copy, Debug)]
enum Count {
    Param(usize, Number),
    Const(usize),
    /// Only strings end so.
    Terminated,
}

impl Answering {
    /// The callback of the parameter at `index`, unless only Rust code can pass it.
    ///
    /// # Errors
    ///
    /// libffi cannot make the function; the message says why.
    pub(crate) fn new(
        function: &'static Function,
        index: usize,
        kinds: &Kinds,
        store: &Store,
    ) -> Result<Option<Self>, String> {
        let Some(argument) = &function.params[index].argument else { return Ok(None) };
        let Shape::Closure(callback) = &argument.shape else { return Ok(None) };
        let (plan, answer, stop) = match (&callback.collect, &callback.progress) {
            (Some(collect), _) => (Plan::Collect(collect), &collect.answer, &collect.stop),
            (None, Some(progress)) => {
                let stop = if progress.stop.is_some() { &progress.stop } else { &progress.answer };
                (Plan::Progress(progress), &progress.answer, stop)
            }
            (None, None) => return Ok(None),
        };
        let Some(user_data) = callback.user_data else { return Ok(None) };
        let CBase::Function(c) = &function.signature.params[index].base else { return Ok(None) };
        let c: &CCallback = c;
        let numbers: Vec<Number> = c.params.iter().map(|(_, value)| Number::of_value(value)).collect();
        let count = |length: &CallbackLength| match length {
            CallbackLength::Param(index) => Count::Param(*index, numbers[*index]),
            CallbackLength::Const(count) => Count::Const(usize::try_from(*count).unwrap_or(0)),
            CallbackLength::Terminated => Count::Terminated,
        };
        let values = callback.params.iter().map(|param| {
            let value = match &param.value {
                CallbackValue::Scalar(scalar) => {
                    Value::Scalar(Number::of(scalar.c_type), kinds.in_memory(*scalar, store))
                }
                CallbackValue::Str { encoding: of, nullable, .. } => {
                    Value::Str { encoding: encoding(*of), nullable: *nullable }
                }
                CallbackValue::Slice { text: Some(of), length, .. } => {
                    Value::Text { encoding: encoding(*of), count: count(length) }
                }
                CallbackValue::Slice { element, text: None, length } => {
                    Value::List { kind: store.keep(kinds.element(*element)), count: count(length) }
                }
                CallbackValue::Strings { length } => Value::Strings { count: count(length) },
                CallbackValue::Record { record, nullable } => {
                    Value::Record { kind: kinds.of_record(*record), nullable: *nullable }
                }
                CallbackValue::Length { .. } | CallbackValue::UserData | CallbackValue::Opaque => {
                    Value::Hidden
                }
            };
            (param.key.as_str(), value)
        });
        let returns = callback.returns.map(|scalar| Number::of(scalar.c_type));
        let word = |value: &Option<Default>| match (returns, value) {
            (Some(number), Some(value)) => number.word(value),
            _ => 0,
        };
        Ok(Some(Self {
            plan,
            interface: Interface::of_callback(c, kinds.types())?,
            values: values.collect(),
            user_data,
            returns,
            answer: word(answer),
            stop: word(stop),
            on_panic: word(&callback.on_panic),
        }))
    }

    /// What C gets back for a call.
    ///
    /// # Safety
    ///
    /// `args` are the addresses of what C passed, of the types of the signature, and the document describes them.
    pub(crate) unsafe fn called(&self, args: *const *const c_void, lent: &Lent) -> u64 {
        // SAFETY: the caller guarantees an address per parameter.
        let at = |index: usize| unsafe { args.add(index).read() }.cast::<u8>();
        // SAFETY: a parameter that is not a scalar is a pointer.
        let pointer = |index: usize| unsafe { at(index).cast::<*const u8>().read() };
        let count = |count: Count| match count {
            // SAFETY: the parameter is an integer of this type.
            Count::Param(index, number) => usize::try_from(unsafe { number.read(at(index)) })
                .ok()
                .filter(|count| *count <= MOST)
                .unwrap_or(0),
            Count::Const(count) => count,
            Count::Terminated => 0,
        };
        let is_missing = |(index, (key, value)): (usize, &(&'static str, Value))| match value {
            Value::Record { nullable, .. } if pointer(index).is_null() => !nullable,
            // SAFETY: the document says that C passes a pointer to such a struct.
            Value::Record { kind, .. } => unsafe { check(*kind, pointer(index).cast(), key).is_err() },
            _ => false,
        };
        if !lent.may_run_here()
            || !ptr::eq(pointer(self.user_data).cast(), lent.passed_back())
            || self.values.iter().enumerate().any(is_missing)
        {
            return self.on_panic;
        }
        let put = |call: &mut Output<'_>| {
            for (index, (key, value)) in self.values.iter().enumerate() {
                // SAFETY: the document says what C passes: scalars, strings up to their NUL, so many elements.
                unsafe {
                    match value {
                        Value::Scalar(_, kind) => call.put_at(key, *kind, at(index)),
                        Value::Str { encoding, nullable } => match pointer(index) {
                            start if !start.is_null() => {
                                call.put(key, Encoded(CStr::from_ptr(start.cast()), *encoding));
                            }
                            _ if *nullable => call.put_null(key),
                            _ => call.put(key, c""),
                        },
                        Value::Text { encoding: encoding @ Encoding::Utf16, count: of } => {
                            call.put(key, TextSlice(slice::<u16>(pointer(index), count(*of)), *encoding));
                        }
                        Value::Text { encoding, count: of } => {
                            call.put(key, TextSlice(slice::<u8>(pointer(index), count(*of)), *encoding));
                        }
                        Value::List { kind, count: of } => match pointer(index) {
                            start if start.is_null() => {
                                call.put_list(key, kind, ptr::dangling::<u64>().cast(), 0)
                            }
                            start => call.put_list(key, kind, start, count(*of)),
                        },
                        Value::Strings { count: Count::Terminated } => {
                            call.put(key, terminated_strings(pointer(index).cast()));
                        }
                        Value::Strings { count: of } => {
                            call.put(key, CStrings::new(pointer(index).cast(), count(*of)));
                        }
                        Value::Record { kind, .. } => match pointer(index) {
                            start if start.is_null() => call.put_null(key),
                            start => call.put_at(key, *kind, start),
                        },
                        Value::Hidden => {}
                    }
                }
            }
        };
        let goes_on = match &lent.sink {
            Sink::Calls(calls) => calls.add(put),
            Sink::Events(calls, _) => calls.add(put),
            Sink::Progress(progress) => match self.plan {
                // SAFETY: the document says what C passes.
                Plan::Progress(plan) => unsafe { self.report(plan, args, progress) },
                Plan::Collect(_) => true,
            },
        };
        if goes_on { self.answer } else { self.stop }
    }

    /// Tells whoever waits what C says. Returns whether the call goes on.
    ///
    /// # Safety
    ///
    /// As for [`Answering::called`].
    unsafe fn report(&self, plan: &plan::Progress, args: *const *const c_void, progress: &Progress) -> bool {
        // SAFETY: the caller guarantees an address per parameter.
        let at = |index: usize| unsafe { args.add(index).read() }.cast::<u8>();
        let number = |index: usize| match self.values.get(index) {
            // SAFETY: the parameter is a scalar of this type.
            Some((_, Value::Scalar(number, _))) => Some(unsafe { number.nearest_double(at(index)) }),
            _ => None,
        };
        let message = plan.message.map(|index| {
            // SAFETY: the parameter is a pointer.
            let start = unsafe { at(index).cast::<*const u8>().read() };
            // SAFETY: the document says that it is NULL, or a string up to its NUL.
            if start.is_null() { c"" } else { unsafe { CStr::from_ptr(start.cast()) } }
        });
        progress.report(plan.done.and_then(number), plan.total.and_then(number), message)
    }

    /// Writes what C gets back.
    ///
    /// # Safety
    ///
    /// `result` is the room for the return value that libffi gives: at least a register.
    pub(crate) unsafe fn answer_with(&self, word: u64, result: *mut u8) {
        let Some(number) = self.returns else { return };
        // SAFETY: there is room for a register, and for the type itself.
        unsafe {
            if number.form == Form::Floating || number.size > size_of::<usize>() {
                number.write(result, word);
            } else {
                // libffi takes a narrow integer as a whole register.
                result.cast::<usize>().write_unaligned(word as usize);
            }
        }
    }
}

/// The maximum number of elements: no memory has more, whatever they are.
const MOST: usize = isize::MAX.cast_unsigned() / 16;

/// The elements at `start`; none for NULL.
///
/// # Safety
///
/// `start` is NULL, or points to `count` aligned, initialised elements for `'s`.
unsafe fn slice<'s, T>(start: *const u8, count: usize) -> &'s [T] {
    if start.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: as the caller guarantees.
    unsafe { std::slice::from_raw_parts(start.cast(), count) }
}
