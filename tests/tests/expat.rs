//! expat, the XML parser of the system: the events of a document through closures and through JSON.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "test code may panic")]

use std::path::Path;
use std::sync::{Arc, Mutex};

use opendyn::{Session, Tool, ToolError};
use opendyn_tests::Twin;
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/expat/tool.json", strip_prefix = "XML_");
opendyn_tests::twin!(Expat = "fixtures/expat/tool.json", |options| {
    options.strip_prefix = Some("XML_".to_owned());
});

const DOCUMENT: &str = "<list kind=\"planets\" count=\"1\"><!--near--><planet>V\u{e9}nus</planet></list>";

fn expat() -> Twin<Expat> {
    let path = Path::new("libexpat.so.1");
    // SAFETY: fixtures/expat/tool.json describes expat correctly.
    unsafe { Twin::open_with(include_str!("../fixtures/expat/tool.json"), path, path) }
        .expect("it is installed")
}

#[test]
#[cfg_attr(no_expat, ignore = "needs libexpat1-dev")]
fn closures_get_the_events_of_a_document() {
    let expat = expat();
    let parser = expat.parser_create(None).expect("a parser");
    parser.use_parser_as_handler_arg();
    let events = Arc::new(Mutex::new(Vec::new()));
    let log = || {
        let events = Arc::clone(&events);
        move |event: String| events.lock().expect("no panic").push(event)
    };
    let (start, end, text) = (log(), log(), log());
    parser.set_element_handler(
        Some(Box::new(move |name, attributes| start(format!("<{} {attributes:?}", name.to_string_lossy())))),
        Some(Box::new(move |name| end(format!(">{}", name.to_string_lossy())))),
    );
    parser.set_character_data_handler(Some(Box::new(move |data| text(format!("{} bytes", data.len())))));
    parser.parse(DOCUMENT, true).expect("it is XML");
    let expected = [
        r#"<list [Some("kind"), Some("planets"), Some("count"), Some("1")]"#,
        "<planet []",
        "6 bytes",
        ">planet",
        ">list",
    ];
    assert_eq!(*events.lock().expect("no panic"), expected);
    drop(parser);
    assert_eq!(Arc::strong_count(&events), 1, "the closures are dropped with their parser");
}

#[test]
#[cfg_attr(no_expat, ignore = "needs libexpat1-dev")]
fn a_parse_failure_has_the_text_of_expat() {
    let expat = expat();
    let parser = expat.parser_create(None).expect("a parser");
    let error = parser.parse("<a>\n</b>", true).expect_err("not well-formed");
    assert_eq!((error.code(), error.text()), (Some(7), Some("mismatched tag")));
    assert_eq!((parser.get_error_code(), parser.get_current_line_number()), (7, 2));
    assert_eq!(expat.error_string(2).as_deref(), Some(c"syntax error"));
}

/// A session with a parser whose events are collected.
fn with_parser(test: impl FnOnce(&dyn Fn(&str, Value) -> Result<Value, ToolError>, &Value)) {
    let expat = expat();
    let session = Session::new(&expat);
    let run = |function: &str, arguments: Value| -> Result<Value, ToolError> {
        let reply = session.call_json(function, &arguments.to_string())?;
        Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
    };
    let parser = run("XML_ParserCreate", json!({})).expect("a parser")["parser"].clone();
    for (function, arguments) in [
        ("XML_UseParserAsHandlerArg", json!({"parser": parser})),
        ("XML_SetElementHandler", json!({"parser": parser, "start": true, "end": true})),
        ("XML_SetCharacterDataHandler", json!({"parser": parser, "text": true})),
        ("XML_SetCommentHandler", json!({"parser": parser, "comment": true})),
    ] {
        assert_eq!(run(function, arguments), Ok(json!({"events": []})), "{function}");
    }
    test(&run, &parser);
}

#[test]
#[cfg_attr(no_expat, ignore = "needs libexpat1-dev")]
fn json_callers_get_the_events_of_a_document() {
    with_parser(|run, parser| {
        let (first, second) = DOCUMENT.split_at(40);
        let one = run("XML_Parse", json!({"parser": parser, "s": first, "isFinal": false}));
        let attributes = ["kind", "planets", "count", "1"];
        assert_eq!(
            one,
            Ok(
                json!({"status": 1, "events": [{"callback": "start", "name": "list", "attributes": attributes}]})
            )
        );
        let two = run("XML_Parse", json!({"parser": parser, "s": second, "isFinal": true}));
        let events = json!([
            {"callback": "comment", "data": "near"},
            {"callback": "start", "name": "planet", "attributes": []},
            {"callback": "text", "data": "V\u{e9}nus"},
            {"callback": "end", "name": "planet"},
            {"callback": "end", "name": "list"},
        ]);
        assert_eq!(two, Ok(json!({"status": 1, "events": events})));
        assert_eq!(run("XML_ParserFree", json!({"parser": parser})), Ok(json!({"events": []})));
    });
}

#[test]
#[cfg_attr(no_expat, ignore = "needs libexpat1-dev")]
fn json_callers_get_the_text_of_expat_and_the_events_before_it() {
    with_parser(|run, parser| {
        let error = run("XML_Parse", json!({"parser": parser, "s": "<a>\n</b>", "isFinal": true}));
        let error = error.expect_err("not well-formed");
        assert_eq!(error.to_string(), "the call failed with code 7: mismatched tag");
        let ToolError::CallFailed { details: Some(details), .. } = error else { panic!("{error}") };
        let events = json!([
            {"callback": "start", "name": "a", "attributes": []},
            {"callback": "text", "data": "\n"},
        ]);
        assert_eq!(details.outputs["events"], events);
        let line = run("XML_GetCurrentLineNumber", json!({"parser": parser})).expect("a line");
        assert_eq!(line, json!({"line": 2, "events": []}));
    });
}
