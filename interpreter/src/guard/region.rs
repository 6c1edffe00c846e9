//! Memory between pages that nothing can access.

use std::ptr;

/// How much before and behind the memory cannot be accessed, in bytes. It costs addresses, not memory.
const GUARD: usize = 1 << 20;

/// Where the memory is in its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Its last byte is the last of its page: what goes past the end is caught.
    AtEnd,
    /// Its first byte is the first of its page: what goes before the start is caught.
    AtStart,
}

/// Memory between pages that nothing can access. It is never unmapped, so that its addresses are not used again.
#[derive(Debug)]
pub(crate) struct Region {
    /// The whole mapping.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The pages that can be accessed.
    pages: *mut u8,
    length: usize,
    /// The memory.
    pub(crate) start: *mut u8,
    pub(crate) bytes: usize,
}

// SAFETY: the mapping stays as long as the process, and only the owner of the region accesses it, besides C.
unsafe impl Send for Region {}

impl Region {
    /// `bytes` zeros, aligned to `align`, a power of two of at most a page; `None` if the system has no more.
    pub(crate) fn new(bytes: usize, align: usize, place: Place) -> Option<Self> {
        let page = page_size();
        let length = bytes.max(1).checked_next_multiple_of(page)?;
        let whole = length.checked_add(2 * GUARD)?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: a new mapping, which overlaps no other.
        let map = unsafe { libc::mmap(ptr::null_mut(), whole, libc::PROT_NONE, flags, -1, 0) };
        if map == libc::MAP_FAILED {
            return None;
        }
        let map = map.cast::<u8>();
        let pages = map.wrapping_add(GUARD);
        let offset = match place {
            Place::AtEnd => (length - bytes) / align * align,
            Place::AtStart => 0,
        };
        let region = Self {
            from: map.addr(),
            to: map.addr() + whole,
            pages,
            length,
            start: pages.wrapping_add(offset),
            bytes,
        };
        region.protect(libc::PROT_READ | libc::PROT_WRITE).then_some(region)
    }

    /// From now on it can only be read.
    pub(crate) fn only_read(&self) {
        self.protect(libc::PROT_READ);
    }

    /// From now on nothing can access it.
    pub(crate) fn close(&self) {
        self.protect(libc::PROT_NONE);
    }

    fn protect(&self, protection: libc::c_int) -> bool {
        // SAFETY: these are pages of the mapping, which only this region has.
        unsafe { libc::mprotect(self.pages.cast(), self.length, protection) == 0 }
    }
}

fn page_size() -> usize {
    // SAFETY: it only asks the system.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).ok().filter(|size| size.is_power_of_two()).unwrap_or(1 << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_end_or_its_start_is_at_a_page() {
        for bytes in [0, 1, 5, 4095, 4096, 4097] {
            let end = Region::new(bytes, 1, Place::AtEnd).expect("memory");
            assert_eq!((end.start.addr() + bytes) % page_size(), 0, "{bytes}");
            let start = Region::new(bytes, 1, Place::AtStart).expect("memory");
            assert_eq!(start.start.addr() % page_size(), 0, "{bytes}");
            // SAFETY: there are so many bytes.
            unsafe { start.start.write_bytes(7, bytes) };
        }
        let aligned = Region::new(20, 16, Place::AtEnd).expect("memory");
        assert_eq!(aligned.start.addr() % 16, 0);
        assert!(aligned.to > aligned.start.addr() + 20 + GUARD);
    }
}
