//! Structs: where their members are, by the rules of C on this machine.

use opendyn::generated::Part;
use opendyn_model::plan::{Body, CBase, CValue, FieldType, Overlap, Record, Types};

use crate::number::Number;

/// The layout of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// The offsets of the members of a struct.
    pub(crate) offsets: Vec<usize>,
    /// The bits at which they begin, in the byte at the offset: 0 but for bit fields.
    pub(crate) shifts: Vec<usize>,
}

/// The layout of the struct or state.
pub(crate) fn of_record(record: &Record, types: &Types) -> Layout {
    if let Body::State { size, align, members } = &record.body {
        let known = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        // A document that gives it too small a size is refused, because the sizes then differ.
        let least = members.map_or(0, |members| of_record(&types.records[members], types).size);
        let size = known(*size).max(least);
        return Layout { size, align: known(*align), offsets: Vec::new(), shifts: Vec::new() };
    }
    let mut layout = Layout { size: 0, align: 1, offsets: Vec::new(), shifts: Vec::new() };
    // In bits.
    let mut end: usize = 0;
    for field in record.fields() {
        let (size, align) = of_value(&CValue::field(&field.of), types);
        let width = match &field.of {
            FieldType::Bits { width, .. } => *width as usize,
            _ => 0,
        };
        let part = Part { size, align, width };
        let (place, length) = if size > usize::MAX / 16 || end > usize::MAX / 16 {
            // A size that is too large to allocate is refused when memory for it is.
            (end.next_multiple_of(8), 0)
        } else {
            (part.place(end), part.length())
        };
        if record.overlap == Some(Overlap::Members) {
            layout.offsets.push(0);
            layout.shifts.push(0);
            end = end.max(length);
            layout.align = layout.align.max(align);
            continue;
        }
        layout.offsets.push(place / 8);
        layout.shifts.push(place % 8);
        end = place + length;
        if size > usize::MAX / 16 {
            end = usize::MAX / 2;
        }
        layout.align = layout.align.max(align);
    }
    layout.size = end.div_ceil(8);
    if end > usize::MAX / 16 {
        layout.size = usize::MAX;
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

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use opendyn_model::{Findings, Options, lower, read};

    use super::*;

    /// The structs of the document below, as the compiler lays them out.
    #[repr(C)]
    struct Inner {
        tag: u8,
        value: f64,
    }

    #[repr(C)]
    struct Outer {
        first: u8,
        small: i16,
        inner: [Inner; 2],
        name: [u8; 5],
        count: i32,
        text: *const u8,
        last: u8,
    }

    const DOCUMENT: &str = r##"{
        "opendyn": "1.0.0",
        "info": {"title": "t", "version": "1", "callingConvention": "cdecl"},
        "functions": [],
        "schemas": {
            "Inner": {"type": "object", "cType": {"type": "void", "isPointer": true}, "properties": {
                "tag": {"type": "integer", "cType": {"type": "unsigned char", "isPointer": false}},
                "value": {"type": "number", "cType": {"type": "double", "isPointer": false}}}},
            "Outer": {"type": "object", "cType": {"type": "void", "isPointer": true}, "properties": {
                "first": {"type": "integer", "cType": {"type": "unsigned char", "isPointer": false}},
                "small": {"type": "integer", "cType": {"type": "short", "isPointer": false}},
                "inner": {"type": "array", "x-length": {"const": 2}, "items": {"$ref": "#/schemas/Inner"},
                    "cType": {"type": "void", "isPointer": false}},
                "name": {"type": "string", "x-length": {"const": 5}, "cType": {"type": "char", "isPointer": false}},
                "count": {"type": "integer", "cType": {"type": "int", "isPointer": false}},
                "text": {"type": "string", "cType": {"type": "char", "isPointer": true}},
                "last": {"type": "integer", "cType": {"type": "unsigned char", "isPointer": false}}}}
        }
    }"##;

    #[test]
    fn members_are_where_the_compiler_puts_them() {
        let findings = Findings::new();
        let document = read::read(DOCUMENT, &findings).expect("it is JSON");
        let types = lower::lower(&document, &Options::default(), &findings).types;
        assert!(!findings.has_errors(), "{}", findings.finish("t.json", DOCUMENT));
        let layout = |name: &str| {
            let record = types.records.iter().find(|record| record.name == name).expect("it is there");
            of_record(record, &types)
        };
        let (inner, outer) = (layout("Inner"), layout("Outer"));
        assert_eq!((inner.size, inner.align), (size_of::<Inner>(), align_of::<Inner>()));
        assert_eq!(inner.offsets, [offset_of!(Inner, tag), offset_of!(Inner, value)]);
        assert_eq!((outer.size, outer.align), (size_of::<Outer>(), align_of::<Outer>()));
        assert_eq!(
            outer.offsets,
            [
                offset_of!(Outer, first),
                offset_of!(Outer, small),
                offset_of!(Outer, inner),
                offset_of!(Outer, name),
                offset_of!(Outer, count),
                offset_of!(Outer, text),
                offset_of!(Outer, last),
            ]
        );
    }
}
