//! Values that C reads and writes in place: `x-inout`.

use opendyn::{CallError, ExpectedLength};
use opendyn_tests::{assert_answers, assert_refused};
use serde_json::json;

use super::arrays;

#[test]
fn scalars_are_changed_in_place() {
    let arrays = arrays();
    let (mut x, mut half, mut flag) = (41, 3.0, true);
    arrays.increment(&mut x);
    arrays.halve(&mut half);
    arrays.flip(&mut flag);
    assert_eq!((x, half, flag), (42, 1.5, false));
    arrays.flip(&mut flag);
    assert!(flag);
    assert_answers(
        &arrays,
        [
            ("increment", json!({"x": 41}), json!({"x": 42})),
            ("halve", json!({"x": 3}), json!({"x": 1.5})),
            ("flip", json!({"flag": true}), json!({"flag": false})),
            ("flip", json!({"flag": false}), json!({"flag": true})),
        ],
    );
}

#[test]
fn arrays_are_changed_in_place() {
    let arrays = arrays();
    let mut xs = [1, 2, 3, 4];
    arrays.double_all(&mut xs[..3]);
    assert_eq!(xs, [2, 4, 6, 4]);
    arrays.double_four(&mut xs);
    assert_eq!(xs, [4, 8, 12, 8]);
    let mut bytes = *b"\x00ab\xff";
    assert_eq!(arrays.reverse_bytes(&mut bytes), Ok(()));
    assert_eq!(&bytes, b"\xffba\x00");
    let (mut left, mut right) = ([1, 2], [3, 4]);
    assert_eq!(arrays.swap_halves(&mut left, &mut right), Ok(2));
    assert_eq!((left, right), ([3, 4], [1, 2]));
    assert_answers(
        &arrays,
        [
            ("double_all", json!({"xs": [1, 2, 3]}), json!({"xs": [2, 4, 6]})),
            ("double_all", json!({"xs": []}), json!({"xs": []})),
            ("double_four", json!({"xs": [1, 2, 3, 4]}), json!({"xs": [2, 4, 6, 8]})),
            ("reverse_bytes", json!({"bytes": "AGFi/w=="}), json!({"bytes": "/2JhAA=="})),
            (
                "swap_halves",
                json!({"left": [1, 2], "right": [3, 4]}),
                json!({"count": 2, "left": [3, 4], "right": [1, 2]}),
            ),
        ],
    );
}

#[test]
fn truth_values_are_changed_in_place() {
    let arrays = arrays();
    let mut flags = [true, false, true].map(opendyn::CBool::from);
    assert_eq!(arrays.flip_all(&mut flags[..2]), Ok(()));
    assert_eq!(flags.map(opendyn::CBool::get), [false, true, true], "C left a 2, which is true");
    assert_answers(
        &arrays,
        [
            ("flip_all", json!({"flags": [true, false]}), json!({"flags": [false, true]})),
            ("flip_all", json!({"flags": []}), json!({"flags": []})),
        ],
    );
    assert_refused(
        &arrays,
        [("flip_all", json!({"flags": [true, 0]}), "/flags/1: 0 is a number; expected true or false")],
    );
}

#[test]
fn refused_arguments_are_not_changed() {
    let arrays = arrays();
    let (mut left, mut right) = ([1, 2], [3]);
    let expected = ExpectedLength::SameAs { value: "left", length: 2 };
    assert_eq!(
        arrays.swap_halves(&mut left, &mut right),
        Err(CallError::Length { value: "right", length: 1, expected })
    );
    assert_eq!((left, right), ([1, 2], [3]));
    assert_refused(
        &arrays,
        [
            (
                "swap_halves",
                json!({"left": [1, 2], "right": [3]}),
                "/right: 1 element; `left` has 2, and both must be equally long",
            ),
            (
                "double_four",
                json!({"xs": [1]}),
                "/xs: 1 element is too few; expected an array of exactly 4 elements, each an integer \
                 (int, -2147483648 to 2147483647)",
            ),
            ("increment", json!({}), "/x: missing; expected an integer (int, -2147483648 to 2147483647)"),
            ("flip", json!({"flag": 1}), "/flag: 1 is a number; expected true or false"),
            (
                "reverse_bytes",
                json!({"bytes": "AGFi/w="}),
                "/bytes: 7 characters are not complete base64: it ends early; give plain text as {\"text\": …}",
            ),
        ],
    );
}
