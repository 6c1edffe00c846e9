//! The nearest float to a decimal number.
//!
//! A power of ten is known to 64 bits, so the product is known up to a small error. Where the error could change the
//! rounding, about once in a thousand numbers, nothing is returned and the standard library decides.

/// The largest exponent of ten, and the smallest with a minus.
const MOST: usize = 54;

/// A power of five: `five` is at least `significand` and less than `significand + 1`, times two to the `exponent`. The
/// highest bit of the significand is set.
#[derive(Clone, Copy)]
struct Power {
    significand: u64,
    exponent: i32,
}

static POWERS: [Power; 2 * MOST + 1] = {
    let mut powers = [Power { significand: 0, exponent: 0 }; 2 * MOST + 1];
    let mut of = 0;
    let mut five = 1_u128;
    while of <= MOST {
        let unused = five.leading_zeros();
        powers[MOST + of] =
            Power { significand: (five << unused >> 64) as u64, exponent: 64 - unused.cast_signed() };
        if of > 0 {
            powers[MOST - of] = reciprocal(five);
        }
        five *= if of < MOST { 5 } else { 1 };
        of += 1;
    }
    powers
};

/// One divided by `five`, bit after bit.
const fn reciprocal(five: u128) -> Power {
    let steps = 63 + (128 - five.leading_zeros());
    let (mut significand, mut rest, mut step) = (0, 1, 0);
    while step < steps {
        rest *= 2;
        significand <<= 1;
        if rest >= five {
            rest -= five;
            significand |= 1;
        }
        step += 1;
    }
    Power { significand, exponent: -steps.cast_signed() }
}

/// The powers of ten that are doubles.
static TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// A float format: the bits of its significand with the hidden one, and the bias of its exponent.
pub(super) struct Format {
    bits: u32,
    bias: i32,
}

pub(super) const SINGLE: &Format = &Format { bits: 24, bias: 127 };
pub(super) const DOUBLE: &Format = &Format { bits: 53, bias: 1023 };

impl Format {
    /// The bits of the float with a minus.
    #[inline(always)]
    pub(super) fn negated(&self, bits: u64) -> u64 {
        // The bias has a bit less than the exponent, which lies between significand and sign.
        bits | 1 << (self.bits + self.bias.count_ones())
    }

    /// The bits of the nearest float to `magnitude` times ten to the `exponent`; nothing if that is not certain, or if
    /// it may be beyond the normal floats.
    #[inline(always)]
    pub(super) fn nearest(&self, magnitude: u64, exponent: i32) -> Option<u64> {
        if magnitude == 0 {
            return Some(0);
        }
        if self.bits == DOUBLE.bits && magnitude < 1 << 53 && (-22..=0).contains(&exponent) {
            // Both are exact as doubles, so their quotient is the nearest double.
            let power = TENS[exponent.unsigned_abs() as usize];
            return Some((magnitude.cast_signed() as f64 / power).to_bits());
        }
        let place = usize::try_from(exponent + MOST as i32).ok()?;
        let power = POWERS.get(place)?;
        let shift = magnitude.leading_zeros();
        let product = u128::from(magnitude << shift) * u128::from(power.significand);
        // The true product is less than `high + 2`: the part cut off adds less than one, and the error of the power,
        // which is less than one times the magnitude, less than another one.
        let high = (product >> 64) as u64;
        let dropped = 64 - high.leading_zeros() - self.bits;
        let (kept, rest, half) = (high >> dropped, high & ((1 << dropped) - 1), 1 << (dropped - 1));
        if rest == half - 1 || rest == half {
            return None;
        }
        let two = dropped.cast_signed() + 64 + power.exponent + exponent - shift.cast_signed();
        let biased = two + self.bits.cast_signed() - 1 + self.bias;
        if biased < 1 || biased >= 2 * self.bias {
            return None;
        }
        // The hidden bit adds one to the exponent, and so does a carry out of the significand.
        let field = u64::from((biased - 1).cast_unsigned()) << (self.bits - 1);
        Some(field + kept + u64::from(rest > half))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn exact_and_halfway_numbers_are_rounded_as_the_standard_library_does() {
        for text in [
            "1",
            "0.5",
            "1.5",
            "9007199254740993",
            "9007199254740992",
            "4503599627370497.5",
            "16777217",
            "1e22",
            "1e23",
            "5e-54",
            "8.5e37",
            "3.4028235e38",
            "1.1754942e-38",
            "0.1",
            "0.30000000000000004",
        ] {
            let (magnitude, exponent) = split(text);
            if let Some(bits) = DOUBLE.nearest(magnitude, exponent) {
                assert_eq!(f64::from_bits(bits), text.parse::<f64>().expect("a number"), "{text}");
            }
            if let Some(bits) = SINGLE.nearest(magnitude, exponent) {
                assert_eq!(f32::from_bits(bits as u32), text.parse::<f32>().expect("a number"), "{text}");
            }
        }
        assert_eq!(DOUBLE.nearest(9_007_199_254_740_993, 0), None, "halfway between two doubles");
        assert_eq!(SINGLE.nearest(1, 39), None, "beyond float");
        assert_eq!(SINGLE.nearest(1, -39), None, "below the normal floats");
    }

    /// The digits and the exponent of ten.
    fn split(text: &str) -> (u64, i32) {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let magnitude = format!("{whole}{fraction}").parse::<u64>().expect("digits");
        (magnitude, exponent.parse::<i32>().expect("an exponent") - fraction.len() as i32)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn it_is_what_the_standard_library_parses(magnitude: u64, shift in 0..64, exponent in -60..60) {
            let magnitude = magnitude >> shift;
            let text = format!("{magnitude}e{exponent}");
            if let Some(bits) = DOUBLE.nearest(magnitude, exponent) {
                prop_assert_eq!(f64::from_bits(bits).to_bits(), text.parse::<f64>().expect("a number").to_bits());
            }
            if let Some(bits) = SINGLE.nearest(magnitude, exponent) {
                let single = f32::from_bits(bits as u32);
                prop_assert_eq!(single.to_bits(), text.parse::<f32>().expect("a number").to_bits());
            }
        }

        #[test]
        fn few_numbers_are_left_to_the_standard_library(value in 1e-30..1e30_f64) {
            let (magnitude, exponent) = split(&format!("{value:e}"));
            if let Some(bits) = DOUBLE.nearest(magnitude, exponent) {
                prop_assert_eq!(f64::from_bits(bits), value);
            }
        }
    }
}
