//! Where the strings, lists and records of a call are kept while C looks at them.

use std::mem::MaybeUninit;

use super::MAX_ARGUMENTS;
use super::fault::Fault;

/// Memory for the strings, lists and records of one call, aligned for every scalar of C. Nothing
/// is allocated until they are many, and it is never more than [`MAX_ARGUMENTS`] bytes.
pub(crate) struct Arena {
    few: [MaybeUninit<u64>; FEW],
    /// How many words of `few` are in use, while there is no heap.
    used: usize,
    /// Behind one pointer, because most calls do without.
    heap: Option<Box<Heap>>,
}

/// Words that need no allocation.
const FEW: usize = 16;

#[derive(Default)]
struct Heap {
    /// What `few` holds otherwise.
    words: Vec<u64>,
    /// The strings that pointers in `words` point to. Apart, because a list is one piece: nothing
    /// else can be kept behind it before it ends.
    strings: Vec<u64>,
    /// Set at the very end: all of it moves while it grows.
    pointers: Vec<Pointer>,
}

/// A pointer: the byte of the arena where it is, and the word of the strings where its own begins.
struct Pointer {
    at: usize,
    to: usize,
}

/// A list that is being filled at the end of the arena.
pub(crate) struct List {
    start: usize,
    bytes: usize,
    count: usize,
}

impl Arena {
    pub(crate) const fn new() -> Self {
        Self { few: [MaybeUninit::uninit(); FEW], used: 0, heap: None }
    }

    /// Keeps a copy of `string` with NUL behind it. `string` itself has none.
    pub(crate) fn push_str(&mut self, string: &[u8]) -> Result<u64, Fault> {
        self.push_text(string, string.len())
    }

    /// Keeps a copy of the bytes of `units` units, with a NUL of such a unit behind it.
    pub(crate) fn push_text(&mut self, bytes: &[u8], units: usize) -> Result<u64, Fault> {
        let start = self.len();
        // Zeroed, so that the NUL is there, and the padding is not left undefined. There is room
        // for a NUL of two bytes, because two divides eight.
        self.grow(start + bytes.len() / 8 + 1)?;
        self.bytes_from(start)[..bytes.len()].copy_from_slice(bytes);
        Ok(locate(start, units))
    }

    pub(crate) fn begin_list(&self) -> List {
        List { start: self.len(), bytes: 0, count: 0 }
    }

    /// Appends an element of `size` bytes, the low ones of `word`.
    pub(crate) fn push_element(&mut self, list: &mut List, word: u64, size: usize) -> Result<(), Fault> {
        let at = self.extend(list, size)?;
        self.put(at, word, size);
        Ok(())
    }

    /// Appends an element of `size` zeros; the byte where it begins.
    pub(crate) fn extend(&mut self, list: &mut List, size: usize) -> Result<usize, Fault> {
        let at = list.start * 8 + list.bytes;
        self.grow((at + size).div_ceil(8))?;
        if list.count == MAX_ARGUMENTS {
            return Err(Fault::too_large());
        }
        list.bytes += size;
        list.count += 1;
        Ok(at)
    }

    pub(crate) fn end_list(&mut self, list: List) -> u64 {
        locate(list.start, list.count)
    }

    /// Room for `count` elements, or one record, in `size` zeros: the byte where it begins, and
    /// the word of its slot.
    pub(crate) fn reserve(&mut self, size: usize, count: usize) -> Result<(usize, u64), Fault> {
        let start = self.len();
        self.grow(start + size.div_ceil(8))?;
        Ok((start * 8, locate(start, count)))
    }

    /// Writes the low `size` bytes of `word` to the byte `at`.
    pub(crate) fn put(&mut self, at: usize, word: u64, size: usize) {
        let target = &mut self.bytes_from(0)[at..at + size];
        match size {
            1 => target.copy_from_slice(&(word as u8).to_ne_bytes()),
            2 => target.copy_from_slice(&(word as u16).to_ne_bytes()),
            4 => target.copy_from_slice(&(word as u32).to_ne_bytes()),
            _ => target.copy_from_slice(&word.to_ne_bytes()),
        }
    }

