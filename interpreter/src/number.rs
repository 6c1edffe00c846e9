//! C scalars: how wide they are here, and how they are read and written.

use opendyn::generated::Kind;
use opendyn_model::c_type::CType;
use opendyn_model::plan::{CBase, CValue, Default};

/// How a C scalar, or a pointer, lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// In bytes: 1, 2, 4 or 8.
    pub(crate) size: usize,
    pub(crate) form: Form,
}

/// What the bytes of a scalar mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Signed,
    Unsigned,
    Floating,
}

/// What the runtime calls a C type.
pub(crate) fn kind(c_type: CType) -> Kind {
    match c_type.kind() {
        "Boolean" => Kind::Boolean,
        "Float" => Kind::Float,
        "Double" => Kind::Double,
        name => {
            let integer = Kind::INTEGERS.iter().find(|(known, _)| *known == name);
            integer.map_or(Kind::Opaque, |(_, kind)| *kind)
        }
    }
}

impl Number {
    pub(crate) const POINTER: Self = Self { size: size_of::<*const ()>(), form: Form::Unsigned };

    pub(crate) fn of(c_type: CType) -> Self {
        let kind = kind(c_type);
        let form = match kind {
            Kind::Float | Kind::Double => Form::Floating,
            Kind::Integer(integer) if integer.is_signed() => Form::Signed,
            _ => Form::Unsigned,
        };
        Self { size: kind.size(), form }
    }

    /// A value that C passes: a scalar, or else a pointer.
    pub(crate) fn of_value(value: &CValue) -> Self {
        match &value.base {
            CBase::Scalar(c_type) if value.stars == 0 => Self::of(*c_type),
            _ => Self::POINTER,
        }
    }

    /// Its alignment in a struct.
    pub(crate) fn align(self) -> usize {
        match (self.size, self.form) {
            (1, _) => 1,
            (2, _) => align_of::<u16>(),
            (4, Form::Floating) => align_of::<f32>(),
            (4, _) => align_of::<u32>(),
            (_, Form::Floating) => align_of::<f64>(),
            (_, _) => align_of::<u64>(),
        }
    }

    /// The bits of a value of the document, extended with its sign.
    pub(crate) fn word(self, value: &Default) -> u64 {
        match (value, self.form) {
            (Default::Bool(value), _) => (*value).into(),
            (Default::Integer(value), Form::Floating) => self.bits(*value as f64),
            // The low bits of a negative number are those of its C type.
            (Default::Integer(value), _) => *value as u64,
            (Default::Number(value), _) => self.bits(*value),
            // Text is not a scalar.
            (Default::Text(_), _) => 0,
        }
    }

    fn bits(self, value: f64) -> u64 {
        if self.size == 4 { (value as f32).to_bits().into() } else { value.to_bits() }
    }

    /// Writes the low bytes of `word`.
    ///
    /// # Safety
    ///
    /// `at` is valid for writing `size` bytes.
    #[inline]
    pub(crate) unsafe fn write(self, at: *mut u8, word: u64) {
        // SAFETY: the caller guarantees the bytes; none of the writes needs alignment.
        unsafe {
            match self.size {
                1 => at.write(word as u8),
                2 => at.cast::<u16>().write_unaligned(word as u16),
                4 => at.cast::<u32>().write_unaligned(word as u32),
                _ => at.cast::<u64>().write_unaligned(word),
            }
        }
    }

    /// Reads an integer.
    ///
    /// # Safety
    ///
    /// `at` is valid for reading `size` initialised bytes.
    #[inline]
    pub(crate) unsafe fn read(self, at: *const u8) -> i128 {
        let is_signed = self.form == Form::Signed;
        // SAFETY: the caller guarantees the bytes; none of the reads needs alignment.
        unsafe {
            match (self.size, is_signed) {
                (1, true) => at.cast::<i8>().read().into(),
                (1, false) => at.read().into(),
                (2, true) => at.cast::<i16>().read_unaligned().into(),
                (2, false) => at.cast::<u16>().read_unaligned().into(),
                (4, true) => at.cast::<i32>().read_unaligned().into(),
                (4, false) => at.cast::<u32>().read_unaligned().into(),
                (_, true) => at.cast::<i64>().read_unaligned().into(),
                (_, false) => at.cast::<u64>().read_unaligned().into(),
            }
        }
    }

