//! Memory that passes to C: copies that C's own allocator makes, because C frees them.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use opendyn::CallError;
use opendyn::interpreted::copied_for_c;
use opendyn_model::plan::{Operand, Shape, TakenMemory};

use crate::bound::Bound;
use crate::call::Call;
use crate::number::Number;

/// A copy of an argument that C has not taken.
pub(crate) struct Foreign {
    /// The parameter.
    pub(crate) of: usize,
    pointer: NonNull<c_void>,
    /// The way to free it.
    free: Option<usize>,
}

impl Bound {
    /// Memory of this size from the allocator at `index`; NULL if there is none.
    fn allocate(&self, index: usize, size: usize) -> *mut c_void {
        type Allocate = unsafe extern "C" fn(usize) -> *mut c_void;
        let types = self.kinds().types();
        let symbol = types.allocators[index].symbol;
        let address = self.linked_symbol(symbol);
        let allocate: Option<Allocate> = if types.symbols[symbol].is_variable {
            // SAFETY: the library has the symbol, and the document says that it is a variable with such a function.
            unsafe { address.cast::<Option<Allocate>>().read() }
        } else {
            // SAFETY: the library has the symbol, and the document says that it is such a function.
            Some(unsafe { std::mem::transmute::<*const (), Allocate>(address) })
        };
        // SAFETY: whoever opened the library vouched that it keeps to the document, so this function allocates.
        allocate.map_or(ptr::null_mut(), |allocate| unsafe { allocate(size) })
    }
}

impl Call<'_> {
    /// Passes C a copy of what the caller passed for the parameter at `index`, if there is something.
    pub(crate) fn copy_for_c(&mut self, index: usize, taken: TakenMemory) -> Result<(), CallError> {
        let Some((start, count)) = self.list(index) else { return Ok(()) };
        let Operand::Taken(units) = self.param(index).operand else { return Ok(()) };
        // With its NUL.
        let ends = usize::from(matches!(self.shape(index), Some(Shape::Text(_) | Shape::Str(_))));
        let bytes = (count + ends) * Number::of(units).size;
        let allocate = |size| self.bound.allocate(taken.allocator, size);
        // SAFETY: the reader has put so many bytes there; the document says that the allocator makes memory of this size.
        let pointer = unsafe { copied_for_c(&self.param(index).key, start, bytes, allocate)? };
        self.pass(index, pointer.as_ptr());
        self.foreign.push(Foreign { of: index, pointer, free: taken.free });
        Ok(())
    }

    /// Frees the copies that C has not taken.
    pub(crate) fn free_foreign(&mut self) {
        for Foreign { pointer, free, .. } in std::mem::take(&mut self.foreign) {
            if let Some(free) = free {
                // SAFETY: the document says that this frees what the allocator made, and C has not taken it.
                unsafe { self.bound.free(free, pointer.as_ptr(), &[]) };
            }
        }
    }
}
