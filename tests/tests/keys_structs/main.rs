//! Structs: by pointer and by value, in, out and both, nested, in arrays, and one that only C
//! accesses.
//!
//! Every function is called typed and through JSON. Members of every kind, faults in them, and
//! states have a file each.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod faults;
mod members;
mod states;

use opendyn::CallError;
use opendyn_tests::{Twin, answer, assert_all_tested, assert_answers, assert_refused, described, packed};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-structs/tool.json");
opendyn_tests::twin!(KeysStructs = "fixtures/keys-structs/tool.json");

fn structs() -> Twin<KeysStructs> {
    // SAFETY: the document describes keys_structs.c correctly.
    unsafe { Twin::open("keys_structs", &[]) }.expect("every function is there")
}

fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

fn point_json(x: f64, y: f64) -> Value {
    json!({"x": x, "y": y})
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&structs(), &[
        // here
        "point_length", "point_length_or", "point_make", "point_scale", "point_move", "point_length_value",
        "point_add", "pair_swap", "rect_of", "rect_area_value", "rect_area", "rect_grow", "unit_point",
        "maybe_point", "sure_point", "point_out", "points_sum", "points_line", "points_some", "points_scale",
        "points_all", "points_out",
        // members
        "mixed_make", "mixed_check", "mixed_change", "mixed_check_value", "named_make", "named_latin", "named_check",
        "named_change", "named_check_value", "settings_digest",
        // states
        "state_init", "state_update", "state_count", "state_copy", "state_final",
    ]);
}

#[test]
fn a_struct_goes_by_pointer_in_every_direction() {
    let structs = structs();
    assert_eq!(structs.point_length(&point(3.0, 4.0)), 25.0);
    assert_eq!(structs.point_make(1.0, -2.0), point(1.0, -2.0));
    let mut scaled = point(1.0, 2.0);
    structs.point_scale(&mut scaled, 3.0);
    assert_eq!(scaled, point(3.0, 6.0));
    assert_eq!(structs.point_move(&mut scaled, &point(-1.0, 1.0)), Ok(()));
    assert_eq!(scaled, point(2.0, 7.0));
    assert_answers(
        &structs,
        [
            ("point_length", json!({"point": {"x": 3, "y": 4}}), json!({"length": 25.0})),
            ("point_make", json!({"x": 1, "y": -2}), json!({"point": point_json(1.0, -2.0)})),
            (
                "point_scale",
                json!({"point": {"y": 2, "x": 1}, "by": 3}),
                json!({"point": point_json(3.0, 6.0)}),
            ),
            (
                "point_move",
                json!({"point": {"x": 3, "y": 6}, "by": {"x": -1, "y": 1}}),
                json!({"point": point_json(2.0, 7.0)}),
            ),
        ],
    );
}

