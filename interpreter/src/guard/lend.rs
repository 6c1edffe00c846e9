//! Before the call, everything that C is lent is copied between guard pages.

use std::ffi::c_void;
use std::fmt;
use std::ptr::{self, NonNull};
use std::sync::{Mutex, PoisonError};

use opendyn::generated::Kind;
use opendyn::interpreted::{Pointee, pointees};
use opendyn_model::plan::Operand;

pub use super::region::Place;

use super::parts::{Part, What};
use super::region::Region;
use crate::call::Call;

/// The maximum number of pieces of memory that are guarded in a process: the system limits its mappings.
const MOST: usize = 8192;

/// How memory is guarded, and who is told.
pub struct Guarding {
    /// Where memory is in its pages.
    pub place: Place,
    /// What is in a buffer that C fills before the call.
    pub fill: u8,
    /// Who is told.
    pub observer: Box<dyn Observer>,
}

/// Is told what C is lent, and what it left.
pub trait Observer: Send + Sync {
    /// Before a call: the memory that C is lent.
    fn lent(&self, lent: &[Lent]);

    /// After a call: the buffers that C filled. From now on, nothing can access what C was lent.
    fn left(&self, left: &[Left]);
}

/// A piece of memory that C is lent.
#[derive(Clone, Debug)]
pub struct Lent {
    /// The name of the parameter, or the path of a member.
    pub name: String,
    /// What it is.
    pub what: What,
    /// Its address.
    pub start: usize,
    /// Its size.
    pub bytes: usize,
    /// The addresses that belong to it, with those that cannot be accessed; none if it could not be guarded.
    pub around: std::ops::Range<usize>,
    /// Whether C may write to it.
    pub is_written: bool,
    /// Whether C may use it after the call.
    pub stays: bool,
    /// What the document says about its size.
    pub says: String,
}

/// What C left in a buffer.
#[derive(Clone, Debug)]
pub struct Left {
    /// The name of the parameter.
    pub name: String,
    /// All of it.
    pub bytes: Vec<u8>,
    /// The size of one element.
    pub unit: usize,
    /// Whether it is text that ends at its first NUL.
    pub ends_at_nul: bool,
    /// The number of bytes that C says that it wrote; `None` for all of them.
    pub written: Option<usize>,
}

/// The guard of a library.
pub(crate) struct Guard {
    pub(super) with: Guarding,
    /// What the calls that run were lent.
    pieces: Mutex<Pieces>,
}

#[derive(Default)]
pub(super) struct Pieces {
    pub(super) live: Vec<Piece>,
    made: usize,
}

pub(super) struct Piece {
    /// The parameter.
    pub(super) of: usize,
    /// Where the memory is that the steps see.
    pub(super) original: *mut u8,
    pub(super) region: Region,
    pub(super) is_written: bool,
    /// Whether there can be pointers in it.
    pub(super) has_pointers: bool,
    pub(super) is_room: bool,
    pub(super) stays: bool,
}

// SAFETY: the memory that it leads to is used by the one call that it belongs to.
unsafe impl Send for Piece {}

/// What a call is passed instead of its operands.
pub(crate) struct Guarded {
    #[expect(dead_code, reason = "only its memory is used, through pointers")]
    passed: Box<[*mut u8]>,
    #[expect(dead_code, reason = "only its memory is used, through pointers")]
    by_value: Vec<Vec<u64>>,
    /// The first of its pieces.
    pub(super) first: usize,
}

impl Guard {
    pub(crate) fn new(with: Guarding) -> Self {
        Self { with, pieces: Mutex::default() }
    }

    pub(super) fn pieces(&self) -> std::sync::MutexGuard<'_, Pieces> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("place", &self.with.place).finish_non_exhaustive()
    }
}

