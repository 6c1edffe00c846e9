//! Memory for the strings, lists and records of a call while C uses them.

use std::mem::MaybeUninit;

use super::MAX_ARGUMENTS;
use super::fault::Fault;
use super::kind::Kind;

/// Memory for the strings, lists and records of one call, aligned for every C scalar. Small
/// arguments need no allocation; the maximum is [`MAX_ARGUMENTS`] bytes.
pub(crate) struct Arena {
    few: MaybeUninit<[u64; FEW]>,
    /// How many words of `few` are in use, if there is no heap.
    used: usize,
    /// Boxed, because most calls do not need it.
    heap: Option<Box<Heap>>,
}

/// The number of words that need no allocation.
const FEW: usize = 16;

/// The fewest elements that memory on the heap is reserved for.
const FEWEST: usize = 64;

#[derive(Default)]
struct Heap {
    /// Replaces `few`.
    words: Vec<u64>,
    /// The strings that pointers in `words` point to. Separate, because a list is contiguous: nothing
    /// can be stored after it until it ends.
    strings: Vec<u64>,
    /// Written to `words` at the end, because the vectors move while they grow.
    pointers: Vec<Pointer>,
    /// The arenas that pointers lead to, with the byte offsets of the pointers.
    inner: Vec<(usize, Box<Arena>)>,
    /// The lengths of arrays that are in `words`: their byte offsets, and what they are.
    counts: Vec<(usize, u64)>,
    /// The words of other arenas, which count too.
    outside: usize,
}

/// A pointer: its byte offset in the arena, and the word in `strings` where its string begins.
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

impl List {
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

impl Arena {
    pub(crate) const fn new() -> Self {
        Self { few: MaybeUninit::uninit(), used: 0, heap: None }
    }

    /// Stores a copy of `string`, which has no NUL, and adds a NUL.
    pub(crate) fn push_str(&mut self, string: &[u8]) -> Result<u64, Fault> {
        self.push_text(string, string.len())
    }

    /// Stores a copy of the bytes of `units` units, followed by a NUL unit.
    pub(crate) fn push_text(&mut self, bytes: &[u8], units: usize) -> Result<u64, Fault> {
        let start = self.len();
        let end = start + bytes.len() / 8 + 1;
        // The last word ends with zeros: the NUL and the padding. A NUL of two bytes fits, because two divides eight.
        if end <= FEW && self.heap.is_none() {
            self.grow(end)?;
            self.bytes_from(start)[..bytes.len()].copy_from_slice(bytes);
        } else {
            let heap = self.heap();
            if end + heap.strings.len() + heap.outside > MAX_ARGUMENTS / 8 {
                return Err(Fault::too_large());
            }
            // Not zeroed first: a long text is written once.
            push_words(&mut heap.words, bytes);
        }
        Ok(locate(start, units))
    }

    /// Stores the bytes that `decode` writes, at most `most`, followed by a NUL byte; nothing if it returns nothing.
    pub(super) fn push_decoded<E>(
        &mut self,
        most: usize,
        decode: impl FnOnce(&mut [u8]) -> Result<usize, E>,
    ) -> Result<Result<u64, E>, Fault> {
        let start = self.len();
        self.grow(start + most / 8 + 1)?;
        let place = self.bytes_from(start);
        let decoded = decode(&mut place[..most]);
        let length = *decoded.as_ref().unwrap_or(&0);
        // What a decoder has left behind the end.
        let end = length / 8 + 1;
        place[length..end * 8].fill(0);
        self.grow(start + if decoded.is_ok() { end } else { 0 })?;
        Ok(decoded.map(|length| locate(start, length)))
    }

    pub(crate) fn begin_list(&self) -> List {
        List { start: self.len(), bytes: 0, count: 0 }
    }

    /// Memory for more elements of `size` bytes at the end of the list, at most `most`: as much as doubles the list, and
    /// for a short list what needs no allocation. [`Arena::keep`] gives back what is not used.
    pub(super) fn places(&mut self, list: &List, size: usize, most: usize) -> Result<&mut [u8], Fault> {
        let at = list.start * 8 + list.bytes;
        let inline = (FEW * 8).saturating_sub(at) / size;
        let more = if self.heap.is_none() && inline > 0 {
            inline
        } else {
            let outside = self.heap.as_ref().map_or(0, |heap| heap.strings.len() + heap.outside);
            let room = MAX_ARGUMENTS.saturating_sub(outside * 8 + at) / size;
            list.count.max(FEWEST).min(room)
        };
        // At least one, so that memory that is used up is an error.
        let end = at + more.min(most).max(1) * size;
        self.grow(end.div_ceil(8))?;
        Ok(&mut self.bytes_from(0)[at..end])
    }

