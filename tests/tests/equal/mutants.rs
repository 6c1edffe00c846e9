//! A difference is seen: the interpreter reads a document in which one fact is wrong, as if it were mistaken about it.
//!
//! Not under a sanitizer, which would see some of them first.

#![cfg(not(opendyn_exact_buffers))]

use std::collections::BTreeSet;

use super::run::run;
use super::subject::Subject;
use super::subjects::SUBJECTS;
use super::{number_tables_from_1000, seed};

/// One wrong fact.
struct Mutant {
    document: &'static str,
    /// Where the function or the schema begins.
    after: &'static str,
    from: &'static str,
    to: &'static str,
}

const fn mutant(document: &'static str, after: &'static str, from: &'static str, to: &'static str) -> Mutant {
    Mutant { document, after, from, to }
}

const MUTANTS: &[Mutant] = &[
    // Widths and signs.
    mutant("types", "value_int", r##""#/schemas/int""##, r##""#/schemas/short""##),
    mutant(
        "types",
        r#"value_unsigned_int","#,
        r##"{ "$ref": "#/schemas/unsigned_int" } } }"##,
        r##"{ "$ref": "#/schemas/int" } } }"##,
    ),
    mutant("types", "return_unsigned_char\"", "unsigned_char_pointer", "char_pointer"),
    mutant("types", "out_float", "float_pointer", "int_pointer"),
    mutant("shapes", "shape_measure", "unsigned_long_pointer", "char_pointer"),
    mutant("shapes", "\"twelve\"", r##""#/schemas/number_float""##, r##""#/schemas/number_double""##),
    mutant(
        "extensions",
        "echo_uint16_t",
        r#""unsigned short", "x-cType": "uint16_t", "isPointer": true"#,
        r#""short", "x-cType": "int16_t", "isPointer": true"#,
    ),
    mutant("keys-values", "describe_short", r#""short""#, r#""unsigned short""#),
    // Lengths.
    mutant("keys-arrays", "sum_four", r#""const": 4"#, r#""const": 5"#),
    mutant("keys-arrays", "fill_written\"", r#", "x-written": "return""#, ""),
    mutant("keys-arrays", "\"three_primes", r#""const": 3"#, r#""const": 2"#),
    mutant("keys-text", "make_key", r#""const": 4"#, r#""const": 8"#),
    mutant("keys-lengths", "\"sum_pixels\"", r#"["width", "height", 3]"#, r#"["width", "height", 2]"#),
    mutant("keys-lengths", "\"fill_grid\"", r#"["rows", "columns"]"#, r#"["rows", "columns", 2]"#),
    mutant("keys-lengths", "\"divisors\"", r#""terminated": true"#, r#""const": 1"#),
    mutant("keys-lengths", "\"sum_until_zero\"", r#""terminated": true"#, r#""const": 1"#),
    mutant("keys-lengths", "\"ring\"", r#""args": ["k", 2]"#, r#""args": ["k", 3]"#),
    mutant("keys-pointers", "\"image_pixels\"", r#""x-length": [4,"#, r#""x-length": [3,"#),
    // Arrays of pointers.
    mutant("keys-pointers", "\"books_some\"", r#", "x-nullable": true"#, ""),
    mutant("keys-pointers", "\"names_some\"", r#", "x-nullable": true"#, ""),
    mutant("keys-pointers", "\"shelf_copies\"", r#""x-free": "book_free""#, r#""x-parent": "shelf""#),
    // Limits.
    mutant("keys-odd", "\"set_percent\"", r#""maximum": 100"#, r#""maximum": 101"#),
    mutant("keys-odd", "\"sum_small\"", r#""minimum": -5"#, r#""minimum": -6"#),
    mutant("keys-odd", "\"names_length\"", r#""x-maxLength": 2"#, r#""x-maxLength": 3"#),
    mutant("keys-odd", "\"Share\": {", r#""minimum": 0, "maximum": 100"#, r#""minimum": 1, "maximum": 100"#),
    mutant(
        "keys-odd",
        "\"Signal\": {",
        r#""gain": { "type": "number", "cType": { "type": "float""#,
        r#""gain": { "type": "number", "cType": { "type": "double""#,
    ),
    // Bit fields.
    mutant("keys-odd", "\"Flags\": {", r#""x-bits": 30"#, r#""x-bits": 29"#),
    mutant("keys-odd", "\"Packet\": {", r#""x-bits": 12"#, r#""x-bits": 11"#),
    // Unions.
    mutant("keys-unions", "\"Variant\": {", r#""FLAG": "flag""#, r#""7": "flag""#),
    mutant("keys-unions", "\"Variant\": {", r#""DOUBLE": "d""#, r#""9": "d""#),
    mutant("keys-unions", "\"Variant\": {", r#""NONE": null,"#, r#""8": null,"#),
    mutant(
        "keys-unions",
        "\"Reading\": {",
        r#""-7": "celsius", "100": "raw""#,
        r#""100": "celsius", "-7": "raw""#,
    ),
    mutant("keys-unions", "\"data_bytes\"", r#""x-union": "u32""#, r#""x-union": "fd""#),
    mutant("keys-unions", "\"Event\": {", r#""x-union": "u64""#, r#""x-union": "u32""#),
    // Memory.
    mutant("keys-owned", "\"owned_text\"", r#", "x-free": "keys_free""#, ""),
    mutant("keys-owned", "\"owned_ints_out\"", r#" "x-free": "keys_free","#, ""),
    mutant("keys-replies", "\"reply_text\"", r#""x-free": "reply_free""#, r#""x-free": "text_free""#),
    mutant("keys-handles", "\"account_open\"", r#", "x-parent": "bank""#, ""),
    mutant("keys-handles", "\"bank_open\"", r#", "x-free": "bank_close""#, ""),
    mutant("keys-callbacks", "\"hub_new\"", r#", "x-free": "hub_free""#, ""),
    // What C takes.
    mutant("keys-takes", "\"branch_bundle\"", r#""into": "return", "#, ""),
    mutant("keys-takes", "\"branch_hang_all\"", r#""x-takes": "parent""#, r#""x-takes": true"#),
    // Behind handles.
    mutant("keys-members", "\"node_far\"", r#""x-nullable": true"#, r#""x-nullable": false"#),
    // On 32-bit x86 the members behind it move, and pointers are read where there are none.
    #[cfg(target_pointer_width = "64")]
    mutant("keys-members", "\"Node\"", r#""const": 8"#, r#""const": 1"#),
    // States.
    mutant("keys-states", "\"next_out\"", r#"{ "left": "avail_out" }"#, r#""avail_out""#),
    mutant("keys-states", "\"stream_run\"", r#""next_in", "next_out""#, r#""next_in""#),
    // Callbacks.
    mutant("keys-collect", "\"rows_each\"", r#""limit": 5"#, r#""limit": 4"#),
    mutant("keys-collect", "\"rows_each\"", r#""stop": 1"#, r#""stop": 0"#),
    mutant("keys-collect", "\"emitter_on_text\"", r#""limit": 6"#, r#""limit": 1"#),
    mutant("keys-collect", "\"answer_short\"", r#""answer": -3"#, r#""answer": 3"#),
    mutant("keys-collect", "\"texts_each\"", r#""x-encoding": "latin-1""#, r#""x-encoding": "utf-8-lossy""#),
    // What members point to.
    mutant("keys-deep", "\"OutBuffer\"", r#""x-written": "pos""#, r#""x-written": "size""#),
    mutant("keys-deep", "\"names_new\"", r#""x-free": "names_free","#, ""),
    mutant("keys-deep", "\"Polygon\"", r#""const": 3"#, r#""const": 2"#),
    mutant("keys-deep", "\"GapArray\"", r#""x-nullable": true"#, r#""x-nullable": false"#),
    // Structs.
    mutant(
        "keys-structs",
        "\"Point\": {",
        r#""x": { "description": "To the right.""#,
        r#""z": { "description": "To the right.""#,
    ),
    mutant(
        "keys-structs",
        "\"pair_swap\"",
        r#""cType": { "type": "int", "isPointer": false } }, "b""#,
        r#""cType": { "type": "int", "isPointer": false } }, "c""#,
    ),
    mutant(
        "keys-structs",
        "\"Named\": {",
        r#""small": { "type": "integer", "cType": { "type": "short", "isPointer": false } },
        "flag": { "type": "boolean", "cType": { "type": "bool", "isPointer": false } },"#,
        r#""flag": { "type": "boolean", "cType": { "type": "bool", "isPointer": false } },
        "small": { "type": "integer", "cType": { "type": "short", "isPointer": false } },"#,
    ),
    // Codes, defaults, listed values, encodings.
    mutant("keys-owned", "\"code_one\"", r#""x-success": ["0"]"#, r#""x-success": ["0", "1"]"#),
    mutant("keys-values", "color_or_green", r#""default": 2"#, r#""default": 1"#),
    mutant("keys-text", "in_latin1\"", "latin-1\", \"cType", "utf-8\", \"cType"),
    mutant("keys-text", "\"returned_hex\"", "\"x-encoding\": \"hex\"", "\"x-encoding\": \"base64\""),
];

/// The subject with this document; `None` if it is not for this target.
fn subject(document: &str) -> Option<&'static Subject> {
    let path = format!("fixtures/{document}/tool.json");
    SUBJECTS.iter().find(|subject| subject.document == path)
}

impl Mutant {
    /// The document with the wrong fact.
    fn source(&self, subject: &Subject) -> String {
        let source = subject.source();
        let start = source.find(self.after).unwrap_or_else(|| panic!("{}: no {}", self.document, self.after));
        let at =
            source[start..].find(self.from).unwrap_or_else(|| panic!("{}: no {}", self.after, self.from));
        let at = start + at;
        format!("{}{}{}", &source[..at], self.to, &source[at + self.from.len()..])
    }
}

#[test]
fn every_mutant_is_seen() {
    number_tables_from_1000();
    let mut unseen = Vec::new();
    let mut tried = 0;
    for mutant in MUTANTS {
        let Some(subject) = subject(mutant.document) else { continue };
        tried += 1;
        let name = format!("{}, {}: {} for {}", mutant.document, mutant.after, mutant.to, mutant.from);
        match run(subject, &mutant.source(subject), 10_000, seed(), &mut BTreeSet::new()) {
            Ok(tally) => unseen.push(format!("{name}: {tally:?}")),
            Err(found) => println!("{name}\n  after {} calls: {}", found.after, found.difference),
        }
    }
    assert!(tried > 20 && unseen.is_empty(), "not seen:\n{}", unseen.join("\n"));
}
