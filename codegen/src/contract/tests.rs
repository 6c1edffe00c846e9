//! Rules of the comparison, each with an interface that is made by hand.

use opendyn_native::{
    Convention, Function, Integer, Interface, Member, Parameter, Record, RecordKind, Signature, Target, Type,
    TypeId, Types,
};

use super::{Evidence, Report, check_contract};
use crate::options::Options;

const LINUX: &str = "x86_64-unknown-linux-gnu";

/// An interface in the making.
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

    /// A type as C has it: `const char *`, `uLong = unsigned long`, `struct opaque *`.
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

    /// A struct of members at the offsets that are given.
    fn record(&mut self, size: u64, members: &[(&str, TypeId, u64)]) -> TypeId {
        let members = members
            .iter()
            .map(|(name, of, offset)| Member {
                name: Some((*name).to_owned()),
                of: *of,
                offset: Some(*offset),
                bits: None,
                comment: None,
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

    fn signature(&mut self, parameters: &[TypeId], returns: TypeId) -> Signature {
        let parameter =
            |of: &TypeId| Parameter { name: None, of: *of, array: None, comment: None, direction: None };
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
            place: None,
        });
        Interface {
            target: self.target,
            functions: self.functions,
            types: self.types,
            constants: Vec::new(),
            skipped: Vec::new(),
        }
    }
}

/// The schema of a C type such as `char *`; one that begins with `{` is a schema already.
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

fn against_header(document: &str, interface: &Interface) -> Report {
    let evidence = Evidence {
        exports: Err("none".to_owned()),
        header: Ok(("t.h".to_owned(), interface)),
        debug_info: Err("none".to_owned()),
    };
    check_contract("t.json", document, &Options::default(), &evidence)
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.diagnostics.iter().map(|diagnostic| diagnostic.rule.code()).collect()
}

/// What is found where the document has the first type, and the library the second.
fn parameter(of: &str, make: impl FnOnce(&mut Library) -> TypeId) -> Vec<&'static str> {
    let mut library = Library::new(LINUX);
    let (id, void) = (make(&mut library), library.of("void"));
    let signature = library.signature(&[id], void);
    codes(&against_header(&document(&[of], None, ""), &library.with(Ok(signature))))
}

#[test]
fn types_that_a_call_cannot_tell_apart_are_not_found() {
    for (document, library) in [
        ("int", "int"),
        ("int", "enum"),
        ("unsigned int", "enum"),
        ("unsigned long", "uLong = unsigned long"),
        ("size_t", "size_t = unsigned long"),
        ("size_t", "z_size_t = size_t = unsigned long"),
        ("size_t", "uLong = unsigned long"),
        ("int64_t", "int64_t = long"),
        ("long long", "int64_t = long"),
        ("char", "char"),
        ("char", "signed char"),
        ("bool", "bool"),
        ("double", "double"),
        ("char *", "void *"),
        ("char *", "unsigned char *"),
        ("char *", "const char *"),
        ("unsigned char *", "const char *"),
        ("char *", "struct opaque *"),
        ("void *", "struct opaque *"),
        ("void *", "struct opaque **"),
        ("void *", "int *"),
        ("void *", "gzFile = struct opaque *"),
        ("int *", "const void *"),
        ("int *", "enum *"),
        ("char **", "const char **"),
        ("uintptr_t", "void *"),
        ("void *", "uintptr_t = unsigned long"),
    ] {
        assert_eq!(parameter(document, |types| types.of(library)), [""; 0], "{document} against {library}");
    }
}

#[test]
fn wrong_widths_signs_kinds_and_pointers_of_parameters_are_errors() {
    for (document, library) in [
        ("int", "unsigned long"),
        ("int", "uLong = unsigned long"),
        ("int", "unsigned int"),
        ("unsigned short", "short"),
        ("long", "enum"),
        ("bool", "int"),
        ("int", "bool"),
        ("float", "double"),
        ("double", "float"),
        ("double", "long double"),
        ("int", "float"),
        ("double", "long"),
        ("double", "double complex"),
        ("int", "int *"),
        ("size_t", "void *"),
        ("int *", "int"),
        ("void *", "int"),
        ("int *", "long *"),
        ("int *", "short *"),
        ("int *", "float *"),
        ("double *", "float *"),
        ("char *", "char **"),
        ("char **", "char *"),
        ("int *", "int **"),
    ] {
        assert_eq!(parameter(document, |types| types.of(library)), ["E041"], "{document} against {library}");
    }
}

