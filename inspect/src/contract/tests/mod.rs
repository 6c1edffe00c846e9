//! Rules of the comparison, each with a hand-made interface.

use opendyn_model::Options;

use super::{ContractReport, Evidence, check_contract};
use crate::{
    Convention, Function, Integer, Interface, Parameter, Record, RecordKind, RecordMember, Signature, Target,
    Type, TypeId, Types,
};

mod composites;
mod values;

const LINUX: &str = "x86_64-unknown-linux-gnu";

/// Builds an interface.
struct Library {
    target: Target,
    types: Types,
    functions: Vec<Function>,
}

impl Library {
    fn new(triple: &str) -> Self {
        let target = Target::of_triple(triple).expect("a target");
        Self { target, types: Types::new(), functions: Vec::new() }
    }

    /// A type as written in C: `const char *`, `uLong = unsigned long`, `struct opaque *`.
    fn of(&mut self, spelling: &str) -> TypeId {
        let spelling = spelling.trim();
        if let Some((name, of)) = spelling.split_once(" = ") {
            let of = self.of(of);
            return self.types.add(Type::Alias { name: name.to_owned(), of });
        }
        if let Some(to) = spelling.strip_suffix('*') {
            let to = to.trim();
            let constant = to.starts_with("const ") && !to.ends_with('*');
            let to = self.of(to.trim_start_matches("const "));
            return self.types.add(Type::Pointer { to, constant });
        }
        let integer = |size, signed, spelling: &str| Integer { size, signed, spelling: spelling.to_owned() };
        let (long, signed) = (self.target.long, self.target.char_signed);
        let of = match spelling {
            "void" => Type::Void,
            "bool" => Type::Bool,
            "float" => Type::Float { size: 4, spelling: "float".to_owned() },
            "double" => Type::Float { size: 8, spelling: "double".to_owned() },
            "long double" => Type::Float { size: 16, spelling: "long double".to_owned() },
            "double complex" => Type::Complex(16),
            "enum" => Type::Enum {
                name: Some("color".to_owned()),
                integer: integer(4, false, "unsigned int"),
                values: Vec::new(),
            },
            "struct opaque" => Type::Record(Record {
                kind: RecordKind::Struct,
                name: Some("opaque".to_owned()),
                size: None,
                align: None,
                members: Vec::new(),
            }),
            "vector" => Type::Other { spelling: "vector".to_owned(), size: Some(16) },
            "char" => Type::Integer(integer(1, signed, "char")),
            "signed char" => Type::Integer(integer(1, true, spelling)),
            "unsigned char" => Type::Integer(integer(1, false, spelling)),
            "short" => Type::Integer(integer(2, true, spelling)),
            "unsigned short" => Type::Integer(integer(2, false, spelling)),
            "int" => Type::Integer(integer(4, true, spelling)),
            "unsigned int" => Type::Integer(integer(4, false, spelling)),
            "long" => Type::Integer(integer(long, true, spelling)),
            "unsigned long" => Type::Integer(integer(long, false, spelling)),
            "long long" => Type::Integer(integer(8, true, spelling)),
            "unsigned long long" => Type::Integer(integer(8, false, spelling)),
            other => panic!("{other}"),
        };
        self.types.add(of)
    }

    /// A struct with members at the given offsets.
    fn record(&mut self, size: u64, members: &[(&str, TypeId, u64)]) -> TypeId {
        let members = members
            .iter()
            .map(|(name, of, offset)| RecordMember {
                name: Some((*name).to_owned()),
                of: *of,
                offset: Some(*offset),
                bits: None,
                comment: None,
                counted: None,
            })
            .collect();
        let name = Some("point".to_owned());
        self.types.add(Type::Record(Record {
            kind: RecordKind::Struct,
            name,
            size: Some(size),
            align: None,
            members,
        }))
    }

    fn union(&mut self, size: u64, members: &[(&str, TypeId)]) -> TypeId {
        let members: Vec<(&str, TypeId, u64)> = members.iter().map(|(name, of)| (*name, *of, 0)).collect();
        let id = self.record(size, &members);
        let Type::Record(record) = self.types.get(id).clone() else { return id };
        let name = Some("value".to_owned());
        self.types.add(Type::Record(Record { kind: RecordKind::Union, name, ..record }))
    }

