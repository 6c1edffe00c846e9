//! The memory of a call: the locals of its parameters, what it returned, and what it owns.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;

use opendyn::generated::{Keep, State, TextBuffer};
use opendyn::interpreted::{Room, Rooms};
use opendyn_model::plan::{Param, Place, Shape};

use crate::call::Call;
use crate::lent::Lent;
use crate::prepared::Local;

/// The memory of a parameter.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    /// A scalar, or a pointer.
    pub(crate) local: u64,
    /// The pointer that C is passed.
    pub(crate) passed: *mut c_void,
}

impl Cell {
    pub(crate) const EMPTY: Self = Self { local: 0, passed: ptr::null_mut() };
}

/// Memory that lives until the call has ended.
pub(crate) enum Owned {
    /// The buffer of a parameter.
    Room(usize, Room),
    /// The memory of a state that begins with the call.
    State {
        /// The parameter.
        of: usize,
        /// Whether C may use it although the call failed.
        leaks: bool,
        state: ManuallyDrop<State>,
    },
    /// Structs that C fills, and copies.
    Words(#[expect(dead_code, reason = "only its memory is used, through pointers")] Vec<u64>),
    /// A buffer for a string of unknown length.
    Text(TextBuffer),
    /// The buffers in the structs of a parameter.
    Rooms(usize, Rooms),
    /// The callback of a parameter.
    Callback(usize, Box<Lent>),
    /// What handles do not keep any more. A result may point to it.
    Gone(#[expect(dead_code, reason = "it only lives until the results are written")] Vec<Keep>),
}

impl Owned {
    /// The state of the parameter at `index`, which a table owns from now on.
    pub(crate) fn take_state(&mut self, index: usize) -> Option<State> {
        match self {
            Self::State { of, leaks, state } if *of == index => {
                // It is not dropped here again.
                *leaks = true;
                // SAFETY: it is taken once: an outcome is put once.
                Some(unsafe { ManuallyDrop::take(state) })
            }
            _ => None,
        }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if let Self::State { leaks: false, state, .. } = self {
            // SAFETY: it is not used again; a state that a table owns is not here any more.
            unsafe { ManuallyDrop::drop(state) };
        }
    }
}

impl Call<'_> {
    pub(crate) fn param(&self, index: usize) -> &'static Param {
        &self.function.plan.params[index]
    }

    pub(crate) fn local(&self, index: usize) -> &Local {
        &self.function.locals[index]
    }

