//! Complex numbers.

use crate::adapter::{Described, Kind};
use crate::plain::Plain;

/// A complex number, with the layout of C's `_Complex`.
///
/// ```
/// let impedance = opendyn::Complex { re: 3.0, im: -4.0 };
/// assert_eq!(f64::hypot(impedance.re, impedance.im), 5.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Complex<T> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
}

impl<T> Complex<T> {
    /// The number `re + im·i`.
    pub const fn new(re: T, im: T) -> Self {
        Self { re, im }
    }
}

/// Whether C passes a complex number by value as it passes a struct of two numbers.
pub const COMPLEX_IS_A_PAIR: bool =
    cfg!(any(all(target_arch = "x86_64", not(windows)), target_arch = "aarch64"));

/// Stops the compiler on a target where complex numbers by value are not structs.
#[expect(clippy::assertions_on_constants, reason = "it is about the target")]
pub const fn assert_complex_by_value() {
    assert!(
        COMPLEX_IS_A_PAIR,
        "a function takes or returns a complex number by value, which this target does not pass like a struct; \
         describe a function that takes a pointer"
    );
}

// SAFETY: every bit pattern is a valid pair of numbers.
unsafe impl Plain for Complex<f32> {}
// SAFETY: as above.
unsafe impl Plain for Complex<f64> {}

// SAFETY: it is two numbers without padding, and so has the layout of an array of two.
unsafe impl Described for Complex<f32> {
    const KIND: Kind = Kind::Fixed(&(Kind::Float, 2));
}
// SAFETY: as above.
unsafe impl Described for Complex<f64> {
    const KIND: Kind = Kind::Fixed(&(Kind::Double, 2));
}