    /// Reads a number, as the nearest double.
    ///
    /// # Safety
    ///
    /// As for [`Number::read`].
    pub(crate) unsafe fn nearest_double(self, at: *const u8) -> f64 {
        // SAFETY: the caller guarantees the bytes; none of the reads needs alignment.
        unsafe {
            match (self.form, self.size) {
                (Form::Floating, 4) => at.cast::<f32>().read_unaligned().into(),
                (Form::Floating, _) => at.cast::<f64>().read_unaligned(),
                (Form::Signed | Form::Unsigned, _) => self.read(at) as f64,
            }
        }
    }

    /// Whether the element at `index` is zero.
    ///
    /// # Safety
    ///
    /// `at` is valid for reading the elements up to this one.
    pub(crate) unsafe fn is_zero(self, at: *const u8, index: usize) -> bool {
        // SAFETY: the caller guarantees the elements.
        let at = unsafe { at.add(index * self.size) };
        // SAFETY: as above; none of the reads needs alignment.
        unsafe {
            match (self.form, self.size) {
                (Form::Floating, 4) => at.cast::<f32>().read_unaligned() == 0.0,
                (Form::Floating, _) => at.cast::<f64>().read_unaligned() == 0.0,
                (Form::Signed | Form::Unsigned, _) => self.read(at) == 0,
            }
        }
    }

    /// The bits of the value at `at`, as [`Number::write`] takes them.
    ///
    /// # Safety
    ///
    /// As for [`Number::read`].
    pub(crate) unsafe fn raw(self, at: *const u8) -> u64 {
        // SAFETY: as the caller guarantees.
        unsafe {
            match (self.form, self.size) {
                (Form::Floating, 4) => at.cast::<u32>().read().into(),
                (Form::Floating, _) => at.cast::<u64>().read(),
                (Form::Signed | Form::Unsigned, _) => self.read(at) as u64,
            }
        }
    }

    /// A count as an integer of this type, if it fits.
    pub(crate) fn fit(self, count: usize) -> Option<u64> {
        let bits = self.size * 8 - usize::from(self.form == Form::Signed);
        let count = count as u64;
        (bits >= 64 || count >> bits == 0).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_as_wide_as_in_c() {
        use std::ffi::{c_char, c_long};
        assert_eq!(Number::of(CType::Long).size, size_of::<c_long>());
        assert_eq!(Number::of(CType::Char).form == Form::Signed, c_char::MIN != 0);
        assert_eq!(Number::of(CType::UintPtr), Number::POINTER);
        for c_type in CType::SPECIFICATION.iter().chain(CType::SPELLINGS).filter(|it| **it != CType::Void) {
            assert!(!matches!(kind(*c_type), Kind::Opaque), "{}", c_type.name());
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for c_type in CType::SPECIFICATION.iter().chain(CType::SPELLINGS).filter(|it| it.counts()) {
            let number = Number::of(*c_type);
            let lowest = if number.form == Form::Signed { -1 } else { 1 };
            for value in [0, 1, 100, lowest] {
                let mut memory = [0xAA_u8; 9];
                // SAFETY: no scalar has more than 8 bytes.
                let read = unsafe {
                    number.write(memory.as_mut_ptr(), number.word(&Default::Integer(value)));
                    number.read(memory.as_ptr())
                };
                assert_eq!(read, value, "{}", c_type.name());
                assert!(memory[number.size..].iter().all(|byte| *byte == 0xAA));
            }
        }
    }

    #[test]
    fn a_count_fits_up_to_the_highest_value() {
        let fits = |c_type, count| Number::of(c_type).fit(count).is_some();
        assert!(fits(CType::UnsignedChar, 255) && !fits(CType::UnsignedChar, 256));
        assert!(fits(CType::Int8, 127) && !fits(CType::Int8, 128));
        assert!(fits(CType::Int64, usize::MAX / 2));
    }
}