#[test]
fn an_error_code_with_a_struct_is_an_error() {
    let structs = structs();
    let mut moved = point(1.0, 1.0);
    let error = structs.point_move(&mut moved, &point(-2.0, 0.0)).expect_err("below 0");
    assert_eq!((error.code(), error.text()), (1, Some("not a state, or not a place")));
    assert_eq!(moved, point(-1.0, 1.0), "as C left it");
    let reply = structs.call_json("point_move", r#"{"point":{"x":1,"y":1},"by":{"x":-2,"y":0}}"#);
    let error = reply.expect_err("below 0");
    assert_eq!(error.code(), 500);
    assert_eq!(error.to_string(), "the call failed with code 1: not a state, or not a place");
}

#[test]
fn an_absent_struct_is_null() {
    let structs = structs();
    assert_eq!(structs.point_length_or(Some(&point(3.0, 4.0)), -1.0), 25.0);
    assert_eq!(structs.point_length_or(None, -1.0), -1.0);
    assert_answers(
        &structs,
        [
            ("point_length_or", json!({"point": {"x": 3, "y": 4}, "otherwise": -1}), json!({"length": 25.0})),
            ("point_length_or", json!({"otherwise": -1}), json!({"length": -1.0})),
            ("point_length_or", json!({"point": null, "otherwise": -1}), json!({"length": -1.0})),
        ],
    );
}

#[test]
fn a_struct_goes_by_value_through_registers_and_memory() {
    let structs = structs();
    assert_eq!(structs.point_length_value(point(3.0, 4.0)), 25.0);
    assert_eq!(structs.point_add(point(1.0, 2.0), point(3.0, 5.0)), point(4.0, 7.0));
    let swapped = structs.pair_swap(PairSwapPair { a: 1, b: -2 });
    assert_eq!(swapped, PairSwapSwapped { a: -2, b: 1 });
    let rect = structs.rect_of(point(0.0, 0.0), point(2.0, 3.0));
    assert_eq!(rect, Rect { min: point(0.0, 0.0), max: point(2.0, 3.0) });
    assert_eq!(structs.rect_area_value(rect), 6.0);
    let rect = json!({"min": point_json(0.0, 0.0), "max": point_json(2.0, 3.0)});
    assert_answers(
        &structs,
        [
            ("point_length_value", json!({"point": {"x": 3, "y": 4}}), json!({"length": 25.0})),
            (
                "point_add",
                json!({"a": {"x": 1, "y": 2}, "b": {"x": 3, "y": 5}}),
                json!({"sum": point_json(4.0, 7.0)}),
            ),
            ("pair_swap", json!({"pair": {"a": 1, "b": -2}}), json!({"swapped": {"a": -2, "b": 1}})),
            ("rect_of", json!({"min": {"x": 0, "y": 0}, "max": {"x": 2, "y": 3}}), json!({"rect": rect})),
            ("rect_area_value", json!({"rect": rect}), json!({"area": 6.0})),
        ],
    );
}

#[test]
fn structs_in_a_struct_are_objects_in_an_object() {
    let structs = structs();
    let mut rect = Rect { min: point(0.0, 0.0), max: point(2.0, 3.0) };
    assert_eq!(structs.rect_area(&rect), 6.0);
    structs.rect_grow(&mut rect, 1.0);
    assert_eq!(rect, Rect { min: point(-1.0, -1.0), max: point(3.0, 4.0) });
    let small = json!({"min": {"x": 0, "y": 0}, "max": {"x": 2, "y": 3}});
    let grown = json!({"min": point_json(-1.0, -1.0), "max": point_json(3.0, 4.0)});
    assert_answers(
        &structs,
        [
            ("rect_area", json!({"rect": small}), json!({"area": 6.0})),
            ("rect_grow", json!({"rect": small, "by": 1}), json!({"rect": grown})),
        ],
    );
}

#[test]
fn a_pointer_to_a_struct_is_followed_and_null_is_as_the_document_says() {
    let structs = structs();
    assert_eq!(structs.unit_point(), Ok(point(1.0, 1.0)));
    assert_eq!(structs.sure_point(true), Ok(point(1.0, 1.0)));
    assert_eq!(structs.sure_point(false), Err(CallError::Null { value: "point" }));
    assert_eq!((structs.maybe_point(true), structs.maybe_point(false)), (Some(point(1.0, 1.0)), None));
    assert_eq!((structs.point_out(true), structs.point_out(false)), (Some(point(1.0, 1.0)), None));
    let unit = json!({"point": point_json(1.0, 1.0)});
    assert_answers(&structs, [("unit_point", json!({}), unit.clone())]);
    for function in ["maybe_point", "sure_point", "point_out"] {
        assert_answers(&structs, [(function, json!({"there": true}), unit.clone())]);
    }
    for function in ["maybe_point", "point_out"] {
        assert_answers(&structs, [(function, json!({"there": false}), json!({"point": null}))]);
    }
    let error = answer(&structs, "sure_point", &json!({"there": false}));
    assert_eq!(error, Err("the call failed: `point` is a NULL pointer".to_owned()));
}

#[test]
fn arrays_of_structs_go_every_way() {
    let structs = structs();
    let mut points = [point(1.0, 2.0), point(3.0, 4.0)];
    assert_eq!((structs.points_sum(&points), structs.points_sum(&[])), (10.0, 0.0));
    structs.points_scale(&mut points, 2.0);
    assert_eq!(points, [point(2.0, 4.0), point(6.0, 8.0)]);
    assert_eq!(structs.points_line(2), Ok(vec![point(0.0, 0.0), point(1.0, -1.0)]));
    assert_eq!(structs.points_some(5), Ok(vec![point(0.0, 0.0), point(1.0, -1.0)]));
    assert_eq!(structs.points_line(-1), Err(CallError::Capacity { value: "points", capacity: -1 }));
    let corners = vec![point(0.0, 0.0), point(1.0, 0.0), point(1.0, 1.0)];
    assert_eq!(structs.points_out(), Ok(corners[..2].to_vec()));
    assert_eq!(structs.points_all(), Ok(corners));

    let given = json!([{"x": 1, "y": 2}, {"x": 3, "y": 4}]);
    let scaled = json!([point_json(2.0, 4.0), point_json(6.0, 8.0)]);
    let line = json!([point_json(0.0, 0.0), point_json(1.0, -1.0)]);
    let corners = json!([point_json(0.0, 0.0), point_json(1.0, 0.0), point_json(1.0, 1.0)]);
    assert_answers(
        &structs,
        [
            ("points_sum", json!({"points": given}), json!({"sum": 10.0})),
            ("points_sum", json!({"points": []}), json!({"sum": 0.0})),
            ("points_scale", json!({"points": given, "by": 2}), json!({"points": scaled})),
            ("points_line", json!({"n": 2}), json!({"points": line})),
            ("points_some", json!({"n": 5}), json!({"points": line})),
            ("points_out", json!({}), json!({"points": [corners[0], corners[1]]})),
            ("points_all", json!({}), json!({"points": corners})),
        ],
    );
    let message = "/n: 4194305 does not fit int as a capacity (0 to 4194304)";
    assert_refused(&structs, [("points_line", json!({"n": 4_194_305}), message)]);
}

#[test]
fn other_formats_carry_structs_as_well() {
    let structs = structs();
    for (function, arguments, reply) in [
        ("point_length", json!({"point": {"x": 3, "y": 4}}), json!({"length": 25.0})),
        ("pair_swap", json!({"pair": {"a": 1, "b": -2}}), json!({"swapped": {"a": -2, "b": 1}})),
        (
            "points_scale",
            json!({"points": [{"x": 1, "y": 2}], "by": 2}),
            json!({"points": [{"x": 2.0, "y": 4.0}]}),
        ),
        ("settings_digest", json!({"settings": {"retries": 3}}), json!({"digest": 6513})),
        ("point_out", json!({"there": false}), json!({"point": null})),
    ] {
        assert_eq!(packed(&structs, function, &arguments), Ok(reply), "{function}");
    }
    for (function, arguments, error) in [
        ("rect_area", json!({"rect": {"min": {"x": 1, "z": 2}}}), "/rect/min/z: unknown member"),
        ("rect_area", json!({"rect": {"min": {"x": 1}}}), "/rect/min/y: missing"),
        ("points_sum", json!({"points": [{"x": 1, "y": true}]}), "/points/0/y: true is a boolean"),
    ] {
        let found = packed(&structs, function, &arguments).expect_err(function);
        assert!(found.starts_with(&format!("invalid arguments: {error}")), "{function}: {found}");
    }
}

#[test]
fn the_document_has_the_members_and_which_are_required() {
    let document = structs().load().expect("a binding describes itself");
    let point = json!({
        "type": "object",
        "properties": {
            "x": {"type": "number", "description": "To the right."},
            "y": {"type": "number", "description": "Up."},
        },
        "required": ["x", "y"],
    });
    let scale = described(&document, "point_scale");
    assert_eq!(scale["parameters"][0]["schema"], point);
    assert_eq!(scale["return"]["schema"], point, "what is changed comes back");
    assert_eq!(described(&document, "points_sum")["parameters"][0]["schema"]["items"], point);
    assert_eq!(described(&document, "points_sum")["parameters"].as_array().map(Vec::len), Some(1));
    let named = described(&document, "named_check")["parameters"][0]["schema"].clone();
    assert_eq!(named["properties"]["color"]["enum"], json!([1, 2, -4]));
    assert_eq!(named["properties"]["corners"]["items"], point);
    let required = json!(["value", "small", "flag", "bytes", "label", "counts", "corners", "big", "ratio"]);
    assert_eq!(named["required"], required);
    assert_eq!(described(&document, "state_init")["return"]["schema"]["type"], "string", "a token");
}

#[test]
fn the_document_has_the_defaults_of_members() {
    let document = structs().load().expect("a binding describes itself");
    let settings = described(&document, "settings_digest")["parameters"][0]["schema"].clone();
    assert_eq!(settings["required"], json!(["retries"]));
    let members = settings["properties"].clone();
    assert_eq!(members["level"]["description"], "Default: 6. From -2147483648 to 2147483647.");
    assert_eq!(members["ratio"]["description"], "Default: 0.5.");
    assert_eq!(members["fast"]["description"], "Default: true.");
    let retries = json!({"type": "integer", "description": "From -2147483648 to 2147483647."});
    assert_eq!(members["retries"], retries);
    let members = described(&document, "named_check")["parameters"][0]["schema"]["properties"].clone();
    assert_eq!(members["name"]["description"], "Default: \"a mixed one\".");
    assert_eq!(members["color"]["description"], "Some colors. Default: 2. 1 is Red, 2 is Green, -4 is Blue.");
}

#[test]
fn the_default_of_a_character_is_described_as_it_is_given() {
    let document = structs().load().expect("a binding describes itself");
    let members = described(&document, "named_check")["parameters"][0]["schema"]["properties"].clone();
    assert_eq!(members["tag"]["description"], "Default: \"m\".");
}
