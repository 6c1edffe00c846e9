//! Where the strings and lists of a call are kept while C looks at them.

use std::mem::MaybeUninit;

/// Memory for the strings and lists of one call, aligned for every scalar of C. Nothing is
/// allocated until the first of them.
pub(crate) struct Arena {
    few: [MaybeUninit<u64>; FEW],
    /// How many words of `few` are in use, while `many` is empty.
    used: usize,
    many: Vec<u64>,
}

/// Words that need no allocation.
const FEW: usize = 16;

/// A list that is being filled at the end of the arena.
pub(crate) struct List {
    start: usize,
    bytes: usize,
    count: usize,
}

impl Arena {
    pub(crate) const fn new() -> Self {
        Self { few: [MaybeUninit::uninit(); FEW], used: 0, many: Vec::new() }
    }

    /// Keeps a copy of `string` with NUL behind it. `string` itself has none.
    pub(crate) fn push_str(&mut self, string: &[u8]) -> u64 {
        let start = self.len();
        // Zeroed, so that the NUL is there, and the padding is not left undefined.
        self.grow(start + string.len() / 8 + 1);
        self.bytes_from(start)[..string.len()].copy_from_slice(string);
        locate(start, string.len())
    }

    pub(crate) fn begin_list(&self) -> List {
        List { start: self.len(), bytes: 0, count: 0 }
    }

    /// Appends an element of `size` bytes, the low ones of `word`.
    pub(crate) fn push_element(&mut self, list: &mut List, word: u64, size: usize) {
        self.grow(list.start + (list.bytes + size).div_ceil(8));
        let target = &mut self.bytes_from(list.start)[list.bytes..list.bytes + size];
        match size {
            1 => target.copy_from_slice(&(word as u8).to_ne_bytes()),
            2 => target.copy_from_slice(&(word as u16).to_ne_bytes()),
            4 => target.copy_from_slice(&(word as u32).to_ne_bytes()),
            _ => target.copy_from_slice(&word.to_ne_bytes()),
        }
        list.bytes += size;
        list.count += 1;
    }

    pub(crate) fn end_list(&mut self, list: List) -> u64 {
        locate(list.start, list.count)
    }

    #[inline]
    pub(crate) fn as_mut_ptr(&mut self) -> *mut u64 {
        self.words().as_mut_ptr()
    }

    fn len(&self) -> usize {
        if self.many.is_empty() { self.used } else { self.many.len() }
    }

    #[inline]
    fn words(&mut self) -> &mut [u64] {
        if self.many.is_empty() {
            // SAFETY: `grow` wrote the words that are in use.
            unsafe { std::slice::from_raw_parts_mut(self.few.as_mut_ptr().cast(), self.used) }
        } else {
            &mut self.many
        }
    }

    /// Makes it `to` words long, the new ones zero.
    fn grow(&mut self, to: usize) {
        if to <= FEW && self.many.is_empty() {
            for word in &mut self.few[self.used.min(to)..to] {
                word.write(0);
            }
            self.used = to;
        } else {
            if self.many.is_empty() {
                let words = self.words().to_vec();
                self.many = words;
            }
            self.many.resize(to, 0);
        }
    }

    fn bytes_from(&mut self, start: usize) -> &mut [u8] {
        let words = &mut self.words()[start..];
        // SAFETY: the same initialised memory, seen as bytes.
        unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() * 8) }
    }
}

/// Both fit 32 bits: the reader takes no more than `MAX_ARGUMENTS` bytes, and the serde path
/// checks against the same limit.
fn locate(start: usize, length: usize) -> u64 {
    (start as u64) << 32 | length as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_moves_to_the_heap_with_all_that_it_holds() {
        let mut arena = Arena::new();
        for size in 0..40_u64 {
            let mut list = arena.begin_list();
            for n in 0..size {
                arena.push_element(&mut list, n, 8);
            }
            let place = arena.end_list(list);
            let (start, count) = ((place >> 32) as usize, place as u32 as usize);
            assert_eq!(arena.words()[start..start + count], (0..size).collect::<Vec<_>>());
        }
        let words = arena.words();
        assert_eq!(words.len() as u64, (0..40).sum::<u64>());
        assert_eq!(words[..10], [0, 0, 1, 0, 1, 2, 0, 1, 2, 3]);
    }
}
