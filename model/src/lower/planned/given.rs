//! Values from C: a return value, or the target of a pointer that C set.

use super::super::meaning::Form;
use crate::c_type::CType;
use crate::plan::{CValue, Content, Facts, Got, Kind};

/// What follows from the form of a value from C.
pub(super) struct Given {
    /// The type in C: as C returns it, or of the parameter that C is passed to set it.
    pub(super) c: CValue,
    pub(super) got: Got,
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    pub(super) free: Option<usize>,
}

/// What follows from the form of a value of this C type.
pub(super) fn given(form: &Form, c: &CValue) -> Given {
    let held = form.held();
    let value = |got: Got, kind: Kind| Given { c: c.clone(), got, kind, nullable: false, free: None };
    let pointer =
        |got: Got, kind: Kind| Given { c: c.clone(), got, kind, nullable: held.nullable, free: held.free };
    let units = |given: Given, c_type: CType| Given { c: given.c.bound_to(c_type, c.stars), ..given };
    let elements = |given: Given, content: Content| match content {
        Content::Text { c_type, .. } => units(given, c_type),
        Content::Elements(_) => given,
    };
    match form {
        Form::Value(scalar) => value(Got::Scalar(*scalar), Kind::Scalar(*scalar)),
        Form::RecordValue(record) => value(Got::Record(*record), Kind::Record(*record)),
        Form::Str { text, .. } => {
            let given = units(pointer(Got::Text(*text), Kind::text(*text)), text.c_type);
            // Text that the caller does not free belongs to C and is read-only.
            if held.free.is_none() { Given { c: given.c.constant(), ..given } } else { given }
        }
        Form::Pointed { scalar, .. } => pointer(Got::Pointed(*scalar), Kind::Scalar(*scalar)),
        Form::Record { record, .. } => pointer(Got::PointedRecord(*record), Kind::Record(*record)),
        Form::Array { content, length: Some(count), .. } => {
            let got = Got::Elements { content: *content, count: count.clone() };
            elements(pointer(got, Kind::content(*content)), *content)
        }
        Form::Array { content, length: None, .. } => {
            elements(value(Got::Raw, Kind::content(*content)), *content)
        }
        Form::Strings { length, .. } => {
            let got = Got::Strings { count: length.clone() };
            units(pointer(got, Kind::list(Kind::plain_text(), None)), CType::Char)
        }
        Form::Handle { handle, parent, .. } => {
            pointer(Got::Handle { handle: *handle, free: held.free, parent: *parent }, Kind::Handle(*handle))
        }
        // A pointer that is not followed.
        Form::Opaque => units(value(Got::Raw, Kind::Opaque), CType::Void),
    }
}

/// What the document says about it besides its type.
pub(super) fn facts(form: &Form) -> Facts {
    let held = form.held();
    let parent = match form {
        Form::Handle { parent, .. } => *parent,
        _ => None,
    };
    Facts { length: form.length().cloned(), written: None, free: held.free, parent, nullable: held.nullable }
}
