//! Members of the struct behind a handle, and of states.

use std::ffi::c_void;
use std::ptr;

use opendyn_model::plan::{CBase, FieldType, Lent, LentMember, Place, Read};

use crate::call::Call;
use crate::number::Number;
use crate::prepared::Prepared;

impl Call<'_> {
    /// Puts a member, or its address, where C leaves return values.
    pub(crate) fn read(&mut self, read: Read) {
        // SAFETY: the handle of the first parameter is not NULL, and there is room for the return value.
        unsafe { self.read_for(self.function, read, self.pointer(0), self.returned) };
    }

    /// Reads the member that the function `reader` reads, from the struct at `handle`.
    ///
    /// # Safety
    ///
    /// `handle` is one that `reader` takes, and `into` has room for what it returns, aligned for it.
    pub(crate) unsafe fn read_for(&self, reader: &Prepared, read: Read, handle: *mut c_void, into: *mut u8) {
        let layouts = &self.bound.kinds().layouts;
        let at = handle.cast::<u8>().wrapping_add(layouts[read.record].offsets[read.field]);
        if read.in_place {
            // SAFETY: the caller guarantees room for a pointer.
            unsafe { into.cast::<*mut u8>().write(at) };
            return;
        }
        let size = match reader.plan.signature.returns.as_ref().map(|value| (&value.base, value.stars)) {
            Some((CBase::Record(record), 0)) => layouts[*record].size,
            _ => reader.returned.size,
        };
        // SAFETY: the document says that the struct behind the handle has this member, whose type is that of the return
        // value, for which there is room.
        unsafe { ptr::copy_nonoverlapping(at, into, size) };
    }

    /// The integer in a member.
    pub(crate) fn integer_member(&mut self, record: usize, field: usize) -> i128 {
        let of = self.bound.kinds().types().records[record].fields().nth(field).map(|field| &field.of);
        let Some(FieldType::Scalar(scalar)) = of else { return 0 };
        let at = self.member(record, field);
        // SAFETY: the document says that the struct behind the handle has this integer.
        unsafe { Number::of(scalar.c_type).read(at) }
    }

    /// The address of a member.
    fn member(&mut self, record: usize, field: usize) -> *mut u8 {
        self.pointer(0).cast::<u8>().wrapping_add(self.bound.kinds().layouts[record].offsets[field])
    }

    /// Sets the members of a state that hold what the call lends to C.
    pub(crate) fn fill(&mut self, state: usize, members: &[LentMember]) {
        for member in members {
            let at = self.member_at(state, *member);
            let (from, size) = match member.holds {
                Lent::Pointer => (self.operand(member.param).cast::<u8>(), size_of::<*mut c_void>()),
                Lent::Size | Lent::Count | Lent::Left => {
                    (self.address(member.param), self.local(member.param).number.size)
                }
            };
            // SAFETY: the state has this member, of the type of the operand or local.
            unsafe { ptr::copy_nonoverlapping(from, at, size) };
        }
    }

    /// Takes back what C left in them, and sets them to NULL and 0.
    pub(crate) fn clear(&mut self, state: usize, members: &[LentMember]) {
        for member in members {
            let at = self.member_at(state, *member);
            let number = self.local(member.param).number;
            let size = match member.holds {
                Lent::Pointer => size_of::<*mut c_void>(),
                Lent::Size | Lent::Count | Lent::Left => number.size,
            };
            // SAFETY: the state has this member, an integer of the type of the local.
            let left = || unsafe { number.read(at) };
            match member.holds {
                Lent::Pointer | Lent::Size => {}
                Lent::Count => self.set(member.param, left() as u64),
                // More than there was room for wraps, and is refused as a count.
                Lent::Left => {
                    let capacity = self.integer(Place::Param(member.param));
                    self.set(member.param, (capacity - left()) as u64);
                }
            }
            // SAFETY: the state has this member.
            unsafe { ptr::write_bytes(at, 0, size) };
        }
    }

    /// The address of a member of the state of the parameter at `state`.
    fn member_at(&self, state: usize, member: LentMember) -> *mut u8 {
        let offset = self.bound.kinds().layouts[member.record].offsets[member.field];
        self.pointer(state).cast::<u8>().wrapping_add(offset)
    }
}
