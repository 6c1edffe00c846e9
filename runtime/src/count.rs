//! Lengths and counts, converted between C and Rust.
//!
//! Generated methods turn the length of a slice into the integer that C takes with [`length`]
//! or [`every_length`], and the integer that C returns into a length with [`count`].

use crate::{CallError, ExpectedLength};

/// A C integer that can count elements.
pub trait Count: Copy {
    /// The count; `None` if it does not fit `usize`.
    fn to_usize(self) -> Option<usize>;
    /// The count as this type, if it fits.
    fn from_usize(count: usize) -> Option<Self>;
    /// The low bits of the count.
    fn wrapping_from_usize(count: usize) -> Self;
    /// The integer itself.
    fn to_i128(self) -> i128;
}

macro_rules! count {
    ($($integer:ty)*) => {$(
        impl Count for $integer {
            #[inline]
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
            #[inline]
            fn from_usize(count: usize) -> Option<Self> {
                Self::try_from(count).ok()
            }
            #[inline]
            fn wrapping_from_usize(count: usize) -> Self {
                count as Self
            }
            #[inline]
            fn to_i128(self) -> i128 {
                self as i128
            }
        }
    )*};
}
// `i128` is for the interpreter, which knows the C type only at run time.
count!(i8 u8 i16 u16 i32 u32 i64 u64 i128 isize usize);

/// The length of the slice `value` for C.
///
/// # Errors
///
/// The length does not fit the C type.
#[inline]
pub fn length<C: Count>(value: &'static str, length: usize) -> Result<C, CallError> {
    length_where(value, length, C::from_usize)
}

/// The length of the slice `value` for C, converted by `fits`.
///
/// # Errors
///
/// The length does not fit.
#[inline]
pub fn length_where<C>(
    value: &'static str,
    length: usize,
    fits: impl FnOnce(usize) -> Option<C>,
) -> Result<C, CallError> {
    fits(length).ok_or_else(|| misfit(value, length, ExpectedLength::Countable))
}

/// The length of a slice for a C type that holds the length of every slice.
///
/// Narrower types do not compile. A slice has at most `isize::MAX` bytes, so a signed type of that
/// width is wide enough, unless the elements are zero-sized.
#[inline]
#[must_use]
pub fn every_length<C: Count>(length: usize) -> C {
    const { assert!(size_of::<C>() >= size_of::<isize>(), "the type holds the length of every slice") };
    C::wrapping_from_usize(length)
}

/// The length of the first slice that is present; 0 if none is.
#[inline]
#[must_use]
pub fn first_length<const N: usize>(lengths: [Option<usize>; N]) -> usize {
    lengths.into_iter().flatten().next().unwrap_or(0)
}

/// Checks that the slice `value` is as long as the slice `other`, which has `expected` elements.
///
/// # Errors
///
/// It is not.
#[inline]
pub fn same_length(
    value: &'static str,
    length: usize,
    other: &'static str,
    expected: usize,
) -> Result<(), CallError> {
    if length == expected {
        Ok(())
    } else {
        Err(misfit(value, length, ExpectedLength::SameAs { value: other, length: expected }))
    }
}

/// Checks that the slice `value` has the length that the document or a function requires.
///
/// # Errors
///
/// It has another length.
#[inline]
pub fn exact_length<C: Count>(value: &'static str, length: usize, expected: C) -> Result<(), CallError> {
    if expected.to_usize() == Some(length) {
        Ok(())
    } else {
        Err(misfit(value, length, ExpectedLength::Exactly(expected.to_i128())))
    }
}

/// An integer as a factor of a number of elements, or as a term.
#[inline]
#[must_use]
pub fn factor<C: Count>(factor: C) -> i128 {
    factor.to_i128()
}

/// The sum of these terms. It never wraps: no memory has that many elements.
#[must_use]
pub fn sum(terms: &[i128]) -> i128 {
    terms.iter().fold(0_i128, |sum, term| sum.saturating_add(*term))
}