#[test]
fn what_works_but_is_not_the_same_is_a_warning() {
    for (document, library, code) in [
        ("int *", "unsigned int *", "W011"),
        ("unsigned char", "char", "W011"),
        ("long long", "long", "W012"),
        ("unsigned long", "size_t = unsigned long", "W012"),
        ("long", "int64_t = long", "W012"),
        ("long", "sqlite3_int64 = long long", "W012"),
        ("bool", "unsigned char", "W013"),
        ("unsigned char", "bool", "W013"),
        ("void *", "pthread_t = unsigned long", "W013"),
        ("int *", "struct opaque *", "W013"),
    ] {
        assert_eq!(parameter(document, |types| types.of(library)), [code], "{document} against {library}");
    }
    let handle = r#"{ "type": "object", "cType": { "type": "void", "isPointer": true, "x-handle": "db" } }"#;
    assert_eq!(parameter(handle, |types| types.of("struct opaque **")), ["W013"]);
    assert_eq!(parameter(handle, |types| types.of("table = char **")), [""; 0]);
}

#[test]
fn debug_info_of_an_address_is_not_believed_about_the_spelling_of_an_integer() {
    let mut library = Library::new(LINUX);
    let (id, void) = (library.of("long long"), library.of("void"));
    let signature = library.signature(&[id], void);
    let interface = library.with(Ok(signature));
    let mut evidence = Evidence {
        exports: Err("none".to_owned()),
        header: Err("none".to_owned()),
        debug_info: Ok(("t.so".to_owned(), &interface)),
    };
    let check = |evidence: &Evidence<'_>| {
        codes(&check_contract("t.json", &document(&["long"], None, ""), &Options::default(), evidence))
    };
    assert_eq!(check(&evidence), [""; 0]);
    evidence.header = evidence.debug_info.clone();
    assert_eq!(check(&evidence), ["W012"]);
}

#[test]
fn widths_are_those_of_the_target() {
    for (triple, expected) in [(LINUX, &["E041"][..]), ("x86_64-pc-windows-msvc", &[])] {
        let mut library = Library::new(triple);
        let (id, void) = (library.of("DWORD = unsigned long"), library.of("void"));
        let signature = library.signature(&[id], void);
        let report = against_header(&document(&["unsigned int"], None, ""), &library.with(Ok(signature)));
        assert_eq!(codes(&report), expected, "{triple}");
    }
}

#[test]
fn arity_is_told_with_the_parameters_of_c() {
    let mut library = Library::new(LINUX);
    let (int, text, void) = (library.of("int"), library.of("const char *"), library.of("void"));
    let signature = library.signature(&[int, text], void);
    let report = against_header(&document(&["int"], None, ""), &library.with(Ok(signature)));
    let [diagnostic] = report.diagnostics.iter().as_slice() else { panic!("{}", report.diagnostics) };
    assert_eq!(diagnostic.rule.code(), "E040");
    assert_eq!(diagnostic.message, "f: the document says 1 parameter, the header says 2 parameters");
    assert_eq!(diagnostic.help, "describe them in this order: int, const char *");
}

#[test]
fn a_wrong_width_is_told_with_the_json_to_write() {
    let mut library = Library::new(LINUX);
    let (id, void) = (library.of("uLong = unsigned long"), library.of("void"));
    let signature = library.signature(&[id], void);
    let report = against_header(&document(&["int"], None, ""), &library.with(Ok(signature)));
    let [diagnostic] = report.diagnostics.iter().as_slice() else { panic!("{}", report.diagnostics) };
    assert_eq!(
        diagnostic.message,
        "parameter 1 of f: the document says int, the header says uLong (unsigned long): 4 bytes against 8"
    );
    assert_eq!(diagnostic.help, r#"write "cType": { "type": "unsigned long", "isPointer": false }"#);
}

/// What is found where the document returns the first type, and the library the second.
fn returned(of: Option<&str>, spelling: &str) -> Vec<&'static str> {
    let mut library = Library::new(LINUX);
    let returns = library.of(spelling);
    let signature = library.signature(&[], returns);
    codes(&against_header(&document(&[], of, ""), &library.with(Ok(signature))))
}

#[test]
fn what_is_returned_is_compared() {
    for (document, library, expected) in [
        (None, "void", None),
        (Some("int"), "int", None),
        (Some("int"), "void", Some("E042")),
        (Some("int"), "long", Some("E042")),
        (Some("int"), "int *", Some("E042")),
        (Some("double"), "float", Some("E042")),
        (None, "int", Some("W014")),
        (None, "double", Some("E042")),
    ] {
        let found = returned(document, library);
        assert_eq!(found, Vec::from_iter(expected), "{document:?} against {library}");
    }
}

#[test]
fn an_output_that_is_const_in_c_is_a_warning() {
    let mut library = Library::new(LINUX);
    let (id, void) = (library.of("const int *"), library.of("void"));
    let signature = library.signature(&[id], void);
    let document = document(&["int *"], None, "").replace("\"isIn\": true", "\"isIn\": false");
    assert_eq!(codes(&against_header(&document, &library.with(Ok(signature)))), ["W015"]);
}

