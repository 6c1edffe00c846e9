//! What a document declares at the level of C: symbols, and the C type of every value, each with its place in
//! the document.
//!
//! Read from the document itself, because the IR no longer has the places. Errors in the document are
//! reported elsewhere; the parts with errors are left out here.

use opendyn_model::Options;
use opendyn_model::c_type::CType;
use opendyn_model::document::{self, Document, Keys, Length};
use opendyn_model::lower::schema::{JsonType, Resolved, Schemas};
use opendyn_source::span::{Span, Spanned};

/// Structs do not nest this deep; a struct that contains itself ends here.
const MAX_NESTING: usize = 16;

/// One function.
pub(super) struct DeclaredFunction<'d> {
    /// Its name in the document.
    pub(super) name: &'d str,
    pub(super) name_span: Span,
    /// Its name in the library, and the place where the document has it.
    pub(super) symbol: &'d str,
    pub(super) symbol_span: Span,
    /// Whether the library may lack it.
    pub(super) optional: bool,
    /// What it takes and returns; `None` if the document has an error there.
    pub(super) signature: Option<DeclaredSignature<'d>>,
}

/// What a function or a callback takes and returns.
pub(super) struct DeclaredSignature<'d> {
    pub(super) parameters: Vec<DeclaredValue<'d>>,
    pub(super) returns: Option<DeclaredValue<'d>>,
    /// How many parameters come before `...`.
    pub(super) variadic: Option<Spanned<u64>>,
}

/// A parameter or a return value.
pub(super) struct DeclaredValue<'d> {
    /// The place of its C type.
    pub(super) span: Span,
    pub(super) of: DeclaredType<'d>,
    /// The place where the document says that C writes to it.
    pub(super) output: Option<Span>,
}

/// A C type.
pub(super) enum DeclaredType<'d> {
    Scalar(CType),
    /// A struct by value.
    Record(Box<DeclaredRecord<'d>>),
    Pointer(Box<Pointer<'d>>),
}

/// `T*` or `T**`.
pub(super) struct Pointer<'d> {
    /// 1 or 2.
    pub(super) depth: u8,
    pub(super) to: Pointee<'d>,
    /// Whether it may point to several elements.
    pub(super) many: bool,
    /// Whether C owns the memory that it points to.
    pub(super) given_by_c: bool,
    /// The type that `x-handle` names.
    pub(super) handle: Option<&'d str>,
}

pub(super) enum Pointee<'d> {
    /// `void`: unspecified.
    Any,
    Scalar(CType),
    Record(DeclaredRecord<'d>),
    /// Memory of this size that only C reads.
    State {
        size: Spanned<u64>,
        align: Option<Spanned<u64>>,
    },
    Callback(DeclaredSignature<'d>, Span),
}

/// A struct.
pub(super) struct DeclaredRecord<'d> {
    /// Its name in the document, if it has one.
    pub(super) name: Option<&'d str>,
    /// The place of its description.
    pub(super) span: Span,
    pub(super) members: Vec<DeclaredMember<'d>>,
    pub(super) size: Option<Spanned<u64>>,
    pub(super) align: Option<Spanned<u64>>,
}

pub(super) struct DeclaredMember<'d> {
    pub(super) name: &'d str,
    pub(super) span: Span,
    pub(super) of: DeclaredType<'d>,
    /// The number of elements, for an array in place.
    pub(super) count: Option<u64>,
}

/// The functions of a document, in its order.
pub(super) fn functions<'d>(
    document: &'d Document,
    options: &Options,
    schemas: &Schemas<'d>,
) -> Vec<DeclaredFunction<'d>> {
    let read = |function: &'d document::Function| {
        let name = function.name.as_ref()?;
        let symbol = function.symbol.as_ref().unwrap_or(name);
        let returns = function.returns.as_ref().map(|returned| {
            let schema = returned.schema.as_ref()?;
            value(schema, &returned.keys, Direction::Returned, schemas)
        });
        let parameters: Option<Vec<DeclaredValue<'d>>> =
            function.parameters.iter().map(|parameter| self::parameter(parameter, schemas)).collect();
        let signature = match (parameters, returns) {
            (Some(parameters), None) => {
                Some(DeclaredSignature { parameters, returns: None, variadic: function.variadic })
            }
            (Some(parameters), Some(Some(returned))) => {
                Some(DeclaredSignature { parameters, returns: Some(returned), variadic: function.variadic })
            }
            _ => None,
        };
        Some(DeclaredFunction {
            name: &name.value,
            name_span: name.span,
            symbol: &symbol.value,
            symbol_span: symbol.span,
            optional: function.switches.has("x-optional") || options.optional.contains(&name.value),
            signature,
        })
    };
    document.functions.iter().filter_map(read).collect()
}

/// The owner of the memory that a pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Given,
    Output,
    Returned,
}

fn parameter<'d>(parameter: &'d document::Parameter, schemas: &Schemas<'d>) -> Option<DeclaredValue<'d>> {
    let schema = parameter.schema.as_ref()?;
    let is_in = match &parameter.is_in {
        Some(is_in) => Some(*is_in),
        None => schemas.resolve(schema)?.declared.is_in,
    };
    let output = is_in.filter(|is_in| !is_in.value).map(|is_in| is_in.span);
    let direction = if output.is_some() { Direction::Output } else { Direction::Given };
    let value = value(schema, &parameter.keys, direction, schemas)?;
    let inout = parameter.keys.inout.filter(|flag| flag.value).map(|flag| flag.span);
    Some(DeclaredValue { output: output.or(inout), ..value })
}

