//! Structs: where their members are, by the rules of C on this machine.

use opendyn_model::plan::{Body, CBase, CValue, Record, Types};

use crate::number::Number;

/// The layout of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// The offsets of the members of a struct.
    pub(crate) offsets: Vec<usize>,
}

/// The layout of the struct or state.
pub(crate) fn of_record(record: &Record, types: &Types) -> Layout {
    if let Body::State { size, align } = &record.body {
        let known = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        return Layout { size: known(*size), align: known(*align), offsets: Vec::new() };
    }
    let mut layout = Layout { size: 0, align: 1, offsets: Vec::new() };
    for field in record.fields() {
        let (size, align) = of_value(&CValue::field(&field.of), types);
        let offset = layout.size.next_multiple_of(align);
        layout.offsets.push(offset);
        // A size that is too large to allocate is refused when memory for it is.
        layout.size = offset.saturating_add(size);
        layout.align = layout.align.max(align);
    }
    layout.size = layout.size.checked_next_multiple_of(layout.align).unwrap_or(usize::MAX);
    layout
}

/// The size and the alignment of a value, with its elements if it is an array in place.
fn of_value(value: &CValue, types: &Types) -> (usize, usize) {
    let (size, align) = match &value.base {
        CBase::Scalar(c_type) if value.stars == 0 => {
            let number = Number::of(*c_type);
            (number.size, number.align())
        }
        CBase::Record(record) if value.stars == 0 => {
            let layout = of_record(&types.records[*record], types);
            (layout.size, layout.align)
        }
        CBase::Scalar(_) | CBase::Record(_) | CBase::Handle(_) | CBase::Function(_) => {
            (Number::POINTER.size, align_of::<*const ()>())
        }
    };
    let count = value.count.map_or(1, |count| usize::try_from(count).unwrap_or(usize::MAX));
    (size.saturating_mul(count), align)
}
