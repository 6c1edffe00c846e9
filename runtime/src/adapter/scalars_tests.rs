//! Arrays of scalars, plain and not, against the standard library; and bytes in formats that have them.

use proptest::prelude::*;

use crate::adapter::arena::Arena;
use crate::adapter::from_slot::Lend;
use crate::adapter::slots::{Args, Slot};
use crate::adapter::{Field, Kind, MAX_ARGUMENTS, Text, from_serde, reader};
use crate::encoding::Encoding;

/// The elements of the array `text`, or the message.
fn elements<T: Copy>(kind: &'static Kind, text: &str) -> Result<Vec<T>, String>
where
    for<'a> &'a mut [T]: Lend<'a>,
{
    let fields = [Field::required("xs", Kind::List(kind)), Field::optional("s", Kind::Str)];
    let mut slots = [Slot::UNSEEN; 2];
    let mut arena = Arena::new();
    let text = format!("{{\"xs\":{text},\"s\":\"behind\"}}");
    reader::read(&fields, text.as_bytes(), &mut slots, &mut arena).map_err(|fault| fault.to_string())?;
    let args = Args::new(&slots, &mut arena);
    assert_eq!(args.get::<&std::ffi::CStr>(1), c"behind");
    // SAFETY: the tests pass the type of the kind, and the list is taken once.
    Ok(unsafe { args.lend::<&mut [T]>(0) }.to_vec())
}

/// A number as a program may spell it.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (-1000..1000_i32).prop_map(|value| value.to_string()),
        any::<i64>().prop_map(|value| value.to_string()),
        (-1e6..1e6_f64).prop_map(|value| value.to_string()),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(|value| format!("{value:e}")),
        (any::<u64>(), 0..30_usize, -70..70_i32)
            .prop_map(|(digits, zeros, exponent)| format!("0.{}{digits}E{exponent}", "0".repeat(zeros))),
    ]
}

/// White space between elements.
fn joined(elements: &[String], spaces: &[&str]) -> String {
    let mut text = "[".to_owned();
    for (index, element) in elements.iter().enumerate() {
        let space = spaces.get(index % spaces.len().max(1)).copied().unwrap_or_default();
        text.push_str(if index > 0 { "," } else { "" });
        text.push_str(space);
        text.push_str(element);
        text.push_str(spaces.get((index / 3) % spaces.len().max(1)).copied().unwrap_or_default());
    }
    text + "]"
}

proptest! {
    #[test]
    fn doubles_are_the_nearest(
        numbers in prop::collection::vec(number(), 0..200),
        spaces in prop::collection::vec(prop_oneof![Just(""), Just(" "), Just("\n  ")], 0..4),
    ) {
        let expected: Vec<f64> = numbers.iter().map(|text| text.parse().expect("a number")).collect();
        if let Some(place) = expected.iter().position(|value| !value.is_finite()) {
            let fault = elements::<f64>(&Kind::Double, &joined(&numbers, &spaces)).expect_err("infinite");
            prop_assert!(fault.contains("does not fit double"), "{} at {place}", fault);
        } else {
            let read = elements::<f64>(&Kind::Double, &joined(&numbers, &spaces)).expect("doubles");
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&read), bits(&expected));
        }
    }

    #[test]
    fn floats_are_the_nearest(numbers in prop::collection::vec((-1e30..1e30_f32).prop_map(|value| format!("{value:e}")), 0..200)) {
        let expected: Vec<f32> = numbers.iter().map(|text| text.parse().expect("a number")).collect();
        prop_assert_eq!(elements::<f32>(&Kind::Float, &joined(&numbers, &[])), Ok(expected));
    }

    #[test]
    fn integers_keep_their_values(
        wide in prop::collection::vec(any::<i64>(), 0..200),
        narrow in prop::collection::vec(any::<u16>(), 0..200),
        bytes in prop::collection::vec(any::<i8>(), 0..200),
    ) {
        let text = |values: &mut dyn Iterator<Item = String>| joined(&values.collect::<Vec<_>>(), &["", "", " "]);
        prop_assert_eq!(elements::<i64>(&Kind::INT64_T, &text(&mut wide.iter().map(i64::to_string))), Ok(wide));
        prop_assert_eq!(elements::<u16>(&Kind::UINT16_T, &text(&mut narrow.iter().map(u16::to_string))), Ok(narrow));
        prop_assert_eq!(elements::<i8>(&Kind::INT8_T, &text(&mut bytes.iter().map(i8::to_string))), Ok(bytes));
    }

    #[test]
    fn a_wrong_element_is_named(before in 0..100_usize, wrong in prop_oneof![
        Just("256"), Just("-1"), Just("1.5"), Just("true"), Just("\"1\""), Just("null"), Just("[1]"),
    ]) {
        let mut numbers: Vec<String> = (0..before).map(|n| n.to_string()).collect();
        numbers.extend([wrong.to_owned(), "7".to_owned()]);
        let fields = [Field::required("xs", Kind::List(&Kind::UINT8_T))];
        let text = format!("{{\"xs\":{}}}", joined(&numbers, &[]));
        let fault = reader::read(&fields, text.as_bytes(), &mut [Slot::UNSEEN], &mut Arena::new()).expect_err("refused");
        let error = opentool::ToolError::from(fault).to_string();
        prop_assert!(error.starts_with(&format!("invalid arguments: /xs/{before}: ")), "{}", error);
    }
}

#[test]
fn spaced_exponents_and_trailing_zeros_are_integers() {
    assert_eq!(elements::<i64>(&Kind::INT64_T, "[ 1e3 , 2.0, 3 ,\n4]"), Ok(vec![1000, 2, 3, 4]));
    assert_eq!(elements::<bool>(&Kind::Boolean, "[true, false,true ]"), Ok(vec![true, false, true]));
    for text in ["[1,]", "[,1]", "[1 2]", "[1}", "[01]", "[1,2"] {
        assert!(elements::<i64>(&Kind::INT64_T, text).is_err(), "{text}");
    }
}

#[test]
fn a_list_ends_where_memory_does() {
    let text = format!("[{}0]", "0,".repeat(MAX_ARGUMENTS / 8 + 1));
    let fault = elements::<f64>(&Kind::Double, &text).expect_err("too large");
    assert_eq!(fault, "the arguments take more than 67108864 bytes in memory");
}

#[test]
fn bytes_of_a_binary_format_are_bytes() {
    static BASE64: Text = Text::counted(Encoding::Base64);
    static PLAIN: Text = Text::counted(Encoding::Utf8);
    let read = |text: &'static Text, packed: &[u8]| {
        let fields = [Field::required("data", Kind::Text(text))];
        let (mut slots, mut arena) = ([Slot::UNSEEN], Arena::new());
        let mut deserializer = rmp_serde::Deserializer::new(packed);
        from_serde::read(&fields, &mut deserializer, &mut slots, &mut arena)
            .map_err(|fault| fault.to_string())?;
        Ok::<_, String>(Args::new(&slots, &mut arena).get::<&[u8]>(0).to_vec())
    };
    let bin = b"\x81\xa4data\xc4\x03\x00\xff\x01";
    assert_eq!(read(&BASE64, bin), Ok(vec![0, 0xff, 1]));
    assert_eq!(read(&BASE64, b"\x81\xa4data\xa4AP8B"), Ok(vec![0, 0xff, 1]), "their text is accepted too");
    assert_eq!(read(&PLAIN, bin), Err("the value is bytes; expected a string".to_owned()));
}
