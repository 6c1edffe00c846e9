//! OpenAI's Python packages accept every strict export unchanged: their transformation to strict
//! changes nothing, and their types for tools accept it.

use std::io::Write;
use std::process::{Command, Stdio};

use opentool::export::{openai_chat, openai_responses};
use serde_json::{Map, Value, json};

use super::documents;
use super::strict::expressible;

#[test]
#[cfg_attr(no_openai, ignore = "needs python3 with the packages openai and openai-agents")]
fn openai_takes_every_strict_export_unchanged() {
    let exports: Map<String, Value> = documents()
        .into_iter()
        .map(|(name, document)| {
            let (document, _) = expressible(&document);
            let responses = openai_responses(&document, true).expect("expressible");
            let chat = openai_chat(&document, true).expect("expressible");
            (name, json!({"responses": responses, "chat": chat}))
        })
        .collect();
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let mut child = Command::new(python)
        .args(["-c", include_str!("openai_strict.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(Value::Object(exports.clone()).to_string().as_bytes()).expect("Python reads");
    drop(stdin);
    let output = child.wait_with_output().expect("Python ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let tools: usize = exports.values().map(|export| export["chat"].as_array().map_or(0, Vec::len)).sum();
    assert!(tools > 300, "only {tools} tools");
    assert_eq!(said.trim(), format!("{tools} tools, unchanged"));
}
