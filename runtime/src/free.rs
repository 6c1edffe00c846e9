//! How the runtime frees memory from C.

use std::ffi::c_void;

use crate::CallError;

/// Further arguments of a function that frees, as C passes them: scalars and pointers.
pub type Captured = Box<[u64]>;

/// Calls what an `x-free` describes. Generated code has one such function for each;
/// [`Held`](crate::held::Held), [`Handle`](crate::handle::Handle) and
/// [`Handles`](crate::Handles) call it without knowing the type of the binding.
///
/// It returns whether `pointer` is freed. If not, C has refused, and may still use everything that was passed to it.
///
/// # Safety
///
/// `binding` points to the binding that the function was generated for, the C function accepts
/// `pointer` and the captured arguments, and `pointer` is not used after it is freed.
pub type FreeFn = unsafe fn(binding: *const (), pointer: *mut c_void, captured: &[u64]) -> bool;

/// As [`FreeFn`], for a binding that finds the C function by its number.
///
/// # Safety
///
/// As for [`FreeFn`]; the number is one of the binding.
pub type NumberedFreeFn =
    unsafe fn(binding: *const (), number: usize, pointer: *mut c_void, captured: &[u64]) -> bool;

/// For a state that needs no end: its memory can be freed.
pub const NO_END: FreeFn = |_, _, _| true;

/// For a state whose end is unknown: C may still use its memory.
pub const NEVER: FreeFn = |_, _, _| false;

/// How the handle of a JSON caller is freed.
#[derive(Clone, Copy, Debug)]
pub enum Free {
    /// By a function of generated code.
    By(FreeFn),
    /// By the function of the interpreter, which is told which C function.
    Numbered(NumberedFreeFn, usize),
}

impl Free {
    /// Frees `pointer`, and returns whether it is freed.
    ///
    /// # Safety
    ///
    /// As for [`FreeFn`].
    pub(crate) unsafe fn call(self, binding: *const (), pointer: *mut c_void, captured: &[u64]) -> bool {
        // SAFETY: the caller guarantees what the function demands.
        unsafe {
            match self {
                Self::By(free) => free(binding, pointer, captured),
                Self::Numbered(free, number) => free(binding, number, pointer, captured),
            }
        }
    }
}

/// Checks that an argument of a function that frees is the one that the handle remembers at `position`.
///
/// # Errors
///
/// It is another one, or the handle remembers none: it is freed in another way.
pub fn same_argument(
    value: &'static str,
    captured: &[u64],
    position: usize,
    argument: impl Word,
) -> Result<(), CallError> {
    same_word(value, captured, position, argument.to_word())
}

/// As [`same_argument`], for a word.
///
/// # Errors
///
/// As for [`same_argument`].
pub fn same_word(
    value: &'static str,
    captured: &[u64],
    position: usize,
    argument: u64,
) -> Result<(), CallError> {
    if captured.get(position) == Some(&argument) { Ok(()) } else { Err(CallError::OtherArgument { value }) }
}

/// Checks that an argument of a function that frees is the integer of the document.
///
/// # Errors
///
/// It is another one.
pub fn same_integer(value: &'static str, expected: i128, argument: i128) -> Result<(), CallError> {
    if expected == argument { Ok(()) } else { Err(CallError::OtherArgument { value }) }
}

/// A scalar or a pointer that is kept as an argument of a function that frees.
pub trait Word: Sized {
    /// The value as a word.
    fn to_word(self) -> u64;
    /// The value that [`Word::to_word`] made a word of.
    fn from_word(word: u64) -> Self;
}

macro_rules! words {
    ($($integer:ty)*) => {$(
        impl Word for $integer {
            fn to_word(self) -> u64 {
                self as u64
            }

            fn from_word(word: u64) -> Self {
                word as Self
            }
        }
    )*};
}
words!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl Word for bool {
    fn to_word(self) -> u64 {
        self.into()
    }

    fn from_word(word: u64) -> Self {
        word != 0
    }
}

impl Word for f32 {
    fn to_word(self) -> u64 {
        self.to_bits().into()
    }

    fn from_word(word: u64) -> Self {
        Self::from_bits(word as u32)
    }
}

impl Word for f64 {
    fn to_word(self) -> u64 {
        self.to_bits()
    }

    fn from_word(word: u64) -> Self {
        Self::from_bits(word)
    }
}

impl<T> Word for *mut T {
    fn to_word(self) -> u64 {
        self.expose_provenance() as u64
    }

    fn from_word(word: u64) -> Self {
        std::ptr::with_exposed_provenance_mut(word as usize)
    }
}
