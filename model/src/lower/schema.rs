//! Follows the references of schemas, and checks the schemas at their ends.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::misuse;
use crate::c_type::CType;
use crate::diagnostic::Findings;
use crate::document::{self, InlineSchema, Keys, Literal, Schema};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

const PREFIX: &str = "#/schemas/";

/// The schemas that a document names.
pub struct Schemas<'d> {
    /// `None` for one that could not be read.
    named: HashMap<&'d str, Option<&'d Schema>>,
    /// The cycles that are already reported, each starting at its least name.
    cycles: RefCell<HashSet<Vec<String>>>,
    findings: &'d Findings,
}

/// The JSON type of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// `boolean`
    Boolean,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `string`
    String,
    /// `array`
    Array,
    /// `object`
    Object,
}

impl JsonType {
    const ALL: [(&'static str, Self); 6] = [
        ("boolean", Self::Boolean),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("string", Self::String),
        ("array", Self::Array),
        ("object", Self::Object),
    ];

    /// Names for the six types that occur in existing documents.
    const ALIASES: [(&'static str, Self); 8] = [
        ("double", Self::Number),
        ("float", Self::Number),
        ("int", Self::Integer),
        ("long", Self::Integer),
        ("bool", Self::Boolean),
        ("char", Self::String),
        ("list", Self::Array),
        ("map", Self::Object),
    ];

    /// The name in the document.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, json_type)| *json_type == self).map_or("", |(name, _)| name)
    }
}

/// A schema whose references are followed.
pub struct Resolved<'d> {
    /// `type`
    pub json: JsonType,
    /// The C type without stars; from `x-cType` if that is given.
    pub c_type: CType,
    /// Whether there is at least one star.
    pub is_pointer: bool,
    /// Whether there are two stars.
    pub is_double: bool,
    /// The description nearest to where the schema is used.
    pub description: Option<&'d str>,
    /// The keys that the schema carries, and those beside the references to it.
    pub keys: Keys,
    /// The default nearest to where the schema is used.
    pub default: Option<&'d Spanned<Literal>>,
    /// The name of the schema, if a reference leads to it.
    pub name: Option<&'d str>,
    /// The schema at the end of the references.
    pub schema: &'d InlineSchema,
    /// The C type as the document writes it.
    pub declared: &'d document::CType,
    /// Where `type` is.
    pub type_span: Span,
    /// Where the C type is.
    pub c_type_span: Span,
}

impl Resolved<'_> {
    /// The C type with its stars, for example `int*`.
    pub fn spelled(&self) -> String {
        let stars = if self.is_double {
            "**"
        } else if self.is_pointer {
            "*"
        } else {
            ""
        };
        format!("{}{stars}", self.c_type.name())
    }
}

impl<'d> Schemas<'d> {
    /// Resolves every schema once, so that those that no function uses are checked too.
    pub fn new(schemas: &'d [(Spanned<String>, Option<Schema>)], findings: &'d Findings) -> Self {
        let named = schemas.iter().map(|(name, schema)| (name.value.as_str(), schema.as_ref())).collect();
        let this = Self { named, cycles: RefCell::default(), findings };
        for (_, schema) in schemas {
            schema.as_ref().and_then(|schema| this.resolve(schema));
        }
        this
    }

