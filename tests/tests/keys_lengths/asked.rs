//! Lengths that another function leaves in its output. Its failure is the failure of the call.

use opendyn::CallError;
use opendyn_tests::{answer, assert_answers, assert_failed, assert_refused};
use serde_json::json;

use super::{DiskToldOutputs, assert_freed, lengths};

const SEVEN: [i32; 7] = [0, 1, 2, 3, 4, 5, 6];

#[test]
fn the_output_is_the_length() {
    let lengths = lengths();
    assert_eq!(lengths.disk_size(1).map_err(|error| error.code()), Ok(7));
    assert_eq!(lengths.disk(1), Ok(SEVEN.to_vec()));
    assert_eq!(lengths.disk_told(1), Ok(DiskToldOutputs { count: 7, cells: SEVEN.to_vec() }));
    assert_eq!(lengths.sum_disk(1, &SEVEN), Ok(21));
    assert_eq!(lengths.disk_of(1), Ok(SEVEN.to_vec()));
    assert_eq!(lengths.ring(2), Ok(vec![0xAB; 4]));
    assert_answers(
        &lengths,
        [
            ("disk", json!({"k": 1}), json!({"cells": SEVEN})),
            ("disk_told", json!({"k": 1}), json!({"count": 7, "cells": SEVEN})),
            ("sum_disk", json!({"k": 1, "cells": SEVEN}), json!({"sum": 21})),
            ("disk_of", json!({"k": 1}), json!({"cells": SEVEN})),
            ("ring", json!({"k": 2}), json!({"cells": "abababab"})),
        ],
    );
    assert_refused(&lengths, [("sum_disk", json!({"k": 1, "cells": [1]}), "/cells: 1 element instead of 7")]);
    assert_freed(&lengths);
}

#[test]
fn its_failure_is_that_of_the_call() {
    let lengths = lengths();
    let failed = lengths.disk(-1).expect_err("it has no size");
    assert_eq!((failed.code(), failed.text()), (Some(7), Some("the radius is negative")));
    assert!(lengths.sum_disk(-1, &SEVEN).is_err_and(|error| error.is(7)));
    assert!(lengths.disk_of(-1).is_err_and(|error| error.is(7)));
    let failed = lengths.ring(-1).expect_err("it has no size");
    assert_eq!((failed.code(), failed.text()), (Some(0), Some("the ring is too small")));
    for (function, arguments, code, text) in [
        ("disk", json!({"k": -1}), 7, "the call failed with code 7: the radius is negative"),
        ("disk_told", json!({"k": -1}), 7, "the call failed with code 7: the radius is negative"),
        ("sum_disk", json!({"k": -1, "cells": []}), 7, "the call failed with code 7: the radius is negative"),
        ("disk_of", json!({"k": -1}), 7, "the call failed with code 7: the radius is negative"),
        ("ring", json!({"k": -1}), 0, "the call failed with code 0: the ring is too small"),
        ("ring", json!({"k": 1000}), 0, "the call failed with code 0: the ring is too large"),
    ] {
        let error = lengths.call_json(function, &arguments.to_string()).expect_err(function);
        assert_eq!(error.to_string(), text, "{function} {arguments}");
        assert_eq!(error.to_json()["functionCode"], code, "{function} {arguments}");
    }
    assert_freed(&lengths);
}

#[test]
fn a_length_that_no_memory_holds_is_an_error() {
    let lengths = lengths();
    let capacity = i64::MAX.into();
    assert_eq!(lengths.disk(101), Err(CallError::Capacity { value: "cells", capacity }));
    assert_failed(
        &lengths,
        [("disk", json!({"k": 101}), "`cells` cannot have room for 9223372036854775807 elements")],
    );
}

#[test]
fn a_handle_can_be_asked() {
    let lengths = lengths();
    let bag = lengths.bag_new(3).expect("a bag");
    assert_eq!(bag.count().map_err(|error| error.code()), Ok(3));
    assert_eq!(bag.numbers(), Ok(vec![0, 1, 4]));
    let large = lengths.bag_new(1001).expect("a bag");
    assert!(large.numbers().is_err_and(|error| error.is(7)));
    drop((bag, large));
    for (count, expected) in [(3, Some(json!({"xs": [0, 1, 4]}))), (1001, None)] {
        let bag = lengths.call_json("bag_new", &json!({"count": count}).to_string()).expect("a bag");
        let found = lengths.call_json("bag_numbers", &bag).ok();
        assert_eq!(found.map(|reply| serde_json::from_str(&reply).expect("JSON")), expected);
        lengths.call_json("bag_free", &bag).expect("it is freed");
    }
    assert_eq!(answer(&lengths, "keys_allocated", &json!({})), Ok(json!({"count": 0})));
}
