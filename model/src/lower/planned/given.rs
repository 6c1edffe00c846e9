//! Values from C: a return value, or the target of a pointer that C set.

use super::super::items::HandleItems;
use super::super::meaning::Form;
use crate::c_type::CType;
use crate::plan::{CValue, Content, Facts, Got, HandleArray, Kind};

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
        Content::Elements(_) | Content::Handles(_) => given,
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
        Form::Strings { length, nullable, .. } => {
            let got = Got::Strings { count: length.clone(), nullable: *nullable };
            units(pointer(got, Kind::pointers(Kind::plain_text(), *nullable)), CType::Char)
        }
        Form::Handles { items, length, .. } => {
            let HandleItems { handle, nullable, free, parents, .. } = items.clone();
            let of = HandleArray::Pointed(length.clone());
            let got = Got::Handles { handle, of, nullable, free, parents };
            pointer(got, Kind::pointers(Kind::Handle(handle), nullable))
        }
        Form::Handle { handle, parents, until, .. } => {
            let (parents, until) = (parents.clone(), until.clone());
            let got = Got::Handle { handle: *handle, free: held.free, parents, until };
            pointer(got, Kind::Handle(*handle))
        }
        // A pointer that is not followed.
        Form::Opaque => units(value(Got::Raw, Kind::Opaque), CType::Void),
    }
}

/// What the document says about it besides its type.
pub(super) fn facts(form: &Form) -> Facts {
    let held = form.held();
    let (parents, until) = match form {
        Form::Handle { parents, until, .. } => (parents.clone(), until.clone()),
        Form::Handles { items, .. } => (items.parents.clone(), Vec::new()),
        _ => (Vec::new(), Vec::new()),
    };
    let (length, free, nullable) = (form.length().cloned(), held.free, held.nullable);
    Facts { length, free, parents, until, nullable, ..Facts::default() }
}
