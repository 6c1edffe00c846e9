//! For each rule, a document that breaks it and the finding that is reported.

use super::{OpenTool, Rule, Severity};

/// A document with these functions, which begin in line 3, and schemas, which begin in line 4.
fn document(functions: &str, schemas: &str) -> String {
    format!(
        "{{\"opentool\": \"1.0.0\",\n\"info\": {{\"title\": \"t\", \"version\": \"1\"}}, \"functions\": [\n{functions}], \"schemas\": {{\n{schemas}}}}}"
    )
}

fn function(name: &str, parameters: &str) -> String {
    format!(r#"{{"name": "{name}", "description": "d", "parameters": [{parameters}]}}"#)
}

/// A document with one parameter, whose schema begins in line 4, column 1.
fn schema(schema: &str) -> String {
    let parameter = format!("{{\"name\": \"a\", \"required\": true, \"schema\":\n{schema}}}");
    document(&function("f", &parameter), "")
}

/// The findings, as `line:column rule message / help`.
fn found(text: &str) -> Vec<String> {
    let findings = match OpenTool::parse_with_warnings(text) {
        Ok((_, warnings)) => warnings,
        Err(invalid) => invalid.findings,
    };
    findings.iter().map(|it| format!("{} {:?} {} / {}", it.place(), it.rule, it.message, it.help)).collect()
}

#[test]
fn every_rule_is_found_where_it_is_broken() {
    let long = "n".repeat(65);
    let cases: &[(String, &[&str])] = &[
        (
            "{\n  \"é\": ,\n}".to_owned(),
            &[
                "2:8 Json the document is not JSON: expected value / correct the JSON here; the rest of the document is checked after that",
            ],
        ),
        (
            "[".repeat(70) + &"]".repeat(70),
            &["1:66 Json nested deeper than 64 levels / an OpenTool document does not need this depth"],
        ),
        ("[]".to_owned(), &["1:1 WrongType the document is an array, not an object / write an object here"]),
        (
            "{}".to_owned(),
            &[
                "1:1 MissingField the document has no `functions` / add \"functions\" to this object",
                "1:1 MissingField the document has no `info` / add \"info\" to this object",
                "1:1 MissingField the document has no `opentool` / add \"opentool\" to this object",
            ],
        ),
        (
            r#"{"opentool":"3.0.0","info":{"title":1,"version":null},"server":{},"functions":{}}"#.to_owned(),
            &[
                "1:13 Version version \"3.0.0\" of OpenTool is not supported; 1 and 2 are / write \"opentool\": \"1.0.0\"",
                "1:37 WrongType `title` of `info` is a number, not a string / write a string here",
                "1:49 MissingField `version` of `info` is null / give it a value",
                "1:64 MissingField `server` has no `url` / add \"url\" to this object",
                "1:79 WrongType `functions` is an object, not an array / write an array here",
            ],
        ),
        (
            r#"{"opentool":"1.0.0","opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[]}"#
                .to_owned(),
            &[
                "1:21 DuplicateKey the key \"opentool\" occurs twice in this object / remove one of them; JSON readers differ in which one they keep; the first is in line 1",
            ],
        ),
        (
            document(&function("a b", ""), ""),
            &["3:10 Name \"a b\" is not a valid name for a function / use 1 to 64 of a-z, A-Z, 0-9, - and _"],
        ),
        (
            document(&function(&long, ""), ""),
            &[&format!(
                "3:10 Name {long:?} is not a valid name for a function / use 1 to 64 of a-z, A-Z, 0-9, - and _"
            )],
        ),
        (
            document(&format!("{},\n{}", function("a", ""), function("a", "")), ""),
            &["4:10 DuplicateFunction two functions are called `a` / give one of them another name"],
        ),
        (
            document(
                &function(
                    "é",
                    "\n{\"name\": \"é\", \"schema\": {\"type\": \"string\"}, \"required\": true}, {\"name\": \"é\", \"schema\": {\"type\": \"string\"}, \"required\": \"yes\"}",
                ),
                "",
            ),
            &[
                "3:10 Name \"é\" is not a valid name for a function / use 1 to 64 of a-z, A-Z, 0-9, - and _",
                "4:73 DuplicateParameter two parameters of function `é` are called `é` / give one of them another name",
                "4:120 WrongType `required` of parameter `é` is a string, not true or false / write true or false here",
            ],
        ),
        (
            document(&function("f", "{\"name\": \"\"}"), ""),
            &[
                "3:50 MissingField parameter `` has no `schema` / add \"schema\" to this object",
                "3:50 MissingRequired parameter `` has no `required`; true is assumed / add \"required\": true",
                "3:59 Name the name of a parameter is empty / give it a name",
            ],
        ),
        (
            document(
                r#"{"name": "f", "description": "d", "parameters": [], "return": {"schema": {}}, "stream": {"e": 1}, "x-annotations": {"readOnly": 1}}"#,
                "",
            ),
            &[
                "3:63 MissingField the return value of function `f` has no `name` / add \"name\" to this object",
                "3:74 MissingField the schema of the return value of function `f` has no `type` / add \"type\" to this object",
                "3:95 WrongType event `e` of function `f` is a number, not an object / write an object here",
                "3:129 WrongType `readOnly` of `x-annotations` is a number, not true or false / write true or false here",
            ],
        ),
        (
            document(
                r##"{"name": "f", "description": "d", "parameters": [], "return": {"name": "r", "schema": {"$ref": "#/schemas/S"}, "x-spread": true}}"##,
                r#""S": {"type": "string", "x-handle": 1}"#,
            ),
            &[
                "3:124 Spread `x-spread` of result `r`, which is not an object / make the schema an object whose `properties` are the values of the reply, or remove `x-spread`",
                "4:37 WrongType `x-handle` of schema `S` is a number, not a string / write a string here",
            ],
        ),
        (
            schema(r#"{"type": "double"}"#),
            &[
                "4:10 UnknownType there is no type \"double\" / did you mean \"number\"? the types are boolean, integer, number, string, array, object",
            ],
        ),
        (
            schema(r#"{"type": "strng"}"#),
            &[
                "4:10 UnknownType there is no type \"strng\" / did you mean \"string\"? the types are boolean, integer, number, string, array, object",
            ],
        ),
        (
            schema(r#"{"type": "object"}"#),
            &[
                "4:1 MissingProperties the schema of parameter `a` is an object without `properties` / describe its members; {} means that it has none",
            ],
        ),
        (
            schema(r#"{"type": "array"}"#),
            &[
                "4:1 MissingItems the schema of parameter `a` is an array without `items` / describe its elements, for example {\"type\": \"string\"}",
            ],
        ),
        (
            schema(r#"{"type": "integer", "enum": [1, 1.0, 1.5, "1", true, null]}"#),
            &[
                "4:38 EnumValue `enum` of the schema of parameter `a` has a number among values of type integer / write a value of this type, or change the type",
                "4:43 EnumValue `enum` of the schema of parameter `a` has a string among values of type integer / write a value of this type, or change the type",
                "4:48 EnumValue `enum` of the schema of parameter `a` has a boolean among values of type integer / write a value of this type, or change the type",
                "4:54 EnumValue `enum` of the schema of parameter `a` has null among values of type integer / write a value of this type, or change the type",
            ],
        ),
        (
            schema(r#"{"type": "string", "enum": []}"#),
            &[
                "4:28 EnumValue `enum` of the schema of parameter `a` is empty / list the allowed values, or remove it",
            ],
        ),
        (
            schema(
                r#"{"type": "object", "properties": {"left": {"type": "string"}, "left": {"type": "string"}}, "required": ["lef", 1]}"#,
            ),
            &[
                "4:63 DuplicateKey the key \"left\" occurs twice in this object / remove one of them; JSON readers differ in which one they keep; the first is in line 4",
                "4:105 UnknownProperty the schema of parameter `a` requires `lef`, which is not one of its properties / did you mean `left`?",
                "4:112 WrongType an element of `required` of the schema of parameter `a` is a number, not a string / write a string here",
            ],
        ),
        (
            document(
                &function(
                    "f",
                    "\n{\"name\": \"a\", \"required\": true, \"schema\": {\"$ref\": \"#/schemas/Pint\"}}, {\"name\": \"b\", \"required\": true, \"schema\": {\"$ref\": \"Point\"}}",
                ),
                "\"Point\": {\"type\": \"array\", \"items\": {\"type\": \"number\"}}",
            ),
            &[
                "4:52 UnresolvedReference the document has no schema `Pint` / did you mean `Point`?",
                "4:123 UnresolvedReference \"Point\" is not a reference to a schema of this document / write \"#/schemas/\" followed by the name of the schema",
            ],
        ),
        (
            document(
                "",
                "\"A\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/schemas/B\"}},\n\"B\": {\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#/schemas/A\"}, \"c\": {\"$ref\": \"#/schemas/C\"}}},\n\"C\": {\"$ref\": \"#/schemas/C\"}",
            ),
            &[
                "5:54 CyclicReference schema `B` contains itself through this reference / describe the value without the reference, to the depth that calls need",
                "6:15 CyclicReference schema `C` contains itself through this reference / describe the value without the reference, to the depth that calls need",
            ],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(found(text), *expected, "{text}");
    }
}

#[test]
fn warnings_do_not_stop_the_reader() {
    let text = document(&function("f", r#"{"name": "a", "schema": {"type": "object"}}"#), "");
    let (document, warnings) = OpenTool::parse_with_warnings(&text).expect("it can be used");
    assert_eq!(document.functions[0].parameters[0].name, "a");
    assert_eq!(
        warnings.iter().map(|it| it.rule).collect::<Vec<_>>(),
        [Rule::MissingRequired, Rule::MissingProperties]
    );
    assert!(warnings.iter().all(|it| it.severity() == Severity::Warning));
}

#[test]
fn an_error_shows_place_message_and_help() {
    let error = OpenTool::parse(&document(&function("a b", ""), "")).expect_err("no name");
    assert_eq!(
        error.to_string(),
        "3:10: error: \"a b\" is not a valid name for a function\n  help: use 1 to 64 of a-z, A-Z, 0-9, - and _"
    );
}

#[test]
fn a_long_chain_of_references_is_not_a_cycle() {
    let last = 5_000;
    let chain: Vec<String> = (0..last)
        .map(|index| format!("\"S{index}\": {{\"$ref\": \"#/schemas/S{}\"}}", index + 1))
        .chain([format!("\"S{last}\": {{\"type\": \"string\"}}")])
        .collect();
    assert_eq!(found(&document("", &chain.join(",\n"))), Vec::<String>::new());
}
