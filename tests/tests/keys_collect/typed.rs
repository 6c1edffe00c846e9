//! `collect` is for JSON callers: typed callers pass closures, as ever.

use std::sync::{Arc, Mutex};

use super::{Level, Point, collect};

#[test]
fn closures_get_what_c_passes_and_answer_what_they_like() {
    let collect = collect();
    let mut rows = Vec::new();
    let mut visit = |values: opendyn::CStrings<'_>, names: opendyn::CStrings<'_>| {
        rows.push((values.len(), names.get(0).flatten().map(ToOwned::to_owned)));
        i32::from(rows.len() == 2)
    };
    assert_eq!(collect.rows_each(9, Some(&mut visit)), 2);
    assert_eq!(rows, [(2, Some(c"id".to_owned())), (2, Some(c"id".to_owned()))]);
    assert_eq!(collect.rows_each(9, None), 0);
    assert_eq!(collect.rows_listed(9, None), 0);

    assert_eq!(
        collect.kinds_pass(|_, _, byte, s, level, _, _, _, _, _, _| f64::from(byte)
            + f64::from(s)
            + f64::from(i32::from(level))),
        199.0
    );
    let mut parts = Vec::new();
    collect.texts_each(3, |_, _, _, never, bytes, part, wide, _| {
        parts.push((never.is_empty(), bytes.len(), part.len(), wide.len()))
    });
    assert_eq!(parts, [(true, 3, 0, 2), (true, 3, 1, 2), (true, 3, 2, 2)]);
    let seen = |here: &Point, maybe: Option<&Point>, xs: &[i32], _: &[u8]| {
        here.x >= 0.0 && maybe.is_none() && xs.len() < 4
    };
    assert_eq!(collect.points_each(4, -1, seen), 2);
}

#[test]
fn limits_are_not_for_closures() {
    let collect = collect();
    let mut calls = 0;
    let mut count = |_: i32| {
        calls += 1;
        0
    };
    collect.calls_fail(1200, false, Some(&mut count)).expect("it does not fail");
    assert_eq!(calls, 1200);
    assert!(collect.texts_stop(2, 0, |_| 1).is_err(), "its answer");
    assert!(collect.texts_unlisted(2, 0, |_| 1).is_err(), "its answer");
    assert_eq!(collect.flood(3, 1, |_| 1), 3);
    assert_eq!(collect.numbers_pass(2.0, |x| -x), -2.0);
    assert_eq!(collect.pairs_each(2, |i| i, None), 1);
}

#[test]
fn answers_are_those_of_the_closure() {
    let collect = collect();
    assert_eq!(collect.answer_short(|| -7), -7);
    assert_eq!(collect.answer_byte(|| 200), 200);
    assert_eq!(collect.answer_wide(|| 1 << 50), 1 << 50);
    assert_eq!(collect.answer_float(|| 0.5), 0.5);
    assert!(collect.answer_truth(|| true));
    assert_eq!(collect.answer_level(|| Level::High), Level::High);
}

#[test]
fn a_comparison_computes() {
    let mut xs = [3, 1, 2];
    collect().sort_ints(&mut xs, |a, b| a.cmp(&b) as i32);
    assert_eq!(xs, [1, 2, 3]);
}

#[test]
fn closures_are_found_by_the_address_of_their_handle() {
    let collect = collect();
    let (one, two) = (collect.emitter_new().expect("an emitter"), collect.emitter_new().expect("an emitter"));
    let log = Arc::new(Mutex::new(Vec::<String>::new()));
    let entry = |of: &'static str| {
        let log = Arc::clone(&log);
        move |what: &str| log.lock().expect("no panic").push(format!("{of} {what}"))
    };
    for (emitter, of) in [(&one, "one"), (&two, "two")] {
        let (start, end, text) = (entry(of), entry(of), entry(of));
        emitter.on_start(Some(Box::new(move |name, attributes| {
            start(&format!("<{}{}", name.to_string_lossy(), attributes.len()));
        })));
        emitter
            .on_end(
                move |name| {
                    end(&format!(">{}", name.to_string_lossy()));
                    7
                },
                false,
            )
            .expect("it is set");
        emitter.on_text(Some(Box::new(move |part| {
            text(&part.len().to_string());
            0
        })));
    }
    one.feed(c"<a>").expect("fed");
    two.feed(c">").expect("fed");
    let later = entry("later");
    one.on_end(
        move |_| {
            later("end");
            1
        },
        false,
    )
    .expect("it is set");
    assert!(one.on_end(|_| 1000, true).is_err(), "C has the one before");
    one.feed(c">").expect("fed");
    one.detach(true);
    one.feed(c"<>").expect("nobody is called");
    assert_eq!((one.sum(), two.sum()), (8, 7));
    drop(one);
    two.close().expect("closed");
    assert_eq!(
        *log.lock().expect("no panic"),
        ["one <n2", "one 1", "one >n", "two >n", "later end", "later end", "two >closed"]
    );
    assert_eq!((collect.emitters_living(), Arc::strong_count(&log)), (0, 1), "all closures are dropped");
}

#[test]
fn closures_live_until_the_handle_is_freed() {
    let collect = collect();
    let emitter = collect.emitter_new().expect("an emitter");
    let count = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&count);
    emitter
        .on_end(
            move |_| {
                *counted.lock().expect("no panic") += 1;
                0
            },
            false,
        )
        .expect("it is set");
    emitter.keep_busy(1);
    let refused = emitter.close().expect_err("it is busy");
    let emitter = refused.into_inner();
    emitter.feed(c">").expect("the closure is there");
    emitter.keep_busy(0);
    assert_eq!(*count.lock().expect("no panic"), 2);
    emitter.close().expect("closed");
    assert_eq!((*count.lock().expect("no panic"), Arc::strong_count(&count)), (3, 1));
    collect.emitter_tick();
    let last = collect.emitter_new().expect("an emitter");
    assert_eq!(last.why().expect("a text").as_c_str(), c"a mark of exclamation");
}