    pub(crate) fn put_bytes(&mut self, at: usize, bytes: &[u8]) {
        self.bytes_from(0)[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Keeps a copy of `string`, with NUL behind it, and makes what is at the byte `at` a pointer
    /// to it when all has been read.
    pub(crate) fn point(&mut self, at: usize, string: &[u8]) -> Result<(), Fault> {
        let heap = self.heap();
        let to = heap.strings.len();
        let end = to + string.len() / 8 + 1;
        if heap.words.len() + end > MAX_ARGUMENTS / 8 {
            return Err(Fault::too_large());
        }
        heap.strings.resize(end, 0);
        as_bytes(&mut heap.strings[to..])[..string.len()].copy_from_slice(string);
        heap.pointers.push(Pointer { at, to });
        Ok(())
    }

    /// The arena as C will see it: from now on nothing moves.
    #[inline]
    pub(crate) fn finish(&mut self) -> *mut u64 {
        match &mut self.heap {
            None => self.few.as_mut_ptr().cast(),
            Some(heap) => heap.finish(),
        }
    }

    #[inline]
    fn len(&self) -> usize {
        match &self.heap {
            None => self.used,
            Some(heap) => heap.words.len(),
        }
    }

    #[inline]
    fn words(&mut self) -> &mut [u64] {
        match &mut self.heap {
            // SAFETY: `grow` wrote the words that are in use.
            None => unsafe { std::slice::from_raw_parts_mut(self.few.as_mut_ptr().cast(), self.used) },
            Some(heap) => &mut heap.words,
        }
    }

    /// The heap, to which everything moves that is not there yet.
    fn heap(&mut self) -> &mut Heap {
        if self.heap.is_none() {
            let words = self.words().to_vec();
            self.heap = Some(Box::new(Heap { words, ..Heap::default() }));
        }
        self.heap.get_or_insert_default()
    }

    /// Makes it `to` words long, the new ones zero.
    fn grow(&mut self, to: usize) -> Result<(), Fault> {
        if to <= FEW && self.heap.is_none() {
            for word in &mut self.few[self.used.min(to)..to] {
                word.write(0);
            }
            self.used = to;
        } else {
            let heap = self.heap();
            if to + heap.strings.len() > MAX_ARGUMENTS / 8 {
                return Err(Fault::too_large());
            }
            heap.words.resize(to, 0);
        }
        Ok(())
    }

    fn bytes_from(&mut self, start: usize) -> &mut [u8] {
        as_bytes(&mut self.words()[start..])
    }
}

impl Heap {
    #[inline(never)]
    fn finish(&mut self) -> *mut u64 {
        let strings = self.strings.as_mut_ptr();
        for pointer in &self.pointers {
            let place = &mut as_bytes(&mut self.words)[pointer.at..pointer.at + size_of::<*mut u64>()];
            let string = strings.wrapping_add(pointer.to);
            // SAFETY: `place` is as long as a pointer, and need not be aligned for this.
            unsafe { place.as_mut_ptr().cast::<*mut u64>().write_unaligned(string) };
        }
        self.words.as_mut_ptr()
    }
}

fn as_bytes(words: &mut [u64]) -> &mut [u8] {
    // SAFETY: the same initialised memory, seen as bytes.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() * 8) }
}

/// Both fit 32 bits: neither is more than `MAX_ARGUMENTS`.
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
                arena.push_element(&mut list, n, 8).expect("room");
            }
            let place = arena.end_list(list);
            let (start, count) = ((place >> 32) as usize, place as u32 as usize);
            assert_eq!(arena.words()[start..start + count], (0..size).collect::<Vec<_>>());
        }
        let words = arena.words();
        assert_eq!(words.len() as u64, (0..40).sum::<u64>());
        assert_eq!(words[..10], [0, 0, 1, 0, 1, 2, 0, 1, 2, 3]);
    }

    #[test]
    fn it_ends_before_memory_does() {
        let mut arena = Arena::new();
        let half = vec![b'x'; MAX_ARGUMENTS / 2];
        arena.push_str(&half).expect("there is room for one");
        assert!(arena.push_str(&half).is_err());
        assert!(arena.point(0, &half).is_err());
        assert!(arena.reserve(MAX_ARGUMENTS / 2, 1).is_err());
        assert!(arena.push_str(b"small").is_ok());
    }

    #[test]
    fn pointers_are_right_however_much_comes_behind_them() {
        let mut arena = Arena::new();
        let mut list = arena.begin_list();
        for n in 0..100_usize {
            let at = arena.extend(&mut list, size_of::<*const u8>()).expect("room");
            arena.point(at, "y".repeat(n).as_bytes()).expect("room");
        }
        arena.end_list(list);
        arena.push_str(&[b'x'; 1000]).expect("room");
        let pointers = arena.finish().cast::<*const std::ffi::c_char>();
        for n in 0..100 {
            // SAFETY: the arena begins with a hundred pointers to strings.
            let string = unsafe { std::ffi::CStr::from_ptr(pointers.add(n).read()) };
            assert_eq!(string.to_bytes(), "y".repeat(n).as_bytes());
        }
    }
}
