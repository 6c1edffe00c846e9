//! Structs behind pointers, arrays of them, and structs that contain their own kind.

use opendyn::CallError;
use serde_json::{Value, json};

use super::{Dot, Ended, Person, Polygon, Reply, deep, error, reply};

fn triangle() -> Polygon {
    Polygon {
        dots: vec![Dot { x: 1, y: 2 }, Dot { x: 3, y: 4 }],
        color: Some(vec![1, 2, 3]),
        weights: vec![1.0, 0.5],
    }
}

#[test]
fn arrays_that_share_a_length_are_equally_long() {
    let deep = deep();
    assert_eq!(deep.polygon_sum(&triangle()), Ok(12.5));
    assert_eq!(deep.polygon_sum_value(triangle()), Ok(12.5));
    assert_eq!(deep.polygon_sum(&Polygon::default()), Ok(0.0));
    let uneven = Polygon { weights: vec![1.0], ..triangle() };
    assert!(matches!(deep.polygon_sum(&uneven), Err(CallError::Length { value: "weights", .. })));
    let short = Polygon { color: Some(vec![1]), ..triangle() };
    assert!(matches!(deep.polygon_sum(&short), Err(CallError::Length { value: "color", .. })));
    let long = Polygon { dots: vec![Dot::default(); 256], weights: vec![0.0; 256], color: None };
    assert!(matches!(deep.polygon_sum(&long), Err(CallError::Length { value: "dots", .. })));

    let dots = json!([{"x": 1, "y": 2}, {"x": 3, "y": 4}]);
    let given = json!({"dots": dots, "color": [1, 2, 3], "weights": [1, 0.5]});
    assert_eq!(reply(&deep, "polygon_sum", &json!({"of": given})), json!({"sum": 12.5}));
    assert_eq!(reply(&deep, "polygon_sum_value", &json!({"of": given})), json!({"sum": 12.5}));
    let no_color = json!({"weights": [1, 0.5], "dots": dots, "color": null});
    assert_eq!(reply(&deep, "polygon_sum", &json!({"of": no_color})), json!({"sum": 6.5}));
    let uneven = error(&deep, "polygon_sum", &json!({"of": {"dots": dots, "weights": [1]}}));
    assert!(uneven.contains("/of/weights"), "{uneven}");
    let short = error(&deep, "polygon_sum", &json!({"of": {"dots": [], "weights": [], "color": [1]}}));
    assert!(short.contains("/of/color"), "{short}");
    let long: Vec<i32> = vec![0; 256];
    let long = error(&deep, "polygon_sum", &json!({"of": {"dots": [], "weights": long}}));
    assert!(long.contains("256 does not fit"), "{long}");
}

#[test]
fn a_struct_is_copied_with_its_arrays_before_it_is_freed() {
    let deep = deep();
    let polygon = deep.polygon_new(3).expect("three");
    assert_eq!(polygon.dots[2], Dot { x: 2, y: -2 });
    assert_eq!((polygon.weights.as_slice(), polygon.color), ([0.0, 0.5, 1.0].as_slice(), None));
    assert_eq!(deep.keys_living(), 0);
    let given = reply(&deep, "polygon_new", &json!({"n": 1}));
    assert_eq!(given, json!({"polygon": {"dots": [{"x": 0, "y": 0}], "color": null, "weights": [0.0]}}));
    assert_eq!(reply(&deep, "keys_living", &json!({})), json!({"count": 0}));
}

#[test]
fn a_count_without_elements_is_an_error() {
    let deep = deep();
    assert_eq!(deep.polygon_broken(), Err(CallError::Null { value: "dots" }));
    assert!(error(&deep, "polygon_broken", &json!({})).contains("`dots`"));
}

fn person(name: Option<&std::ffi::CStr>, age: i32) -> Person {
    Person { name: name.map(ToOwned::to_owned), age, ..Person::default() }
}

