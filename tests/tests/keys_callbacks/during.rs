//! Closures that C calls while a function runs.

use std::ffi::{CString, c_char, c_int};

use super::{Color, Point, callbacks};

#[test]
fn a_closure_gets_what_c_gives_and_c_gets_what_it_returns() {
    let callbacks = callbacks();
    let mut seen = Vec::new();
    let sum = callbacks.each_int(&[3, -4, 5], |x| {
        seen.push(x);
        i64::from(x) << 40
    });
    assert_eq!((seen, sum), (vec![3, -4, 5], 4 << 40));
    assert_eq!(callbacks.each_int(&[], |_| 1), 0);
}

#[test]
fn user_data_can_stand_anywhere_among_the_parameters() {
    let callbacks = callbacks();
    // First and last.
    assert_eq!(callbacks.each_int(&[1, 2], |x| (x * 10).into()), 30);
    let area = callbacks.integrate(|x| 2.0 * x, 0.0, 3.0, 100);
    assert!((area - 9.0).abs() < 1e-9, "{area}");
    // Between others, and before the callback.
    assert_eq!(callbacks.find(|i, of| (i + 1) * 2 == of, 10), 4);
    assert_eq!(callbacks.find(|_, _| false, 10), -1);
}

#[test]
fn a_closure_may_change_and_borrow_what_is_around_it() {
    let callbacks = callbacks();
    let (mut state, step) = (1_i64, String::from("ab"));
    callbacks.each_int(&[0; 4], |_| {
        state *= step.len() as i64;
        state
    });
    assert_eq!(state, 16);
}

#[test]
fn two_closures_are_distinguished() {
    let callbacks = callbacks();
    let (mut asked, mut added) = (Vec::new(), Vec::new());
    let which = |i| {
        asked.push(i);
        i % 2 == 1
    };
    let value = |i| {
        added.push(i);
        i * 100
    };
    assert_eq!(callbacks.choose(which, value, 4), 400);
    assert_eq!((asked, added), (vec![0, 1, 2, 3], vec![1, 3]));
}

#[test]
fn a_closure_that_is_not_required_may_be_none() {
    let callbacks = callbacks();
    let mut seen = Vec::new();
    assert_eq!(callbacks.count_down(3, Some(&mut |i| seen.push(i))), 3);
    assert_eq!(seen, [3, 2, 1]);
    assert_eq!(callbacks.count_down(3, None), 3);
    assert_eq!(callbacks.each_row(3, None), Ok(()));
}

#[test]
fn without_user_data_there_is_a_function() {
    extern "C" fn triple(x: c_int) -> c_int {
        x * 3
    }
    let callbacks = callbacks();
    assert_eq!(callbacks.apply(triple, 14), 42);
    assert_eq!(callbacks.apply_optional(Some(triple), 14), 42);
    assert_eq!(callbacks.apply_optional(None, 14), -14);
}

#[test]
fn a_closure_may_call_the_library_again() {
    let callbacks = callbacks();
    let sum = callbacks.each_int(&[1, 2, 3], |x| {
        let xs = vec![x; 2];
        callbacks.each_int(&xs, |y| callbacks.count_down(y, None).into())
    });
    assert_eq!(sum, 12);
}

#[test]
fn scalars_of_every_kind_arrive() {
    let callbacks = callbacks();
    let value = callbacks.all_kinds(|flag, c, byte, s, i, u, l, ll, size, f, d| {
        assert_eq!((flag, c, byte, s), (true, b'c' as c_char, 200, -3));
        assert_eq!((i, u, l, ll, size), (-4, 5, -6, -7, 8));
        f64::from(f) + d
    });
    assert_eq!(value.to_bits(), 0.75_f64.to_bits());
}

#[test]
fn strings_arrive_and_null_where_it_may() {
    let callbacks = callbacks();
    let mut texts: Vec<CString> = Vec::new();
    let sum = callbacks.each_text(|text| {
        texts.push(text.to_owned());
        c_int::try_from(text.count_bytes()).expect("short")
    });
    assert_eq!((texts, sum), (vec![c"one".to_owned(), c"".to_owned(), c"three".to_owned()], 8));
    let sum = callbacks.each_maybe_text(|text| match text {
        Some(text) => c_int::from(text == c"one"),
        None => 10,
    });
    assert_eq!(sum, 11);
}

#[test]
fn arrays_arrive_as_slices() {
    let callbacks = callbacks();
    let mut slices: Vec<Vec<f64>> = Vec::new();
    assert_eq!(callbacks.each_slice(|xs| slices.push(xs.to_vec())), 3);
    assert_eq!(slices, [vec![0.5, 1.5, 2.5], vec![1.5], vec![]]);
    assert_eq!(callbacks.each_bytes(|bytes| c_int::from(bytes == b"a\0b")), 1);
}

#[test]
fn several_strings_arrive_at_once() {
    let callbacks = callbacks();
    let mut rows = Vec::new();
    let visited = callbacks.each_row(
        2,
        Some(&mut |values, names| {
            let names: Vec<_> = names.iter().map(|name| name.map(CString::from)).collect();
            rows.push((values.iter().map(|value| value.map(CString::from)).collect::<Vec<_>>(), names));
            0
        }),
    );
    assert_eq!(visited, Ok(()));
    let row = (vec![Some(c"1".to_owned()), None], vec![Some(c"id".to_owned()), Some(c"name".to_owned())]);
    assert_eq!(rows, [row.clone(), row]);
}

#[test]
fn c_heeds_what_a_closure_returns() {
    let callbacks = callbacks();
    let mut rows = 0;
    let stop = |_: opendyn::CStrings<'_>, _: opendyn::CStrings<'_>| {
        rows += 1;
        c_int::from(rows == 2)
    };
    let mut stop = stop;
    let error = callbacks.each_row(5, Some(&mut stop)).expect_err("stopped");
    assert_eq!(error.to_string(), "4: stopped by a callback");
    assert_eq!(rows, 2);
    assert_eq!(callbacks.call_until_negative(|times| 2 - times), 4);
}

#[test]
fn structs_enums_and_raw_pointers_arrive() {
    let callbacks = callbacks();
    let mut points: Vec<Point> = Vec::new();
    assert_eq!(callbacks.each_point(|point| points.push(*point)), 2);
    assert_eq!(points, [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }]);
    let mut colors = Vec::new();
    let sum = callbacks.each_color(|color| {
        colors.push(color);
        color.into()
    });
    assert_eq!((colors, sum), (vec![Color::Red, Color::Unknown(99)], 100));
    let mut raw = Vec::new();
    assert_eq!(callbacks.each_raw(|pointer| raw.push(pointer), 2), 2);
    assert!(raw.len() == 2 && !raw[0].is_null() && raw[0] == raw[1]);
}
