//! Libraries of any size: the document, the C source and arguments for every function.
//!
//! Names, descriptions and signatures are plausible, so that measurements are realistic. The build
//! script uses this file too, so it has no dependencies.

use std::fmt::Write;

/// A library of any number of functions.
pub struct Library {
    /// The OpenDyn document.
    pub document: String,
    /// The C source of the functions in the document.
    pub source: String,
    /// One call for every function, in the order of the document.
    pub calls: Vec<Call>,
}

/// A call that succeeds.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the function.
    pub function: String,
    /// A JSON object.
    pub arguments: String,
}

struct Signature {
    summary: &'static str,
    parameters: &'static [Parameter],
    returns: Option<(&'static str, Type)>,
    /// The C body; `@` stands for a number that is different in each function.
    body: &'static str,
    /// The JSON arguments; `@` as above.
    arguments: &'static str,
}

struct Parameter {
    name: &'static str,
    description: &'static str,
    r#type: Type,
    input: bool,
}

/// JSON type, C type, whether it is a pointer.
type Type = (&'static str, &'static str, bool);

const INT: Type = ("integer", "int", false);
const INT_POINTER: Type = ("integer", "int", true);
const UNSIGNED: Type = ("integer", "unsigned int", false);
const LONG_LONG: Type = ("integer", "long long", false);
const DOUBLE: Type = ("number", "double", false);
const DOUBLE_POINTER: Type = ("number", "double", true);
const BOOL: Type = ("boolean", "bool", false);
const STRING: Type = ("string", "char", true);

const fn input(name: &'static str, description: &'static str, r#type: Type) -> Parameter {
    Parameter { name, description, r#type, input: true }
}

const fn output(name: &'static str, description: &'static str, r#type: Type) -> Parameter {
    Parameter { name, description, r#type, input: false }
}

const SIGNATURES: [Signature; 8] = [
    Signature {
        summary: "Combines a value with an offset",
        parameters: &[
            input("value", "The value to begin with.", INT),
            input("offset", "What is added to it.", INT),
        ],
        returns: Some(("result", INT)),
        body: "return value + offset + @;",
        arguments: r#"{"value":@,"offset":-17}"#,
    },
    Signature {
        summary: "Interpolates between two levels",
        parameters: &[
            input("from", "The level at 0.", DOUBLE),
            input("to", "The level at 1.", DOUBLE),
            input("position", "Where to look, from 0 to 1.", DOUBLE),
        ],
        returns: Some(("level", DOUBLE)),
        body: "return from + (to - from) * position + @;",
        arguments: r#"{"from":0.5,"to":@.25,"position":0.75}"#,
    },
    Signature {
        summary: "Looks up the text of a label",
        parameters: &[input("label", "The label, as shown to the user.", STRING)],
        returns: Some(("text", STRING)),
        body: "return tagged(label, @);",
        arguments: r#"{"label":"label number @"}"#,
    },
    Signature {
        summary: "Splits a total into whole parts, with what is left",
        parameters: &[
            input("total", "What is split.", INT),
            input("size", "The size of a part; not 0.", INT),
            output("parts", "How many parts there are.", INT_POINTER),
            output("left", "What is left over.", INT_POINTER),
        ],
        returns: None,
        body: "*parts = total / size + @; *left = total % size;",
        arguments: r#"{"total":@,"size":7}"#,
    },
    Signature {
        summary: "Weighs a sample that is passed by address",
        parameters: &[
            input("sample", "The sample.", INT_POINTER),
            input("weight", "Its weight.", DOUBLE_POINTER),
        ],
        returns: Some(("weighed", DOUBLE)),
        body: "return *sample * *weight + @;",
        arguments: r#"{"sample":@,"weight":1.5}"#,
    },
    Signature {
        summary: "Asks whether a feature is on at a level",
        parameters: &[
            input("enabled", "Whether the feature may be on at all.", BOOL),
            input("level", "The level.", INT),
        ],
        returns: Some(("active", BOOL)),
        body: "return enabled && level > @ / 2;",
        arguments: r#"{"enabled":true,"level":@}"#,
    },
    Signature {
        summary: "Moves a cursor by a number of records",
        parameters: &[
            input("cursor", "Where the cursor is, in bytes.", LONG_LONG),
            input("records", "How many records of 64 bytes to skip.", UNSIGNED),
        ],
        returns: Some(("moved", LONG_LONG)),
        body: "return cursor + 64LL * records + @;",
        arguments: r#"{"cursor":40000000@,"records":3}"#,
    },
    Signature {
        summary: "Tells the revision of the format",
        parameters: &[],
        returns: Some(("revision", UNSIGNED)),
        body: "return @;",
        arguments: "{}",
    },
];

/// There are 20 × 20 × 25 different names; further names are numbered.
const NOUNS: [&str; 20] = [
    "volume", "channel", "frame", "buffer", "track", "marker", "layer", "region", "cursor", "palette",
    "stream", "packet", "window", "record", "filter", "sample", "node", "segment", "margin", "profile",
];
const VERBS: [&str; 20] = [
    "get", "set", "find", "move", "scale", "merge", "split", "check", "lock", "reset", "load", "copy",
    "count", "shift", "blend", "query", "update", "rotate", "measure", "describe",
];
const MODULES: [&str; 25] = [
    "audio", "video", "image", "text", "font", "input", "scene", "mesh", "physics", "net", "file", "cache",
    "timer", "thread", "crypto", "codec", "color", "vector", "matrix", "shader", "sensor", "device", "queue",
    "index", "log",
];

impl Library {
    /// A library of `count` functions, the eight signatures in turn.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let mut source = String::from(PRELUDE);
        let mut functions = Vec::with_capacity(count);
        let mut calls = Vec::with_capacity(count);
        for index in 0..count {
            let signature = &SIGNATURES[index % SIGNATURES.len()];
            let name = name(index);
            functions.push(describe(signature, &name, index));
            source += &define(signature, &name, index);
            calls.push(Call { function: name, arguments: numbered(signature.arguments, index) });
        }
        let document = format!(
            r#"{{
  "opendyn": "1.0.0",
  "info": {{
    "title": "scale",
    "description": "A library of {count} functions.",
    "version": "1.0.0",
    "callingConvention": "cdecl"
  }},
  "functions": [
{}
  ]
}}
"#,
            functions.join(",\n")
        );
        Self { document, source, calls }
    }
}

