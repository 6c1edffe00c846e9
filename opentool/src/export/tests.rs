//! What every format writes for a function, and what it refuses.

use serde_json::{Value, json};

use super::*;

fn document(functions: &Value, schemas: &Value) -> OpenTool {
    let text = json!({
        "opentool": "1.0.0", "info": {"title": "t", "version": "1"}, "functions": functions, "schemas": schemas,
    });
    OpenTool::parse(&text.to_string()).expect("a valid document")
}

/// A document with one function, which takes these parameters and returns nothing.
fn taking(parameters: &Value) -> OpenTool {
    document(&json!([{"name": "f", "description": "d", "parameters": parameters}]), &json!({}))
}

fn parameter(name: &str, schema: &Value, required: bool) -> Value {
    json!({"name": name, "schema": schema, "required": required})
}

fn returning(name: &str, schema: &Value) -> Map<String, Value> {
    let returns = json!({"name": name, "description": "What.", "schema": schema});
    let functions = json!([{"name": "f", "description": "d", "parameters": [], "return": returns}]);
    let document =
        document(&functions, &json!({"P": {"type": "object", "properties": {"x": {"type": "number"}}}}));
    Signature::all(&document).expect("a signature").remove(0).output
}

/// The refusals as `function rule pointer`.
fn refused(export: Result<Value, ExportError>) -> Vec<String> {
    let refusals = export.expect_err("refused").refusals;
    refusals.iter().map(|it| format!("{} {} {}", it.function, it.rule, it.pointer)).collect()
}

/// The arguments of `f` in the strict form.
fn strict(parameters: &Value) -> Value {
    let tools = openai_responses(&taking(parameters), true).expect("expressible");
    assert_eq!(lint_strict(&tools), []);
    tools[0]["parameters"].clone()
}

#[test]
fn references_are_followed_and_descriptions_joined() {
    let functions = json!([{"name": "get_it-now", "description": "d", "parameters": [
        {"name": "p", "description": "Where", "schema": {"$ref": "#/schemas/P"}, "required": true},
        {"name": "q", "schema": {"$ref": "#/schemas/Q", "description": "Whither."}, "required": false},
    ]}]);
    let schemas = json!({
        "P": {"type": "object", "description": "A point.", "properties": {"x": {"type": "number"}}, "required": ["x"]},
        "Q": {"$ref": "#/schemas/P"},
    });
    let signature = Signature::all(&document(&functions, &schemas)).expect("a signature").remove(0);
    assert_eq!(signature.title, "Get it now");
    assert_eq!(
        Value::Object(signature.input).to_string(),
        r#"{"type":"object","properties":{"p":{"type":"object","description":"Where. A point.","properties":{"x":{"type":"number"}},"required":["x"],"additionalProperties":false},"q":{"type":"object","description":"Whither.","properties":{"x":{"type":"number"}},"required":["x"],"additionalProperties":false}},"required":["p"],"additionalProperties":false}"#
    );
    assert_eq!(Value::Object(signature.output).to_string(), r#"{"type":"object","properties":{}}"#);
}

#[test]
fn the_reply_is_an_object_with_its_keys() {
    assert_eq!(
        Value::Object(returning("sum", &json!({"type": "integer"}))),
        json!({"type": "object", "properties": {"sum": {"type": "integer", "description": "What."}}, "required": ["sum"]})
    );
    assert_eq!(returning("point", &json!({"$ref": "#/schemas/P"}))["required"], json!(["point"]));
}

#[test]
fn only_x_spread_makes_several_results() {
    let results = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    // A single result that happens to have this name.
    assert_eq!(returning("results", &results)["required"], json!(["results"]));
    for name in ["results", "r"] {
        let returns = json!({"name": name, "schema": results, "x-spread": true});
        let functions = json!([{"name": "f", "description": "d", "parameters": [], "return": returns}]);
        let output = Signature::all(&document(&functions, &json!({}))).expect("a signature").remove(0).output;
        assert_eq!(Value::Object(output), results, "{name}");
    }
}

#[test]
fn a_result_may_be_null_or_a_decimal_string() {
    let returned = |schema: Value| returning("r", &schema)["properties"]["r"]["type"].clone();
    assert_eq!(returned(json!({"type": "integer", "format": "int64"})), json!(["integer", "string"]));
    assert_eq!(
        returned(json!({"type": "integer", "format": "uint64", "x-nullable": true})),
        json!(["integer", "string", "null"])
    );
    assert_eq!(returned(json!({"type": "string", "x-nullable": true})), json!(["string", "null"]));
    let given = taking(&json!([parameter("a", &json!({"type": "integer", "format": "int64"}), true)]));
    assert_eq!(json_schema(&given).expect("exported")[0]["input"]["properties"]["a"]["type"], "integer");
}

#[test]
fn clients_are_shown_only_formats_that_they_know() {
    let shown = |schema: Value| returning("r", &schema)["properties"]["r"].clone();
    for (limits, minimum) in [(json!({}), 0), (json!({"minimum": 5}), 5)] {
        let mut schema = json!({"type": "integer", "format": "uint64"});
        schema.as_object_mut().expect("an object").extend(limits.as_object().expect("an object").clone());
        let shown = shown(schema);
        assert_eq!((&shown["format"], &shown["minimum"]), (&Value::Null, &json!(minimum)), "{shown}");
        assert_eq!(shown["type"], json!(["integer", "string"]));
    }
    assert_eq!(shown(json!({"type": "integer", "format": "int64"}))["format"], "int64");
}

#[test]
fn in_strict_everything_is_required_and_the_optional_nullable() {
    let record = json!({"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x"]});
    let parameters = json!([
        parameter("a", &json!({"type": "integer", "format": "int64"}), true),
        parameter("b", &json!({"type": "string", "description": "B."}), false),
        parameter("c", &json!({"type": "string", "enum": ["x", "y"], "description": "C."}), true),
        parameter("d", &json!({"type": "integer", "enum": [1, 2], "description": "D."}), false),
        parameter("e", &json!({"type": "array", "items": record}), false),
        parameter("f", &record, false),
    ]);
    let point = |kind: Value| {
        json!({"type": kind, "properties": {"x": {"type": "number"}, "y": {"type": ["number", "null"]}},
               "required": ["x", "y"], "additionalProperties": false})
    };
    let expected = json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": ["string", "null"], "description": "B."},
            "c": {"type": "string", "enum": ["x", "y"], "description": "C."},
            "d": {"description": "D.", "anyOf": [{"type": "integer", "enum": [1, 2]}, {"type": "null"}]},
            "e": {"type": ["array", "null"], "items": point(json!("object"))},
            "f": point(json!(["object", "null"])),
        },
        "required": ["a", "b", "c", "d", "e", "f"],
        "additionalProperties": false,
    });
    assert_eq!(strict(&parameters).to_string(), expected.to_string());
    assert_eq!(
        strict(&json!([])),
        json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false})
    );
}

