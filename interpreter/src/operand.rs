//! What C is passed.

use std::ffi::c_void;
use std::ptr;

use opendyn::generated::TextBuffer;
use opendyn_model::plan::Operand;

use crate::call::Call;
use crate::frame::Owned;
use crate::number::Form;

impl Call<'_> {
    /// The address of what C is passed for the parameter at `index`: of a scalar, a struct or a pointer.
    #[inline]
    pub(crate) fn operand(&mut self, index: usize) -> *mut c_void {
        if !self.function.is_plain
            && let Some(copy) = self.kept_copy(index)
        {
            self.pass(index, copy.cast());
            return self.passed(index).cast();
        }
        let local = self.local(index);
        let (field, fallback) = (local.field, local.fallback);
        let given = field.filter(|field| self.args.is_present(*field));
        // The memory of what the caller passed, or NULL.
        let lent = || given.map_or(ptr::null_mut(), |field| self.args.memory(field).0);
        let pointer: *mut u8 = match &self.param(index).operand {
            Operand::Scalar(_) | Operand::Constant(..) | Operand::Local => return self.scalar(index),
            Operand::RecordValue(record) | Operand::LoanValue(record) => {
                let size = self.bound.kinds().layouts[*record].size;
                return if given.is_some() { lent() } else { self.words(size) }.cast();
            }
            Operand::Text(_) | Operand::ConstantText(..) => match given {
                Some(_) => lent(),
                None => ptr::with_exposed_provenance_mut(fallback as usize),
            },
            Operand::Cell(_) => given.map_or(ptr::null_mut(), |_| self.address(index)),
            Operand::Elements(_) | Operand::Units(_) | Operand::Record(_) | Operand::Loan(_) => lent(),
            // A step may have made a copy with a NULL behind it.
            Operand::Pointers => match self.pointer_passed(index) {
                copy if copy.is_null() => lent(),
                copy => copy.cast(),
            },
            Operand::Terminated(_) | Operand::Handles | Operand::Taken(_) => {
                self.pointer_passed(index).cast()
            }
            Operand::State(_) | Operand::NewState(_) | Operand::Handle | Operand::Released => {
                self.pointer(index).cast()
            }
            Operand::Address if local.is_record => self.pointer_passed(index).cast(),
            Operand::Address | Operand::ReleasedThrough | Operand::Fetch => self.address(index),
            Operand::Buffer => match self.room(index) {
                Some(_) => self.pointer_passed(index).cast(),
                None => self.text_buffer(),
            },
            Operand::Function => self.lent(index).map_or(ptr::null_mut(), |lent| lent.function().cast()),
            Operand::UserData(of) => self.lent(*of).map_or(ptr::null_mut(), |lent| lent.user_data().cast()),
            // A JSON caller passes no pointers that the document does not describe.
            Operand::Raw => ptr::null_mut(),
        };
        self.pass(index, pointer.cast());
        self.passed(index).cast()
    }

    /// A scalar by value, promoted if it is passed through `...`.
    fn scalar(&mut self, index: usize) -> *mut c_void {
        let local = self.local(index);
        let (number, at) = (local.number, self.address(index));
        let Some(promoted) = local.promoted else { return at.cast() };
        let word = match number.form {
            // SAFETY: the local holds a `float`.
            Form::Floating => f64::from(unsafe { at.cast::<f32>().read() }).to_bits(),
            // SAFETY: the local holds an integer of this type.
            Form::Signed | Form::Unsigned => unsafe { number.read(at) as u64 },
        };
        // A copy: the local keeps its own type.
        let copy = self.words(8);
        // SAFETY: there are eight bytes.
        unsafe { promoted.write(copy, word) };
        copy.cast()
    }

    /// A buffer for a string of unknown length.
    fn text_buffer(&mut self) -> *mut u8 {
        let mut buffer = TextBuffer::new();
        let start = buffer.as_mut_slice::<u8>().as_mut_ptr();
        self.owned.push(Owned::Text(buffer));
        start
    }
}