    fn signature(&mut self, parameters: &[TypeId], returns: TypeId) -> Signature {
        let parameter = |of: &TypeId| Parameter {
            name: None,
            of: *of,
            array: None,
            comment: None,
            direction: None,
            is_array: false,
            nullable: None,
        };
        let parameters = parameters.iter().map(parameter).collect();
        Signature { parameters, returns, variadic: false, convention: Convention::Cdecl }
    }

    /// A pointer to a function.
    fn callback(&mut self, signature: Signature) -> TypeId {
        let to = self.types.add(Type::Function(Box::new(signature)));
        self.types.add(Type::Pointer { to, constant: false })
    }

    fn with(mut self, signature: Result<Signature, String>) -> Interface {
        self.functions.push(Function {
            name: "f".to_owned(),
            symbol: None,
            signature,
            comment: None,
            attributes: Vec::new(),
            place: None,
        });
        Interface {
            target: self.target,
            functions: self.functions,
            types: self.types,
            constants: Vec::new(),
            skipped: Vec::new(),
            type_comments: std::collections::HashMap::new(),
        }
    }
}

/// The schema of a C type such as `char *`; a text that begins with `{` is already a schema.
fn schema(c_type: &str) -> String {
    if c_type.starts_with('{') {
        return c_type.to_owned();
    }
    let base = c_type.trim_end_matches(['*', ' ']);
    let depth = c_type.matches('*').count();
    let (name, spelling) = match base {
        "size_t" => ("unsigned long", ", \"x-cType\": \"size_t\""),
        "int64_t" => ("long", ", \"x-cType\": \"int64_t\""),
        "uintptr_t" => ("unsigned long", ", \"x-cType\": \"uintptr_t\""),
        other => (other, ""),
    };
    let json = match (base, depth) {
        ("char", 2) => "array",
        ("char", 1) => "string",
        ("void", _) => "object",
        ("bool", _) => "boolean",
        ("float" | "double", _) => "number",
        _ => "integer",
    };
    let deep = if depth == 2 { ", \"x-pointerDepth\": 2" } else { "" };
    let length = if (base, depth) == ("char", 2) { ", \"x-length\": { \"const\": 2 }" } else { "" };
    let pointer = depth > 0;
    format!(
        r#"{{ "type": "{json}"{length}, "cType": {{ "type": "{name}", "isPointer": {pointer}{spelling}{deep} }} }}"#
    )
}

/// A document with one function, `f`.
fn document(parameters: &[&str], returns: Option<&str>, keys: &str) -> String {
    let parameters: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(index, of)| {
            let schema = schema(of);
            format!(r#"{{ "name": "p{index}", "isIn": true, "required": true, "schema": {schema} }}"#)
        })
        .collect();
    let returns = match returns {
        Some(of) => format!(r#"{{ "name": "result", "schema": {} }}"#, schema(of)),
        None => "null".to_owned(),
    };
    let parameters = parameters.join(", ");
    format!(
        r#"{{ "opendyn": "1.0.0", "info": {{ "title": "t", "version": "1", "callingConvention": "cdecl" }},
  "functions": [ {{ "name": "f", "description": "F.", "parameters": [{parameters}], "return": {returns}{keys} }} ] }}"#
    )
}

fn against_header(document: &str, interface: &Interface) -> ContractReport {
    let evidence = Evidence {
        exports: Err("none".to_owned()),
        header: Ok(("t.h".to_owned(), interface)),
        debug_info: Err("none".to_owned()),
    };
    check_contract("t.json", document, &Options::default(), &evidence)
}

fn codes(report: &ContractReport) -> Vec<&'static str> {
    report.diagnostics.iter().map(|diagnostic| diagnostic.rule.code()).collect()
}

/// The findings for a parameter that has the first type in the document and the second in the library.
fn parameter(of: &str, make: impl FnOnce(&mut Library) -> TypeId) -> Vec<&'static str> {
    let mut library = Library::new(LINUX);
    let (id, void) = (make(&mut library), library.of("void"));
    let signature = library.signature(&[id], void);
    codes(&against_header(&document(&[of], None, ""), &library.with(Ok(signature))))
}
