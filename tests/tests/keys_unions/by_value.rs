//! Unions by value, and structs with them: in registers for numbers, for integers, for both, and on the stack.

use opendyn_tests::assert_answers;
use serde_json::json;

use super::{
    DataU64, Mixed, NumberD, Reading, ReadingValue, Sample, SampleValue, Variant, VariantValue, unions,
};

#[test]
fn numbers_and_integers_are_in_their_registers() {
    let unions = unions();
    assert_eq!(unions.number_twice(NumberD { d: 1.25 }), Ok(NumberD { d: 2.5 }));
    assert_eq!(unions.data_twice(-1, DataU64 { u64: 1 << 40 }, 0.5), Ok(DataU64 { u64: 1 << 41 }));
    assert_answers(
        &unions,
        [
            ("number_twice", json!({"number": {"d": 1.25}}), json!({"twice": {"d": 2.5}})),
            (
                "data_twice",
                json!({"before": 3, "data": {"u64": 1_099_511_627_776_u64}, "after": -1}),
                json!({"twice": {"u64": 2_199_023_255_555_u64}}),
            ),
        ],
    );
}

#[test]
fn a_half_with_an_integer_is_in_a_register_for_integers() {
    let unions = unions();
    let celsius = Reading { value: ReadingValue::Celsius(36.5) };
    assert_eq!(unions.reading_other(celsius), Ok(Reading { value: ReadingValue::Raw([0, 0, 1]) }));
    let sample = |value: SampleValue, weight: f64| Sample { weight, value };
    assert_eq!(unions.sample_twice(sample(SampleValue::F(1.5), 0.25)), Ok(sample(SampleValue::F(3.0), 0.5)));
    assert_eq!(unions.sample_twice(sample(SampleValue::I(-7), 0.25)), Ok(sample(SampleValue::I(-14), 0.5)));
    let turned = Mixed { value: [3.0, 1.0], last: 2.0 };
    assert_eq!(unions.mixed_turn(Mixed { value: [1.0, 2.0], last: 3.0 }), Ok(turned));
    assert_answers(
        &unions,
        [
            (
                "reading_other",
                json!({"reading": {"value": {"raw": [5, 6, 7]}}}),
                json!({"other": {"value": {"celsius": 5.0}}}),
            ),
            (
                "sample_twice",
                json!({"sample": {"weight": 0.25, "value": {"f": 1.5}}}),
                json!({"twice": {"weight": 0.5, "value": {"f": 3.0}}}),
            ),
            (
                "sample_twice",
                json!({"sample": {"weight": 0.25, "value": {"i": -7}}}),
                json!({"twice": {"weight": 0.5, "value": {"i": -14}}}),
            ),
            (
                "mixed_turn",
                json!({"mixed": {"value": [1, 2], "last": 3}}),
                json!({"turned": {"value": [3.0, 1.0], "last": 2.0}}),
            ),
        ],
    );
}

#[test]
fn large_ones_are_on_the_stack() {
    let unions = unions();
    let variant = Variant { value: VariantValue::D(2.5), after: 7 };
    assert_eq!(unions.variant_make_value(2), variant);
    assert_eq!(unions.variant_sum_value(variant), Ok(2004.25));
    let json = json!({"value": {"name": "one"}, "after": 7});
    assert_answers(
        &unions,
        [
            ("variant_make_value", json!({"kind": 5}), json!({"variant": json})),
            ("variant_sum_value", json!({"variant": json}), json!({"sum": 5004.75})),
        ],
    );
}