/// The product of these factors. It is negative if one of them is, and never wraps: no memory has that many elements.
#[must_use]
pub fn product(factors: &[i128]) -> i128 {
    let size = factors
        .iter()
        .filter(|factor| **factor != 0)
        .fold(1_i128, |product, factor| product.saturating_mul(factor.saturating_abs()));
    if factors.iter().any(|factor| *factor < 0) {
        -size
    } else if factors.contains(&0) {
        0
    } else {
        size
    }
}

/// How many elements C says the array `value` has; at most `isize::MAX`.
///
/// # Errors
///
/// The count is negative or above `isize::MAX`, such as `(size_t)-1`.
#[inline]
pub fn count<C: Count>(value: &'static str, count: C) -> Result<usize, CallError> {
    within(value, count, isize::MAX.cast_unsigned())
}

/// `count`, if it is at most `capacity`.
#[inline]
pub(crate) fn within<C: Count>(value: &'static str, count: C, capacity: usize) -> Result<usize, CallError> {
    match count.to_usize() {
        Some(count) if count <= capacity => Ok(count),
        _ => Err(beyond(value, count.to_i128(), capacity)),
    }
}

#[cold]
fn misfit(value: &'static str, length: usize, expected: ExpectedLength) -> CallError {
    CallError::Length { value, length, expected }
}

#[cold]
fn beyond(value: &'static str, count: i128, capacity: usize) -> CallError {
    CallError::Written { value, count, capacity }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_has_to_fit_its_c_type() {
        assert_eq!(length::<u8>("xs", 255), Ok(255));
        assert_eq!(length::<u64>("xs", usize::MAX), Ok(usize::MAX as u64));
        assert_eq!(
            length::<i8>("xs", 128),
            Err(CallError::Length { value: "xs", length: 128, expected: ExpectedLength::Countable })
        );
    }

    #[test]
    fn a_wide_type_holds_every_length() {
        let longest = isize::MAX.cast_unsigned();
        assert_eq!(every_length::<usize>(longest), longest);
        assert_eq!(every_length::<i64>(longest), longest as i64);
    }

    #[test]
    fn slices_that_share_a_length_are_equally_long() {
        assert_eq!(same_length("xs", 3, "ys", 3), Ok(()));
        let expected = ExpectedLength::SameAs { value: "ys", length: 3 };
        assert_eq!(
            same_length("xs", 5, "ys", 3),
            Err(CallError::Length { value: "xs", length: 5, expected })
        );
    }

    #[test]
    fn a_required_length_is_exact() {
        assert_eq!(exact_length("key", 32, 32_u8), Ok(()));
        for wrong in [31, 33, -1_i32] {
            let expected = ExpectedLength::Exactly(wrong.into());
            assert_eq!(
                exact_length("key", 32, wrong),
                Err(CallError::Length { value: "key", length: 32, expected })
            );
        }
    }

    #[test]
    fn a_sum_does_not_wrap() {
        assert_eq!(sum(&[factor(4_u8), -16]), -12);
        assert_eq!(sum(&[factor(usize::MAX), 16]), i128::from(u64::MAX) + 16);
        assert_eq!(sum(&[i128::MAX, 1]), i128::MAX);
    }

    #[test]
    fn a_product_neither_wraps_nor_hides_a_negative_factor() {
        assert_eq!(product(&[factor(4_i32), factor(3_usize), 3]), 36);
        assert_eq!(product(&[0, 7]), 0);
        assert_eq!(product(&[-2, -3]), -6);
        assert_eq!(product(&[0, -3]), -3);
        assert_eq!(product(&[i128::from(u64::MAX); 3]), i128::MAX);
    }

    #[test]
    fn a_count_from_c_is_neither_negative_nor_beyond_memory() {
        assert_eq!(count("xs", 0_i32), Ok(0));
        assert_eq!(count("xs", 7_u64), Ok(7));
        let capacity = isize::MAX.cast_unsigned();
        assert_eq!(count("xs", -1_i32), Err(CallError::Written { value: "xs", count: -1, capacity }));
        assert_eq!(
            count("xs", u64::MAX),
            Err(CallError::Written { value: "xs", count: u64::MAX.into(), capacity })
        );
    }
}
