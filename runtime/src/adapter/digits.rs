//! Decimal digits, eight at a time: out of text, and into it.

/// What the first digits of a text are: their value behind `magnitude`, which wraps around beyond 64 bits.
#[inline(always)]
pub(super) fn read(text: &mut &[u8], mut magnitude: u64) -> u64 {
    while let Some(chunk) = text.first_chunk() {
        let word = u64::from_le_bytes(*chunk);
        let count = leading(word);
        if count == 0 {
            return magnitude;
        }
        // The digits move to the end of the word, behind zeros.
        let digits = (word ^ (EACH * 0x30)) << (64 - 8 * count);
        magnitude = magnitude.wrapping_mul(POWERS[count]).wrapping_add(value(digits));
        *text = text.get(count..).unwrap_or_default();
        if count < 8 {
            return magnitude;
        }
    }
    while let [digit @ b'0'..=b'9', rest @ ..] = text {
        magnitude = magnitude.wrapping_mul(10).wrapping_add((digit - b'0').into());
        *text = rest;
    }
    magnitude
}

/// A one in every byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// By how much a number grows when so many digits follow it.
const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// How many of the eight bytes are digits before the first that is none. The first byte is the lowest.
#[inline(always)]
fn leading(word: u64) -> usize {
    // A digit is 3 in its upper half, also after 6 is added. The sum of a byte carries over to the next one only from 0xfa
    // on, where the byte itself is no digit: what follows it is not looked at.
    let halves = word & (EACH * 0xf0) | (word.wrapping_add(EACH * 0x06) & (EACH * 0xf0)) >> 4;
    (halves ^ (EACH * 0x33)).trailing_zeros() as usize / 8
}

/// The number of eight digits from 0 to 9, the first in the lowest byte: pairs become numbers, then pairs of those.
#[inline(always)]
fn value(digits: u64) -> u64 {
    let pairs = (digits.wrapping_mul(10).wrapping_add(digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100).wrapping_add(pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours.wrapping_mul(10_000).wrapping_add(fours >> 32)) & 0xffff_ffff
}

/// The maximum number of digits of 64 bits.
pub(super) const MOST: usize = 20;

/// The two digits of every number below 100.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        number += 1;
    }
    pairs
};

/// Writes the digits of `value` and returns their number.
///
/// # Safety
///
/// There is room for [`MOST`] bytes at `to`.
#[inline(always)]
pub(super) unsafe fn write(mut value: u64, to: *mut u8) -> usize {
    // SAFETY: the caller guarantees room for all digits of 64 bits. Every step writes below the last, and the digits left
    // are those of `value`.
    unsafe {
        if value < 10 {
            to.write(b'0' + value as u8);
            return 1;
        }
        let count = value.ilog10() as usize + 1;
        let mut end = count;
        while value >= 100 {
            let pair = PAIRS[(value % 100) as usize];
            value /= 100;
            end -= 2;
            to.add(end).cast::<[u8; 2]>().write(pair);
        }
        if value >= 10 {
            to.cast::<[u8; 2]>().write(PAIRS[value as usize]);
        } else {
            to.write(b'0' + value as u8);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bytes_beside_the_digits_are_none() {
        for byte in 0..=u8::MAX {
            for at in 0..8 {
                let mut text = *b"12345678";
                text[at] = byte;
                let expected = if byte.is_ascii_digit() { 8 } else { at };
                assert_eq!(leading(u64::from_le_bytes(text)), expected, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn every_power_of_ten_is_written() {
        let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
        for value in powers.flat_map(|power| [power - 1, power, power + 1]).chain([u64::MAX]) {
            assert_eq!(written(value), value.to_string());
        }
    }

    fn written(value: u64) -> String {
        let mut buffer = [0; MOST];
        // SAFETY: the buffer has room for 64 bits.
        let count = unsafe { write(value, buffer.as_mut_ptr()) };
        String::from_utf8_lossy(&buffer[..count]).into_owned()
    }

    proptest! {
        #[test]
        fn numbers_are_as_the_standard_library_has_them(value: u64, shift in 0..64, rest in ",[ -~]{0,9}") {
            let value = value >> shift;
            prop_assert_eq!(written(value), value.to_string());
            let text = format!("{value}{rest}");
            let mut left = text.as_bytes();
            prop_assert_eq!(read(&mut left, 0), value);
            prop_assert_eq!(left, rest.as_bytes());
        }
    }
}