#[test]
fn an_object_of_one_of_several_shapes_is_any_of_them() {
    let one = |key: &str, kind: &str| json!({"type": "object", "properties": {key: {"type": kind}}, "required": [key]});
    let schema =
        json!({"type": "object", "anyOf": [one("i", "integer"), one("s", "string")], "x-nullable": true});
    let document = taking(&json!([parameter("value", &schema, true)]));
    let closed = |mut shape: Value| {
        shape["additionalProperties"] = json!(false);
        shape
    };
    let any_of = json!([closed(one("i", "integer")), closed(one("s", "string")), {"type": "null"}]);
    let tools = openai_responses(&document, true).expect("strict mode has `anyOf` in properties");
    assert_eq!(tools[0]["parameters"]["properties"]["value"]["anyOf"], any_of);
    assert_eq!(lint_strict(&tools), []);
    let tools = mcp_tools(&document).expect("JSON Schema has `anyOf`");
    assert_eq!(tools[0]["inputSchema"]["properties"]["value"]["anyOf"], any_of);
    let tools = gemini(&document).expect("Gemini has `anyOf`");
    let value = &tools[0]["functionDeclarations"][0]["parameters"]["properties"]["value"];
    let of_integer = json!({"type": "OBJECT", "properties": {"i": {"type": "INTEGER"}}, "required": ["i"], "nullable": true});
    assert_eq!((value["anyOf"].as_array().map(Vec::len), &value["anyOf"][0]), (Some(2), &of_integer));
}

#[test]
fn strict_refuses_by_function_rule_and_place() {
    let free = json!({"type": "array", "items": {"type": "object"}});
    let functions = json!([
        {"name": "good", "description": "d", "parameters": []},
        {"name": "bad", "description": "d", "parameters": [parameter("a/b", &free, false), parameter("c", &json!({"type": "array"}), true)]},
    ]);
    let document = document(&functions, &json!({}));
    let expected = ["bad free-form-object /properties/a~1b/items", "bad array-items /properties/c"];
    assert_eq!(refused(openai_responses(&document, true)), expected);
    assert_eq!(refused(openai_chat(&document, true)), expected);
    assert!(openai_responses(&document, false).is_ok());
    let error = openai_chat(&document, true).expect_err("refused").to_string();
    assert!(error.starts_with("function `bad`, /properties/a~1b/items: an object must have"), "{error}");
    assert_eq!(refused(gemini(&document)), expected);
}

