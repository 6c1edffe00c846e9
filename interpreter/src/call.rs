//! One call: the steps of a plan, carried out.
//!
//! Every parameter has a [`Cell`]. Its local is what steps fill and what C may write; beside it is the pointer that C is
//! passed, if it is passed one. `operand` has what C is passed, `collect` what a caller gets, `tokens` the handles.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use opendyn::generated::{
    Args, Captured, Output, State, System, exact_length, limit_buffers, product, same_length, success, sum,
};
use opendyn::interpreted::{Room, Rooms, check, length_where, without_arguments};
use opendyn::{CallError, Handles};
use opendyn_model::plan::{
    self, Amount, AskArg, Counted, Factor, Json, JsonCall, Memory, Operand, Place, Step,
};

use crate::bound::Bound;
use crate::collect::Ready;
use crate::events::KeptByHandles;
use crate::foreign::Foreign;
use crate::frame::{Cell, Owned};
use crate::kept::Copied;
use crate::kinds::Kinds;
use crate::lists::Elements;
use crate::number::{Form, Number};
use crate::prepared::Prepared;

/// The maximum number of parameters, and of words that C returns, that need no allocation.
const FEW: usize = 8;

/// One call.
pub(crate) struct Call<'c> {
    pub(crate) bound: &'c Arc<Bound>,
    pub(crate) function: &'c Prepared,
    pub(crate) args: &'c Args<'c>,
    /// One for each parameter. They are only reached through pointers: C has some, too.
    pub(crate) cells: *mut Cell,
    /// Room for as many addresses.
    addresses: *mut *mut c_void,
    /// The return value.
    pub(crate) returned: *mut u8,
    pub(crate) owned: Vec<Owned>,
    /// Whether the reply is text.
    pub(crate) is_text: bool,
    /// What the call has to do with callbacks that handles keep.
    pub(crate) kept: KeptByHandles,
    /// Pointers from C that are freed when the call has ended, and the functions that free them.
    held: Vec<(Place, usize)>,
    /// The pointers of the arrays of handles that the caller passed.
    pub(crate) lists: Vec<(usize, Vec<Option<NonNull<c_void>>>)>,
    /// The handles of arrays from C that the call still owns.
    pub(crate) elements: Vec<Elements>,
    /// Copies of what C keeps after the call.
    pub(crate) copies: Vec<Copied>,
    /// Copies in memory of C's allocator that C has not taken.
    pub(crate) foreign: Vec<Foreign>,
    /// Whether C keeps something.
    pub(crate) has_kept: bool,
    /// Whether C has freed the handles that the caller gave up.
    pub(crate) has_freed: bool,
    /// The parameters with handles that C has taken.
    pub(crate) taken: Vec<usize>,
    /// The further arguments that the handle to free was made with, where they are compared.
    pub(crate) remembered: Captured,
    /// The handles with which a running call is ended.
    pub(crate) cancelled_with: Vec<NonNull<c_void>>,
    /// What the function left in the system, where other code runs before a step asks for it: `errno`, and the last error.
    left: Option<(i64, i64)>,
    /// The error that the function left in the system, where the document asks for it.
    pub(crate) errno: i64,
    /// The outcomes, when they have been checked. Most functions have one.
    pub(crate) first: Ready,
    pub(crate) rest: Vec<Ready>,
}

/// Calls `function` with checked arguments, and puts its results. `own` is the table of handles of the binding.
#[inline]
pub(crate) fn call<'o>(
    bound: &Arc<Bound>,
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
    let mut call = Call::new(bound, function, args, (cells, addresses, returned), out.is_text());
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

impl<'c> Call<'c> {
    /// A call that has not begun. There is a cell and room for an address per parameter, and for the words of the return
    /// value.
    #[inline]
    fn new(
        bound: &'c Arc<Bound>,
        function: &'c Prepared,
        args: &'c Args<'c>,
        (cells, addresses, returned): (*mut Cell, *mut *mut c_void, *mut u64),
        is_text: bool,
    ) -> Self {
        Self {
            bound,
            function,
            args,
            cells,
            addresses,
            returned: returned.cast(),
            owned: Vec::new(),
            is_text,
            kept: KeptByHandles::default(),
            held: Vec::new(),
            lists: Vec::new(),
            elements: Vec::new(),
            has_freed: false,
            taken: Vec::new(),
            remembered: Captured::default(),
            copies: Vec::new(),
            foreign: Vec::new(),
            has_kept: false,
            cancelled_with: Vec::new(),
            left: None,
            errno: 0,
            first: Ready::Null,
            rest: Vec::new(),
        }
    }
}

