//! Complex numbers: through pointers, in arrays and in structs; by value where the target allows it.

use opendyn::Complex;
use opendyn_tests::{assert_answers, assert_refused, described};
use serde_json::json;

use super::{Signal, odd};

#[test]
fn complex_numbers_pass_through_pointers_and_in_arrays() {
    let odd = odd();
    assert_eq!(odd.turn(&Complex::new(3.0, 4.0)), Complex::new(-4.0, 3.0));
    let mut z = Complex::new(1.0_f32, 0.0);
    odd.turn_in_place(&mut z);
    assert_eq!(z, Complex::new(0.0, 1.0));
    let sum = odd.sum_complex(&[Complex::new(1.0, 2.0), Complex::new(0.5, -1.0)]);
    assert_eq!(sum, Ok(Complex::new(1.5, 1.0)));
    let powers = odd.powers(&Complex::new(0.0, 1.0), 3).expect("room for three");
    assert_eq!(powers, [Complex::new(1.0, 0.0), Complex::new(0.0, 1.0), Complex::new(-1.0, 0.0)]);
    assert_eq!(odd.unit(), Ok(Complex::new(0.0, 1.0)));
    assert_answers(
        &odd,
        [
            ("turn", json!({"z": [3, 4]}), json!({"turned": [-4.0, 3.0]})),
            ("turn_in_place", json!({"z": [1, 0]}), json!({"z": [0.0, 1.0]})),
            ("sum_complex", json!({"zs": [[1, 2], [0.5, -1]]}), json!({"sum": [1.5, 1.0]})),
            ("sum_complex", json!({"zs": []}), json!({"sum": [0.0, 0.0]})),
            ("powers", json!({"z": [0, 1], "n": 2}), json!({"zs": [[1.0, 0.0], [0.0, 1.0]]})),
            ("unit", json!({}), json!({"z": [0.0, 1.0]})),
        ],
    );
}

#[test]
fn they_are_members_of_structs() {
    let odd = odd();
    let signal = Signal {
        gain: 0.5,
        carrier: Complex::new(1.0, 2.0),
        taps: [Complex::new(1.0, 0.0), Complex::new(0.0, 3.0)],
    };
    assert_eq!(odd.signal_make(1.0), signal);
    assert_eq!(odd.signal_energy(&signal), 3210.5);
    let signal = json!({"gain": 0.5, "carrier": [1.0, 2.0], "taps": [[1.0, 0.0], [0.0, 3.0]]});
    assert_answers(
        &odd,
        [
            ("signal_make", json!({"re": 1}), json!({"signal": signal})),
            ("signal_energy", json!({"signal": signal}), json!({"energy": 3210.5})),
        ],
    );
}

#[test]
fn json_gives_both_parts() {
    let odd = odd();
    assert_refused(
        &odd,
        [
            (
                "turn",
                json!({"z": [3]}),
                "/z: 1 element is too few; expected an array of exactly 2 elements, each a number (double)",
            ),
            ("turn", json!({"z": [3, true]}), "/z/1: true is a boolean; expected a number (double)"),
        ],
    );
    let document = odd.load().expect("a binding describes itself");
    let schema = described(&document, "turn")["parameters"][0]["schema"].clone();
    let parts = "The real and the imaginary part.";
    assert_eq!(schema, json!({"type": "array", "description": parts, "items": {"type": "number"}}));
}

#[cfg(any(all(target_arch = "x86_64", not(windows)), target_arch = "aarch64"))]
mod by_value {
    use opendyn::Complex;
    use opendyn_tests::{Twin, assert_all_tested, assert_answers};
    use serde_json::json;

    opendyn::opendyn!("fixtures/keys-odd/complex.json");
    opendyn_tests::twin!(KeysComplex = "fixtures/keys-odd/complex.json");

    #[test]
    fn complex_numbers_pass_by_value_like_structs() {
        // SAFETY: the document describes keys_odd.c correctly.
        let odd: Twin<KeysComplex> = unsafe { Twin::open("keys_odd", &[]) }.expect("every function is there");
        assert_all_tested(&odd, &["conjugate", "conjugate_float", "weighted"]);
        assert_eq!(odd.conjugate(Complex::new(1.0, 2.0)), Complex::new(1.0, -2.0));
        assert_eq!(odd.conjugate_float(Complex::new(1.0, 2.0)), Complex::new(1.0, -2.0));
        let sum = odd.weighted(2.0, Complex::new(1.0, 2.0), Complex::new(0.5, 0.25), 4);
        assert_eq!(sum, Complex::new(4.0, 5.0));
        assert_answers(
            &odd,
            [
                ("conjugate", json!({"z": [1, 2]}), json!({"mirrored": [1.0, -2.0]})),
                ("conjugate_float", json!({"z": [1, 2]}), json!({"mirrored": [1.0, -2.0]})),
                (
                    "weighted",
                    json!({"a": 2, "z": [1, 2], "w": [0.5, 0.25], "b": 4}),
                    json!({"sum": [4.0, 5.0]}),
                ),
            ],
        );
    }
}
