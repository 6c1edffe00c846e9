//! Reports keys on values that they do not apply to. A key without effect is a mistake, because its author
//! relies on it.

use super::meaning::{Direction, Form, HandleRole, Passing};
use super::schema::{JsonType, Resolved};
use super::union;
use crate::c_type::{CType, Class};
use crate::diagnostic::Findings;
use crate::document::{Free, InlineSchema, Keys, Schema};
use crate::plan::CallbackValue;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

const ARRAYS: &str = "arrays and buffers";
const BUFFERS: &str = "buffers that C fills (`isIn: false`)";
const FREED: &str = "handles, structs that C fills, and pointers that C returns or sets";
const GIVEN: &str = "pointers that C returns or sets";
const HANDLES: &str = "handles that C returns or sets";
const CHILDREN: &str = "borrowed handles with `x-parent` that C returns or sets (without `x-free`)";

fn report(span: Span, key: &str, what: &str, findings: &Findings) {
    findings.report(
        Rule::MisusedKey,
        span,
        format!("`{key}` does not apply to this value; it is for {what}"),
        "remove it, or change the types or the direction of the value",
    );
}

/// The keys that a value has, with their places. A flag that is false counts as absent.
fn given(keys: &Keys) -> [(&'static str, Option<Span>); 8] {
    let flag = |flag: Option<Spanned<bool>>| flag.filter(|flag| flag.value).map(|flag| flag.span);
    [
        ("x-length", keys.length.as_ref().map(|key| key.span)),
        ("x-written", keys.written.as_ref().or(keys.left.as_ref()).map(|key| key.span)),
        ("x-inout", flag(keys.inout)),
        ("x-free", keys.free.as_ref().map(|key| key.span)),
        ("x-parent", keys.parent.as_ref().map(|key| key.span)),
        ("x-validUntil", keys.valid_until.as_ref().map(|key| key.span)),
        ("x-takes", keys.takes.as_ref().map(|key| key.span)),
        ("x-nullable", flag(keys.nullable)),
    ]
}

/// Reports the keys that `fits` refuses. Its error says what a key is for.
fn check(keys: &Keys, findings: &Findings, fits: impl Fn(&str) -> Result<(), &'static str>) {
    for (key, span) in given(keys) {
        if let (Some(span), Err(what)) = (span, fits(key)) {
            report(span, key, what, findings);
        }
    }
}

fn fits(fits: bool, what: &'static str) -> Result<(), &'static str> {
    if fits { Ok(()) } else { Err(what) }
}

pub(super) fn of_parameter(passing: &Passing, schema: &Resolved<'_>, keys: &Keys, findings: &Findings) {
    let fetched = match passing {
        Passing::Fetched(form) => Some(form),
        _ => None,
    };
    check(keys, findings, |key| match key {
        "x-length" => fits(
            fetched.is_some_and(is_array)
                || matches!(
                    passing,
                    Passing::Slice { .. }
                        | Passing::Counted { .. }
                        | Passing::Strings { .. }
                        | Passing::Handles { .. }
                        | Passing::Buffer { .. }
                ),
            ARRAYS,
        ),
        "x-written" => fits(matches!(passing, Passing::Buffer { .. }), BUFFERS),
        "x-inout" => fits(
            matches!(
                passing,
                Passing::InOut(_)
                    | Passing::Slice { .. }
                    | Passing::Counted { inout: true, .. }
                    | Passing::Record { direction: Direction::InOut, .. }
                    | Passing::State { .. }
            ),
            "inputs (`isIn: true`) that are pointers to scalars, structs, arrays or bytes",
        ),
        "x-free" => fits(
            fetched.is_some_and(|form| *form != Form::Opaque)
                || matches!(
                    passing,
                    Passing::Handle { .. }
                        | Passing::State { .. }
                        | Passing::Record { direction: Direction::Out, .. }
                ),
            FREED,
        ),
        "x-parent" => fits(matches!(fetched, Some(Form::Handle { .. })), HANDLES),
        "x-validUntil" => fits(fetched.is_some_and(is_borrowed_child), CHILDREN),
        "x-takes" => fits(
            keys.takes.as_ref().is_some_and(|takes| takes.value.memory.is_some())
                || matches!(
                    passing,
                    Passing::Handle { role: HandleRole::Taken(_), .. }
                        | Passing::Str(_)
                        | Passing::Counted { .. }
                        | Passing::Slice { .. }
                ),
            "handles that C is passed and does not free itself (of an array, in `items`), and for memory that it frees",
        ),
        _ => fits(fetched.is_some(), GIVEN),
    });
    if !matches!(passing, Passing::State { .. }) {
        no_false(keys, findings);
    }
    let text = matches!(passing, Passing::Counted { .. } | Passing::Buffer { .. });
    if text || fetched.is_some_and(is_array) {
        no_enum(schema, findings);
    }
}

pub(super) fn of_return(form: &Form, schema: &Resolved<'_>, keys: &Keys, findings: &Findings) {
    let pointer = !matches!(form, Form::Value(_) | Form::RecordValue(_));
    check(keys, findings, |key| match key {
        "x-length" => fits(is_array(form), ARRAYS),
        "x-written" => Err(BUFFERS),
        "x-inout" => Err("parameters"),
        "x-free" => fits(pointer && *form != Form::Opaque, FREED),
        "x-parent" => fits(matches!(form, Form::Handle { .. }), HANDLES),
        "x-validUntil" => fits(is_borrowed_child(form), CHILDREN),
        "x-takes" => Err("inputs"),
        _ => fits(pointer, GIVEN),
    });
    no_false(keys, findings);
    if is_array(form) {
        no_enum(schema, findings);
    }
    no_default(schema, "a return value", findings);
}

/// `"x-free": false` says that a state needs no end, `later` that C uses its memory after that.
fn no_false(keys: &Keys, findings: &Findings) {
    if let Some(Spanned { value: Free::Nothing, span }) = &keys.free {
        findings.report(
            Rule::MisusedKey,
            *span,
            "`x-free` is false, which is for states: \"object\" with `x-size` and without `properties`",
            "remove it: without `x-free`, the caller frees nothing",
        );
    }
    if let Some(free) = keys.free.as_ref().filter(|free| free.value.is_later()) {
        findings.report(
            Rule::MisusedKey,
            free.span,
            "`later` is for states: their memory belongs to the caller, and C may use it after their end",
            "remove `later`",
        );
    }
}

fn is_borrowed_child(form: &Form) -> bool {
    matches!(form, Form::Handle { held, parents, .. } if held.free.is_none() && !parents.is_empty())
}

fn is_array(form: &Form) -> bool {
    matches!(form, Form::Array { .. } | Form::Strings { .. } | Form::Handles { .. })
}

/// The string values of an `enum` end at a NUL.
fn no_enum(schema: &Resolved<'_>, findings: &Findings) {
    if let Some(values) = &schema.schema.enumeration {
        findings.report(
            Rule::Enumeration,
            values.span,
            "a string with a length, or in a buffer, cannot be an enum",
            "remove `enum`: it is for integers, and for strings that end at a NUL",
        );
    }
}

/// The keys of the elements of an array of pointers. Those of a handle type may be on inputs too.
pub(super) fn of_items(items: &Resolved<'_>, are_handles: bool, is_in: bool, findings: &Findings) {
    check(&items.keys, findings, |key| match key {
        "x-nullable" => Ok(()),
        "x-free" => fits(are_handles, "handles of an array, and for the array itself"),
        "x-parent" => fits(are_handles && !is_in, "handles of an array that C returns"),
        "x-takes" => fits(are_handles && is_in, "handles of an array that C is passed"),
        _ => Err("the array itself, not its elements"),
    });
}

/// `default` is for values that the caller may omit.
pub(super) fn no_default(schema: &Resolved<'_>, what: &str, findings: &Findings) {
    if let Some(literal) = schema.default {
        findings.report(
            Rule::DefaultValue,
            literal.span,
            format!("{what} cannot have a default: the value comes from C"),
            "remove `default`; it is for inputs with \"required\": false, and for members of a struct",
        );
    }
}

/// A closure only reads its arguments: it frees and writes nothing.
pub(super) fn of_callback(value: &CallbackValue, schema: &Resolved<'_>, keys: &Keys, findings: &Findings) {
    check(keys, findings, |key| match key {
        "x-length" => {
            fits(matches!(value, CallbackValue::Slice { .. } | CallbackValue::Strings { .. }), "arrays")
        }
        "x-nullable" => fits(
            matches!(value, CallbackValue::Str { .. } | CallbackValue::Record { .. }),
            "strings and structs that a callback takes",
        ),
        _ => Err("parameters of functions, not of callbacks"),
    });
    no_default(schema, "a parameter of a callback", findings);
    pointers(schema, "in a callback", findings);
}

pub(super) fn of_callback_return(schema: &Resolved<'_>, findings: &Findings) {
    check(&schema.keys, findings, |_| Err("parameters and return values of functions, not of callbacks"));
    if let Some(literal) = schema.default {
        findings.report(
            Rule::DefaultValue,
            literal.span,
            "the return value of a callback cannot have a default",
            "remove it; the value that C gets if the closure panics is `onPanic` in `x-callback`",
        );
    }
}

/// The keys of a member of a struct are about the array or the buffer that it is, or points to.
pub(super) fn of_member(schema: &Resolved<'_>, findings: &Findings) {
    let is_list = matches!(schema.json, JsonType::Array | JsonType::String);
    let has_length = schema.keys.length.is_some();
    let is_room = schema.is_pointer && has_length && schema.keys.is_in.is_some_and(|is_in| !is_in.value);
    check(&schema.keys, findings, |key| match key {
        "x-length" => fits(is_list, "arrays and strings"),
        "x-written" => fits(is_room, "buffers that C fills (`isIn: false`)"),
        "x-nullable" => fits(schema.is_pointer && has_length, "pointers to elements (`x-length`)"),
        _ => Err("parameters and return values, not members of a struct"),
    });
    if let (true, false, Some(encoding)) = (schema.is_pointer, has_length, &schema.schema.encoding) {
        report(encoding.span, "x-encoding", "strings with `x-length`, or in the struct itself", findings);
    }
    if let (Some(is_in), false) = (schema.keys.is_in.filter(|is_in| !is_in.value), is_room) {
        report(is_in.span, "isIn", "members that are pointers, with `x-length`", findings);
    }
    pointers(schema, "in a struct", findings);
}

/// A pointer in a struct that stays raw has no keys.
pub(super) fn of_raw_member(schema: &Resolved<'_>, findings: &Findings) {
    check(&schema.keys, findings, |_| Err("members that are arrays or strings"));
}

/// Where a pointer stays raw, `x-handle` is accepted as a comment, but `x-callback` is not.
pub(super) fn pointers(schema: &Resolved<'_>, place: &str, findings: &Findings) {
    if let Some(callback) = &schema.declared.callback {
        findings.report(
            Rule::MisusedKey,
            callback.span,
            format!("`x-callback` does not apply {place}"),
            "remove it: the pointer is a plain `void*` here",
        );
    }
}

/// Checks the keys that apply to schemas of one type only. Returns whether lowering can go on.
pub(super) fn of_schema(schema: &Resolved<'_>, findings: &Findings) -> bool {
    let InlineSchema { properties, items, encoding, size, align, state, .. } = schema.schema;
    let json = schema.json;
    let is_void = schema.c_type == CType::Void;
    let opaque = schema.declared.handle.is_some() || schema.declared.callback.is_some();
    let is_struct = json == JsonType::Object && is_void && !opaque;
    let is_handle = json == JsonType::Object && is_void && schema.declared.handle.is_some();
    let scalars = !is_void
        && items
            .as_ref()
            .is_some_and(|items| matches!(items, Schema::Inline(items) if items.properties.is_some()));
    let faults = [
        (encoding.as_ref().map(|key| key.span), json == JsonType::String, "x-encoding", "strings"),
        (
            properties.as_ref().map(|list| list.first().map_or(schema.type_span, |(name, _)| name.span)),
            is_struct || is_handle,
            "properties",
            "structs and handles: \"object\" with the C type `void`",
        ),
        (
            size.as_ref().map(|key| key.span),
            is_struct,
            "x-size",
            "structs: \"object\" with the C type `void`",
        ),
        (
            align.as_ref().map(|key| key.span),
            is_struct,
            "x-align",
            "structs: \"object\" with the C type `void`",
        ),
        (
            state.as_ref().map(|key| key.span),
            is_struct && size.is_some() && properties.is_some(),
            "x-state",
            "states: \"object\" with `x-size` and `properties`",
        ),
        (items.as_ref().map(span_of), json == JsonType::Array, "items", "arrays"),
        (items.as_ref().map(span_of), !scalars, "items` with `properties", "arrays of the C type `void`"),
        (
            schema.declared.handle.as_ref().map(|key| key.span),
            is_void && schema.is_pointer,
            "x-handle",
            "the C type `void*`",
        ),
        (
            schema.declared.retain.as_ref().map(|key| key.span),
            is_handle && schema.is_pointer,
            "x-retain",
            "handles: a `cType` with `x-handle`",
        ),
        (
            schema.declared.callback.as_ref().map(|callback| callback.span),
            is_void && schema.is_pointer && schema.declared.handle.is_none(),
            "x-callback",
            "the C type `void*`, without `x-handle`",
        ),
    ];
    let mut whole = true;
    for (span, fits, key, what) in faults {
        if let (Some(span), false) = (span, fits) {
            report(span, key, what, findings);
            whole = false;
        }
    }
    whole && enumerable(schema, findings) && required(schema, findings) && union::applies(schema, findings)
}

pub(super) fn span_of(schema: &Schema) -> Span {
    match schema {
        Schema::Inline(inline) => Span { start: inline.span.start, end: inline.span.start + 1 },
        Schema::Reference(reference) => reference.target.span,
    }
}

fn enumerable(schema: &Resolved<'_>, findings: &Findings) -> bool {
    let values = schema.schema.enumeration.as_ref().map(|values| values.span);
    let Some(span) = values.or(schema.schema.enum_names.as_ref().map(|names| names.span)) else {
        return true;
    };
    let fits = match schema.json {
        JsonType::Integer => schema.c_type.counts(),
        JsonType::String => schema.is_pointer && schema.c_type.class() == Class::Character,
        _ => false,
    };
    if !fits {
        findings.report(
            Rule::Enumeration,
            span,
            format!("`{}` as \"{}\" cannot be an enum", schema.spelled(), schema.json.name()),
            "remove `enum`; it is for \"integer\" with a C integer type and \"string\" with `char*`",
        );
    }
    fits
}

fn required(schema: &Resolved<'_>, findings: &Findings) -> bool {
    let InlineSchema { required, properties, .. } = schema.schema;
    let Some(first) = required.as_ref().and_then(|names| names.first()) else { return true };
    if properties.is_none() {
        findings.report(
            Rule::Struct,
            first.span,
            format!("`required` lists {:?}, but there are no `properties`", first.value),
            "describe the members in `properties`, or remove `required`",
        );
    }
    properties.is_some()
}
