//! Values from C: a return value, or the target of a pointer that C set.

use super::super::meaning::Form;
use crate::c_type::CType;
use crate::plan::{CValue, Facts, Got, Kind, Types};

/// What follows from the form of a value from C.
pub(super) struct Given {
    /// The type as C returns it.
    pub(super) c: CValue,
    /// What a pointer points to.
    pub(super) pointee: CValue,
    pub(super) got: Got,
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    pub(super) free: Option<usize>,
}

pub(super) fn given(form: &Form) -> Given {
    let held = form.held();
    let value = |c: CValue, got: Got, kind: Kind| Given {
        pointee: c.clone(),
        c,
        got,
        kind,
        nullable: false,
        free: None,
    };
    let pointer = |pointee: CValue, got: Got, kind: Kind| Given {
        c: pointee.clone().pointer(),
        pointee,
        got,
        kind,
        nullable: held.nullable,
        free: held.free,
    };
    match form {
        Form::Value(scalar) => {
            value(CValue::scalar(scalar.c_type), Got::Scalar(*scalar), Kind::Scalar(*scalar))
        }
        Form::RecordValue(record) => {
            value(CValue::record(*record), Got::Record(*record), Kind::Record(*record))
        }
        Form::Str { text, .. } => {
            let given = pointer(CValue::scalar(text.c_type), Got::Text(*text), Kind::text(*text));
            // Text that the caller does not free belongs to C and is read-only.
            if held.free.is_none() { Given { c: given.c.constant(), ..given } } else { given }
        }
        Form::Pointed { scalar, .. } => {
            pointer(CValue::scalar(scalar.c_type), Got::Pointed(*scalar), Kind::Scalar(*scalar))
        }
        Form::Record { record, .. } => {
            pointer(CValue::record(*record), Got::PointedRecord(*record), Kind::Record(*record))
        }
        Form::Array { content, length: Some(count), .. } => pointer(
            CValue::content(*content),
            Got::Elements { content: *content, count: count.clone() },
            Kind::content(*content),
        ),
        Form::Array { content, length: None, .. } => raw(CValue::content(*content), Kind::content(*content)),
        Form::Strings { length, .. } => pointer(
            CValue::scalar(CType::Char).pointer(),
            Got::Strings { count: length.clone() },
            Kind::list(Kind::plain_text(), None),
        ),
        Form::Handle { handle, parent, .. } => pointer(
            CValue::scalar(CType::Void),
            Got::Handle { handle: *handle, free: held.free, parent: *parent },
            Kind::Handle(*handle),
        ),
        Form::Opaque => raw(CValue::scalar(CType::Void), Kind::Opaque),
    }
}

/// A pointer that is not dereferenced.
fn raw(pointee: CValue, kind: Kind) -> Given {
    Given { c: pointee.clone().pointer(), pointee, got: Got::Raw, kind, nullable: false, free: None }
}

/// What the document says about it besides its type.
pub(super) fn facts(form: &Form, types: &Types) -> Facts {
    let held = form.held();
    let (handle, parent) = match form {
        Form::Handle { handle, parent, .. } => (Some(types.handles[*handle].name.clone()), *parent),
        _ => (None, None),
    };
    Facts {
        length: form.length().cloned(),
        written: None,
        free: held.free,
        parent,
        nullable: held.nullable,
        handle,
    }
}
