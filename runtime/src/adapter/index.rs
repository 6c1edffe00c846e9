//! Finds a function by name in constant time.

/// An open-addressing hash table from names to positions, at most half full.
#[derive(Debug)]
pub struct Index {
    /// Positions plus one, or 0 for an empty place; and bits of the hash, so that few names are
    /// compared.
    places: Box<[(u32, u32)]>,
    shift: u32,
}

impl Index {
    /// An index of `names`, by their positions.
    #[must_use]
    pub fn new<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> Self {
        let size = (names.len() * 2).next_power_of_two().max(2);
        let mut index = Self { places: vec![(0, 0); size].into(), shift: 64 - size.trailing_zeros() };
        for (position, name) in names.enumerate() {
            let hash = hash(name.as_bytes());
            let mut place = (hash >> index.shift) as usize;
            while index.places[place].0 != 0 {
                place = (place + 1) & (size - 1);
            }
            index.places[place] = (position as u32 + 1, hash as u32);
        }
        index
    }

    /// The possible positions of `name`; most often one.
    #[inline]
    pub fn candidates(&self, name: &str) -> impl Iterator<Item = usize> {
        let mask = self.places.len() - 1;
        let hash = hash(name.as_bytes());
        let mut place = (hash >> self.shift) as usize;
        std::iter::from_fn(move || {
            loop {
                let (position, tag) = self.places[place & mask];
                let position = position.checked_sub(1)?;
                place += 1;
                if tag == hash as u32 {
                    return Some(position as usize);
                }
            }
        })
    }
}

/// Whether two names are the same. Most are short: of two parts that overlap, the first begins and the last ends with the
/// name.
#[inline(always)]
pub(super) fn is_same(name: &str, other: &str) -> bool {
    let (name, other) = (name.as_bytes(), other.as_bytes());
    if name.len() != other.len() {
        return false;
    }
    match name.len() {
        0..4 => name.iter().zip(other).all(|(a, b)| a == b),
        4..=8 => {
            name.first_chunk::<4>() == other.first_chunk() && name.last_chunk::<4>() == other.last_chunk()
        }
        9..=16 => {
            name.first_chunk::<8>() == other.first_chunk() && name.last_chunk::<8>() == other.last_chunk()
        }
        _ => name == other,
    }
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes eight bytes per step; the last step overlaps the one before.
#[inline]
fn hash(name: &[u8]) -> u64 {
    let mut state = name.len() as u64;
    let mut step = |word: u64| state = (state.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER);
    if let Some(last) = name.last_chunk::<8>() {
        for chunk in name.chunks_exact(8) {
            step(chunk.first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk)));
        }
        step(u64::from_le_bytes(*last));
    } else if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
        step(u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)));
    } else if let (Some(first), Some(last)) = (name.first(), name.last()) {
        step(u64::from(*first) << 16 | u64::from(name[name.len() / 2]) << 8 | u64::from(*last));
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_at_its_position() {
        let names: Vec<String> = (0..10_000).map(|n| format!("sqlite3_function_{n}")).collect();
        let index = Index::new(names.iter().map(String::as_str));
        let mut longest = 0;
        for (position, name) in names.iter().enumerate() {
            let way =
                index.candidates(name).position(|candidate| candidate == position).expect("it is there");
            longest = longest.max(way);
        }
        assert!(longest < 32, "{longest} steps are not constant time");
    }

    #[test]
    fn short_names_differ() {
        let names = ["", "a", "b", "ab", "ba", "abc", "acb", "abcd", "abcde", "abcdefgh", "abcdefghi"];
        let hashes: std::collections::BTreeSet<u64> =
            names.iter().map(|name| hash(name.as_bytes())).collect();
        assert_eq!(hashes.len(), names.len());
    }

    #[test]
    fn names_are_compared_whole() {
        let name = "a_function_with_a_long_name";
        for length in 0..name.len() {
            let name = &name[..length];
            let other = name.to_owned();
            assert!(is_same(name, &other), "{name}");
            assert!(!is_same(name, &format!("{name}_")), "{name}");
            for at in 0..length {
                let mut other = name.to_owned().into_bytes();
                other[at] = b'!';
                assert!(!is_same(name, &String::from_utf8(other).expect("ASCII")), "{name} changed at {at}");
            }
        }
    }

    #[test]
    fn an_empty_index_has_no_candidates() {
        assert_eq!(Index::new([].into_iter()).candidates("add").next(), None);
    }
}