    /// Follows references, and reports problems of the schema at their end.
    pub fn resolve<'s>(&self, schema: &'s Schema) -> Option<Resolved<'s>>
    where
        'd: 's,
    {
        self.follow(schema, None)
    }

    /// The same for the elements of an array, whose C type is that of the array.
    pub fn resolve_as<'s>(&self, schema: &'s Schema, c_type: &'s document::CType) -> Option<Resolved<'s>>
    where
        'd: 's,
    {
        self.follow(schema, Some(c_type))
    }

    fn follow<'s>(&self, schema: &'s Schema, c_type: Option<&'s document::CType>) -> Option<Resolved<'s>>
    where
        'd: 's,
    {
        let mut passed: Vec<&str> = Vec::new();
        let mut schema = schema;
        // The values nearest to where the schema is used win.
        let mut description = None;
        let mut keys = Keys::default();
        let mut default = None;
        let mut nearest = c_type;
        loop {
            match schema {
                Schema::Inline(inline) => {
                    let mut resolved = self.check(inline, nearest.or(inline.c_type.as_ref()))?;
                    resolved.description = description.or(resolved.description);
                    resolved.keys = keys.or(&resolved.keys);
                    resolved.default = default.or(resolved.default);
                    resolved.name = passed.last().copied();
                    if let Some(Schema::Reference(items)) = &inline.items {
                        self.target(&items.target)?;
                    }
                    return misuse::of_schema(&resolved, self.findings).then_some(resolved);
                }
                Schema::Reference(reference) => {
                    description = description.or(reference.description.as_deref());
                    keys = keys.or(&reference.keys);
                    default = default.or(reference.default.as_ref());
                    nearest = nearest.or(reference.c_type.as_ref());
                    let target = &reference.target;
                    let name = self.target(target)?;
                    if let Some(start) = passed.iter().position(|other| *other == name) {
                        self.report_cycle(&passed[start..], target.span);
                        return None;
                    }
                    passed.push(name);
                    schema = self.named[name]?;
                }
            }
        }
    }

    /// Resolves a struct that is written in place. Other schemas are resolved where they are used.
    pub fn peek<'s>(&self, schema: &'s Schema) -> Option<Resolved<'s>>
    where
        'd: 's,
    {
        match schema {
            Schema::Inline(inline) if inline.properties.is_some() => self.resolve(schema),
            _ => None,
        }
    }

    /// Reports a cycle, unless it was reported from another of its schemas.
    fn report_cycle(&self, cycle: &[&str], closing: Span) {
        let first = cycle.iter().enumerate().min_by_key(|(_, name)| **name).map_or(0, |(index, _)| index);
        let mut names: Vec<String> = cycle.iter().map(|name| (*name).to_owned()).collect();
        names.rotate_left(first);
        if self.cycles.borrow_mut().insert(names.clone()) {
            self.findings.report(
                Rule::RefCycle,
                closing,
                format!("the schema `{}` refers to itself: {} → {}", names[0], names.join(" → "), names[0]),
                "give one of these schemas a `type` and a `cType` instead of a `$ref`",
            );
        }
    }

    /// The name in a reference. Unknown schemas are reported.
    fn target<'s>(&self, reference: &'s Spanned<String>) -> Option<&'s str> {
        let name = reference.value.strip_prefix(PREFIX);
        let name = name.filter(|name| self.named.contains_key(name));
        if name.is_none() {
            let mut known: Vec<&str> = self.named.keys().copied().collect();
            known.sort_unstable();
            let help = if known.is_empty() {
                "add an object `schemas` to the document with a schema of that name".to_owned()
            } else {
                let known: Vec<String> = known.iter().map(|name| format!("{PREFIX}{name}")).collect();
                format!("known schemas: {}", known.join(", "))
            };
            self.findings.report(
                Rule::UnresolvedRef,
                reference.span,
                format!("there is no schema {:?}", reference.value),
                help,
            );
        }
        name
    }

    /// `c_type` is that of the schema, or one nearer to where it is used.
    fn check<'s>(
        &self,
        schema: &'s InlineSchema,
        c_type: Option<&'s document::CType>,
    ) -> Option<Resolved<'s>> {
        let json = schema.kind.as_ref().and_then(|kind| self.json_type(kind));
        let Some(c_type) = c_type else {
            self.findings.report(
                Rule::MissingCType,
                Span { start: schema.span.start, end: schema.span.start + 1 },
                "the schema has no `cType`",
                "add the C type, for example \"cType\": {\"type\": \"int\", \"isPointer\": false}",
            );
            return None;
        };
        let name = c_type.name.as_ref()?;
        let parsed = CType::parse(&name.value);
        if parsed.is_none() {
            self.findings.report(
                Rule::UnknownCType,
                name.span,
                format!("unknown C type {:?}", name.value),
                unknown_c_type_help(&name.value),
            );
        }
        let spelled = c_type.spelling.as_ref().map(|spelling| self.spelled(parsed?, spelling));
        let is_double = self.is_double(c_type);
        let mut keys = schema.keys.clone();
        keys.free = keys.free.or_else(|| c_type.free.clone());
        Some(Resolved {
            json: json?,
            c_type: match spelled {
                Some(spelled) => spelled?,
                None => parsed?,
            },
            is_pointer: c_type.is_pointer,
            is_double: is_double?,
            description: schema.description.as_deref(),
            keys,
            default: schema.default.as_ref(),
            name: None,
            schema,
            declared: c_type,
            type_span: schema.kind.as_ref()?.span,
            c_type_span: c_type.span,
        })
    }

    /// Whether `x-pointerDepth` is 2.
    fn is_double(&self, c_type: &document::CType) -> Option<bool> {
        let Some(depth) = &c_type.depth else { return Some(false) };
        let (message, help) = match (depth.value, c_type.is_pointer) {
            (1, true) => return Some(false),
            (2, true) => return Some(true),
            (0, _) | (_, false) => (
                format!("`x-pointerDepth` is {}, but `isPointer` is {}", depth.value, c_type.is_pointer),
                "write \"isPointer\": true for a pointer, or remove `x-pointerDepth`",
            ),
            _ => (
                format!("a pointer of depth {} cannot be described", depth.value),
                "write 2 for a pointer to a pointer; deeper pointers need a wrapper function in C",
            ),
        };
        self.findings.report(Rule::PointerDepth, depth.span, message, help);
        None
    }

    /// The exact type that `x-cType` spells.
    fn spelled(&self, c_type: CType, spelling: &Spanned<String>) -> Option<CType> {
        let Some(spelled) = CType::parse_spelling(&spelling.value) else {
            self.findings.report(
                Rule::UnknownSpelling,
                spelling.span,
                format!("unknown `x-cType` {:?}", spelling.value),
                format!("write one of {}", CType::SPELLING_NAMES.join(", ")),
            );
            return None;
        };
        if !c_type.can_be(spelled) {
            self.findings.report(
                Rule::SpellingMismatch,
                spelling.span,
                format!("`{}` is not `{}` on any target", c_type.name(), spelled.name()),
                format!(
                    "write \"type\": {:?}, for tools that ignore `x-cType`",
                    spelled.of_specification().name()
                ),
            );
            return None;
        }
        Some(spelled)
    }

    fn json_type(&self, kind: &Spanned<String>) -> Option<JsonType> {
        let find = |table: &[(&str, JsonType)]| {
            table.iter().find(|(name, _)| *name == kind.value).map(|(_, json_type)| *json_type)
        };
        if let Some(json_type) = find(&JsonType::ALL) {
            return Some(json_type);
        }
        if let Some(json_type) = find(&JsonType::ALIASES) {
            self.findings.report(
                Rule::SchemaAlias,
                kind.span,
                format!(
                    "{:?} is not a type of the specification; it is treated as {:?}",
                    kind.value,
                    json_type.name()
                ),
                format!("write {:?}", json_type.name()),
            );
            return Some(json_type);
        }
        let names: Vec<&str> = JsonType::ALL.iter().map(|(name, _)| *name).collect();
        self.findings.report(
            Rule::UnknownSchemaType,
            kind.span,
            format!("unknown schema type {:?}", kind.value),
            format!("write one of {}", names.join(", ")),
        );
        None
    }
}

/// What to write instead of an unknown C type.
fn unknown_c_type_help(name: &str) -> String {
    if let Some(pointed) = name.strip_suffix('*').map(str::trim).and_then(CType::parse) {
        return format!("write {:?} and \"isPointer\": true", pointed.name());
    }
    if let Some(spelled) = CType::parse_spelling(name) {
        return format!("write \"type\": {:?} and \"x-cType\": {name:?}", spelled.of_specification().name());
    }
    format!("write one of {}", CType::NAMES.join(", "))
}
