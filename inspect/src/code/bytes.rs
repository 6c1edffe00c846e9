//! The first bytes behind a pointer.

/// Some of the first 128 bytes behind a pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes(u128);

impl Bytes {
    /// Those from `from` up to `to`; `None` if there are others among them.
    pub(super) fn between(from: i64, to: i64) -> Option<Self> {
        let (from, to) = (u32::try_from(from).ok()?, u32::try_from(to).ok()?);
        if to > u128::BITS {
            return None;
        }
        let below = |end: u32| if end == u128::BITS { u128::MAX } else { (1 << end) - 1 };
        Some(Self(below(to) & !below(from.min(to))))
    }

    /// All of them.
    pub(super) fn all() -> Self {
        Self(u128::MAX)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The larger one of both.
    pub(super) fn most(self, other: Self) -> Self {
        if other.0.count_ones() > self.0.count_ones() { other } else { self }
    }

    /// The same bytes behind a pointer that is smaller by this number.
    pub(super) fn moved(self, by: i64) -> Self {
        match u32::try_from(by) {
            Ok(by) if by < u128::BITS => Self(self.0 << by),
            _ => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_up_to_a_limit() {
        let first = Bytes::between(0, 8).expect("few bytes");
        let second = Bytes::between(8, 16).expect("few bytes");
        assert_eq!(first.moved(8), second);
        assert!(first.or(second).has(second) && !first.has(second));
        assert_eq!(Bytes::between(0, 128), Some(Bytes::all()));
        assert!(Bytes::between(0, 129).is_none() && Bytes::between(-1, 4).is_none());
        assert_eq!(first.moved(-1), Bytes::default());
        assert_eq!(first.and(second), Bytes::default());
    }
}