#[test]
fn what_stands_before_the_dots_is_counted() {
    for (keys, variadic, parameters, expected) in [
        (r#", "x-variadic": 1"#, true, 1, None),
        (r#", "x-variadic": 2"#, true, 1, Some("E045")),
        (r#", "x-variadic": 1"#, false, 2, Some("E045")),
        ("", true, 1, Some("E045")),
        ("", false, 2, None),
        // A function without a prototype says nothing.
        ("", true, 0, None),
    ] {
        let mut library = Library::new(LINUX);
        let (int, void) = (library.of("int"), library.of("void"));
        let signature = Signature { variadic, ..library.signature(&vec![int; parameters], void) };
        let report = against_header(&document(&["int", "int"], None, keys), &library.with(Ok(signature)));
        assert_eq!(codes(&report), Vec::from_iter(expected), "{keys} {variadic} {parameters}");
    }
}

#[test]
fn stdcall_counts_where_it_is_a_convention() {
    for (triple, expected) in [("i686-pc-windows-msvc", &["E046"][..]), ("x86_64-pc-windows-msvc", &[])] {
        let mut library = Library::new(triple);
        let void = library.of("void");
        let signature = Signature { convention: Convention::Stdcall, ..library.signature(&[], void) };
        let report = against_header(&document(&[], None, ""), &library.with(Ok(signature)));
        assert_eq!(codes(&report), expected, "{triple}");
    }
}

/// A struct of two doubles, and what may be written about it.
fn point(is_pointer: bool, keys: &str, properties: &str) -> String {
    format!(
        r#"{{ "type": "object"{keys}, "cType": {{ "type": "void", "isPointer": {is_pointer} }}, "properties": {{ {properties} }} }}"#
    )
}

fn property(name: &str, c_type: &str) -> String {
    format!("\"{name}\": {}", schema(c_type))
}

/// What is found of a struct that is `{ double x; int n; }` in C, by pointer.
fn record(keys: &str, properties: &[(&str, &str)]) -> Vec<String> {
    let mut library = Library::new(LINUX);
    let (double, int, void) = (library.of("double"), library.of("int"), library.of("void"));
    let record = library.record(16, &[("x", double, 0), ("n", int, 8)]);
    let pointer = library.types.add(Type::Pointer { to: record, constant: false });
    let signature = library.signature(&[pointer], void);
    let properties: Vec<String> = properties.iter().map(|(name, of)| property(name, of)).collect();
    let document = document(&[&point(true, keys, &properties.join(", "))], None, "");
    let report = against_header(&document, &library.with(Ok(signature)));
    report.diagnostics.iter().map(|found| format!("{}: {}", found.rule.code(), found.message)).collect()
}

#[test]
fn structs_are_compared_member_by_member() {
    let none: [String; 0] = [];
    assert_eq!(record("", &[("x", "double"), ("n", "int")]), none);
    assert_eq!(record(r#", "x-size": 16, "x-align": 8"#, &[("x", "double"), ("n", "int")]), none);
    // Padding may have a name, and members may have others than in C.
    assert_eq!(record("", &[("first", "double"), ("count", "int"), ("padding", "int")]), none);
    for (keys, properties, expected) in [
        (
            "",
            vec![("x", "float"), ("n", "int")],
            "member `x` of struct: the document says float, the header says double: 4 bytes against 8",
        ),
        (
            "",
            vec![("n", "int"), ("x", "double")],
            "member `n` of struct: the document has it at byte 0, the header says that struct point has it at 8",
        ),
        (
            "",
            vec![("x", "double")],
            "struct: its members in the document take 8 bytes, the header says that struct point has 16",
        ),
        (
            "",
            vec![("x", "double"), ("n", "int"), ("m", "double")],
            "struct: its members in the document take 24 bytes, the header says that struct point has 16",
        ),
        (
            "",
            vec![("x", "double"), ("n", "unsigned int")],
            "member `n` of struct: the document says unsigned int, the header says int: unsigned against signed",
        ),
        (
            "",
            vec![("x", "double"), ("n", "int *")],
            "member `n` of struct: the document says int *, the header says int: a pointer against a value",
        ),
        (
            "",
            vec![("x", "double"), ("count", "double")],
            "member `count` of struct: the document has double at byte 8, the header says that struct point has int `n` at 8",
        ),
        (
            r#", "x-size": 24"#,
            vec![("x", "double"), ("n", "int")],
            "the size: the document says 24 bytes, the header says that struct point has 16",
        ),
        (
            r#", "x-align": 16"#,
            vec![("x", "double"), ("n", "int")],
            "the alignment: the document says 16, the header says that struct point is aligned to 8",
        ),
    ] {
        assert_eq!(record(keys, &properties), [format!("E043: {expected}")]);
    }
}

#[test]
fn the_beginning_of_a_struct_that_c_gives_may_be_described_alone() {
    let mut library = Library::new(LINUX);
    let (double, int) = (library.of("double"), library.of("int"));
    let record = library.record(16, &[("x", double, 0), ("n", int, 8)]);
    let pointer = library.types.add(Type::Pointer { to: record, constant: true });
    let signature = library.signature(&[], pointer);
    let interface = library.with(Ok(signature));
    let begins = document(&[], Some(&point(true, "", &property("x", "double"))), "");
    assert_eq!(codes(&against_header(&begins, &interface)), [""; 0]);
    let by_value = document(&[], Some(&point(false, "", &property("x", "double"))), "");
    assert_eq!(codes(&against_header(&by_value, &interface)), ["E042"]);
}

#[test]
fn a_state_has_room_for_the_struct_of_c() {
    let state = |size: u64, align: u64| {
        let keys = format!(r#", "x-size": {size}, "x-align": {align}"#);
        let schema =
            format!(r#"{{ "type": "object"{keys}, "cType": {{ "type": "void", "isPointer": true }} }}"#);
        parameter(&schema, |types| {
            let double = types.of("double");
            let record = types.record(16, &[("x", double, 0), ("y", double, 8)]);
            types.types.add(Type::Pointer { to: record, constant: false })
        })
    };
    assert_eq!(state(16, 8), [""; 0]);
    assert_eq!(state(64, 16), [""; 0]);
    assert_eq!(state(8, 8), ["E043"]);
    assert_eq!(state(16, 4), ["E043"]);
}

#[test]
fn callbacks_have_the_signature_that_c_calls() {
    let callback = |parameters: &[&str], returns: Option<&str>| {
        let named: Vec<String> = parameters
            .iter()
            .enumerate()
            .map(|(index, of)| format!(r#"{{ "name": "c{index}", "schema": {} }}"#, schema(of)))
            .collect();
        let returns = returns.map_or("null".to_owned(), |of| format!(r#"{{ "schema": {} }}"#, schema(of)));
        let named = named.join(", ");
        format!(
            r#"{{ "type": "object", "cType": {{ "type": "void", "isPointer": true, "x-callback": {{ "parameters": [{named}], "return": {returns} }} }} }}"#
        )
    };
    let in_c = |library: &mut Library| {
        let (int, text) = (library.of("int"), library.of("const char *"));
        let signature = library.signature(&[int, text], int);
        library.callback(signature)
    };
    assert_eq!(parameter(&callback(&["int", "char *"], Some("int")), in_c), [""; 0]);
    assert_eq!(parameter(&callback(&["int", "void *"], Some("int")), in_c), [""; 0]);
    for wrong in [
        callback(&["int"], Some("int")),
        callback(&["long", "char *"], Some("int")),
        callback(&["int", "char *"], Some("long")),
        callback(&["int", "char *"], None),
        callback(&["int *", "char *"], Some("int")),
    ] {
        assert_eq!(parameter(&wrong, in_c), ["E044"], "{wrong}");
    }
    let fits = callback(&["int", "char *"], Some("int"));
    assert_eq!(parameter(&fits, |types| types.of("void *")), [""; 0]);
    assert_eq!(parameter(&fits, |types| types.of("char *")), ["E041"]);
    assert_eq!(parameter("char *", in_c), ["E041"]);
}

#[test]
fn what_cannot_be_compared_is_told_with_the_reason() {
    let mut library = Library::new(LINUX);
    let (vector, void) = (library.of("vector"), library.of("void"));
    let signature = library.signature(&[vector], void);
    let report = against_header(&document(&["int"], None, ""), &library.with(Ok(signature)));
    assert_eq!(codes(&report), [""; 0]);
    assert_eq!(
        report.tiers[1].to_string(),
        "header (t.h): 1 of 1 function checked; checked in part: f (`vector` is a type that cannot be compared)"
    );
    let library = Library::new(LINUX);
    let report =
        against_header(&document(&[], None, ""), &library.with(Err("it is written in assembler".to_owned())));
    assert_eq!(
        report.tiers[1].to_string(),
        "header (t.h): 0 of 1 function checked; not checked: f (it is written in assembler)"
    );
    assert_eq!(report.tiers[0].to_string(), "exports: not checked: none");
}

#[test]
fn a_source_that_goes_in_circles_ends() {
    let mut library = Library::new(LINUX);
    let void = library.of("void");
    let id = library.types.add(Type::Void);
    let pointer = library.types.add(Type::Pointer { to: id, constant: false });
    library.types.set(id, Type::Array { of: id, length: Some(2) });
    let signature = library.signature(&[pointer, pointer], void);
    let record = point(true, "", &property("x", "double"));
    let report = against_header(&document(&["int *", &record], None, ""), &library.with(Ok(signature)));
    assert!(report.tiers[1].result.is_ok());
}