    pub(crate) fn shape(&self, index: usize) -> Option<&'static Shape> {
        self.param(index).argument.as_ref().map(|argument| &argument.shape)
    }

    /// The address of the local of the parameter at `index`.
    #[inline]
    pub(crate) fn address(&self, index: usize) -> *mut u8 {
        debug_assert!(index < self.function.locals.len());
        // SAFETY: there is a cell per parameter.
        unsafe { (&raw mut (*self.cells.add(index)).local).cast() }
    }

    /// The address of the pointer that C is passed for the parameter at `index`.
    #[inline]
    pub(crate) fn passed(&self, index: usize) -> *mut *mut c_void {
        debug_assert!(index < self.function.locals.len());
        // SAFETY: there is a cell per parameter.
        unsafe { &raw mut (*self.cells.add(index)).passed }
    }

    /// The pointer that C is passed for the parameter at `index`.
    #[inline]
    pub(crate) fn pointer_passed(&self, index: usize) -> *mut c_void {
        // SAFETY: the cell is initialised.
        unsafe { self.passed(index).read() }
    }

    /// Passes C a pointer for the parameter at `index`.
    #[inline]
    pub(crate) fn pass(&self, index: usize, pointer: *mut c_void) {
        // SAFETY: the cell has room for it.
        unsafe { self.passed(index).write(pointer) };
    }

    /// Sets the local at `index` to the low bytes of `word`.
    #[inline]
    pub(crate) fn set(&self, index: usize, word: u64) {
        let at = self.address(index);
        // SAFETY: a local has room for a word, and is aligned for it. The low bytes come first on little-endian targets.
        unsafe {
            if cfg!(target_endian = "little") {
                at.cast::<u64>().write(word);
            } else {
                self.local(index).number.write(at, word);
            }
        }
    }

    pub(crate) fn set_pointer(&self, index: usize, pointer: *mut c_void) {
        // SAFETY: a local has room for a pointer, and is aligned for it.
        unsafe { self.address(index).cast::<*mut c_void>().write(pointer) };
    }

    /// The pointer in the local at `index`.
    pub(crate) fn pointer(&self, index: usize) -> *mut c_void {
        self.pointer_at(Place::Param(index))
    }

    /// The pointer that C left at a place.
    pub(crate) fn pointer_at(&self, place: Place) -> *mut c_void {
        // SAFETY: both places have room for a pointer, and are initialised and aligned for it.
        unsafe { self.place(place).cast::<*mut c_void>().read() }
    }

    /// Where C left a scalar or a pointer.
    pub(crate) fn place(&self, place: Place) -> *mut u8 {
        match place {
            Place::Returned => self.returned,
            Place::Param(index) => self.address(index),
        }
    }

    /// The integer that C left at a place.
    pub(crate) fn integer(&self, place: Place) -> i128 {
        let number = match place {
            Place::Returned => self.function.returned,
            Place::Param(index) => self.local(index).number,
        };
        // SAFETY: both places have room for every scalar, and are initialised.
        unsafe { number.read(self.place(place)) }
    }

    /// The number of elements or units that the caller passed; `None` if there are none.
    pub(crate) fn length(&self, index: usize) -> Option<usize> {
        let field = self.local(index).field?;
        self.args.is_present(field).then(|| self.args.memory(field).1)
    }

    /// The elements that the caller passed, and their number; `None` if there are none.
    pub(crate) fn list(&self, index: usize) -> Option<(*const u8, usize)> {
        let field = self.local(index).field?;
        self.args.is_present(field).then(|| {
            let (memory, count) = self.args.memory(field);
            (memory.cast_const(), count)
        })
    }

    /// Passes C a copy of these elements with a zero behind them.
    pub(crate) fn terminate(&mut self, index: usize, elements: *const u8, count: usize, size: usize) {
        let copy = self.words((count + 1) * size);
        // SAFETY: there are so many elements, and the copy has room for one more.
        unsafe { ptr::copy_nonoverlapping(elements, copy, count * size) };
        self.pass(index, copy.cast());
    }

    pub(crate) fn first_length(&self, arrays: &[usize]) -> Option<usize> {
        arrays.iter().find_map(|index| self.length(*index))
    }

    /// The buffer of the parameter at `index`.
    pub(crate) fn room(&self, index: usize) -> Option<&Room> {
        self.owned.iter().find_map(|owned| match owned {
            Owned::Room(of, room) if *of == index => Some(room),
            _ => None,
        })
    }

    /// The size of the buffer for a string of unknown length, in bytes.
    #[cfg(all(unix, feature = "guard"))]
    pub(crate) fn text_room(&self) -> Option<usize> {
        self.owned.iter().find_map(|owned| match owned {
            Owned::Text(buffer) => Some(buffer.capacity()),
            _ => None,
        })
    }

    /// The callback of the parameter at `index`, if C is passed one.
    pub(crate) fn lent(&self, index: usize) -> Option<&Lent> {
        let kept = self.kept.lent.iter().find(|(of, _)| *of == index).map(|(_, lent)| &**lent);
        kept.or_else(|| {
            self.owned.iter().find_map(|owned| match owned {
                Owned::Callback(of, lent) if *of == index => Some(&**lent),
                _ => None,
            })
        })
    }

    /// Zeroed memory that lives until the call has ended, aligned for every scalar.
    pub(crate) fn words(&mut self, bytes: usize) -> *mut u8 {
        let mut words = vec![0_u64; bytes.div_ceil(8)];
        let start = words.as_mut_ptr().cast();
        self.owned.push(Owned::Words(words));
        start
    }
}
