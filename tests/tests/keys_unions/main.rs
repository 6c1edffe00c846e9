//! Unions by a tag beside them, by one member, and of which nothing is known.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod by_value;
mod one_member;
mod tagged;

use opendyn_tests::{Twin, assert_all_tested};

opendyn::opendyn!("fixtures/keys-unions/tool.json");
opendyn_tests::twin!(KeysUnions = "fixtures/keys-unions/tool.json");

fn unions() -> Twin<KeysUnions> {
    // SAFETY: the document describes keys_unions.c correctly.
    unsafe { Twin::open("keys_unions", &[]) }.expect("every function is there")
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&unions(), &[
        // tagged
        "variant_size", "variant_make", "variant_shared", "variant_sum", "variant_rest", "variants_sum", "variants_make",
        "variant_turn", "variants_each", "reading_sum", "box_sum", "box_make",
        // one_member
        "event_make", "event_data", "data_make", "data_bytes", "data_next", "data_length", "data_name", "datas_sum",
        "timer_sum", "timer_make",
        // by_value
        "number_twice", "data_twice", "reading_other", "sample_twice", "mixed_turn", "variant_sum_value",
        "variant_make_value",
    ]);
}