const PRELUDE: &str = "/* Generated for the benchmarks. */
#include <stdbool.h>

static const char *tagged(const char *label, int number)
{
    static char text[64];
    char *to = text;
    while (*label && to < text + sizeof text - 2)
        *to++ = *label++;
    *to++ = (char)('0' + number % 10);
    *to = 0;
    return text;
}

";

fn name(index: usize) -> String {
    let noun = NOUNS[index % NOUNS.len()];
    let verb = VERBS[index / NOUNS.len() % VERBS.len()];
    let module = MODULES[index / (NOUNS.len() * VERBS.len()) % MODULES.len()];
    match index / (NOUNS.len() * VERBS.len() * MODULES.len()) {
        0 => format!("{module}_{verb}_{noun}"),
        round => format!("{module}_{verb}_{noun}_{round}"),
    }
}

fn numbered(text: &str, index: usize) -> String {
    text.replace('@', &(index % 1000 + 1).to_string())
}

/// The function in the document.
fn describe(signature: &Signature, name: &str, index: usize) -> String {
    let parameters: Vec<String> = signature
        .parameters
        .iter()
        .map(|Parameter { name, description, r#type, input }| {
            format!(
                r#"{{"name":"{name}","description":"{description}","schema":{},"isIn":{input},"required":true}}"#,
                schema(*r#type)
            )
        })
        .collect();
    let mut text = format!(
        r#"    {{"name":"{name}","description":"{} ({}).","parameters":[{}]"#,
        signature.summary,
        NOUNS[index % NOUNS.len()],
        parameters.join(",")
    );
    if let Some((name, r#type)) = signature.returns {
        let _ = write!(text, r#","return":{{"name":"{name}","schema":{}}}"#, schema(r#type));
    }
    text + "}"
}

fn schema((json, c, pointer): Type) -> String {
    format!(r#"{{"type":"{json}","cType":{{"type":"{c}","isPointer":{pointer}}}}}"#)
}

/// The function in C.
fn define(signature: &Signature, name: &str, index: usize) -> String {
    let returns = signature.returns.map_or_else(|| "void ".to_owned(), |(_, r#type)| declare(r#type));
    let parameters: Vec<String> = signature
        .parameters
        .iter()
        .map(|parameter| format!("{}{}", declare(parameter.r#type), parameter.name))
        .collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{returns}{name}({parameters}) {{ {} }}\n", numbered(signature.body, index))
}

fn declare((json, c, pointer): Type) -> String {
    let constant = if json == "string" { "const " } else { "" };
    format!("{constant}{c} {}", if pointer { "*" } else { "" })
}
