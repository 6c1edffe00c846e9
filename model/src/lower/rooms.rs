//! Structs with buffers that C fills (`isIn: false`). The runtime makes such a buffer before the call, in a struct that the
//! caller passes. A struct that C gives, or one behind a pointer, has no buffer of ours: nothing tells how large its
//! memory is.

use super::meaning::{Form, Function, Passing};
use crate::diagnostic::Findings;
use crate::document::Document;
use crate::plan::{CallbackValue, Content, Element, Field, Record, Types};
use crate::rule::Rule;

/// Reports structs with such buffers where the runtime makes none.
pub(super) fn check(document: &Document, functions: &[Option<Function>], types: &Types, findings: &Findings) {
    let records = &types.records;
    let has_rooms = |record: usize| {
        records[record].reaches(records, &|record: &Record| record.fields().any(Field::is_room))
    };
    for (described, lowered) in document.functions.iter().zip(functions) {
        let (Some(name), Some(function)) = (&described.name, lowered) else { continue };
        let returned = function.returned.as_ref().and_then(|returned| of_form(&returned.form));
        let given = function.params.iter().flat_map(|param| of_passing(&param.passing));
        if returned.into_iter().chain(given).any(has_rooms) {
            findings.report(
                Rule::Struct,
                name.span,
                format!(
                    "C gives the caller of `{}` a struct with a buffer that C fills (`isIn: false`); such a buffer is made in a \
                     struct that the caller passes",
                    name.value
                ),
                "describe what C gives by another schema, in which the member is an array with a length",
            );
        }
    }
    // Where a struct leads to itself, this is known only now.
    for field in records.iter().flat_map(Record::fields) {
        if field.pointee().is_some_and(|record| records[record].has_rooms(records)) {
            findings.report(
                Rule::Struct,
                field.place,
                "a struct with a buffer that C fills (`isIn: false`) cannot be behind a pointer in another struct",
                "remove `properties` here, so that the pointer stays raw",
            );
        }
    }
}

/// The struct that C gives.
fn of_form(form: &Form) -> Option<usize> {
    match form {
        Form::Record { record, .. }
        | Form::RecordValue(record)
        | Form::Array { content: Content::Elements(Element::Record(record)), .. } => Some(*record),
        _ => None,
    }
}

/// The structs that C gives through a parameter.
fn of_passing(passing: &Passing) -> Vec<usize> {
    match passing {
        Passing::Fetched(form) => of_form(form).into_iter().collect(),
        Passing::Buffer { content: Content::Elements(Element::Record(record)), .. } => vec![*record],
        Passing::Callback(callback, _) => {
            let values = callback.params.iter().map(|param| &param.value);
            let record = |value: &CallbackValue| match value {
                CallbackValue::Record { record, .. }
                | CallbackValue::Slice { element: Element::Record(record), .. } => Some(*record),
                _ => None,
            };
            values.filter_map(record).collect()
        }
        _ => Vec::new(),
    }
}
