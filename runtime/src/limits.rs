//! The limits of arguments: `minimum`, `maximum` and `x-maxLength`. Generated methods check them before they call C.

use std::cmp::Ordering;
use std::fmt;

use crate::CallError;
use crate::count::Count;

/// A value that is not within the limits of the document; nothing was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeyondLimit {
    /// The name of the parameter in the document.
    pub(crate) value: &'static str,
    /// The index or the name of each element or member that leads to it.
    pub(crate) inside: Vec<String>,
    pub(crate) given: String,
    pub(crate) limit: Limit,
}

/// The limit that a value exceeds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The lowest value, as the document has it.
    Minimum(String),
    /// The highest value, as the document has it.
    Maximum(String),
    /// The maximum number of bytes of a string.
    Bytes(u64),
    /// The maximum number of elements of an array.
    Elements(u64),
}

impl BeyondLimit {
    /// The name of the parameter in the document.
    #[must_use]
    pub fn value(&self) -> &'static str {
        self.value
    }

    /// The value, or its length, as text.
    #[must_use]
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The limit.
    #[must_use]
    pub fn limit(&self) -> &Limit {
        &self.limit
    }

    /// The same inside an element or a member.
    #[must_use]
    #[doc(hidden)]
    pub fn inside(mut self, step: impl fmt::Display) -> Self {
        self.inside.insert(0, step.to_string());
        self
    }

    /// What is wrong, without the name.
    pub(crate) fn problem(&self) -> String {
        let Self { given, limit, .. } = self;
        match limit {
            Limit::Minimum(least) => below(given, least),
            Limit::Maximum(most) => above(given, most),
            Limit::Bytes(most) => long(given, "bytes", most),
            Limit::Elements(most) => long(given, "elements", most),
        }
    }
}

/// The sentence for a value below its minimum.
pub(crate) fn below(given: impl fmt::Display, least: impl fmt::Display) -> String {
    format!("{given} is below the minimum {least}")
}

/// The sentence for a value above its maximum.
pub(crate) fn above(given: impl fmt::Display, most: impl fmt::Display) -> String {
    format!("{given} is above the maximum {most}")
}

/// The sentence for a value that is too long.
pub(crate) fn long(given: impl fmt::Display, units: &str, most: impl fmt::Display) -> String {
    format!("{given} {units} are more than {most}")
}

impl fmt::Display for BeyondLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}", self.value)?;
        for step in &self.inside {
            write!(f, "/{step}")?;
        }
        write!(f, "`: {}", self.problem())
    }
}

impl std::error::Error for BeyondLimit {}

impl From<BeyondLimit> for CallError {
    #[cold]
    fn from(error: BeyondLimit) -> Self {
        Self::Limit(Box::new(error))
    }
}

#[cold]
fn beyond(given: impl fmt::Display, limit: Limit) -> BeyondLimit {
    BeyondLimit { value: "", inside: Vec::new(), given: given.to_string(), limit }
}

/// Where a number is.
pub(crate) enum Side {
    Within,
    Below,
    Above,
}

impl Side {
    /// NaN is within no limits.
    #[inline]
    pub(crate) fn of<T: PartialOrd>(given: &T, least: Option<&T>, most: Option<&T>) -> Self {
        let is = |limit: &T, side: Ordering| given.partial_cmp(limit).is_some_and(|it| it != side);
        if least.is_some_and(|least| !is(least, Ordering::Less)) {
            Self::Below
        } else if most.is_some_and(|most| !is(most, Ordering::Greater)) {
            Self::Above
        } else {
            Self::Within
        }
    }
}

/// A number with limits.
pub trait Limited: Copy {
    /// A limit of it.
    type Bound: PartialOrd + fmt::Display + Copy;
    /// It as such a limit.
    fn bound(self) -> Self::Bound;
}

impl<C: Count> Limited for C {
    type Bound = i128;
    #[inline]
    fn bound(self) -> i128 {
        self.to_i128()
    }
}