    /// Adds the first `count` elements of the memory that [`Arena::places`] gave to the list.
    pub(super) fn keep(&mut self, list: &mut List, size: usize, count: usize) -> Result<(), Fault> {
        list.bytes += size * count;
        list.count += count;
        self.grow((list.start * 8 + list.bytes).div_ceil(8))
    }

    /// Appends an element of `size` bytes, the low bytes of `word`.
    #[cfg(test)]
    pub(crate) fn push_element(&mut self, list: &mut List, word: u64, size: usize) -> Result<(), Fault> {
        let at = self.extend(list, size)?;
        self.put(at, word, size);
        Ok(())
    }

    /// Appends an element of `size` zeros and returns its byte offset.
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

    /// Reserves `size` zeros for `count` elements or one record. Returns the byte offset and the word
    /// for the slot.
    pub(crate) fn reserve(&mut self, size: usize, count: usize) -> Result<(usize, u64), Fault> {
        let start = self.len();
        self.grow(start + size.div_ceil(8))?;
        Ok((start * 8, locate(start, count)))
    }

    /// Writes a scalar of `kind` at byte offset `at`.
    #[inline]
    pub(crate) fn put_as(&mut self, kind: Kind, at: usize, word: u64) {
        let size = kind.size();
        if let Kind::Bits(bits) = kind {
            bits.put(&mut self.bytes_from(0)[at..at + size], word);
        } else {
            self.put(at, word, size);
        }
    }

    /// Writes the low `size` bytes of `word` at byte offset `at`.
    pub(crate) fn put(&mut self, at: usize, word: u64, size: usize) {
        put_word(&mut self.bytes_from(0)[at..at + size], word);
    }

    pub(crate) fn put_bytes(&mut self, at: usize, bytes: &[u8]) {
        self.bytes_from(0)[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Stores a copy of `string` with a NUL. `finish` writes a pointer to it at byte offset `at`.
    pub(crate) fn point(&mut self, at: usize, string: &[u8]) -> Result<(), Fault> {
        let heap = self.heap();
        let to = heap.strings.len();
        let end = to + string.len() / 8 + 1;
        if heap.words.len() + end + heap.outside > MAX_ARGUMENTS / 8 {
            return Err(Fault::too_large());
        }
        push_words(&mut heap.strings, string);
        heap.pointers.push(Pointer { at, to });
        Ok(())
    }

    /// The memory for C, with its pointers written. Nothing moves afterwards.
    #[inline]
    pub(crate) fn finish(&mut self) -> *mut u64 {
        match &mut self.heap {
            None => self.few.as_mut_ptr().cast(),
            Some(heap) => heap.finish(),
        }
    }

    /// An arena for what a pointer in this one leads to.
    pub(crate) fn inner(&mut self) -> Self {
        let heap = self.heap();
        let outside = heap.total();
        Self { heap: Some(Box::new(Heap { outside, ..Heap::default() })), ..Self::new() }
    }

    /// Lets the pointer at byte offset `at` lead to the beginning of `inner`.
    pub(crate) fn adopt(&mut self, at: usize, mut inner: Self) -> Result<(), Fault> {
        let total = inner.heap().total();
        let heap = self.heap();
        heap.outside = total.saturating_sub(heap.words.len() + heap.strings.len());
        heap.inner.push((at, Box::new(inner)));
        if total > MAX_ARGUMENTS / 8 { Err(Fault::too_large()) } else { Ok(()) }
    }

    /// Writes the length of an array at byte offset `at`. Arrays that share it are equally long.
    pub(crate) fn put_count(&mut self, at: usize, count: u64, size: usize) -> Result<(), Fault> {
        let counts = &mut self.heap().counts;
        match counts.iter().find(|(place, _)| *place == at) {
            Some((_, other)) if *other != count => {
                return Err(Fault::new(format!("{count} elements; another array of the struct has {other}")));
            }
            Some(_) => {}
            None => counts.push((at, count)),
        }
        self.put(at, count, size);
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
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
            // SAFETY: `grow` has initialised the first `used` words.
            None => unsafe { std::slice::from_raw_parts_mut(self.few.as_mut_ptr().cast(), self.used) },
            Some(heap) => &mut heap.words,
        }
    }

    /// The heap; the contents of `few` move there first.
    fn heap(&mut self) -> &mut Heap {
        if self.heap.is_none() {
            let words = self.words().to_vec();
            self.heap = Some(Box::new(Heap { words, ..Heap::default() }));
        }
        self.heap.get_or_insert_default()
    }

    /// Grows the arena to `to` words; new words are zero.
    fn grow(&mut self, to: usize) -> Result<(), Fault> {
        if to <= FEW && self.heap.is_none() {
            let few = self.few.as_mut_ptr().cast::<u64>();
            for word in self.used..to {
                // SAFETY: `to` is at most `FEW`.
                unsafe { few.add(word).write(0) };
            }
            self.used = to;
        } else {
            let heap = self.heap();
            if to + heap.strings.len() + heap.outside > MAX_ARGUMENTS / 8 {
                return Err(Fault::too_large());
            }
            heap.words.resize(to, 0);
        }
        Ok(())
    }

    pub(super) fn bytes_from(&mut self, start: usize) -> &mut [u8] {
        as_bytes(&mut self.words()[start..])
    }
}

impl Heap {
    /// The words of this and of all other arenas of the call.
    fn total(&self) -> usize {
        self.words.len() + self.strings.len() + self.outside
    }

