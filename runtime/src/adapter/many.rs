//! Members of structs that point to elements: how many there are, and how they are checked.
//!
//! The number of elements is in another member of the same struct, which tables give as a distance in bytes, so that a
//! member can be read where it lies. [`check`] looks at everything that a value from C points to before any of it is
//! copied or written: typed methods and the interpreter both call it, so that they report the same errors.

use std::ffi::c_void;

use super::datum::low_bytes;
use super::kind::Kind;
use super::{MAX_ARGUMENTS, MAX_DEPTH};
use crate::CallError;
use crate::count::{count, within};
use crate::encoding::Encoding;

/// A member that points to elements.
#[derive(Debug)]
pub struct Many {
    /// An element as it lies in memory.
    pub of: Kind,
    /// The encoding, if the elements are the bytes of a string.
    pub text: Option<Encoding>,
    /// The number of elements, or how many there is room for.
    pub length: Extent,
    /// Whether NULL is a value.
    pub nullable: bool,
    /// Whether NULL is a value among the elements.
    pub nullable_items: bool,
    /// For a buffer that C fills: how much of it C wrote.
    pub room: Option<Wrote>,
}

/// How many elements there are.
#[derive(Debug)]
pub enum Extent {
    /// The integer that lies so many bytes behind the pointer.
    Beside(Beside),
    /// Always the same number.
    Const(usize),
    /// Up to an element of zeros.
    Terminated,
}

/// How much C wrote to a buffer.
#[derive(Debug)]
pub enum Wrote {
    /// All of it.
    All,
    /// The integer that lies beside the pointer.
    Beside(Beside),
    /// All but the integer that lies beside the pointer.
    Left(Beside),
}

/// An integer in the same struct.
#[derive(Debug)]
pub struct Beside {
    /// How many bytes it lies behind the pointer.
    pub by: isize,
    /// Its type: a [`Kind::Integer`].
    pub of: Kind,
}

/// The bytes before the memory of a buffer, which hold its capacity.
pub(crate) const HEADER: usize = 16;

impl Beside {
    /// The integer, for the pointer at `at`.
    ///
    /// # Safety
    ///
    /// `at` points to the member of a struct that the table describes.
    pub(crate) unsafe fn read(&self, at: *const u8) -> i128 {
        let Kind::Integer(integer) = self.of else { return 0 };
        // SAFETY: the table says that the integer is there.
        let word = unsafe { low_bytes(at.offset(self.by), integer.size()) };
        if integer.is_signed() {
            let unused = 64 - 8 * integer.size() as u32;
            ((word << unused).cast_signed() >> unused).into()
        } else {
            word.into()
        }
    }
}

impl Many {
    /// The number of elements that the value has.
    ///
    /// # Safety
    ///
    /// `at` points to such a member in a struct that the table describes, whose pointer `pointer` is NULL or points to
    /// elements; of a buffer, it is one that `Rooms` made.
    pub(crate) unsafe fn number(&self, at: *const u8, pointer: *const u8) -> i128 {
        // SAFETY: the caller guarantees the struct, and elements up to a zero. A buffer has a header.
        unsafe {
            match (&self.room, &self.length) {
                (Some(Wrote::Beside(beside)), _) => beside.read(at),
                (Some(Wrote::Left(_) | Wrote::All), _) if pointer.is_null() => 0,
                (Some(Wrote::Left(beside)), _) => capacity(pointer) - beside.read(at),
                (Some(Wrote::All), _) => capacity(pointer),
                (None, Extent::Beside(beside)) => beside.read(at),
                (None, Extent::Const(count)) => *count as i128,
                (None, Extent::Terminated) if pointer.is_null() => 0,
                (None, Extent::Terminated) => {
                    let (size, mut count) = (self.of.size(), 0);
                    while (0..size).any(|byte| pointer.add(count * size + byte).read() != 0) {
                        count += 1;
                    }
                    count as i128
                }
            }
        }
    }

    /// The pointer and the number of elements of a member that [`check`] found valid.
    ///
    /// # Safety
    ///
    /// As for [`Self::number`].
    pub(crate) unsafe fn elements(&self, at: *const u8) -> (*const u8, usize) {
        // SAFETY: as the caller guarantees.
        let (pointer, number) = unsafe {
            let pointer = pointer_at(at);
            (pointer, self.number(at, pointer))
        };
        (pointer, if pointer.is_null() { 0 } else { usize::try_from(number).unwrap_or(0) })
    }
}