#[test]
fn structs_lead_to_structs_of_their_own_kind() {
    let deep = deep();
    let home = Some(Box::new(Dot { x: 100, y: 0 }));
    let old = Person { home, ..person(None, 80) };
    let young = Person { friend: Some(Box::new(old)), ..person(Some(c"ab"), 8) };
    assert_eq!(deep.person_sum(Some(&young)), Ok(190));
    assert_eq!(deep.person_sum(None), Ok(0));
    assert_eq!(deep.people_sum(&[young.clone(), person(Some(c"x"), 1)]), Ok(192));
    let mut changed = young;
    deep.person_settle(&mut changed).expect("it ends");
    assert_eq!(changed, person(Some(c"settled"), 9));

    let friend = json!({"age": 80, "home": {"x": 100, "y": 0}});
    let young = json!({"name": "ab", "age": 8, "friend": friend});
    assert_eq!(reply(&deep, "person_sum", &json!({"of": young})), json!({"sum": 190}));
    assert_eq!(reply(&deep, "person_sum", &json!({})), json!({"sum": 0}));
    let people = json!({"people": [young, {"name": "x", "age": 1, "friend": null}]});
    assert_eq!(reply(&deep, "people_sum", &people), json!({"sum": 192}));
    assert_eq!(reply(&deep, "people_sum", &json!({"people": []})), json!({"sum": 0}));
    assert_eq!(
        reply(&deep, "person_settle", &json!({"of": young})),
        json!({"of": {"name": "settled", "age": 9, "friend": null, "home": null}})
    );
    let wrong = error(&deep, "person_sum", &json!({"of": {"age": 1, "friend": {"age": "old"}}}));
    assert!(wrong.contains("/of/friend/age"), "{wrong}");
}

#[test]
fn a_cycle_is_an_error_and_deep_arguments_are_refused() {
    let deep = deep();
    assert_eq!(deep.person_cycle(), Err(CallError::TooLarge { value: "friend" }));
    assert!(error(&deep, "person_cycle", &json!({})).contains("nests too deeply"));
    let nested = (0..200).fold(json!({"age": 1}), |friend, _| json!({"age": 1, "friend": friend}));
    assert!(error(&deep, "person_sum", &json!({"of": nested})).contains("nested deeper"));
}

#[test]
fn a_reply_is_copied_whole() {
    let deep = deep();
    let whole = deep.reply_new(2, 2).expect("a reply");
    assert_eq!((whole.r#type, whole.integer, whole.element.len()), (2, 2, 2));
    let end = &whole.element[1].element[0];
    assert_eq!((end.r#type, end.str.as_deref(), end.element.len()), (1, Some(c"end"), 0));
    assert_eq!(deep.keys_living(), 0);
    // 2 + 2 · 1, and four times three bytes.
    assert_eq!(deep.reply_sum(&whole), Ok(16));
    assert_eq!(deep.reply_sum(&Reply::default()), Ok(0));

    let given = reply(&deep, "reply_new", &json!({"width": 1, "depth": 1}));
    let end = json!({"type": 1, "integer": 0, "str": "end", "element": []});
    assert_eq!(given, json!({"reply": {"type": 2, "integer": 1, "str": null, "element": [end]}}));
    assert_eq!(reply(&deep, "reply_sum", &json!({"reply": given["reply"]})), json!({"sum": 4}));
    assert_eq!(reply(&deep, "keys_living", &json!({})), json!({"count": 0}));
}

#[test]
fn a_clone_is_equal_and_a_default_is_empty() {
    let polygon = triangle();
    assert_eq!(polygon.clone(), polygon);
    assert_eq!(Ended::default(), Ended { vars: Vec::new(), numbers: Vec::new() });
    let sent: Value = json!({"of": {"vars": ["a"], "numbers": [1]}});
    assert_eq!(reply(&deep(), "ended_sum", &sent), json!({"sum": 2}));
}
