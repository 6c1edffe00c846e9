//! Which functions strict mode can express, and why not the others.

use opentool::export::{Refusal, lint_strict, openai_chat, openai_responses};
use opentool::{Function, OpenTool};

use super::documents;

fn with(document: &OpenTool, functions: Vec<Function>) -> OpenTool {
    OpenTool { functions, ..document.clone() }
}

/// The document with the functions that strict mode can express, and why it cannot express the others.
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
fn strict_expresses_every_function_that_callers_are_offered() {
    for (name, document) in documents() {
        let (document, refusals) = expressible(&document);
        for tools in [openai_responses(&document, true), openai_chat(&document, true)] {
            assert_eq!(lint_strict(&tools.expect("expressible")), [], "{name}");
        }
        // Structs of their own kind are deeper than strict mode allows.
        let refused: &[&str] = match name.as_str() {
            "tests/fixtures/keys-deep/tool.json" => {
                &["person_sum", "people_sum", "person_settle", "reply_sum"]
            }
            _ => &[],
        };
        assert_eq!(refusals.iter().map(|it| it.function.as_str()).collect::<Vec<_>>(), refused, "{name}");
    }
}
