//! What C is passed for each parameter, and how large the document says it is.

use opendyn::generated::Kind;
use opendyn_model::plan::{Access, Content, Element, Encoding, Memory, Operand, Shape, Step};

use super::says::says;
use crate::call::Call;
use crate::number::Number;

/// What a piece of memory is for the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A buffer that C fills.
    Capacity,
    /// Elements or bytes whose number C is told.
    Length,
    /// A string that ends with NUL.
    Text,
    /// A scalar or a pointer.
    Scalar,
    /// A struct.
    Struct,
    /// The memory of a state, which stays after the call.
    State,
}

/// What C is passed for one parameter.
pub(super) struct Part {
    pub(super) what: What,
    pub(super) bytes: usize,
    /// Whether C may write to it.
    pub(super) is_written: bool,
    /// Whether C may use it after the call.
    pub(super) stays: bool,
    /// The elements, if there can be pointers in them.
    pub(super) of: Option<(Kind, usize)>,
    /// What the document says about its size.
    pub(super) says: String,
}

impl Call<'_> {
    /// What C is passed for the parameter at `index`, whose pointer is not NULL; `None` if it is not memory of ours.
    pub(super) fn part(&self, index: usize) -> Option<Part> {
        let kinds = self.bound.kinds();
        let param = self.param(index);
        let local = self.local(index);
        let count = self.length(index).unwrap_or(0);
        let part = |what: What, bytes: usize, is_written: bool| {
            let stays = param.moves() || param.is_kept_for_good();
            let says = says(&self.bound.document, self.function.plan, index);
            Part { what, bytes, is_written, stays, of: None, says }
        };
        let structs = |record: usize, is_written: bool| {
            let size = kinds.layouts[record].size;
            Part {
                of: Some((kinds.of_record(record), count)),
                ..part(What::Struct, size * count, is_written)
            }
        };
        let is_written = self.is_written(index);
        Some(match &param.operand {
            Operand::Text(text) | Operand::ConstantText(text, _) => {
                if text.encoding == Encoding::Utf16 && text.one_of.is_some() {
                    return None;
                }
                let unit = Number::of(text.c_type);
                let start = self.pointer_passed(index).cast_const().cast();
                // SAFETY: C is passed a string that ends with NUL.
                let units = (0..).take_while(|at| !unsafe { unit.is_zero(start, *at) }).count();
                part(What::Text, (units + 1) * unit.size, false)
            }
            Operand::Cell(scalar) => part(What::Scalar, Number::of(scalar.c_type).size, true),
            Operand::Elements(Element::Record(record)) => {
                let part = structs(*record, is_written);
                Part { what: What::Length, ..part }
            }
            Operand::Elements(element) => {
                part(What::Length, kinds.content(Content::Elements(*element)).0 * count, is_written)
            }
            Operand::Units(c_type) => part(What::Length, Number::of(*c_type).size * count, is_written),
            Operand::Terminated(scalar) => {
                part(What::Length, Number::of(scalar.c_type).size * (count + 1), is_written)
            }
            Operand::Pointers | Operand::Handles => {
                let ends = |step: &Step| match step {
                    Step::Allocate {
                        into,
                        memory: Memory::Pointers { terminated, .. } | Memory::Handles { terminated, .. },
                    } => *terminated && *into == index,
                    _ => false,
                };
                let ended = usize::from(self.function.plan.steps.iter().any(ends));
                let count = self.pointers_of(index).map_or(count, <[_]>::len);
                let bytes = (count + ended) * size_of::<*const u8>();
                let strings = (param.operand == Operand::Pointers).then_some((Kind::Str, count));
                Part { of: strings, ..part(What::Length, bytes, false) }
            }
            Operand::Record(record) | Operand::Loan(record) => structs(*record, is_written),
            Operand::Address if local.is_record => {
                let record = self.function.plan.steps.iter().find_map(|step| match step {
                    Step::Allocate { into, memory: Memory::Record(record) } if *into == index => {
                        Some(*record)
                    }
                    _ => None,
                })?;
                part(What::Struct, kinds.layouts[record].size, true)
            }
            Operand::Address => part(What::Scalar, local.number.size, true),
            Operand::ReleasedThrough | Operand::Fetch => part(What::Scalar, size_of::<*const u8>(), true),
            Operand::Buffer => {
                let bytes = match self.room(index) {
                    Some(room) => {
                        let content = self.function.plan.steps.iter().find_map(|step| match step {
                            Step::Allocate { into, memory: Memory::Buffer { content, .. } }
                                if *into == index =>
                            {
                                Some(*content)
                            }
                            _ => None,
                        })?;
                        kinds.content(content).0 * room.capacity_where(Some).ok()?
                    }
                    // A buffer for a string of unknown length.
                    None => self.text_room()?,
                };
                part(What::Capacity, bytes, true)
            }
            // Passed by value, or memory of C, or a function.
            Operand::Scalar(_)
            | Operand::Constant(..)
            | Operand::RecordValue(_)
            | Operand::LoanValue(_)
            | Operand::State(_)
            | Operand::NewState(_)
            | Operand::Handle
            | Operand::Released
            | Operand::Taken(_)
            | Operand::Local
            | Operand::Function
            | Operand::UserData(_)
            | Operand::Raw => return None,
        })
    }

    /// Whether the document lets C write to the argument at `index`.
    fn is_written(&self, index: usize) -> bool {
        match self.shape(index) {
            Some(
                Shape::List { access, .. }
                | Shape::Units { access, .. }
                | Shape::Record { access, .. }
                | Shape::State { access, .. }
                | Shape::Handle { access, .. },
            ) => access.is_written() || *access == Access::Owned,
            Some(Shape::Cell(_) | Shape::Room(_)) => true,
            Some(
                Shape::Scalar(_)
                | Shape::Text(_)
                | Shape::Str(_)
                | Shape::Strings { .. }
                | Shape::Handles { .. }
                | Shape::Closure(_)
                | Shape::Capacity(_)
                | Shape::Raw,
            )
            | None => false,
        }
    }
}