#[test]
fn each_format_allows_its_own_names() {
    let named = |name: &str, key: &str| {
        let mut document = taking(&json!([parameter(key, &json!({"type": "string"}), true)]));
        document.functions[0].name = name.to_owned();
        document
    };
    let long = "n".repeat(65);
    type Export = fn(&OpenTool) -> Result<Value, ExportError>;
    let exports: [(&str, Export); 5] = [
        ("openai", |document| openai_chat(document, true)),
        ("anthropic", anthropic),
        ("gemini", gemini),
        ("mcp", mcp_tools),
        ("json schema", json_schema),
    ];
    // The name, a key, and the formats that allow them.
    let cases = [
        ("a-b_9", "k", "openai anthropic gemini mcp json schema"),
        ("9a", "k", "openai anthropic mcp json schema"),
        ("a.b", "k", "gemini mcp json schema"),
        ("a:b", "k", "gemini json schema"),
        ("é", "k", "json schema"),
        ("", "k", "json schema"),
        (&long, "k", "mcp json schema"),
        ("a", "k k", "openai gemini mcp json schema"),
    ];
    for (name, key, expected) in cases {
        let document = named(name, key);
        let taken = exports.iter().filter(|(_, export)| export(&document).is_ok());
        assert_eq!(
            taken.map(|(whose, _)| *whose).collect::<Vec<_>>().join(" "),
            expected,
            "{name:?} {key:?}"
        );
    }
    assert_eq!(refused(anthropic(&named("a", "k k"))), ["a property-name /properties/k k"]);
    let mut twice = taking(&json!([]));
    twice.functions.push(twice.functions[0].clone());
    assert_eq!(refused(json_schema(&twice)), ["f duplicate-name "]);
}

#[test]
fn unresolved_cyclic_and_exploding_references_are_refused() {
    let reference =
        |name: &str| serde_json::from_value(json!({"$ref": format!("#/schemas/{name}")})).expect("a schema");
    let with = |schemas: Value| {
        let mut document = taking(&json!([parameter("a", &json!({"type": "string"}), true)]));
        document.functions[0].parameters[0].schema = reference("A");
        document.schemas = serde_json::from_value(schemas).expect("schemas");
        refused(mcp_tools(&document))
    };
    assert_eq!(with(json!({})), ["f unresolved-reference /properties/a"]);
    let circle = json!({"A": {"type": "array", "items": {"$ref": "#/schemas/A"}}});
    assert_eq!(with(circle), ["f cyclic-reference /properties/a/items"]);
    let twice =
        |name: &str| json!({"type": "object", "properties": {"l": {"$ref": name}, "r": {"$ref": name}}});
    let mut bomb: Map<String, Value> =
        (0..40).map(|level| (format!("S{level}"), twice(&format!("#/schemas/S{}", level + 1)))).collect();
    bomb.insert("S40".to_owned(), json!({"type": "string"}));
    bomb.insert("A".to_owned(), json!({"$ref": "#/schemas/S0"}));
    assert!(with(Value::Object(bomb))[0].starts_with("f too-large "));
    let mut chain: Map<String, Value> = (0..5000)
        .map(|level| (format!("S{level}"), json!({"$ref": format!("#/schemas/S{}", level + 1)})))
        .collect();
    chain.insert("A".to_owned(), json!({"$ref": "#/schemas/S0"}));
    assert!(with(Value::Object(chain))[0].starts_with("f too-large "));
}

#[test]
fn gemini_has_uppercase_types_and_enums_only_for_strings() {
    let parameters = json!([
        parameter(
            "a",
            &json!({"type": "integer", "format": "int64", "description": "A", "enum": [1, 2]}),
            true
        ),
        parameter("b", &json!({"type": "string", "enum": ["x"], "x-nullable": true}), false),
        parameter("c", &json!({"type": "array", "items": {"type": "boolean"}}), false),
    ]);
    let tools = gemini(&taking(&parameters)).expect("exported");
    assert_eq!(
        tools,
        json!([{"functionDeclarations": [{"name": "f", "description": "d", "parameters": {
            "type": "OBJECT",
            "properties": {
                "a": {"type": "INTEGER", "description": "A. One of 1, 2.", "format": "int64"},
                "b": {"type": "STRING", "format": "enum", "enum": ["x"], "nullable": true},
                "c": {"type": "ARRAY", "items": {"type": "BOOLEAN"}},
            },
            "required": ["a"],
        }}]}])
    );
    let none = gemini(&taking(&json!([]))).expect("exported");
    assert_eq!(none[0]["functionDeclarations"][0], json!({"name": "f", "description": "d"}));
}