/// Calls a function that takes no arguments, and drops its result. Nothing else calls the library.
pub(crate) fn call_alone(bound: &Arc<Bound>, function: &Prepared) -> Result<(), CallError> {
    let count = function.locals.len();
    let mut cells = vec![Cell::EMPTY; count];
    let mut addresses = vec![ptr::null_mut(); count];
    let mut returned = vec![0_u64; function.returned_words.max(FEW)];
    without_arguments(0, |none| {
        let memory = (cells.as_mut_ptr(), addresses.as_mut_ptr(), returned.as_mut_ptr());
        let mut call = Call::new(bound, function, none, memory, true);
        call.load();
        let called = call.carry_out();
        call.free_held();
        called
    })
}

impl Call<'_> {
    fn run(&mut self, json: &JsonCall, out: &mut Output<'_>) {
        let _limited = json.limits_buffers.then(limit_buffers);
        self.load();
        if self.function.is_plain {
            let carried_out = self.carry_out();
            if out.check(carried_out).is_some() {
                self.put(out);
            }
            self.end_loans();
            return;
        }
        self.find_events(out);
        let carried_out = self.carry_out();
        self.keep_callbacks(out);
        if self.has_kept {
            self.keep_in_table(out);
        }
        if self.has_freed {
            self.remove_handles(out);
        }
        self.pass_handles(carried_out.is_ok(), out);
        self.check_calls(out);
        if out.check(carried_out).is_some() {
            self.put(out);
        } else {
            self.put_calls_of_failure(out);
        }
        self.end_loans();
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
                Step::Listed { .. } | Step::Terminate { .. } => {}
                Step::Limits { param } => self.limits(*param)?,
                Step::Allocate { into, memory } => self.allocate(*into, memory)?,
                Step::SameArguments { param, args } => self.same_arguments(*param, args)?,
                // Its pointer is in the local.
                Step::Release { .. } => {}
                Step::Freed { failed, .. } => {
                    self.has_freed |= match failed {
                        Some(when) => !self.failed(when)?,
                        None => true,
                    };
                }
                Step::Taken { param, failed, .. } => {
                    let has_failed = match failed {
                        Some(when) => self.failed(when)?,
                        None => false,
                    };
                    if !has_failed {
                        self.taken.push(*param);
                    }
                }
                Step::Passed { param, failed } => {
                    let has_failed = match failed {
                        Some(when) => self.failed(when)?,
                        None => false,
                    };
                    self.foreign.retain(|copy| has_failed || copy.of != *param);
                }
                Step::Keep { param, failed } => self.keep(*param, failed.as_ref())?,
                Step::Lend { param } => self.lend(*param)?,
                // What a collected call cannot hold is reported before anything else.
                Step::Finish { .. } | Step::ResumeKept => {}
                Step::Invoke => self.invoke(),
                Step::Fill { state, members } => self.fill(*state, members),
                Step::Clear { state, members } => self.clear(*state, members),
                Step::Read(read) => self.read(*read),
                Step::Dispose { param, free } => {
                    // The address of the struct takes the place of a pointer that C set.
                    self.set_pointer(*param, self.pointer_passed(*param));
                    self.held.push((Place::Param(*param), *free));
                }
                Step::Settle { param, back, .. } => self.settle(*param, *back)?,
                // At once: nothing between the call and this asks the system for anything.
                Step::Errno(plan::System::Errno) => {
                    self.errno = self.left.map_or_else(|| System::Errno.left(), |left| left.0);
                }
                Step::Errno(plan::System::LastError) => {
                    self.errno = self.left.map_or_else(|| System::LastError.left(), |left| left.1);
                }
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
            // A scalar is in its local already.
            Memory::Copy => {}
            Memory::Record(record) => {
                let memory = self.words(kinds.layouts[*record].size);
                self.pass(into, memory.cast());
            }
            Memory::State { record, leaks } => {
                let layout = &kinds.layouts[*record];
                let mut state = match self.guarded_state(into, *record) {
                    // SAFETY: it has the size and the alignment of the state, and stays as long as the process.
                    Some(memory) => unsafe { State::forever(memory) },
                    None => State::new(layout.size, layout.align),
                };
                self.set_pointer(into, state.as_mut_ptr());
                self.owned.push(Owned::State { of: into, leaks: *leaks, state: ManuallyDrop::new(state) });
            }
            Memory::Pointer { free, .. } => {
                self.set(into, 0);
                self.held.extend(free.map(|free| (Place::Param(into), free)));
            }
            Memory::Loan(record) => {
                let kind = kinds.of_record(*record);
                if let (Some(field), true) = (self.local(into).field, json_has_rooms(kinds, *record))
                    && self.args.is_present(field)
                {
                    let (memory, count) = self.args.memory(field);
                    let mut rooms = Rooms::default();
                    // SAFETY: the reader made so many structs of this kind, which stay where they are.
                    unsafe { rooms.make(kind, memory.cast(), count)? };
                    self.owned.push(Owned::Rooms(into, rooms));
                }
            }
            Memory::Taken(taken) => self.copy_for_c(into, *taken)?,
            // They are made where their tokens are looked up.
            Memory::Handles { .. } => {}
            // The reader has put them side by side.
            Memory::Pointers { terminated: false, .. } => {}
            Memory::Pointers { terminated: true, .. } => {
                if let Some((pointers, count)) = self.list(into) {
                    self.terminate(into, pointers, count, size_of::<*const u8>());
                }
            }
            Memory::Terminated(scalar) => {
                if let Some((elements, count)) = self.list(into) {
                    let number = Number::of(scalar.c_type);
                    // SAFETY: the reader has put so many elements of this type there.
                    if let Some(index) = (0..count).find(|at| unsafe { number.is_zero(elements, *at) }) {
                        return Err(CallError::Terminator { value: &self.param(into).key, index });
                    }
                    self.terminate(into, elements, count, number.size);
                }
            }
        }
        Ok(())
    }

    /// Checks the buffers in the structs of a parameter, and what comes back in them.
    fn settle(&mut self, param: usize, back: bool) -> Result<(), CallError> {
        for owned in &mut self.owned {
            if let Owned::Rooms(of, rooms) = owned
                && *of == param
            {
                rooms.settle()?;
            }
        }
        let field = self.local(param).field.filter(|field| back && self.args.is_present(*field));
        let (Some(field), Operand::Loan(record)) = (field, &self.param(param).operand) else { return Ok(()) };
        let kind = self.bound.kinds().of_record(*record);
        let (memory, count) = self.args.memory(field);
        for index in 0..count {
            // SAFETY: the reader made so many structs of this kind, and the document says what C leaves in them.
            unsafe { check(kind, memory.add(index * kind.size()).cast(), &self.param(param).key)? };
        }
        Ok(())
    }

    fn invoke(&mut self) {
        let function = self.function;
        for index in 0..function.plan.signature.params.len() {
            let address = self.operand(index);
            self.replace_operand(index, address);
        }
        let address = self.bound.address(function);
        let guarded = self.lend_guarded();
        // SAFETY: whoever opened the library vouched that it keeps to the document, and so that the function has this
        // signature and does with its arguments what the document says. They were checked against the document, and
        // their operands are of the types of the signature. There is room for the result. The address is not NULL: the
        // library has every function that is not optional, and `Step::Require` refuses those that it lacks.
        let invoke = || unsafe { function.interface.call(address, self.addresses, self.returned.cast()) };
        if self.cancelled_with.is_empty() {
            invoke();
        } else {
            self.left = Some(self.invoke_cancellable(invoke));
        }
        // SAFETY: a narrow integer was written as a whole register.
        unsafe { narrow(self.returned, function.returned) };
        if let Some(guarded) = guarded {
            self.take_back(guarded);
        }
    }

    /// Passes C another operand for the parameter at `index`.
    pub(crate) fn replace_operand(&self, index: usize, address: *mut c_void) {
        debug_assert!(index < self.function.locals.len());
        // SAFETY: there is room for an address per parameter.
        unsafe { self.addresses.add(index).write(address) };
    }

    fn factors(&mut self, factors: &'static [Factor]) -> Result<Vec<i128>, CallError> {
        let factor = |factor: &'static Factor| match factor {
            Factor::Param(index) => Ok(self.integer(Place::Param(*index))),
            Factor::Const(value) => Ok((*value).into()),
            Factor::Asked(amount) => self.amount(amount),
        };
        factors.iter().map(factor).collect()
    }

    /// How many elements there are, or is room for.
    pub(crate) fn amount(&mut self, amount: &'static Amount) -> Result<i128, CallError> {
        match amount {
            Amount::Param(index) => Ok(self.integer(Place::Param(*index))),
            Amount::Const(count) => Ok((*count).into()),
            Amount::Member { record, field } => Ok(self.integer_member(*record, *field)),
            Amount::Product(factors) => Ok(product(&self.factors(factors)?)),
            Amount::Sum(terms) => Ok(sum(&self.factors(terms)?)),
            // What ends at a zero is not counted.
            Amount::Terminated => Ok(0),
            Amount::Ask { function, args, output: None } => self.ask(*function, args),
            Amount::Ask { function, args, output: Some(output) } => self.ask_output(*function, args, *output),
        }
    }

    /// What another function leaves in its output. All its steps are carried out: its failure is the failure of this
    /// call.
    fn ask_output(
        &mut self,
        function: usize,
        args: &'static [AskArg],
        output: usize,
    ) -> Result<i128, CallError> {
        // It takes scalars and pointers: libffi can call it.
        let Some(asked) = self.bound.prepared(function) else { return Ok(0) };
        let count = asked.locals.len();
        let mut cells = vec![Cell::EMPTY; count];
        let mut addresses = vec![ptr::null_mut(); count];
        let mut returned = vec![0_u64; asked.returned_words];
        without_arguments(asked.fields.len(), |none| {
            let memory = (cells.as_mut_ptr(), addresses.as_mut_ptr(), returned.as_mut_ptr());
            let mut call = Call::new(self.bound, asked, none, memory, self.is_text);
            call.load();
            for (index, arg) in (0..count).filter(|index| *index != output).zip(args) {
                match arg {
                    AskArg::Integer(value) => call.set(index, *value as u64),
                    AskArg::Param(of) | AskArg::Left(of) => {
                        let (to, from) = (call.address(index), self.address(*of));
                        // SAFETY: both are locals, and `lower` has compared their types.
                        unsafe { to.cast::<u64>().write(from.cast::<u64>().read()) };
                    }
                    // A length is asked before the call.
                    AskArg::Returned | AskArg::Asked(_) => {}
                }
            }
            call.carry_out()?;
            Ok(call.integer(Place::Param(output)))
        })
    }

    /// Calls another function of the library for an integer.
    pub(crate) fn ask(&mut self, function: usize, args: &'static [AskArg]) -> Result<i128, CallError> {
        // It takes scalars and pointers, and returns an integer: libffi can call it.
        let Some(asked) = self.bound.prepared(function) else { return Ok(0) };
        let Some(returned) = self.ask_for(asked, args)? else { return Ok(0) };
        // SAFETY: there is room for every scalar, and the function returned one of this type.
        Ok(unsafe { asked.returned.read(returned.as_ptr().cast()) })
    }

    /// Calls another function of the library, and returns the words of its return value; `None` if an argument is a
    /// NULL that a function returned.
    pub(crate) fn ask_for(
        &mut self,
        asked: &Prepared,
        args: &'static [AskArg],
    ) -> Result<Option<[u64; 2]>, CallError> {
        let bound = self.bound;
        let address = bound.address(asked);
        let read = asked.plan.read();
        if address.is_null() && read.is_none() {
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
                AskArg::Asked(inner) => {
                    // The value is at the start of the word, as this function takes it.
                    let Some(word) = self.word_of(inner)? else { return Ok(None) };
                    *constant = word;
                    ptr::from_mut(constant).cast()
                }
            });
        }
        let mut returned = [0_u64; 2];
        let start: *mut u8 = returned.as_mut_ptr().cast();
        if let (Some(read), [handle]) = (read, addresses.as_slice()) {
            // SAFETY: `lower` has checked that the argument is a handle of the type that the function takes, and that it
            // returns an integer or a pointer. The caller has checked that it is not NULL.
            unsafe { self.read_for(asked, read, handle.cast::<*mut c_void>().read(), start) };
            return Ok(Some(returned));
        }
        // SAFETY: as in `invoke`. The document says that the function takes these arguments and returns an integer or a
        // pointer; `lower` has compared their types.
        unsafe {
            asked.interface.call(address, addresses.as_mut_ptr(), start.cast());
            narrow(start, asked.returned);
        }
        Ok(Some(returned))
    }

    /// Frees the pointers from C that no handle took over, the last one first.
    fn free_held(&mut self) {
        self.free_elements();
        self.free_foreign();
        while let Some((place, free)) = self.held.pop() {
            let pointer = self.pointer_at(place);
            if !pointer.is_null() {
                let captured = self.captured(free);
                // SAFETY: the document says that the function frees what C left there, and nothing else frees it.
                unsafe { self.bound.free(free, pointer, &captured) };
            }
        }
    }
}

/// Whether a struct has buffers that C fills.
fn json_has_rooms(kinds: &Kinds, record: usize) -> bool {
    let records = &kinds.types().records;
    records[record].has_rooms(records)
}

/// A narrow integer that libffi returned as a whole register, in its own width.
///
/// # Safety
///
/// libffi wrote a result of type `number` to `at`.
pub(crate) unsafe fn narrow(at: *mut u8, number: Number) {
    if cfg!(target_endian = "big") && number.form != Form::Floating {
        // SAFETY: libffi wrote at least a register.
        unsafe { number.write(at, at.cast::<usize>().read() as u64) };
    }
}