    #[inline(never)]
    fn finish(&mut self) -> *mut u64 {
        for (at, inner) in &mut self.inner {
            let start = inner.finish();
            let place = &mut as_bytes(&mut self.words)[*at..*at + size_of::<*mut u64>()];
            // SAFETY: `place` has the size of a pointer, and the write needs no alignment.
            unsafe { place.as_mut_ptr().cast::<*mut u64>().write_unaligned(start) };
        }
        let strings = self.strings.as_mut_ptr();
        for pointer in &self.pointers {
            let place = &mut as_bytes(&mut self.words)[pointer.at..pointer.at + size_of::<*mut u64>()];
            let string = strings.wrapping_add(pointer.to);
            // SAFETY: `place` has the size of a pointer, and the write needs no alignment.
            unsafe { place.as_mut_ptr().cast::<*mut u64>().write_unaligned(string) };
        }
        self.words.as_mut_ptr()
    }
}

/// Writes the low bytes of `word`, as many as the place has.
#[inline(always)]
pub(super) fn put_word(place: &mut [u8], word: u64) {
    match place.len() {
        1 => place.copy_from_slice(&(word as u8).to_ne_bytes()),
        2 => place.copy_from_slice(&(word as u16).to_ne_bytes()),
        4 => place.copy_from_slice(&(word as u32).to_ne_bytes()),
        _ => place.copy_from_slice(&word.to_ne_bytes()),
    }
}

/// Adds the words of `bytes`, at least one zero behind them.
fn push_words(words: &mut Vec<u64>, bytes: &[u8]) {
    let (start, more) = (words.len(), bytes.len() / 8 + 1);
    words.reserve(more);
    // SAFETY: there is room for the words. The last one is zeroed before the bytes are written, which end in it or before
    // it, so all of them are initialised.
    unsafe {
        let to = words.as_mut_ptr().add(start);
        to.add(more - 1).write(0);
        to.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        words.set_len(start + more);
    }
}

fn as_bytes(words: &mut [u64]) -> &mut [u8] {
    // SAFETY: the memory is that of the initialised words, and every byte pattern is a `u64`.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() * 8) }
}

/// The word of a slot. Both values fit 32 bits, because neither exceeds `MAX_ARGUMENTS`.
fn locate(start: usize, length: usize) -> u64 {
    (start as u64) << 32 | length as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_contents_move_to_the_heap() {
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
    fn its_size_is_limited() {
        let mut arena = Arena::new();
        let half = vec![b'x'; MAX_ARGUMENTS / 2];
        arena.push_str(&half).expect("room for one");
        assert!(arena.push_str(&half).is_err());
        assert!(arena.point(0, &half).is_err());
        assert!(arena.reserve(MAX_ARGUMENTS / 2, 1).is_err());
        assert!(arena.push_str(b"small").is_ok());
    }

    #[test]
    fn pointers_stay_right_while_the_arena_grows() {
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
            // SAFETY: the arena begins with 100 pointers to NUL-terminated strings.
            let string = unsafe { std::ffi::CStr::from_ptr(pointers.add(n).read()) };
            assert_eq!(string.to_bytes(), "y".repeat(n).as_bytes());
        }
    }
}