/// A floating-point number with limits. NaN is within none.
#[derive(Clone, Copy, Debug)]
pub struct Real(pub f64);

impl Limited for Real {
    type Bound = f64;
    #[inline]
    fn bound(self) -> f64 {
        self.0
    }
}

/// Checks that a number is within its limits.
///
/// # Errors
///
/// It is not.
#[inline]
pub fn within<T: Limited>(
    given: T,
    least: Option<T::Bound>,
    most: Option<T::Bound>,
) -> Result<(), BeyondLimit> {
    let given = given.bound();
    let limit = |bound: Option<T::Bound>| bound.map_or_else(String::new, |bound| bound.to_string());
    match Side::of(&given, least.as_ref(), most.as_ref()) {
        Side::Within => Ok(()),
        Side::Below => Err(beyond(given, Limit::Minimum(limit(least)))),
        Side::Above => Err(beyond(given, Limit::Maximum(limit(most)))),
    }
}

/// Checks every element with `check`.
///
/// # Errors
///
/// One of them is not within its limits.
pub fn each_within<T>(given: &[T], check: impl Fn(&T) -> Result<(), BeyondLimit>) -> Result<(), BeyondLimit> {
    let check = |(index, element): (usize, &T)| check(element).map_err(|beyond| beyond.inside(index));
    given.iter().enumerate().try_for_each(check)
}

/// Checks that a string is short enough.
///
/// # Errors
///
/// It is not.
pub fn bytes_within(length: usize, most: u64) -> Result<(), BeyondLimit> {
    if length as u64 <= most { Ok(()) } else { Err(beyond(length, Limit::Bytes(most))) }
}

/// Checks that an array is short enough.
///
/// # Errors
///
/// It is not.
pub fn elements_within(length: usize, most: u64) -> Result<(), BeyondLimit> {
    if length as u64 <= most { Ok(()) } else { Err(beyond(length, Limit::Elements(most))) }
}

/// A struct whose members have limits.
pub trait LimitedStruct {
    /// Checks its members.
    ///
    /// # Errors
    ///
    /// One of them is not within its limits.
    fn check_limits(&self) -> Result<(), BeyondLimit>;
}

impl<T: LimitedStruct> LimitedStruct for &T {
    fn check_limits(&self) -> Result<(), BeyondLimit> {
        (**self).check_limits()
    }
}

impl<T: LimitedStruct> LimitedStruct for &mut T {
    fn check_limits(&self) -> Result<(), BeyondLimit> {
        (**self).check_limits()
    }
}

/// The result of a check of the parameter `value`.
///
/// # Errors
///
/// As the check had.
#[inline]
pub fn limited(value: &'static str, checked: Result<(), BeyondLimit>) -> Result<(), CallError> {
    checked.map_err(|beyond| BeyondLimit { value, ..beyond }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_inclusive_and_nan_is_within_none() {
        assert_eq!(within(7_u8, Some(7), Some(7)), Ok(()));
        assert_eq!(within(-1, None, None), Ok(()));
        let text = |checked: Result<(), BeyondLimit>| limited("x", checked).expect_err("beyond").to_string();
        assert_eq!(text(within(6_u8, Some(7), None)), "`x`: 6 is below the minimum 7");
        assert_eq!(text(within(Real(0.5), None, Some(0.25))), "`x`: 0.5 is above the maximum 0.25");
        assert_eq!(text(within(Real(f64::NAN), None, Some(1.0))), "`x`: NaN is above the maximum 1");
        let xs = each_within(&[1, 9], |x| within(*x, None, Some(5)));
        assert_eq!(text(xs), "`x/1`: 9 is above the maximum 5");
        assert_eq!(text(bytes_within(5, 4)), "`x`: 5 bytes are more than 4");
        assert_eq!(text(elements_within(5, 4)), "`x`: 5 elements are more than 4");
    }
}
