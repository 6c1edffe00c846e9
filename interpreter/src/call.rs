//! One call: the steps of a plan, carried out.
//!
//! Every parameter has a [`Cell`]. Its local is what steps fill and what C may write; beside it is the pointer that C is
//! passed, if it is passed one. `operand` has what C is passed, `collect` what a caller gets, `tokens` the handles.

use std::ffi::c_void;
use std::ptr;

use opendyn::generated::{Args, Output, State, System, exact_length, limit_buffers, same_length, success};
use opendyn::interpreted::{Room, length_where};
use opendyn::{CallError, Handles};
use opendyn_model::plan::{
    self, Access, Amount, AskArg, Counted, Json, JsonCall, Memory, Place, Shape, Step,
};

use crate::bound::Bound;
use crate::collect::Ready;
use crate::frame::{Cell, Owned};
use crate::number::{Form, Number};
use crate::prepared::Prepared;

/// The maximum number of parameters, and of words that C returns, that need no allocation.
const FEW: usize = 8;

/// One call.
pub(crate) struct Call<'c> {
    pub(crate) bound: &'c Bound,
    pub(crate) function: &'c Prepared,
    pub(crate) args: &'c Args<'c>,
    /// One for each parameter. They are only reached through pointers: C has some, too.
    pub(crate) cells: *mut Cell,
    /// Room for as many addresses.
    addresses: *mut *mut c_void,
    /// The return value.
    pub(crate) returned: *mut u8,
    pub(crate) owned: Vec<Owned>,
    /// Pointers from C that are freed when the call has ended, and the functions that free them.
    held: Vec<(Place, usize)>,
    /// The error that the function left in the system, where the document asks for it.
    pub(crate) errno: i64,
    /// The outcomes, when they have been checked. Most functions have one.
    pub(crate) first: Ready,
    pub(crate) rest: Vec<Ready>,
}

/// Calls `function` with checked arguments, and puts its results. `own` is the table of handles of the binding.
#[inline]
pub(crate) fn call<'o>(
    bound: &Bound,
    own: &'o Handles,
    function: &Prepared,
    args: &Args<'_>,
    out: &mut Output<'o>,
) {
    let Json::Callable(json) = &function.plan.json else { return };
    let count = function.locals.len();
    let mut few = ([Cell::EMPTY; FEW], [ptr::null_mut(); FEW], [0_u64; FEW]);
    let mut many;
    let (cells, addresses, returned) = if count <= FEW && function.returned_words <= FEW {
        (few.0.as_mut_ptr(), few.1.as_mut_ptr(), few.2.as_mut_ptr())
    } else {
        many = (
            vec![Cell::EMPTY; count],
            vec![ptr::null_mut(); count],
            vec![0_u64; function.returned_words.max(FEW)],
        );
        (many.0.as_mut_ptr(), many.1.as_mut_ptr(), many.2.as_mut_ptr())
    };
    let _alone = bound.wait();
    let mut call = Call {
        bound,
        function,
        args,
        cells,
        addresses,
        returned: returned.cast(),
        owned: Vec::new(),
        held: Vec::new(),
        errno: 0,
        first: Ready::Null,
        rest: Vec::new(),
    };
    if json.uses_handles {
        // While the guard lives, no other call frees these handles.
        let Some(_entered) = out.enter(own) else { return };
        if call.find_handles(json, out).is_some() {
            call.run(json, out);
        }
    } else {
        call.run(json, out);
    }
}

