//! Unions that are always used by the same member, and unions of which nothing is known.

use std::ffi::CString;

use opendyn_tests::{assert_answers, assert_refused, described};
use serde_json::json;

use super::{DataFd, DataName, DataU32, DataU64, Event, Timer, unions};

#[test]
fn in_a_struct_it_is_the_value_of_that_member() {
    let unions = unions();
    let event = unions.event_make(3, u64::MAX - 9);
    assert_eq!(event, Event { events: 3, data: u64::MAX - 9 });
    assert_eq!(unions.event_data(&event), Ok(u64::MAX - 6));
    assert_answers(
        &unions,
        [
            ("event_make", json!({"events": 1, "u64": 5}), json!({"event": {"events": 1, "data": 5}})),
            ("event_data", json!({"event": {"events": 1, "data": 5}}), json!({"data": 6})),
        ],
    );
    let document = unions.load().expect("a binding describes itself");
    let schema = &described(&document, "event_data")["parameters"][0]["schema"];
    assert_eq!(schema["properties"]["data"]["description"], "The number of the caller.");
    assert_eq!(schema["required"], json!(["events", "data"]));
}

#[test]
fn elsewhere_it_is_a_struct_of_that_member() {
    let unions = unions();
    // C fills the memory with other bytes first.
    assert_eq!(unions.data_make(-5), DataFd { fd: -5 });
    assert_eq!(unions.data_bytes(&DataU32 { u32: 0xFFFF_FFFE }), Ok(0xFFFF_FFFE));
    let mut next = DataU32 { u32: 9 };
    unions.data_next(&mut next).expect("it can be passed");
    assert_eq!(next, DataU32 { u32: 10 });
    assert_eq!(unions.datas_sum(&[DataU64 { u64: 1 << 40 }, DataU64 { u64: 2 }]), Ok((1 << 40) + 2));
    assert_answers(
        &unions,
        [
            ("data_make", json!({"fd": -5}), json!({"data": {"fd": -5}})),
            ("data_bytes", json!({"data": {"u32": 4_294_967_294_u32}}), json!({"bytes": 4_294_967_294_u32})),
            ("data_next", json!({"data": {"u32": 9}}), json!({"data": {"u32": 10}})),
            ("datas_sum", json!({"datas": [{"u64": 1}, {"u64": 2}]}), json!({"sum": 3})),
        ],
    );
    assert_refused(
        &unions,
        [
            (
                "data_bytes",
                json!({"data": {"fd": 1}}),
                "/data/fd: unknown member; expected an object (Data_u32: u32)",
            ),
            (
                "data_bytes",
                json!({"data": {}}),
                "/data/u32: missing; expected an integer (uint32_t, 0 to 4294967295)",
            ),
        ],
    );
}

#[test]
fn a_string_is_lent_and_copied() {
    let unions = unions();
    assert_eq!(unions.data_name(2), DataName { name: Some(CString::from(c"two")) });
    assert_eq!(unions.data_name(3), DataName { name: None });
    assert_eq!(unions.data_length(&DataName { name: Some(CString::from(c"four")) }), Ok(4));
    assert_eq!(unions.data_length(&DataName { name: None }), Ok(-1));
    assert_answers(
        &unions,
        [
            ("data_name", json!({"index": 2}), json!({"data": {"name": "two"}})),
            ("data_name", json!({"index": 3}), json!({"data": {"name": null}})),
            ("data_length", json!({"data": {"name": "four"}}), json!({"length": 4})),
        ],
    );
}

#[test]
fn a_union_of_which_nothing_is_known_is_zero_and_not_seen() {
    let unions = unions();
    // C leaves half a second in it.
    assert_eq!(unions.timer_make(4), Ok(Timer { id: 4, after: 5 }));
    assert_eq!(unions.timer_sum(&Timer { id: 4, after: 5 }), Ok(54));
    assert_answers(
        &unions,
        [
            ("timer_make", json!({"id": 4}), json!({"timer": {"id": 4, "after": 5}})),
            ("timer_sum", json!({"timer": {"id": 4, "after": 5}}), json!({"sum": 54})),
        ],
    );
    assert_refused(
        &unions,
        [(
            "timer_sum",
            json!({"timer": {"id": 4, "after": 5, "rest": 1}}),
            "/timer/rest: unknown member; expected an object (Timer: id, after)",
        )],
    );
}
