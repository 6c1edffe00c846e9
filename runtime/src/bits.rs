//! Bit fields, laid out as the C compilers of Linux, macOS and the BSDs lay them out on little-endian targets.
//!
//! A bit field begins at the next free bit, unless it would then cross a unit of its type; then it begins at the next
//! unit. Compilers for Windows, and big-endian targets, have other rules: there, bindings with bit fields do not compile.

/// Whether bit fields are laid out by these rules here.
pub const HAS_BIT_FIELDS: bool = cfg!(all(target_endian = "little", not(windows)));

/// Stops the compiler on a target with other rules.
#[expect(clippy::assertions_on_constants, reason = "it is about the target")]
pub const fn assert_bit_fields() {
    assert!(
        HAS_BIT_FIELDS,
        "a struct of the document has bit fields (`x-bits`), which this target lays out by other rules"
    );
}

/// A member of a struct with bit fields.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The size of its type in bytes.
    pub size: usize,
    /// The alignment of its type in bytes.
    pub align: usize,
    /// Its width in bits; 0 for an ordinary member.
    pub width: usize,
}

impl Part {
    /// An ordinary member.
    #[must_use]
    pub const fn plain<T>() -> Self {
        Self { size: size_of::<T>(), align: align_of::<T>(), width: 0 }
    }

    /// A bit field.
    #[must_use]
    pub const fn bits<T>(width: usize) -> Self {
        Self { size: size_of::<T>(), align: align_of::<T>(), width }
    }

    /// Where it begins, in bits, behind members that end at bit `end`.
    #[must_use]
    pub const fn place(self, end: usize) -> usize {
        let unit = self.align * 8;
        if self.width == 0 {
            return end.next_multiple_of(unit);
        }
        let spans_units = (end % unit + self.width).div_ceil(unit);
        if spans_units > self.size / self.align { end.next_multiple_of(unit) } else { end }
    }

    /// Its width in bits.
    #[must_use]
    pub const fn length(self) -> usize {
        if self.width == 0 { self.size * 8 } else { self.width }
    }
}

/// Where the member at `index` begins, in bits.
#[must_use]
pub const fn bit_place(parts: &[Part], index: usize) -> usize {
    let (mut end, mut at) = (0, 0);
    loop {
        let place = parts[at].place(end);
        if at == index {
            return place;
        }
        end = place + parts[at].length();
        at += 1;
    }
}

/// The first byte behind the members before `first`.
#[must_use]
pub const fn run_start(parts: &[Part], first: usize) -> usize {
    if first == 0 {
        return 0;
    }
    (bit_place(parts, first - 1) + parts[first - 1].length()).div_ceil(8)
}

/// How many bytes the bit fields from `first` to `last` take.
#[must_use]
pub const fn run_bytes(parts: &[Part], first: usize, last: usize) -> usize {
    (bit_place(parts, last) + parts[last].length()).div_ceil(8) - run_start(parts, first)
}

/// The bits from `place` on.
#[must_use]
pub fn get_bits(bytes: &[u8], place: usize, width: usize) -> u64 {
    let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
    (0..width).fold(0, |value, index| value | bit(place + index) << index)
}

/// The same as a signed number.
#[must_use]
pub fn get_signed_bits(bytes: &[u8], place: usize, width: usize) -> i64 {
    let unused = 64 - width as u32;
    (get_bits(bytes, place, width) << unused).cast_signed() >> unused
}

/// Sets the bits from `place` on to the low bits of `value`.
pub fn set_bits(bytes: &mut [u8], place: usize, width: usize, value: u64) {
    for index in 0..width {
        let (at, bit) = (place + index, (value >> index & 1) as u8);
        bytes[at / 8] = bytes[at / 8] & !(1 << (at % 8)) | bit << (at % 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_does_not_cross_a_unit_of_its_type() {
        // char c; unsigned a : 3; unsigned b : 22; short s : 9; int plain;
        let parts = [
            Part::plain::<u8>(),
            Part::bits::<u32>(3),
            Part::bits::<u32>(22),
            Part::bits::<u16>(9),
            Part::plain::<u32>(),
        ];
        let places: Vec<usize> = (0..5).map(|index| bit_place(&parts, index)).collect();
        assert_eq!(places, [0, 8, 32, 54, 64]);
        assert_eq!((run_start(&parts, 1), run_bytes(&parts, 1, 3)), (1, 7));
    }

    #[test]
    fn what_is_set_is_read() {
        let mut bytes = [0xFF; 4];
        set_bits(&mut bytes, 5, 7, 0b010_0101);
        assert_eq!(get_bits(&bytes, 5, 7), 0b010_0101);
        assert_eq!((get_bits(&bytes, 0, 5), get_bits(&bytes, 12, 20)), (31, (1 << 20) - 1));
        set_bits(&mut bytes, 3, 4, 0b1001);
        assert_eq!(get_signed_bits(&bytes, 3, 4), -7);
    }
}