impl Call<'_> {
    fn run(&mut self, json: &JsonCall, out: &mut Output<'_>) {
        let _limited = json.limits_buffers.then(limit_buffers);
        self.load();
        let carried_out = self.carry_out();
        if out.check(carried_out).is_some() {
            self.put(out);
        }
        self.free_held();
    }

    /// Puts scalars into their locals: those that the caller passes, or else those of the document.
    fn load(&mut self) {
        for (index, local) in self.function.locals.iter().enumerate().filter(|(_, local)| local.is_loaded) {
            let word = match local.field {
                Some(field) if self.args.is_present(field) => self.args.word(field),
                _ => local.fallback,
            };
            self.set(index, word);
        }
    }

    fn carry_out(&mut self) -> Result<(), CallError> {
        let plan = self.function.plan;
        for step in &plan.steps {
            match step {
                Step::Require => {
                    if self.bound.address(self.function).is_null() {
                        return Err(CallError::Missing { symbol: &plan.symbol });
                    }
                }
                Step::Count { into, counted, .. } => {
                    let word = match counted {
                        Counted::Known(length) => *length,
                        Counted::Arrays(arrays) => {
                            let number = self.local(*into).number;
                            let length = self.first_length(arrays).unwrap_or(0);
                            length_where(&plan.params[arrays[0]].key, length, |length| number.fit(length))?
                        }
                    };
                    self.set(*into, word);
                }
                Step::SameLength { array, others } => {
                    if let Some(length) = self.length(*array) {
                        let expected = self.first_length(others).unwrap_or(0);
                        let other = &plan.params[others[0]].key;
                        same_length(&plan.params[*array].key, length, other, expected)?;
                    }
                }
                Step::ExactLength { array, expected } => {
                    if let Some(length) = self.length(*array) {
                        let expected = self.amount(expected)?;
                        exact_length(&plan.params[*array].key, length, expected)?;
                    }
                }
                // The reader knows the listed values, and has refused others.
                Step::Listed { .. } => {}
                Step::Allocate { into, memory } => self.allocate(*into, memory)?,
                // The token is gone, and its pointer is in the local.
                Step::Release { .. } | Step::Freed { .. } => {}
                // A JSON caller passes no closures: C gets NULL.
                Step::Lend { .. } | Step::Finish { .. } | Step::ResumeKept => {}
                Step::Invoke => self.invoke(),
                // At once: nothing between the call and this asks the system for anything.
                Step::Errno(plan::System::Errno) => self.errno = System::Errno.left(),
                Step::Errno(plan::System::LastError) => self.errno = System::LastError.left(),
                Step::Hold { free } => self.held.push((Place::Returned, *free)),
                Step::Fail(fail) => match fail.code_alone() {
                    Some(successes) => {
                        success(self.integer(Place::Returned) as i64, successes, self.bound.codes())?;
                    }
                    None => self.fail(fail)?,
                },
                Step::Collect => self.collect()?,
            }
        }
        Ok(())
    }

    fn allocate(&mut self, into: usize, memory: &'static Memory) -> Result<(), CallError> {
        let kinds = self.bound.kinds();
        match memory {
            Memory::Zero(_) => self.set(into, 0),
            Memory::Buffer { content, capacity } => {
                let (size, align) = kinds.content(*content);
                let capacity = self.amount(capacity)?;
                let mut room = Room::new(&self.param(into).key, capacity, size, align)?;
                self.pass(into, room.as_mut_ptr().cast());
                self.owned.push(Owned::Room(into, room));
            }
            Memory::Capacity { of, .. } => {
                let number = self.local(into).number;
                let capacity = match self.room(*of) {
                    Some(room) => room.capacity_where(|capacity| number.fit(capacity))?,
                    None => 0,
                };
                self.set(into, capacity);
            }
            // A scalar is in its local already. A state ends with the call.
            Memory::Copy => {
                if let Some(Shape::State { record, access: Access::Owned }) = self.shape(into)
                    && let Some(pointer) = ptr::NonNull::new(self.pointer(into))
                {
                    let layout = &kinds.layouts[*record];
                    // SAFETY: the pointer was behind a token of this type, so it is from `State::into_raw` of a
                    // state of this layout. The token is gone.
                    let state = unsafe { State::from_raw(pointer, layout.size, layout.align) };
                    self.owned.push(Owned::State(into, state));
                }
            }
            Memory::Record(record) => {
                let memory = self.words(kinds.layouts[*record].size);
                self.pass(into, memory.cast());
            }
            Memory::State(record) => {
                let layout = &kinds.layouts[*record];
                let mut state = State::new(layout.size, layout.align);
                self.set_pointer(into, state.as_mut_ptr());
                self.owned.push(Owned::State(into, state));
            }
            Memory::Pointer { free, .. } => {
                self.set(into, 0);
                self.held.extend(free.map(|free| (Place::Param(into), free)));
            }
            // The reader has put them side by side.
            Memory::Pointers => {}
        }
        Ok(())
    }

    fn invoke(&mut self) {
        let function = self.function;
        for index in 0..function.plan.signature.params.len() {
            let address = self.operand(index);
            // SAFETY: there is room for an address per parameter.
            unsafe { self.addresses.add(index).write(address) };
        }
        let address = self.bound.address(function);
        // SAFETY: whoever opened the library vouched that it keeps to the document, and so that the function has this
        // signature and does with its arguments what the document says. They were checked against the document, and
        // their operands are of the types of the signature. There is room for the result. The address is not NULL: the
        // library has every function that is not optional, and `Step::Require` refuses those that it lacks.
        unsafe { function.interface.call(address, self.addresses, self.returned.cast()) };
        // SAFETY: a narrow integer was written as a whole register.
        unsafe { narrow(self.returned, function.returned) };
    }

    /// How many elements there are, or is room for.
    pub(crate) fn amount(&mut self, amount: &'static Amount) -> Result<i128, CallError> {
        match amount {
            Amount::Param(index) => Ok(self.integer(Place::Param(*index))),
            Amount::Const(count) => Ok((*count).into()),
            Amount::Ask { function, args } => self.ask(*function, args),
        }
    }

    /// Calls another function of the library for an integer.
    pub(crate) fn ask(&mut self, function: usize, args: &'static [AskArg]) -> Result<i128, CallError> {
        // It takes scalars and pointers, and returns an integer: libffi can call it.
        let Some(asked) = self.bound.prepared(function) else { return Ok(0) };
        let returned = self.ask_for(asked, args)?;
        // SAFETY: there is room for every scalar, and the function returned one of this type.
        Ok(unsafe { asked.returned.read(returned.as_ptr().cast()) })
    }

    /// Calls another function of the library, and returns the words of its return value.
    pub(crate) fn ask_for(
        &mut self,
        asked: &Prepared,
        args: &'static [AskArg],
    ) -> Result<[u64; 2], CallError> {
        let bound = self.bound;
        let address = bound.address(asked);
        if address.is_null() {
            return Err(CallError::Missing { symbol: &asked.plan.symbol });
        }
        let mut constants = vec![0_u64; args.len()];
        let mut addresses = Vec::with_capacity(args.len());
        for ((arg, constant), local) in args.iter().zip(&mut constants).zip(&asked.locals) {
            addresses.push(match arg {
                AskArg::Param(index) => self.operand(*index),
                AskArg::Left(index) => self.address(*index).cast(),
                AskArg::Returned => self.returned.cast(),
                AskArg::Integer(value) => {
                    // SAFETY: a word has room for every scalar.
                    unsafe { local.number.write(ptr::from_mut(constant).cast(), *value as u64) };
                    ptr::from_mut(constant).cast()
                }
            });
        }
        let mut returned = [0_u64; 2];
        let start: *mut u8 = returned.as_mut_ptr().cast();
        // SAFETY: as in `invoke`. The document says that the function takes these arguments and returns an integer or a
        // pointer; `lower` has compared their types.
        unsafe {
            asked.interface.call(address, addresses.as_mut_ptr(), start.cast());
            narrow(start, asked.returned);
        }
        Ok(returned)
    }

    /// Frees the pointers from C that no handle took over, the last one first.
    fn free_held(&mut self) {
        while let Some((place, free)) = self.held.pop() {
            let pointer = self.pointer_at(place);
            if !pointer.is_null() {
                // SAFETY: the document says that the function frees what C left there, and nothing else frees it.
                unsafe { self.bound.free(free, pointer) };
            }
        }
    }
}

/// A narrow integer that libffi returned as a whole register, in its own width.
///
/// # Safety
///
/// libffi wrote a result of type `number` to `at`.
unsafe fn narrow(at: *mut u8, number: Number) {
    if cfg!(target_endian = "big") && number.form != Form::Floating {
        // SAFETY: libffi wrote at least a register.
        unsafe { number.write(at, at.cast::<usize>().read() as u64) };
    }
}
