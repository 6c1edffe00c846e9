//! The memory of a call: the locals of its parameters, what it returned, and what it owns.

use std::ffi::c_void;
use std::ptr;

use opendyn::generated::{State, TextBuffer};
use opendyn::interpreted::Room;
use opendyn_model::plan::{Param, Place, Shape};

use crate::call::Call;
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
    /// The state of a parameter.
    State(usize, State),
    /// Structs that C fills, and copies.
    Words(#[expect(dead_code, reason = "only its memory is used, through pointers")] Vec<u64>),
    /// A buffer for a string of unknown length.
    Text(TextBuffer),
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

    /// Zeroed memory that lives until the call has ended, aligned for every scalar.
    pub(crate) fn words(&mut self, bytes: usize) -> *mut u8 {
        let mut words = vec![0_u64; bytes.div_ceil(8)];
        let start = words.as_mut_ptr().cast();
        self.owned.push(Owned::Words(words));
        start
    }
}
