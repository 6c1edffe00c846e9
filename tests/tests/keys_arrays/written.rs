//! Buffers that C writes to: who chooses the capacity, how many elements were written, and wrong counts
//! from C.

use opendyn::CallError;
use opendyn_tests::{assert_answers, assert_failed, assert_refused};
use serde_json::json;

use super::{FillCellsToldOutputs, arrays};

#[test]
fn the_caller_chooses_the_capacity() {
    let arrays = arrays();
    assert_eq!(arrays.fill_ints(3), Ok(vec![0, 1, 2]));
    assert_eq!(arrays.fill_ints(0), Ok(vec![]));
    assert_eq!(arrays.fill_doubles(3), Ok(vec![0.0, 0.5, 1.0]));
    assert_eq!(arrays.fill_flags(3), Ok(vec![false, true, false]));
    assert_eq!(arrays.fill_bytes(3), Ok(vec![255, 254, 253]));
    assert_answers(
        &arrays,
        [
            ("fill_ints", json!({"n": 3}), json!({"xs": [0, 1, 2]})),
            ("fill_ints", json!({"n": 0}), json!({"xs": []})),
            ("fill_doubles", json!({"n": 3}), json!({"xs": [0.0, 0.5, 1.0]})),
            ("fill_flags", json!({"n": 3}), json!({"flags": [false, true, false]})),
            ("fill_bytes", json!({"n": 3}), json!({"bytes": "//79"})),
            ("fill_bytes", json!({"n": 0}), json!({"bytes": ""})),
        ],
    );
}

#[test]
fn the_document_an_input_or_a_function_chooses_it() {
    let arrays = arrays();
    assert_eq!(arrays.fill_four(), Ok(vec![0, 1, 2, 3]));
    assert_eq!(arrays.doubled(&[3, -4]), Ok(vec![6, -8]));
    assert_eq!(arrays.doubled(&[]), Ok(vec![]));
    assert_eq!(arrays.fill_cells(2, 3), Ok(vec![0, 1, 2, 3, 4, 5]));
    let told = FillCellsToldOutputs { seen: 3006, xs: vec![0, 1, 2, 3, 4, 5] };
    assert_eq!(arrays.fill_cells_told(3), Ok(told));
    assert_answers(
        &arrays,
        [
            ("fill_four", json!({}), json!({"xs": [0, 1, 2, 3]})),
            ("doubled", json!({"xs": [3, -4]}), json!({"twice": [6, -8]})),
            ("doubled", json!({"xs": []}), json!({"twice": []})),
            ("fill_cells", json!({"rows": 2, "columns": 3}), json!({"xs": [0, 1, 2, 3, 4, 5]})),
            ("fill_cells_told", json!({"rows": 3}), json!({"seen": 3006, "xs": [0, 1, 2, 3, 4, 5]})),
        ],
    );
}

#[test]
fn a_pointer_to_the_capacity_holds_the_count_afterwards() {
    let arrays = arrays();
    assert_eq!(arrays.fill_capacity_pointer(5), Ok(vec![0, 1, 2]));
    assert_eq!(arrays.fill_capacity_pointer(2), Ok(vec![0, 1]));
    assert_answers(
        &arrays,
        [
            ("fill_capacity_pointer", json!({"n": 5}), json!({"xs": [0, 1, 2]})),
            ("fill_capacity_pointer", json!({"n": 2}), json!({"xs": [0, 1]})),
        ],
    );
}

#[test]
fn only_what_was_written_comes_back() {
    let arrays = arrays();
    assert_eq!(arrays.fill_written(5), Ok(vec![0, 1]));
    assert_eq!(arrays.fill_written(1), Ok(vec![0]));
    assert_eq!(arrays.claim_written(3, 0), Ok(vec![]));
    assert_eq!(arrays.claim_written(3, 3), Ok(vec![0, 1, 2]));
    assert_eq!(arrays.fill_written_param(3), Ok(vec![0, 1]), "the parameter begins as the capacity");
    assert_eq!(arrays.fill_written_param(0), Ok(vec![]));
    assert_eq!(arrays.claim_written_param(3, 1), Ok(vec![0]));
    assert_eq!(arrays.fill_const_told(), Ok(vec![0xAB; 5]));
    assert_answers(
        &arrays,
        [
            ("fill_written", json!({"n": 5}), json!({"xs": [0, 1]})),
            ("claim_written", json!({"n": 3, "claim": 3}), json!({"xs": [0, 1, 2]})),
            ("fill_written_param", json!({"n": 3}), json!({"xs": [0, 1]})),
            ("claim_written_param", json!({"n": 3, "claim": 1}), json!({"xs": [0]})),
            ("fill_const_told", json!({}), json!({"bytes": "ababababab"})),
        ],
    );
}

