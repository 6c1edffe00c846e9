//! Scalars, pointers, number of parameters, return values, calling conventions.

use opendyn_model::Options;

use super::{LINUX, Library, against_header, codes, document, parameter};
use crate::contract::{Evidence, check_contract};
use crate::{Convention, Signature};

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

/// The findings for a return value that has the first type in the document and the second in the library.
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
        // A function without a prototype is not compared.
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
