//! After the call, what C left is copied back, so that the steps see the memory that they always see. Then nothing can
//! access what C was lent.

use std::ptr;

use opendyn_model::plan::{self, Back, Got};

use super::lend::{Guarded, Left, Piece};
use super::region::Region;
use crate::call::Call;

impl Call<'_> {
    /// Copies what C left back. It asks the system for nothing, because the error of the system is read next.
    pub(crate) fn take_back(&mut self, guarded: Guarded) {
        let Some(guard) = self.bound.guard.as_ref() else { return };
        let pieces = guard.pieces();
        let live = &pieces.live[guarded.first.min(pieces.live.len())..];
        for piece in live.iter().filter(|piece| piece.is_written) {
            let Region { start, bytes, .. } = piece.region;
            // SAFETY: both have so many bytes, and do not overlap.
            unsafe { ptr::copy_nonoverlapping(start, piece.original, bytes) };
            if piece.has_pointers {
                // SAFETY: as above.
                unsafe { lead_back(piece.original, bytes, live) };
            }
        }
        let words = self.function.returned_words;
        // SAFETY: so many words are there for the return value.
        unsafe { lead_back(self.returned, words * 8, live) };
    }

    /// Tells what C left in buffers. From now on nothing can access what C was lent, but what the document lets it keep.
    pub(crate) fn end_loans(&self) {
        let Some(guard) = self.bound.guard.as_ref() else { return };
        let live = std::mem::take(&mut guard.pieces().live);
        let rooms = live.iter().filter(|piece| piece.is_room);
        let left: Vec<Left> = rooms.filter_map(|piece| self.left(piece)).collect();
        for piece in live.iter().filter(|piece| !piece.stays) {
            piece.region.close();
        }
        guard.with.observer.left(&left);
    }

    /// What C left in the buffer of a parameter, if a caller gets it.
    fn left(&self, piece: &Piece) -> Option<Left> {
        let outcome =
            self.function.plan.outcomes.iter().find(|one| one.from == plan::Place::Param(piece.of))?;
        let Region { start, bytes, .. } = piece.region;
        let (unit, ends_at_nul, written) = match &outcome.got {
            Got::Buffer { content, written } => {
                let unit = self.bound.kinds().content(*content).0;
                let count = written.map(|place| usize::try_from(self.integer(place)).unwrap_or(0));
                let written = count.map(|count| count.saturating_mul(unit).min(bytes));
                (unit, content.ends_at_nul(written.is_some()), written)
            }
            Got::Back(Back::Room) => (1, true, None),
            _ => return None,
        };
        // SAFETY: the region can still be accessed, and has so many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(start, bytes) }.to_vec();
        Some(Left { name: self.param(piece.of).key.clone(), bytes, unit, ends_at_nul, written })
    }
}

/// Lets pointers into copies lead to the originals.
///
/// # Safety
///
/// `start` points to so many initialised bytes.
unsafe fn lead_back(start: *mut u8, bytes: usize, pieces: &[Piece]) {
    for offset in (0..bytes.saturating_sub(size_of::<*mut u8>() - 1)).step_by(size_of::<*mut u8>()) {
        // SAFETY: there are so many bytes.
        let place = unsafe { start.add(offset).cast::<*mut u8>() };
        // SAFETY: as above.
        let address = unsafe { place.read_unaligned() }.addr();
        let found = pieces.iter().find(|piece| {
            let from = piece.region.start.addr();
            (from..=from + piece.region.bytes).contains(&address)
        });
        if let Some(piece) = found {
            let moved = piece.original.wrapping_add(address - piece.region.start.addr());
            // SAFETY: as above.
            unsafe { place.write_unaligned(moved) };
        }
    }
}