impl Call<'_> {
    /// Lends C copies of its arguments between guard pages.
    pub(crate) fn lend_guarded(&mut self) -> Option<Guarded> {
        let guard = self.bound.guard.as_ref()?;
        let count = self.function.plan.signature.params.len();
        let mut passed = vec![ptr::null_mut(); count].into_boxed_slice();
        let mut by_value = Vec::new();
        let mut told = Vec::new();
        let first = guard.pieces().live.len();
        for (index, slot) in passed.iter_mut().enumerate() {
            if let Some(copy) = self.copy_of_value(guard, index, &mut told) {
                let mut copy = copy;
                self.replace_operand(index, copy.as_mut_ptr().cast());
                by_value.push(copy);
                continue;
            }
            if !self.is_pointer(index) || self.pointer_passed(index).is_null() {
                continue;
            }
            let original = self.pointer_passed(index).cast();
            if let Some(part) = self.part(index) {
                let name = self.param(index).key.clone();
                *slot = self.lend_part(guard, index, original, name, &part, &mut told);
                self.replace_operand(index, ptr::from_mut(slot).cast());
            }
        }
        guard.with.observer.lent(&told);
        Some(Guarded { passed, by_value, first })
    }

    /// Whether C is passed a pointer that is in the cell of the parameter at `index`.
    fn is_pointer(&self, index: usize) -> bool {
        !matches!(
            self.param(index).operand,
            Operand::Scalar(_)
                | Operand::Constant(..)
                | Operand::Local
                | Operand::RecordValue(_)
                | Operand::LoanValue(_)
        )
    }

    /// A copy of a struct that is passed by value, whose pointers lead between guard pages; `None` for anything else.
    fn copy_of_value(&self, guard: &Guard, index: usize, told: &mut Vec<Lent>) -> Option<Vec<u64>> {
        let (Operand::RecordValue(record) | Operand::LoanValue(record)) = self.param(index).operand else {
            return None;
        };
        let (original, _) = self.list(index)?;
        let kinds = self.bound.kinds();
        let size = kinds.layouts[record].size;
        let mut copy = vec![0_u64; size.div_ceil(8)];
        // SAFETY: the reader has put a struct of this size there.
        unsafe { ptr::copy_nonoverlapping(original, copy.as_mut_ptr().cast(), size) };
        let part = Part {
            what: What::Struct,
            bytes: size,
            is_written: false,
            stays: false,
            of: Some((kinds.of_record(record), 1)),
            says: String::new(),
        };
        let name = &self.param(index).key;
        self.lend_pointees(guard, index, original.cast_mut(), copy.as_mut_ptr().cast(), name, &part, told);
        Some(copy)
    }

    /// The address of the copy; of the original, if the system has no more memory for it.
    fn lend_part(
        &self,
        guard: &Guard,
        of: usize,
        original: *mut u8,
        name: String,
        part: &Part,
        told: &mut Vec<Lent>,
    ) -> *mut u8 {
        let has_room = guard.pieces().made < MOST;
        // The memory ends at a page, so it is as aligned as its size is a multiple of the alignment.
        let region = if has_room { Region::new(part.bytes, 1, guard.with.place) } else { None };
        let mut lent = Lent {
            name,
            what: part.what,
            start: original.addr(),
            bytes: part.bytes,
            around: 0..0,
            is_written: part.is_written,
            stays: part.stays,
            says: part.says.clone(),
        };
        let Some(region) = region else {
            told.push(lent);
            return original;
        };
        let start = region.start;
        (lent.start, lent.around) = (start.addr(), region.from..region.to);
        let name = lent.name.clone();
        told.push(lent);
        let is_room = part.what == What::Capacity;
        // SAFETY: the original has so many bytes, and the copy has room for them.
        unsafe {
            if is_room && guard.with.fill != 0 {
                start.write_bytes(guard.with.fill, part.bytes);
            } else {
                ptr::copy_nonoverlapping(original, start, part.bytes);
            }
        }
        self.lend_pointees(guard, of, original, start, &name, part, told);
        if !part.is_written {
            region.only_read();
        }
        let has_pointers = matches!(part.what, What::Struct | What::Scalar) || part.of.is_some();
        let (is_written, stays) = (part.is_written, part.stays);
        let mut pieces = guard.pieces();
        pieces.made += 1;
        pieces.live.push(Piece { of, original, region, is_written, has_pointers, is_room, stays });
        start
    }

    /// Lends what the pointers in a copy lead to.
    #[expect(clippy::too_many_arguments, reason = "what, where from, where to, and who is told")]
    fn lend_pointees(
        &self,
        guard: &Guard,
        of: usize,
        original: *mut u8,
        copy: *mut u8,
        name: &str,
        part: &Part,
        told: &mut Vec<Lent>,
    ) {
        let Some((kind, count)) = part.of else { return };
        for index in 0..count {
            let offset = index * kind.size();
            // SAFETY: the original is `count` values of this kind, which are ready for C.
            for pointee in unsafe { pointees(kind, original.wrapping_add(offset)) } {
                let at = offset + pointee.at;
                // SAFETY: there is a pointer, as `pointees` says.
                let target = unsafe { original.add(at).cast::<*mut u8>().read_unaligned() };
                let inner = Part {
                    what: inner_what(&pointee),
                    bytes: pointee.bytes,
                    is_written: pointee.is_room || part.is_written,
                    stays: part.stays,
                    of: pointee.of.map(|of| (of, pointee.count)),
                    says: String::new(),
                };
                let name = match (pointee.name, count) {
                    ("", _) => format!("{name}[{index}]"),
                    (member, 0 | 1) => format!("{name}.{member}"),
                    (member, _) => format!("{name}[{index}].{member}"),
                };
                let start = self.lend_part(guard, of, target, name, &inner, told);
                // SAFETY: the copy has a pointer at the same place.
                unsafe { copy.add(at).cast::<*mut u8>().write_unaligned(start) };
            }
        }
    }

    /// The memory of a state, which stays where it is; `None` if there is no guard.
    pub(crate) fn guarded_state(&self, index: usize, record: usize) -> Option<NonNull<c_void>> {
        let guard = self.bound.guard.as_ref()?;
        let kinds = self.bound.kinds();
        let layout = &kinds.layouts[record];
        let region = Region::new(layout.size, layout.align, guard.with.place)?;
        let lent = Lent {
            name: self.param(index).key.clone(),
            what: What::State,
            start: region.start.addr(),
            bytes: layout.size,
            around: region.from..region.to,
            is_written: true,
            stays: true,
            says: format!("`{}` has {} bytes", kinds.types().records[record].name, layout.size),
        };
        guard.with.observer.lent(&[lent]);
        NonNull::new(region.start.cast())
    }
}

fn inner_what(pointee: &Pointee) -> What {
    match pointee.of {
        _ if pointee.is_room => What::Capacity,
        _ if pointee.is_text => What::Text,
        Some(Kind::Record(_)) => What::Struct,
        _ => What::Length,
    }
}