#[test]
fn mcp_has_the_hints_that_the_document_gives() {
    let mut document = taking(&json!([]));
    assert_eq!(mcp_tools(&document).expect("exported")[0].get("annotations"), None);
    document.functions[0].annotations =
        Some(Annotations { read_only: Some(true), destructive: Some(false), idempotent: None });
    let tools = mcp_tools(&document).expect("exported");
    assert_eq!(tools[0]["annotations"], json!({"readOnlyHint": true, "destructiveHint": false}));
}

#[test]
fn every_strict_rule_is_found_where_it_is_broken() {
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let one = |schema: Value| object(json!({"a": schema}), json!(["a"]));
    let mut nested = json!({"type": "string"});
    for _ in 0..10 {
        nested = json!({"type": "array", "items": nested});
    }
    let many: Map<String, Value> =
        (0..5001).map(|key| (key.to_string(), json!({"type": "string"}))).collect();
    let keys: Vec<&String> = many.keys().collect();
    let values: Vec<u32> = (0..1001).collect();
    let long: Vec<String> = (0..251).map(|value| format!("{value:0>60}")).collect();
    let cases = [
        (json!({"type": "array", "items": {"type": "string"}}), "root-object "),
        (
            json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false, "anyOf": []}),
            "root-object ",
        ),
        (json!({"type": "object", "properties": {}, "required": []}), "additional-properties "),
        (json!({"type": "object", "additionalProperties": false}), "free-form-object "),
        (object(json!({"a": {"type": "string"}}), json!([])), "required-properties "),
        (object(json!({}), json!(["a"])), "required-properties "),
        (one(json!({})), "missing-type /properties/a"),
        (one(json!(true)), "missing-type /properties/a"),
        (one(json!({"type": "array"})), "array-items /properties/a"),
        (one(json!({"type": ["object", "null"]})), "free-form-object /properties/a"),
        (one(json!({"type": "string", "default": ""})), "unsupported-keyword /properties/a"),
        (one(json!({"type": "string", "minLength": 1})), "unsupported-keyword /properties/a"),
        (one(json!({"type": "string", "oneOf": []})), "unsupported-keyword /properties/a"),
        (
            one(json!({"anyOf": [{"type": "null"}, {"type": "string", "allOf": []}]})),
            "unsupported-keyword /properties/a/anyOf/1",
        ),
        (one(json!({"type": ["string", "null"], "enum": ["x", null]})), "nullable-enum /properties/a"),
        (one(nested), "depth /properties/a/items/items/items/items/items/items/items/items/items"),
        (object(Value::Object(many.clone()), json!(keys)), "property-count "),
        (one(json!({"type": "integer", "enum": values})), "enum-count "),
        (one(json!({"type": "string", "enum": long})), "text-length /properties/a"),
        (one(json!({"type": "string", "enum": ["x".repeat(120_000)]})), "text-length "),
        (one(json!({"type": ["string", "null"], "pattern": "^a"})), ""),
    ];
    for (schema, expected) in cases {
        let found: Vec<String> =
            strict::lint_schema(&schema).iter().map(|it| format!("{} {}", it.rule, it.pointer)).collect();
        let expected: Vec<&str> = Some(expected).filter(|it| !it.is_empty()).into_iter().collect();
        assert_eq!(found, expected, "{schema}");
    }
}

#[test]
fn tools_of_either_shape_are_linted() {
    let found = |tools: Value| -> Vec<String> {
        lint_strict(&tools).iter().map(|it| format!("{} {}", it.rule, it.pointer)).collect()
    };
    assert_eq!(found(json!({})), ["tool-shape "]);
    assert_eq!(found(json!([7])), ["tool-shape /0", "tool-shape /0", "strict-flag /0", "tool-shape /0"]);
    let open = json!({"type": "object", "properties": {}, "required": []});
    assert_eq!(
        found(json!([
            {"type": "function", "name": "a b", "strict": false, "parameters": open},
            {"type": "function", "function": {"name": "c", "strict": true, "parameters": open}},
            {"type": "function", "name": "c", "strict": true, "parameters": strict(&json!([]))},
        ])),
        [
            "name /0/name",
            "strict-flag /0",
            "additional-properties /0/parameters",
            "additional-properties /1/function/parameters",
            "duplicate-name /2/name",
        ]
    );
}
