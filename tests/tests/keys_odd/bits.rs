//! Bit fields: where the C compiler puts them, alone and between ordinary members.

use opendyn_tests::{answer, assert_answers, assert_refused, described};
use serde_json::{Value, json};

use super::{Flags, Packet, odd};

/// The struct that C makes of this seed.
fn flags(seed: u64) -> Value {
    json!({
        "ready": seed & 1 == 1, "level": seed & 7, "delta": -((seed & 15) as i64), "wide": seed & 0x3FFF_FFFF,
        "small": seed & 127, "next": seed & 2047, "on": seed >> 1 & 1 == 1, "large": (seed * 1000) & 0xFF_FFFF_FFFF,
    })
}

fn packet(seed: u64) -> Value {
    json!({
        "kind": seed & 255, "a": seed & 7, "b": seed & 0x3F_FFFF, "weight": 0.5, "c": -((seed & 7) as i64), "last": 200,
        "d": -((seed & 1023) as i64), "flags": flags(seed),
    })
}

const SEEDS: [u32; 5] = [0, 1, 0x2AAA_AAAA, 0x1555_5555, 0x3FFF_FFFF];

#[test]
fn structs_are_as_large_and_aligned_as_in_c() {
    let sizes = size_of::<Flags>() + 100 * align_of::<Flags>() + 10_000 * size_of::<Packet>();
    assert_eq!(odd().flags_size() as usize, sizes + 1_000_000 * align_of::<Packet>());
    assert_eq!(answer(&odd(), "flags_size", &json!({})), Ok(json!({"size": odd().flags_size()})));
}

#[test]
fn every_bit_is_where_c_has_it() {
    let odd = odd();
    for seed in SEEDS {
        let made = odd.flags_make(seed);
        let json = flags(seed.into());
        assert_eq!(json!(made.ready()), json["ready"]);
        assert_eq!(json!(made.level()), json["level"]);
        assert_eq!(json!(made.delta()), json["delta"]);
        assert_eq!(json!(made.wide()), json["wide"]);
        assert_eq!(json!(made.small()), json["small"]);
        assert_eq!(json!(made.next()), json["next"]);
        assert_eq!(json!(made.on()), json["on"]);
        assert_eq!(json!(made.large()), json["large"]);
        let mut own = Flags::default();
        own.set_large(made.large());
        own.set_on(made.on());
        own.set_next(made.next());
        own.set_small(made.small());
        own.set_wide(made.wide());
        own.set_delta(made.delta());
        own.set_level(made.level());
        own.set_ready(made.ready());
        assert_eq!(own, made, "{seed:x}");
        assert_eq!(odd.flags_sum(&own), odd.flags_sum(&made));
        let sum = odd.flags_sum(&made);
        assert_answers(
            &odd,
            [
                ("flags_make", json!({"seed": seed}), json!({"flags": json})),
                ("flags_sum", json!({"flags": json}), json!({"sum": sum})),
            ],
        );
    }
}

#[test]
fn ordinary_members_are_between_them() {
    let odd = odd();
    for seed in SEEDS {
        let made = odd.packet_make(seed);
        let json = packet(seed.into());
        assert_eq!(
            (json!(made.kind), json!(made.weight), json!(made.last)),
            (json["kind"].clone(), json!(0.5), json!(200))
        );
        assert_eq!(json!(made.a()), json["a"]);
        assert_eq!(json!(made.b()), json["b"]);
        assert_eq!(json!(made.c()), json["c"]);
        assert_eq!(json!(made.d()), json["d"]);
        let sum = odd.packet_sum(&made);
        assert_eq!(odd.packets_sum(&[made, made]), Ok(2.0 * sum));
        assert_answers(
            &odd,
            [
                ("packet_make", json!({"seed": seed}), json!({"packet": json})),
                ("packet_sum", json!({"packet": json}), json!({"sum": sum})),
                ("packets_sum", json!({"packets": [json, json]}), json!({"sum": 2.0 * sum})),
            ],
        );
    }
}

#[test]
fn c_changes_them_in_place() {
    let odd = odd();
    let mut flags = Flags::default();
    odd.flags_flip(&mut flags);
    assert_eq!((flags.ready(), flags.level(), flags.delta(), flags.next()), (true, 7, -1, 2047));
    odd.flags_flip(&mut flags);
    assert_eq!(flags, Flags::default());
    let flipped = json!({
        "ready": true, "level": 7, "delta": -1, "wide": 0x3FFF_FFFF, "small": 127, "next": 2047, "on": true,
        "large": 0xFF_FFFF_FFFF_u64,
    });
    assert_answers(&odd, [("flags_flip", json!({"flags": self::flags(0)}), json!({"flags": flipped}))]);
}

#[test]
fn a_value_has_to_fit_its_bits() {
    let odd = odd();
    let with = |key: &str, value: Value| {
        let mut flags = flags(0);
        flags[key] = value;
        json!({"flags": flags})
    };
    assert_refused(
        &odd,
        [
            ("flags_sum", with("level", json!(8)), "/flags/level: 8 does not fit 3 bits (0 to 7)"),
            ("flags_sum", with("level", json!(-1)), "/flags/level: -1 does not fit 3 bits (0 to 7)"),
            ("flags_sum", with("delta", json!(-17)), "/flags/delta: -17 does not fit 5 bits (-16 to 15)"),
            ("flags_sum", with("ready", json!(1)), "/flags/ready: 1 is a number; expected true or false"),
            (
                "flags_sum",
                with("wide", json!(0.5)),
                "/flags/wide: 0.5 is not an integer; expected an integer (30 bits, 0 to 1073741823)",
            ),
        ],
    );
    let document = odd.load().expect("a binding describes itself");
    let members = described(&document, "flags_sum")["parameters"][0]["schema"]["properties"].clone();
    assert_eq!(members["delta"], json!({"type": "integer", "minimum": -16, "maximum": 15}));
    assert_eq!(members["on"], json!({"type": "boolean"}));
}
