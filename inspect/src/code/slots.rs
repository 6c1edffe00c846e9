//! What is stored in a frame.

use std::ops::Range;

use super::value::Value;

/// The values that are stored in a frame, by their addresses relative to the stack pointer at entry, in order. There are
/// few of them, and they are copied often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots(Vec<(i64, Value)>);

impl Slots {
    pub(super) fn get(&self, place: i64) -> Option<Value> {
        let index = self.0.binary_search_by_key(&place, |(at, _)| *at).ok()?;
        Some(self.0[index].1)
    }

    pub(super) fn insert(&mut self, place: i64, value: Value) {
        match self.0.binary_search_by_key(&place, |(at, _)| *at) {
            Ok(index) => self.0[index].1 = value,
            Err(index) => self.0.insert(index, (place, value)),
        }
    }

    /// Removes what is stored at these places.
    pub(super) fn remove(&mut self, places: Range<i64>) {
        self.0.retain(|(at, _)| !places.contains(at));
    }

    /// Those at these places.
    pub(super) fn within(&self, places: Range<i64>) -> impl Iterator<Item = Value> {
        let first = self.0.partition_point(|(at, _)| *at < places.start);
        self.0[first..].iter().take_while(move |(at, _)| *at < places.end).map(|(_, value)| *value)
    }

    /// The places at which only the others store something.
    pub(super) fn lacking(&self, others: &Self) -> Vec<i64> {
        let mut own = self.0.iter().map(|(place, _)| *place).peekable();
        let mut lacking = Vec::new();
        for (place, _) in &others.0 {
            while own.next_if(|at| at < place).is_some() {}
            if own.next_if_eq(place).is_none() {
                lacking.push(*place);
            }
        }
        lacking
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(i64, Value)> {
        self.0.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut (i64, Value)> {
        self.0.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_in_order() {
        let mut slots = Slots::default();
        for place in [8, -16, 0, -8] {
            slots.insert(place, Value::constant(place));
        }
        slots.insert(0, Value::constant(7));
        assert_eq!(slots.get(0), Some(Value::constant(7)));
        let places: Vec<i64> = slots.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [-16, -8, 0, 8]);
        assert_eq!(slots.within(-8..8).count(), 2);
        let mut others = slots.clone();
        others.insert(-24, Value::constant(1));
        others.insert(4, Value::constant(1));
        others.insert(16, Value::constant(1));
        assert_eq!(slots.lacking(&others), [-24, 4, 16]);
        assert!(others.lacking(&slots).is_empty());
        slots.remove(-8..1);
        assert_eq!((slots.get(-8), slots.get(0), slots.iter().count()), (None, None, 2));
    }
}
