//! Memory that C keeps after the call: copies, which a handle keeps, or which stay for good.

use std::mem;
use std::ptr;

use opendyn::generated::{Keep, Output};
use opendyn_model::plan::{Content, Keeper, Kept, Operand, Place, When};

use crate::call::Call;
use crate::frame::Owned;
use opendyn::CallError;

/// A copy of an argument.
pub(crate) struct Copied {
    /// The parameter.
    of: usize,
    /// Aligned for every scalar. A vector and no box: C has a pointer into it when it is moved to its keeper.
    words: Vec<u64>,
    /// What it replaces, once it is known that C keeps it.
    slot: Option<usize>,
}

impl Call<'_> {
    /// The copy of what the caller passed for the parameter at `index`, if C keeps that.
    pub(crate) fn kept_copy(&mut self, index: usize) -> Option<*mut u8> {
        let param = self.param(index);
        let field = self.local(index).field.filter(|field| self.args.is_present(*field))?;
        if !(param.moves() || param.is_kept_for_good()) {
            return None;
        }
        if let Some(copied) = self.copies.iter_mut().find(|copied| copied.of == index) {
            return Some(copied.words.as_mut_ptr().cast());
        }
        let kinds = self.bound.kinds();
        let (start, count) = self.args.memory(field);
        let bytes = match &param.operand {
            // With its NUL.
            Operand::Text(_) => count + 1,
            Operand::Elements(element) => kinds.content(Content::Elements(*element)).0 * count,
            Operand::Units(c_type) => crate::number::Number::of(*c_type).size * count,
            Operand::Record(record) => kinds.layouts[*record].size,
            // C keeps nothing else.
            _ => return None,
        };
        let mut words = vec![0_u64; bytes.div_ceil(8).max(1)];
        // SAFETY: the reader has put so many bytes there, and the copy is at least as large.
        unsafe { ptr::copy_nonoverlapping(start, words.as_mut_ptr().cast::<u8>(), bytes) };
        let copy = words.as_mut_ptr().cast();
        self.copies.push(Copied { of: index, words, slot: None });
        Some(copy)
    }

    /// C keeps what it was passed for the parameter at `index`.
    pub(crate) fn keep(&mut self, index: usize, failed: Option<&'static When>) -> Result<(), CallError> {
        let Some(Kept { by, replaced }) = self.param(index).facts.kept else { return Ok(()) };
        let has_failed = match failed {
            Some(when) => self.failed(when)?,
            None => false,
        };
        let slot = if replaced && !has_failed { self.function.position * 256 + index + 1 } else { 0 };
        let position = self.copies.iter().position(|copied| copied.of == index);
        match (position, by) {
            (Some(position), Keeper::Forever) => mem::forget(self.copies.swap_remove(position)),
            (Some(position), Keeper::Result(_)) if self.function.plan.is_kept_by_borrowed(index) => {
                mem::forget(self.copies.swap_remove(position));
            }
            (Some(position), _) => self.copies[position].slot = Some(slot),
            // NULL replaces, too.
            (None, Keeper::Param(_)) if slot != 0 => {
                self.copies.push(Copied { of: index, words: Vec::new(), slot: Some(slot) });
            }
            (None, _) => {}
        }
        self.has_kept = true;
        Ok(())
    }

    /// Passes what handles keep on to their table.
    pub(crate) fn keep_in_table(&mut self, out: &mut Output<'_>) {
        for (index, param) in self.function.plan.params.iter().enumerate() {
            let Some(Kept { by: Keeper::Param(by), .. }) = param.facts.kept else { continue };
            let keeper = self.token(by);
            if !param.moves() {
                out.adopt(keeper, self.token(index));
                continue;
            }
            let is_it = |copied: &mut Copied| copied.of == index && copied.slot.is_some();
            for copied in self.copies.extract_if(.., is_it).collect::<Vec<_>>() {
                let kept = Keep::replacing(copied.slot.unwrap_or_default(), Box::new(copied.words));
                self.owned.push(Owned::Gone(out.keep(keeper, vec![kept])));
            }
        }
    }

    /// What the handle that the call gives at `place` keeps.
    pub(crate) fn kept_by(&mut self, place: Place) -> Vec<Keep> {
        let plan = self.function.plan;
        let is_it = |copied: &mut Copied| {
            plan.params[copied.of].facts.kept.is_some_and(|kept| kept.by == Keeper::Result(place))
        };
        let kept = self.copies.extract_if(.., is_it);
        kept.map(|copied| Keep::new(Box::new(copied.words))).collect()
    }
}