/// The capacity of a buffer in a struct.
///
/// # Safety
///
/// The memory has a header.
unsafe fn capacity(pointer: *const u8) -> i128 {
    // SAFETY: as the caller guarantees.
    unsafe { pointer.sub(HEADER).cast::<usize>().read() as i128 }
}

/// The pointer at `at`.
///
/// # Safety
///
/// There is one.
pub(crate) unsafe fn pointer_at(at: *const u8) -> *const u8 {
    // SAFETY: as the caller guarantees.
    unsafe { at.cast::<*const u8>().read_unaligned() }
}

/// What a value from C may still have: levels, and bytes.
struct Budget {
    depth: usize,
    bytes: usize,
}

/// Checks everything that a value from C points to: counts are possible, what must be there is not NULL, and it nests no
/// deeper and is no larger than a value can be.
///
/// # Errors
///
/// Something is not so; the error names the member, or the result `value`.
///
/// # Safety
///
/// `at` points to a value with the layout of `kind`. Its pointers are NULL or point to what `kind` says.
pub unsafe fn check(kind: Kind, at: *const c_void, value: &'static str) -> Result<(), CallError> {
    let mut budget = Budget { depth: MAX_DEPTH, bytes: 4 * MAX_ARGUMENTS };
    // SAFETY: as the caller guarantees.
    unsafe { check_at(kind, at.cast(), value, &mut budget) }
}

/// # Safety
///
/// As for [`check`].
unsafe fn check_at(
    kind: Kind,
    at: *const u8,
    value: &'static str,
    budget: &mut Budget,
) -> Result<(), CallError> {
    match kind.resolved() {
        Kind::Record(record) => {
            for member in record.members {
                // SAFETY: the value has the layout of the record.
                unsafe { check_at(member.kind, at.add(member.offset), member.key.name, budget)? };
            }
            Ok(())
        }
        Kind::Fixed((element, count)) if element.has_pointers() => {
            for index in 0..*count {
                // SAFETY: the value is `count` adjacent elements.
                unsafe { check_at(*element, at.add(index * element.size()), value, budget)? };
            }
            Ok(())
        }
        Kind::Pointed(target) => {
            let record = target.get();
            // SAFETY: the value is a pointer.
            let pointer = unsafe { pointer_at(at) };
            if pointer.is_null() {
                return Ok(());
            }
            budget.enter(record.size, value)?;
            // SAFETY: the caller guarantees that the pointer points to such a struct.
            unsafe { check_at(Kind::Record(record), pointer, value, budget)? };
            budget.depth += 1;
            Ok(())
        }
        // SAFETY: as the caller guarantees.
        Kind::Many(many) => unsafe { check_many(many, at, value, budget) },
        _ => Ok(()),
    }
}

/// # Safety
///
/// As for [`check`].
unsafe fn check_many(
    many: &Many,
    at: *const u8,
    value: &'static str,
    budget: &mut Budget,
) -> Result<(), CallError> {
    // SAFETY: the value is a pointer.
    let pointer = unsafe { pointer_at(at) };
    if pointer.is_null() && many.nullable {
        return Ok(());
    }
    // SAFETY: the caller guarantees what the pointer points to.
    let number = unsafe { many.number(at, pointer) };
    let number = match many.room {
        Some(_) if !pointer.is_null() => {
            // SAFETY: a buffer has a header.
            let capacity = unsafe { capacity(pointer) };
            within(value, number, usize::try_from(capacity).unwrap_or(0))?
        }
        _ => count(value, number)?,
    };
    if pointer.is_null() {
        return if number == 0 { Ok(()) } else { Err(CallError::Null { value }) };
    }
    let size = many.of.size();
    budget.enter(number.saturating_mul(size), value)?;
    if many.of.has_pointers() {
        for index in 0..number {
            // SAFETY: the caller guarantees `number` elements.
            unsafe {
                let element = pointer.add(index * size);
                let is_pointer = matches!(many.of, Kind::Str | Kind::Pointed(_));
                if is_pointer && !many.nullable_items && pointer_at(element).is_null() {
                    return Err(CallError::Null { value });
                }
                check_at(many.of, element, value, budget)?;
            }
        }
    }
    budget.depth += 1;
    Ok(())
}

impl Budget {
    /// Goes one level down, to so many bytes.
    fn enter(&mut self, bytes: usize, value: &'static str) -> Result<(), CallError> {
        match (self.depth.checked_sub(1), self.bytes.checked_sub(bytes.max(1))) {
            (Some(depth), Some(bytes)) => {
                *self = Self { depth, bytes };
                Ok(())
            }
            _ => Err(CallError::TooLarge { value }),
        }
    }
}
