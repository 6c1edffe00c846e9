//! Limits of arguments, complex numbers, bit fields and unions.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod bits;
mod complex;
mod limits;

use opendyn_tests::{Twin, assert_all_tested};

opendyn::opendyn!("fixtures/keys-odd/tool.json");
opendyn_tests::twin!(KeysOdd = "fixtures/keys-odd/tool.json");

fn odd() -> Twin<KeysOdd> {
    // SAFETY: the document describes keys_odd.c correctly.
    unsafe { Twin::open("keys_odd", &[]) }.expect("every function is there")
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&odd(), &[
        // limits
        "set_percent", "set_below_zero", "set_large", "set_ratio", "set_narrow", "set_level", "step_up", "sum_small",
        "sum_few", "fill_few", "text_length", "bytes_sum", "names_length", "share_sum", "share_sum_value",
        "share_sum_all", "share_or_none", "label_percent", "label_sum",
        // bits
        "flags_size", "flags_make", "flags_sum", "flags_flip", "packet_make", "packet_sum", "packets_sum",
        // complex
        "turn", "turn_in_place", "sum_complex", "powers", "unit", "signal_energy", "signal_make",
    ]);
}