fn value<'d>(
    schema: &'d document::Schema,
    keys: &Keys,
    direction: Direction,
    schemas: &Schemas<'d>,
) -> Option<DeclaredValue<'d>> {
    let resolved = schemas.resolve(schema)?;
    let span = match schema {
        document::Schema::Reference(reference) if reference.c_type.is_none() => reference.target.span,
        _ => resolved.c_type_span,
    };
    let of = c_type(&resolved, keys, direction, schemas, 0)?;
    Some(DeclaredValue { span, of, output: None })
}

fn c_type<'d>(
    schema: &Resolved<'d>,
    keys: &Keys,
    direction: Direction,
    schemas: &Schemas<'d>,
    nesting: usize,
) -> Option<DeclaredType<'d>> {
    let inline = schema.schema;
    let record = schema.json == JsonType::Object && schema.c_type == CType::Void;
    if !schema.is_pointer {
        if record && inline.properties.is_some() {
            return Some(DeclaredType::Record(Box::new(self::record(schema, schemas, nesting)?)));
        }
        return (schema.c_type != CType::Void).then_some(DeclaredType::Scalar(schema.c_type));
    }
    let mut many = matches!(schema.json, JsonType::Array | JsonType::String)
        || keys.length.is_some()
        || schema.keys.length.is_some();
    let to = if let Some(callback) = &schema.declared.callback {
        Pointee::Callback(self::callback(callback, schemas)?, callback.span)
    } else if schema.declared.handle.is_some() {
        Pointee::Any
    } else if record && inline.properties.is_some() {
        Pointee::Record(self::record(schema, schemas, nesting)?)
    } else if record && let Some(size) = inline.size {
        Pointee::State { size, align: inline.align }
    } else if schema.c_type != CType::Void {
        Pointee::Scalar(schema.c_type)
    } else if schema.json == JsonType::Array
        && let Some(items) = &inline.items
    {
        many = true;
        let items = schemas.resolve(items)?;
        if items.schema.properties.is_some() {
            Pointee::Record(self::record(&items, schemas, nesting)?)
        } else {
            Pointee::Any
        }
    } else {
        Pointee::Any
    };
    let depth = if schema.is_double { 2 } else { 1 };
    Some(DeclaredType::Pointer(Box::new(Pointer {
        depth,
        to,
        many,
        // If C sets a `T*` behind a `T**`, the `T` is C's.
        given_by_c: direction == Direction::Returned || direction == Direction::Output && depth == 2,
        handle: schema.declared.handle.as_ref().map(|handle| handle.value.as_str()),
    })))
}

fn record<'d>(schema: &Resolved<'d>, schemas: &Schemas<'d>, nesting: usize) -> Option<DeclaredRecord<'d>> {
    if nesting > MAX_NESTING {
        return None;
    }
    let inline = schema.schema;
    let members = inline.properties.as_ref()?.iter().map(|(name, property)| {
        let property = property.as_ref()?;
        let resolved = schemas.resolve(property)?;
        let count = match resolved.keys.length.as_ref().map(|length| &length.value) {
            Some(Length::Const { count, .. }) if !resolved.is_pointer => Some(count.value),
            _ => None,
        };
        let of = match (resolved.json, &resolved.schema.items) {
            // An array of structs in place.
            (JsonType::Array, Some(items)) if !resolved.is_pointer && resolved.c_type == CType::Void => {
                DeclaredType::Record(Box::new(record(&schemas.resolve(items)?, schemas, nesting + 1)?))
            }
            // A pointer in a struct is raw in Rust, whatever the document says about its target.
            _ if resolved.is_pointer => DeclaredType::Pointer(Box::new(Pointer {
                depth: if resolved.is_double { 2 } else { 1 },
                to: match resolved.c_type {
                    CType::Void => Pointee::Any,
                    c_type => Pointee::Scalar(c_type),
                },
                many: true,
                given_by_c: false,
                handle: None,
            })),
            _ => c_type(&resolved, &resolved.keys, Direction::Given, schemas, nesting + 1)?,
        };
        Some(DeclaredMember { name: &name.value, span: name.span, of, count })
    });
    Some(DeclaredRecord {
        name: schema.name,
        span: schema.type_span,
        members: members.collect::<Option<_>>()?,
        size: inline.size,
        align: inline.align,
    })
}

fn callback<'d>(callback: &'d document::Callback, schemas: &Schemas<'d>) -> Option<DeclaredSignature<'d>> {
    let parameters = callback
        .parameters
        .iter()
        .map(|parameter| value(parameter.schema.as_ref()?, &parameter.keys, Direction::Returned, schemas));
    let returns = match &callback.returns {
        Some(schema) => Some(value(schema, &Keys::default(), Direction::Given, schemas)?),
        None => None,
    };
    Some(DeclaredSignature { parameters: parameters.collect::<Option<_>>()?, returns, variadic: None })
}
