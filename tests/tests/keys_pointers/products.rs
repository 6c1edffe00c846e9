//! Lengths that are products of calls.

use serde_json::json;

use crate::{assert_living, call, message, pointers};

#[test]
fn the_product_of_calls_is_the_length() {
    let twin = pointers();
    let image = twin.image_new(4, 3).expect("an image");
    assert_eq!(image.data().expect("four times three"), (0..12).collect::<Vec<u8>>());
    assert_eq!(image.pixels().expect("four times four").len(), 16);
    assert_eq!(image.sum(&[1; 12]).expect("as many as it has"), 12);
    assert_eq!(image.copy().expect("twice a row"), [0, 1, 2, 3, 4, 5, 6, 7]);
    let error = image.sum(&[1; 11]).expect_err("one is missing");
    assert_eq!(error.to_string(), "`data` has 11 elements instead of 12");
}

#[test]
fn a_negative_factor_and_a_call_that_fails_are_errors() {
    let twin = pointers();
    let negative = twin.image_new(-4, 3).expect("an image");
    assert_eq!(negative.data().expect_err("negative").to_string(), "C says that `data` has -12 elements");
    assert!(negative.copy().is_err());
    assert!(negative.sum(&[]).is_err());
    let failing = twin.image_new(-4, -3).expect("an image");
    let error = failing.data().expect_err("no rows");
    assert_eq!((error.code(), error.text()), (Some(1), Some("it has no rows")));
    let empty = twin.image_new(0, 3).expect("an image");
    assert!(empty.data().expect("no bytes").is_empty());
}

#[test]
fn a_json_caller_gets_as_many_bytes() {
    let twin = pointers();
    let image = |stride: i32, height: i32| {
        let image = call(&twin, "image_new", &json!({"stride": stride, "height": height}));
        image.expect("an image")["image"].clone()
    };
    let (good, negative, failing) = (image(2, 2), image(-4, 3), image(4, -3));
    assert_eq!(
        call(&twin, "image_data", &json!({"image": good})).expect("four"),
        json!({"data": "00010203"})
    );
    assert_eq!(
        call(&twin, "image_copy", &json!({"image": good})).expect("four"),
        json!({"out": [0, 1, 2, 3]})
    );
    assert_eq!(
        call(&twin, "image_sum", &json!({"image": good, "data": "01010101"})).expect("four"),
        json!({"sum": 4})
    );
    assert!(call(&twin, "image_sum", &json!({"image": good, "data": "0101"})).is_err());
    for function in ["image_data", "image_pixels", "image_copy"] {
        assert!(call(&twin, function, &json!({"image": negative})).is_err(), "{function}");
    }
    let error = call(&twin, "image_data", &json!({"image": failing})).expect_err("no rows");
    assert!(message(&error).contains("it has no rows"), "{error}");
    assert_living(&twin, 3);
}
