//! The offsets of the members of structs and unions. Bit fields follow the rules of the target.

use super::table::Table;
use crate::{RecordKind, RecordMember};

/// One member as it is declared.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) member: RecordMember,
    pub(super) packed: bool,
    pub(super) aligned: Option<u64>,
}

/// How a record is declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) kind: RecordKind,
    pub(super) packed: bool,
    pub(super) aligned: Option<u64>,
    /// The value of `#pragma pack`; 0 for none.
    pub(super) pack: u64,
}

/// What a field requires, in bits.
#[derive(Clone, Copy)]
struct Wish {
    size: u64,
    /// The alignment of its type, limited by `#pragma pack`.
    natural: u64,
    limited: u64,
    /// The alignment after all packing attributes.
    align: u64,
    named: bool,
    aligned: bool,
    /// Whether `#pragma pack` is active.
    packs: bool,
}

/// The state of the layout, in bits.
struct Progress {
    at: u64,
    align: u64,
    /// The storage unit that bit fields share in Microsoft's layout: its size, and how much is used.
    unit: Option<(u64, u64)>,
    nameless_align: bool,
}

impl Table {
    /// The size and alignment of a record, and the offset of each field; `None` if the layout of a field is
    /// unknown.
    pub(super) fn lay_out(&self, shape: Shape, fields: &mut [Field]) -> Option<(u64, u64)> {
        let nameless_align = self.rules.nameless_align;
        let mut progress = Progress { at: 0, align: 8, unit: None, nameless_align };
        let mut end = 0;
        for field in fields.iter_mut() {
            let wish = self.wish(shape, field)?;
            if shape.kind == RecordKind::Union {
                progress.at = 0;
                progress.unit = None;
            }
            let start = match field.member.bits {
                None => progress.whole(wish)?,
                Some(width) if width > wish.size => return None,
                Some(width) if self.rules.windows => progress.bits_of_microsoft(width, wish)?,
                Some(width) => progress.bits(width, wish)?,
            };
            field.member.offset = Some(start / 8);
            end = progress.at.max(end);
        }
        let align = progress.align.max(shape.aligned.unwrap_or(1) * 8);
        Some((up(end, align)? / 8, align / 8))
    }

    fn wish(&self, shape: Shape, field: &Field) -> Option<Wish> {
        let (size, natural) = self.layout(field.member.of)?;
        let mut align = if field.packed || shape.packed { 1 } else { natural };
        align = align.max(field.aligned.unwrap_or(1));
        let limit = if shape.pack == 0 { u64::MAX } else { shape.pack };
        align = align.min(limit);
        let (named, aligned) = (field.member.name.is_some(), field.aligned.is_some());
        let limited = natural.min(limit) * 8;
        let (size, natural, align) = (size.checked_mul(8)?, natural * 8, align * 8);
        Some(Wish { size, natural, limited, align, named, aligned, packs: shape.pack != 0 })
    }
}

impl Progress {
    /// Places a field that is not a bit field and returns its offset.
    fn whole(&mut self, wish: Wish) -> Option<u64> {
        self.unit = None;
        let start = up(self.at, wish.align)?;
        self.at = start.checked_add(wish.size)?;
        self.align = self.align.max(wish.align);
        Some(start)
    }

    /// A bit field does not cross the boundary of an aligned unit of its type.
    fn bits(&mut self, width: u64, wish: Wish) -> Option<u64> {
        if width == 0 {
            self.at = up(self.at, wish.natural)?;
            if self.nameless_align {
                self.align = self.align.max(wish.natural);
            }
            return Some(self.at);
        }
        // With `#pragma pack`, whatever its value, it may.
        let crosses = self.at % wish.align + width > wish.size && !wish.packs;
        if wish.aligned || (crosses && wish.align > 8) {
            self.at = up(self.at, wish.align)?;
        }
        let start = self.at;
        self.at = start.checked_add(width)?;
        if wish.named || self.nameless_align {
            self.align = self.align.max(wish.align);
        }
        Some(start)
    }

    /// A bit field shares the previous unit if that has the same size and enough room. `packed` does not
    /// change this.
    fn bits_of_microsoft(&mut self, width: u64, wish: Wish) -> Option<u64> {
        let align = wish.align.max(wish.limited);
        if width == 0 {
            if self.unit.take().is_some() {
                self.at = up(self.at, wish.natural)?;
                self.align = self.align.max(wish.natural);
            }
            return Some(self.at);
        }
        if let Some((size, used)) = &mut self.unit
            && *size == wish.size
            && *used + width <= *size
        {
            let start = self.at - *size + *used;
            *used += width;
            return Some(start);
        }
        let start = up(self.at, align)?;
        self.at = start.checked_add(wish.size)?;
        self.align = self.align.max(align);
        self.unit = Some((wish.size, width));
        Some(start)
    }
}

fn up(value: u64, to: u64) -> Option<u64> {
    value.checked_next_multiple_of(to.max(1))
}
