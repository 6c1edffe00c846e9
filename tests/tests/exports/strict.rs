//! Which functions strict can express, and why the others not.

use opentool::export::{Refusal, lint_strict, openai_chat, openai_responses};
use opentool::{Function, OpenTool};

use super::documents;

fn with(document: &OpenTool, functions: Vec<Function>) -> OpenTool {
    OpenTool { functions, ..document.clone() }
}

/// The document with the functions that strict can express, and why it cannot express the others.
pub(super) fn expressible(document: &OpenTool) -> (OpenTool, Vec<Refusal>) {
    let mut refusals = Vec::new();
    let functions = document.functions.iter().filter(|function| {
        match openai_responses(&with(document, vec![(*function).clone()]), true) {
            Ok(_) => true,
            Err(error) => {
                refusals.extend(error.refusals);
                false
            }
        }
    });
    let functions = functions.cloned().collect();
    (with(document, functions), refusals)
}

#[test]
fn strict_expresses_everything_but_what_the_document_does_not_describe() {
    let mut refused = Vec::new();
    for (name, document) in documents() {
        let (document, refusals) = expressible(&document);
        for tools in [openai_responses(&document, true), openai_chat(&document, true)] {
            assert_eq!(lint_strict(&tools.expect("expressible")), [], "{name}");
        }
        refused
            .extend(refusals.iter().map(|it| format!("{name} {} {} {}", it.function, it.rule, it.pointer)));
    }
    // Each is a `void*` of which the document says nothing: an object that may be anything.
    let unknown = [
        "examples/sqlite/sqlite.json sqlite3_free free-form-object /properties/memory",
        "tests/fixtures/keys-owned/tool.json keys_free free-form-object /properties/pointer",
        "tests/fixtures/shapes/tool.json see_object free-form-object /properties/object",
        "tests/fixtures/types/tool.json in_void free-form-object /properties/p",
        "tests/fixtures/unchecked/tool.json attach_if free-form-object /properties/context",
        "tests/fixtures/unsafe-pointers/tool.json attach free-form-object /properties/context",
        "tests/fixtures/unsafe-pointers/tool.json attach_if free-form-object /properties/context",
    ];
    assert_eq!(refused, unknown);
}
