//! How memory of C is freed: by a function of the document, or by another symbol.

use std::ffi::c_void;
use std::ptr;

use opendyn_model::plan::{AskArg, FreeArg, FreeBy, Operand, When};

use crate::bound::Bound;
use crate::call::narrow;
use crate::prepared::Prepared;

impl Bound {
    /// Frees `pointer` in the way at `index`, and returns whether it is freed.
    ///
    /// # Safety
    ///
    /// The document says that the pointer is freed in this way, with these captured arguments, and it is not used after
    /// it is freed. No other call runs, unless the library is thread-safe.
    pub(crate) unsafe fn free(&self, index: usize, pointer: *mut c_void, captured: &[u64]) -> bool {
        match &self.kinds().types().frees[index].by {
            // SAFETY: as the caller guarantees.
            FreeBy::Function { function, args, refused } => unsafe {
                self.free_by(*function, args, refused.as_ref(), pointer, captured)
            },
            FreeBy::Symbol(symbol) => {
                let address = self.linked_symbol(*symbol);
                // SAFETY: the library has the symbol, and the document says that it is such a function.
                let free: unsafe extern "C" fn(*mut c_void) = unsafe { std::mem::transmute(address) };
                // SAFETY: as the caller guarantees.
                unsafe { free(pointer) };
                true
            }
            FreeBy::Variable(symbol) => {
                let variable: *const Option<unsafe extern "C" fn(*mut c_void)> =
                    self.linked_symbol(*symbol).cast();
                // SAFETY: the library has the symbol, and the document says that it is a variable with such a function.
                let Some(free) = (unsafe { variable.read() }) else { return false };
                // SAFETY: as the caller guarantees.
                unsafe { free(pointer) };
                true
            }
        }
    }

    /// # Safety
    ///
    /// As for [`Bound::free`].
    unsafe fn free_by(
        &self,
        function: usize,
        args: &'static [FreeArg],
        refused: Option<&'static When>,
        pointer: *mut c_void,
        captured: &[u64],
    ) -> bool {
        let Some(function) = self.prepared(function) else { return false };
        let address = self.address(function);
        if address.is_null() {
            return false;
        }
        let mut pointer = pointer;
        let mut through: *mut c_void = ptr::from_mut(&mut pointer).cast();
        let mut words = vec![0_u64; args.len()];
        let mut addresses = Vec::with_capacity(args.len());
        for ((arg, word), (index, local)) in
            args.iter().zip(&mut words).zip(function.locals.iter().enumerate())
        {
            let is_through = function.plan.params[index].operand == Operand::ReleasedThrough;
            let value = match arg {
                FreeArg::Value if is_through => {
                    addresses.push(ptr::from_mut(&mut through).cast());
                    continue;
                }
                FreeArg::Value => {
                    addresses.push(through);
                    continue;
                }
                FreeArg::Integer(value) => *value as u64,
                FreeArg::Captured(position) => captured.get(*position).copied().unwrap_or_default(),
            };
            // SAFETY: a word has room for every scalar and pointer.
            unsafe { local.number.write(ptr::from_mut(word).cast(), value) };
            addresses.push(ptr::from_mut(word).cast());
        }
        let mut returned = [0_u64; 2];
        let start: *mut u8 = returned.as_mut_ptr().cast();
        // SAFETY: `lower` has checked that the function takes these arguments; the caller guarantees that it may be
        // called with this pointer.
        unsafe {
            function.interface.call(address, addresses.as_mut_ptr(), start.cast());
            narrow(start, function.returned);
        }
        refused.is_none_or(|when| !self.has_refused(when, function, start, &addresses))
    }

    /// Whether a function that frees has refused.
    fn has_refused(
        &self,
        when: &'static When,
        function: &Prepared,
        returned: *mut u8,
        args: &[*mut c_void],
    ) -> bool {
        // SAFETY: the function returned a value of this type.
        let value = unsafe { function.returned.read(returned) };
        match when {
            When::Unlisted(successes) => !successes.contains(&(value as i64)),
            When::Negative => value < 0,
            When::Null | When::Zero => value == 0,
            When::Nonzero => value != 0,
            When::Value(expected) => value == *expected,
            When::Call(asked) => {
                let Some(asking) = self.prepared(asked.function) else { return true };
                let address = self.address(asking);
                let mut words = vec![0_u64; asked.args.len()];
                let mut addresses = Vec::with_capacity(asked.args.len());
                for ((arg, word), local) in asked.args.iter().zip(&mut words).zip(&asking.locals) {
                    addresses.push(match arg {
                        AskArg::Integer(value) => {
                            // SAFETY: a word has room for every scalar.
                            unsafe { local.number.write(ptr::from_mut(word).cast(), *value as u64) };
                            ptr::from_mut(word).cast()
                        }
                        AskArg::Param(index) => args[*index],
                        AskArg::Returned => returned.cast(),
                        // It cannot be told, so C may still use what it was passed.
                        AskArg::Left(_) | AskArg::Asked(_) => return true,
                    });
                }
                let mut answer = [0_u64; 2];
                let start: *mut u8 = answer.as_mut_ptr().cast();
                // SAFETY: `lower` has compared the types of these arguments with those of the function.
                unsafe {
                    asking.interface.call(address, addresses.as_mut_ptr(), start.cast());
                    narrow(start, asking.returned);
                    asking.returned.read(start) != 0
                }
            }
        }
    }
}

/// Frees a handle of a table.
///
/// # Safety
///
/// `binding` points to a [`Bound`], and otherwise as for [`Bound::free`].
pub(crate) unsafe fn free_handle(
    binding: *const (),
    free: usize,
    pointer: *mut c_void,
    captured: &[u64],
) -> bool {
    // SAFETY: as the caller guarantees.
    unsafe { (*binding.cast::<Bound>()).free(free, pointer, captured) }
}
