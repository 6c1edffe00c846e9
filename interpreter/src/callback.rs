//! Callbacks whose calls are collected: functions that libffi makes, which copy what C passes.
//!
//! They do what compiled bindings do: the same values, the same answers, the same limits.

use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use libffi::low::{CodePtr, closure_free, ffi_cif, ffi_closure, try_closure_alloc};
use libffi::raw::{ffi_prep_closure_loc, ffi_status_FFI_OK};
use opendyn::CStrings;
use opendyn::generated::{Calls, Encoded, Encoding, KeptCalls, Kind, Output, TextSlice, terminated_strings};
use opendyn::interpreted::{check, this_thread};
use opendyn_model::plan::{
    CBase, CCallback, CallbackLength, CallbackValue, Collect, Default, Function, Shape,
};

use crate::bound::Bound;
use crate::interface::Interface;
use crate::kinds::{Kinds, encoding};
use crate::number::{Form, Number};
use crate::store::Store;

/// A callback whose calls are collected: its plan, and what the plan leaves to the target.
#[derive(Debug)]
pub(crate) struct Collecting {
    pub(crate) plan: &'static Collect,
    interface: Interface,
    values: Vec<(&'static str, Value)>,
    /// The index of the user data among the parameters.
    user_data: usize,
    returns: Option<Number>,
    answer: u64,
    stop: u64,
    on_panic: u64,
}

/// What C passes for a parameter.
#[derive(Debug)]
enum Value {
    Scalar(Kind),
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

impl Collecting {
    /// The callback of the parameter at `index`, if its calls are collected.
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
        let (Some(plan), Some(user_data)) = (&callback.collect, callback.user_data) else { return Ok(None) };
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
                CallbackValue::Scalar(scalar) => Value::Scalar(kinds.in_memory(*scalar, store)),
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
            answer: word(&plan.answer),
            stop: word(&plan.stop),
            on_panic: word(&callback.on_panic),
        }))
    }

    /// What C gets back for a call.
    ///
    /// # Safety
    ///
    /// `args` are the addresses of what C passed, of the types of the signature, and the document describes them.
    unsafe fn called(&self, args: *const *const c_void, lent: &Lent) -> u64 {
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
                        Value::Scalar(kind) => call.put_at(key, *kind, at(index)),
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
        };
        if goes_on { self.answer } else { self.stop }
    }

    /// Writes what C gets back.
    ///
    /// # Safety
    ///
    /// `result` is the room for the return value that libffi gives: at least a register.
    unsafe fn answer_with(&self, word: u64, result: *mut u8) {
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

/// A function that C can call until this is dropped, and the calls that it has collected.
pub(crate) struct Lent {
    collecting: *const Collecting,
    sink: Sink,
    /// The handle that C passes back in place of user data; NULL if it passes user data.
    handle: *mut c_void,
    closure: *mut ffi_closure,
    code: CodePtr,
    /// The thread of the call that lends it.
    thread: usize,
}

// SAFETY: the closure of libffi is memory that this owns, the document lives as long as `Bound`, and nothing here follows
// the handle. C calls the function in one thread at a time, unless the library is thread-safe; events are behind a lock.
unsafe impl Send for Lent {}

/// Where calls go.
enum Sink {
    /// Into the reply of the function that the callback is passed to.
    Calls(Calls),
    /// Into the events of a handle, which keeps the callback and with it the document.
    Events(KeptCalls, #[expect(dead_code, reason = "it owns what the callback refers to")] Arc<Bound>),
}

impl Lent {
    /// Makes the function. It stays in its box: C has the address.
    ///
    /// # Safety
    ///
    /// `collecting` outlives the result.
    pub(crate) unsafe fn new(collecting: &Collecting, calls: Calls) -> Option<Box<Self>> {
        // SAFETY: as the caller guarantees.
        unsafe { Self::made(collecting, Sink::Calls(calls), ptr::null_mut()) }
    }

    /// Makes a function that a handle keeps. `collecting` is of the document of `bound`.
    pub(crate) fn kept(
        collecting: &Collecting,
        calls: KeptCalls,
        handle: *mut c_void,
        bound: &Arc<Bound>,
    ) -> Option<Box<Self>> {
        // SAFETY: the result owns the document, and with it `collecting`.
        unsafe { Self::made(collecting, Sink::Events(calls, Arc::clone(bound)), handle) }
    }

    /// # Safety
    ///
    /// As for [`Lent::new`].
    unsafe fn made(collecting: &Collecting, sink: Sink, handle: *mut c_void) -> Option<Box<Self>> {
        let (closure, code) = try_closure_alloc()?;
        let lent = Box::new(Self { collecting, sink, handle, closure, code, thread: this_thread() });
        let user_data: *const Self = &raw const *lent;
        // SAFETY: the closure is new, the interface outlives it, and so does the box, whose address stays the same.
        let status = unsafe {
            ffi_prep_closure_loc(
                closure,
                collecting.interface.as_raw_ptr(),
                Some(trampoline),
                user_data.cast_mut().cast(),
                code.as_mut_ptr(),
            )
        };
        (status == ffi_status_FFI_OK).then_some(lent)
    }

    /// The calls for the reply of the function that the callback was passed to.
    pub(crate) fn calls(&self) -> Option<&Calls> {
        match &self.sink {
            Sink::Calls(calls) => Some(calls),
            Sink::Events(..) => None,
        }
    }

    /// Whether this thread may add calls: those of one call are not behind a lock.
    fn may_run_here(&self) -> bool {
        match self.sink {
            Sink::Calls(_) => self.thread == this_thread(),
            Sink::Events(..) => true,
        }
    }

    /// What C passes back to the callback: user data, or the handle.
    fn passed_back(&self) -> *const c_void {
        if self.handle.is_null() { self.user_data() } else { self.handle }
    }

    /// What C calls.
    pub(crate) fn function(&self) -> *mut c_void {
        self.code.as_mut_ptr()
    }

    /// The user data, which C passes back.
    pub(crate) fn user_data(&self) -> *mut c_void {
        ptr::from_ref(self).cast_mut().cast()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // SAFETY: the closure is from `try_closure_alloc`, and C does not call it any more.
        unsafe { closure_free(self.closure) };
    }
}

/// What libffi calls when C calls the function.
unsafe extern "C" fn trampoline(
    _: *mut ffi_cif,
    result: *mut c_void,
    args: *mut *mut c_void,
    user_data: *mut c_void,
) {
    // SAFETY: `Lent::new` gave the address of a `Lent`, which outlives the function.
    let lent = unsafe { &*user_data.cast_const().cast::<Lent>() };
    // SAFETY: as `Lent::new` demands.
    let collecting = unsafe { &*lent.collecting };
    // SAFETY: whoever opened the library vouched that it passes what the document says.
    let called = AssertUnwindSafe(|| unsafe { collecting.called(args.cast_const().cast(), lent) });
    // Nothing in there panics; if it did, the panic must not cross C.
    let word = catch_unwind(called).unwrap_or(collecting.on_panic);
    // SAFETY: libffi gives room for the result.
    unsafe { collecting.answer_with(word, result.cast()) };
}