#[test]
fn a_count_that_cannot_be_is_an_error() {
    let arrays = arrays();
    let written = |count: i128, capacity: usize| Err(CallError::Written { value: "xs", count, capacity });
    assert_eq!(arrays.fill_capacity_beyond(4), written(5, 4));
    assert_eq!(arrays.fill_capacity_negative(4), written(-1, 4));
    for claim in [4, i32::MAX, -1, i32::MIN] {
        assert_eq!(arrays.claim_written(3, claim), written(claim.into(), 3), "{claim}");
    }
    for claim in [4, i64::MAX, -1, i64::MIN, 1 << 32] {
        assert_eq!(arrays.claim_written_param(3, claim), written(claim.into(), 3), "{claim}");
    }
    assert_failed(
        &arrays,
        [
            ("fill_capacity_beyond", json!({"n": 4}), "C says that `xs` has 5 elements; there is room for 4"),
            ("fill_capacity_negative", json!({"n": 4}), "C says that `xs` has -1 elements"),
            (
                "claim_written",
                json!({"n": 3, "claim": 4}),
                "C says that `xs` has 4 elements; there is room for 3",
            ),
            ("claim_written", json!({"n": 3, "claim": -1}), "C says that `xs` has -1 elements"),
            (
                "claim_written_param",
                json!({"n": 3, "claim": 4_294_967_296_u64}),
                "C says that `xs` has 4294967296 elements; there is room for 3",
            ),
        ],
    );
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "without a guard only a sanitizer sees it")]
fn a_write_past_the_end_is_an_error() {
    let arrays = arrays();
    for n in [0, 1, 3, 64] {
        assert_eq!(arrays.fill_bytes_past_end(n), Err(CallError::Overrun { value: "bytes" }), "{n}");
        assert_eq!(arrays.fill_ints_past_end(n), Err(CallError::Overrun { value: "xs" }), "{n}");
        assert_eq!(arrays.fill_written_past_end(n), Err(CallError::Overrun { value: "xs" }), "{n}");
    }
    assert_failed(
        &arrays,
        [
            ("fill_bytes_past_end", json!({"n": 3}), "C wrote past the end of `bytes`"),
            ("fill_ints_past_end", json!({"n": 3}), "C wrote past the end of `xs`"),
            ("fill_written_past_end", json!({"n": 3}), "C wrote past the end of `xs`"),
        ],
    );
}

#[test]
fn a_capacity_below_zero_is_refused() {
    let arrays = arrays();
    let refused = |value: &'static str, capacity: i128| CallError::Capacity { value, capacity };
    assert_eq!(arrays.fill_ints(-1), Err(refused("xs", -1)));
    assert_eq!(arrays.fill_bytes(i64::MIN), Err(refused("bytes", i64::MIN.into())));
    assert_eq!(arrays.fill_cells(-2, 3), Err(refused("xs", -6)));
    assert_eq!(arrays.fill_cells_told(-2), Err(refused("xs", -4)));
    assert_eq!(arrays.fill_capacity_beyond(-1), Err(refused("xs", -1)));
    assert_refused(
        &arrays,
        [
            ("fill_ints", json!({"n": -1}), "/n: -1 does not fit int as a capacity (0 to 16777216)"),
            ("fill_bytes", json!({"n": -1}), "/n: -1 does not fit long long as a capacity (0 to 67108864)"),
        ],
    );
    assert_failed(
        &arrays,
        [
            ("fill_cells", json!({"rows": -2, "columns": 3}), "`xs` cannot have room for -6 elements"),
            ("fill_cells_told", json!({"rows": -2}), "`xs` cannot have room for -4 elements"),
        ],
    );
}

#[test]
fn more_than_there_is_memory_for_is_an_error() {
    let arrays = arrays();
    for capacity in [usize::MAX, usize::MAX / 8, usize::MAX / 16 + 1] {
        let refused = CallError::Capacity { value: "xs", capacity: capacity as i128 };
        assert_eq!(arrays.fill_doubles(capacity), Err(refused), "{capacity}");
    }
}

#[test]
fn json_cannot_ask_for_all_memory_there_is() {
    let arrays = arrays();
    assert_refused(
        &arrays,
        [
            (
                "fill_ints",
                json!({"n": 16_777_217}),
                "/n: 16777217 does not fit int as a capacity (0 to 16777216)",
            ),
            (
                "fill_doubles",
                json!({"n": u64::MAX}),
                "/n: 18446744073709551615 does not fit size_t as a capacity (0 to 8388608)",
            ),
            (
                "fill_bytes",
                json!({"n": 1_u64 << 40}),
                "/n: 1099511627776 does not fit long long as a capacity (0 to 67108864)",
            ),
            (
                "fill_capacity_pointer",
                json!({"n": 16_777_217}),
                "/n: 16777217 does not fit size_t as a capacity (0 to 16777216)",
            ),
        ],
    );
}

#[test]
fn json_cannot_do_so_by_way_of_a_function_either() {
    let arrays = arrays();
    let reply = arrays.call_json("fill_cells", r#"{"rows":16384,"columns":1025}"#);
    let error = reply.map(|reply| reply.len()).expect_err("above 64 MiB").to_string();
    assert!(error.contains("16793600"), "{error}");
}
