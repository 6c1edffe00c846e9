//! Buffers in structs that C fills. Before the call, each gets the memory that the struct says it has; afterwards the
//! guards are checked, and the pointers are what they were, because C may have moved them.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::NonNull;

use crate::CallError;
use crate::adapter::{Extent, HEADER, Kind, Many};
use crate::room::{FILL, GUARD, limit};

/// The buffers of the structs of one call.
#[derive(Default)]
pub struct Rooms(Vec<Room>);

struct Room {
    value: &'static str,
    /// Where the struct has the pointer.
    at: *mut u8,
    /// The header, the elements and the guard.
    memory: NonNull<u8>,
    layout: Layout,
    /// The bytes of the elements.
    bytes: usize,
}

impl Rooms {
    /// Makes the buffers of `count` structs.
    ///
    /// # Errors
    ///
    /// A capacity is negative or too large.
    ///
    /// # Safety
    ///
    /// `at` points to `count` values with the layout of `kind`, which stay there until this is dropped.
    pub unsafe fn make(&mut self, kind: Kind, at: *mut c_void, count: usize) -> Result<(), CallError> {
        for index in 0..count {
            // SAFETY: as the caller guarantees.
            unsafe { self.make_at(kind, at.cast::<u8>().add(index * kind.size()), "")? };
        }
        Ok(())
    }

    /// # Safety
    ///
    /// As for [`Self::make`].
    unsafe fn make_at(&mut self, kind: Kind, at: *mut u8, value: &'static str) -> Result<(), CallError> {
        match kind {
            Kind::Record(record) => {
                for member in record.members {
                    // SAFETY: the value has the layout of the record.
                    unsafe { self.make_at(member.kind, at.add(member.offset), member.key.name)? };
                }
                Ok(())
            }
            Kind::Fixed((element, count)) if element.has_pointers() => {
                for index in 0..*count {
                    // SAFETY: the value is `count` adjacent elements.
                    unsafe { self.make_at(*element, at.add(index * element.size()), value)? };
                }
                Ok(())
            }
            Kind::Many(many) if many.room.is_some() => {
                // SAFETY: as the caller guarantees.
                let capacity = unsafe { capacity(many, at) };
                let room = Room::new(value, at, capacity, many.of.size())
                    .ok_or(CallError::Capacity { value, capacity })?;
                // SAFETY: the struct has a pointer there.
                unsafe { at.cast::<*mut u8>().write_unaligned(room.start()) };
                self.0.push(room);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Checks the guards, and puts the pointers back.
    ///
    /// # Errors
    ///
    /// C wrote past the end of a buffer.
    pub fn settle(&mut self) -> Result<(), CallError> {
        for room in &self.0 {
            // SAFETY: the guard is behind the elements, and is initialised.
            let guard = unsafe { std::slice::from_raw_parts(room.start().add(room.bytes), guard()) };
            if guard.iter().any(|byte| *byte != FILL) {
                return Err(CallError::Overrun { value: room.value });
            }
            // SAFETY: the caller of `make` guarantees that the struct is still there.
            unsafe { room.at.cast::<*mut u8>().write_unaligned(room.start()) };
        }
        Ok(())
    }
}

/// How many elements the caller wants room for.
///
/// # Safety
///
/// `at` points to the member.
unsafe fn capacity(many: &Many, at: *const u8) -> i128 {
    match &many.length {
        // SAFETY: as the caller guarantees.
        Extent::Beside(beside) => unsafe { beside.read(at) },
        Extent::Const(count) => *count as i128,
        Extent::Terminated => 0,
    }
}

impl Room {
    fn new(value: &'static str, at: *mut u8, capacity: i128, size: usize) -> Option<Self> {
        let capacity = usize::try_from(capacity).ok()?;
        let bytes = capacity.checked_mul(size).filter(|bytes| *bytes <= limit())?;
        let whole = bytes.checked_add(HEADER + guard())?;
        let layout = Layout::from_size_align(whole, HEADER).ok()?;
        // SAFETY: the size is not 0.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let room = Self { value, at, memory, layout, bytes };
        // SAFETY: there is memory for the header and for the guard.
        unsafe {
            memory.as_ptr().cast::<usize>().write(capacity);
            room.start().add(bytes).write_bytes(FILL, guard());
        }
        Some(room)
    }

    fn start(&self) -> *mut u8 {
        self.memory.as_ptr().wrapping_add(HEADER)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

/// The size of a guard. With `--cfg opendyn_exact_buffers` sanitizers look for overruns instead.
const fn guard() -> usize {
    if cfg!(opendyn_exact_buffers) { 0 } else { GUARD }
}
