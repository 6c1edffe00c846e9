//! `opendyn export`: every format over every document, and the reference page.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod command;

use command::{argument, assert_golden, documents, folder, opendyn, opendyn_with, root};
use opendyn_codegen::Options;
use opentool::OpenTool;
use opentool::export;
use serde_json::Value;

#[test]
fn models_get_what_the_library_exports() {
    let options = Options::default();
    for document in documents() {
        let source = std::fs::read_to_string(&document).expect("it is there");
        let text = opendyn_codegen::opentool("tool.json", &source, &options).expect("no errors");
        let tool = OpenTool::parse(&text).expect("a document");
        // What others read has no functions that cannot be called.
        let published = tool.published().to_string_pretty();
        for (format, expected) in [
            ("opentool", serde_json::from_str(&published).map_err(|_| ())),
            ("openai", export::openai_responses(&tool, false).map_err(|_| ())),
            ("openai-chat", export::openai_chat(&tool, false).map_err(|_| ())),
            ("anthropic", export::anthropic(&tool).map_err(|_| ())),
            ("gemini", export::gemini(&tool).map_err(|_| ())),
            ("mcp", export::mcp_tools(&tool).map_err(|_| ())),
            ("json-schema", export::json_schema(&tool).map_err(|_| ())),
        ] {
            let run = opendyn(&["export", argument(&document), "--format", format]);
            let actual = if run.status == 0 {
                Ok(serde_json::from_str::<Value>(&run.stdout).expect("JSON"))
            } else {
                Err(())
            };
            assert_eq!(actual, expected, "{format} of {}: {}", document.display(), run.stderr);
        }
    }
}

#[test]
fn what_strict_refuses_is_an_error_with_the_place_of_the_function() {
    let source = r#"{
  "opendyn": "1.0.0",
  "info": { "title": "t", "version": "1", "callingConvention": "cdecl" },
  "functions": [
    { "name": "7zip", "description": "Zips.", "parameters": [] }
  ]
}"#;
    let run = opendyn_with(&["export", "-", "--format", "gemini"], source);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("stdin:5:15: function `7zip`: Gemini allows names"), "{}", run.stderr);

    let strict = opendyn(&["export", "examples/quickstart/calc.json", "--format", "openai", "--strict"]);
    assert_eq!(strict.status, 0, "{}", strict.stderr);
    let tools: Value = serde_json::from_str(&strict.stdout).expect("JSON");
    assert_eq!(tools[0]["strict"], true);
    let elsewhere = opendyn(&["export", "examples/quickstart/calc.json", "--format", "mcp", "--strict"]);
    assert_eq!(elsewhere.status, 2);
}

#[test]
fn only_the_functions_that_are_named_are_written() {
    let document = "examples/quickstart/calc.json";
    let export = ["export", document, "--format", "openai", "--function", "greet", "--function", "add"];
    let tools: Value = serde_json::from_str(&opendyn(&export).stdout).expect("JSON");
    let names: Vec<&Value> = tools.as_array().expect("tools").iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["add", "greet"]);

    let unknown = opendyn(&["export", document, "--format", "openai", "--function", "subtract"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("no function `subtract`"), "{}", unknown.stderr);
}

#[test]
fn what_json_cannot_call_is_left_out_with_a_note_and_an_error_where_it_is_asked_for() {
    let document = "examples/quickstart/calc.json";
    let all = opendyn(&["export", document, "--format", "openai"]);
    assert_eq!(all.status, 0);
    assert!(all.stderr.contains("note: `sum` is left out"), "{}", all.stderr);
    let named = opendyn(&["export", document, "--format", "openai", "--function", "sum"]);
    assert_eq!((named.status, named.stdout.as_str()), (1, ""));
    assert!(named.stderr.contains("`x-length`"), "{}", named.stderr);
}

#[test]
fn errors_of_the_document_come_first() {
    let run = opendyn(&["export", "tests/invalid/output-not-pointer.json", "--format", "markdown"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("error[E012]"), "{}", run.stderr);
}

#[test]
fn a_reference_page_is_as_it_was_read() {
    for (document, functions, golden) in [
        ("examples/quickstart/calc.json", "", "export/calc.md"),
        ("tests/fixtures/docs/tool.json", "", "export/docs.md"),
        ("examples/zlib/zlib.json", "compress gzopen gzread gzclose deflate", "export/zlib.md"),
        (
            "examples/sqlite/sqlite.json",
            "sqlite3_prepare_v2 sqlite3_exec sqlite3_column_type",
            "export/sqlite.md",
        ),
    ] {
        let mut arguments = vec!["export", document, "--format", "markdown"];
        arguments.extend(functions.split_whitespace().flat_map(|function| ["--function", function]));
        let run = opendyn(&arguments);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{document}");
        assert_golden(golden, &run.stdout);
    }
}

/// Links within the page have targets, table rows have equal lengths, fences are closed.
#[test]
fn every_reference_page_is_whole() {
    for document in documents() {
        let page = opendyn(&["export", argument(&document), "--format", "markdown"]).stdout;
        let mut columns = None;
        let mut fence: Option<&str> = None;
        for line in page.lines() {
            if let Some(open) = fence {
                fence = Some(open).filter(|open| line != *open);
                continue;
            }
            if line.starts_with("```") {
                fence = Some(&line[..line.len() - line.trim_start_matches('`').len()]);
                continue;
            }
            for target in line.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
                let anchor = format!("<a id=\"{target}\"></a>");
                let heading = format!("## {}", target[..1].to_uppercase() + &target[1..]);
                let leads = page.contains(&anchor) || page.lines().any(|line| line == heading);
                assert!(leads, "#{target} in {}", document.display());
            }
            let row = line.starts_with('|').then(|| line.replace("\\|", "").matches('|').count());
            assert!(row.is_none() || columns.is_none() || row == columns, "{}: {line}", document.display());
            columns = row;
        }
        assert_eq!(fence, None, "{}", document.display());
    }
}

#[test]
fn a_file_can_be_written_instead() {
    let file = folder("export-file").join("tools.json");
    let document = root().join("examples/quickstart/calc.json");
    let run = opendyn(&["export", argument(&document), "-f", "mcp", "-o", argument(&file)]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    let tools: Value =
        serde_json::from_str(&std::fs::read_to_string(file).expect("it is there")).expect("JSON");
    assert_eq!(tools[0]["name"], "add");
}
