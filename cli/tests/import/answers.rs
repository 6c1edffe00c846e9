//! `import --answers`: answers that are kept, and what becomes of them with another header.

use serde_json::{Value, json};

use super::ask::{Files, HEADER, asked, is_callable};
use super::command::{argument, opendyn};
use super::function;

#[test]
fn the_next_version_asks_only_what_is_new() {
    let files = Files::new("version");
    files.ask(&"1\n".repeat(20));
    files.declare(&format!("{HEADER}\nint box_depth(box *b);"));
    let run = files.ask("");
    let all = asked(&run);
    assert_eq!(all.len(), 1, "{}", run.stderr);
    assert!(all[0].contains("int box_depth(box *b)") && !all[0].contains("box_count"), "{}", all[0]);
}

#[test]
fn an_answer_to_another_question_is_reported_and_not_applied() {
    let files = Files::new("stale");
    files.ask(&"1\n".repeat(20));
    let kept = std::fs::read_to_string(&files.answers).expect("it is there");
    let changed = HEADER
        .replace(
            "box_sum(const unsigned char *buf, unsigned len)",
            "box_sum(const unsigned char *buf, unsigned long len)",
        )
        .replace("int box_width(box *b);", "");
    files.declare(&changed);
    let run = files.apply();
    assert!(
        run.stderr.contains(
            "not applied: `box_sum.buf`: the declaration was `unsigned int box_sum(const unsigned char *buf, unsigned int len)` and is"
        ),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("not applied: `box_width.b`: it is not asked any more"), "{}", run.stderr);
    let document = files.document();
    assert!(!is_callable(&document, "box_sum") && is_callable(&document, "box_xor"));
    // Another answer than was offered, or another question.
    files.declare(HEADER);
    for (from, to, reason) in [
        (
            "\"yes, only during the call\"",
            "\"maybe\"",
            "the answer \\\"maybe\\\" is not among the possible ones any more",
        ),
        ("\"x-handle\": \"box\"", "\"x-handle\": \"crate\"", "means something else now"),
        ("Does C only use", "Did C only use", "the question was"),
    ] {
        assert!(kept.contains(from), "{from}");
        std::fs::write(&files.answers, kept.replace(from, to)).expect("it can be written");
        let run = files.apply();
        let reason = reason.replace('\\', "");
        assert!(
            run.stderr.contains("not applied: `box_count.b`") && run.stderr.contains(&reason),
            "{}",
            run.stderr
        );
        assert!(!is_callable(&files.document(), "box_count"));
    }
}

#[test]
fn an_answer_can_be_written_by_hand() {
    let files = Files::new("own");
    files.ask("1\n");
    let own = json!({ "opendynAnswers": "1", "answers": [{
        "question": "box_split.exponent",
        "text": "Does C leave one value in `exponent`?",
        "answer": "own",
        "changes": { "isIn": false, "x-length": { "const": 2 } },
        "places": { "box_split.exponent": "double box_split(double x, int *exponent)" } }] });
    std::fs::write(&files.answers, own.to_string()).expect("it can be written");
    files.apply();
    let document = files.document();
    assert_eq!(function(&document, "box_split")["parameters"][1]["x-length"], json!({ "const": 2 }));
    assert!(is_callable(&document, "box_split"));
    let wrong = own.to_string().replace("\"const\":2", "\"const\":\"x\"");
    std::fs::write(&files.answers, wrong).expect("it can be written");
    let run = files.apply();
    assert!(
        run.stderr.contains("not applied: `box_split.exponent`: the document would have an error"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_thousand_kept_answers_take_about_as_long_as_some_imports() {
    let files = Files::new("thousand");
    let declare = |index: usize| format!("double split_{index}(double x, int *exponent);\n");
    files.declare(&(0..1000).map(declare).collect::<String>());
    let answer = |index: usize| {
        // Every tenth is an error.
        let count = if index.is_multiple_of(10) { json!("x") } else { json!(2) };
        let (place, of) = (format!("split_{index}.exponent"), declare(index));
        json!({
            "question": place, "text": "Does C leave one value in `exponent`?", "answer": "own",
            "changes": { "isIn": false, "x-length": { "const": count } },
            "places": { place.as_str(): of.trim_end().trim_end_matches(';') },
        })
    };
    let answers: Vec<Value> = (0..1000).map(answer).collect();
    let kept = json!({ "opendynAnswers": "1", "answers": answers });
    std::fs::write(&files.answers, kept.to_string()).expect("it can be written");
    let begun = std::time::Instant::now();
    assert_eq!(opendyn(&["import", argument(&files.header), "-o", argument(&files.document)]).status, 0);
    let import = begun.elapsed();
    let begun = std::time::Instant::now();
    let run = opendyn(&files.arguments());
    let applied = begun.elapsed();
    assert!(run.stderr.contains("900 answers applied, 100 not"), "{}", run.stderr);
    // About 4 times in a debug build; 100 checks of wrong answers one by one would be 200 times.
    assert!(applied < import * 20 + std::time::Duration::from_secs(1), "{applied:?}, an import {import:?}");
}

#[test]
fn a_file_that_has_no_answers_is_refused() {
    let files = Files::new("refused");
    let run = opendyn(&files.arguments());
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("cannot read"), "{}", run.stderr);
    let entry =
        json!({ "question": "q", "text": "t", "answer": "a", "changes": {}, "places": { "f.x": "d" } });
    let twice = json!({ "opendynAnswers": "1", "answers": [entry, entry] });
    let mut unknown = json!({ "opendynAnswers": "1", "answers": [entry] });
    unknown["answers"][0]["anwser"] = "b".into();
    for (text, reason) in [
        ("[", "it is not JSON"),
        ("[]", "the file is not an object"),
        ("{}", "it has no \"opendynAnswers\": \"1\""),
        ("{\"opendynAnswers\": \"1\"}", "it has no list \"answers\""),
        ("{\"opendynAnswers\": \"1\", \"answers\": [{}]}", "entry 1 of \"answers\" has no text \"question\""),
        (twice.to_string().as_str(), "`f.x` is answered twice"),
        (unknown.to_string().as_str(), "unknown key \"anwser\""),
    ] {
        std::fs::write(&files.answers, text).expect("it can be written");
        let run = opendyn(&files.arguments());
        assert_eq!(run.status, 1, "{text}: {}", run.stderr);
        assert!(run.stderr.contains(reason), "{text}: {}", run.stderr);
        assert_eq!(std::fs::read_to_string(&files.answers).expect("it is there"), text, "it is left alone");
    }
    std::fs::write(&files.answers, b"\xff").expect("it can be written");
    assert_eq!(opendyn(&files.arguments()).status, 2);
    assert_eq!(opendyn(&["import", "box.h", "--ask"]).status, 2, "--ask needs --answers");
}

#[test]
fn what_was_answered_has_its_answer_as_evidence() {
    let files = Files::new("evidence");
    files.ask("1\n");
    let [header, answers] = [&files.header, &files.answers].map(|path| argument(path));
    let run = opendyn(&["import", header, "--answers", answers, "--evidence", "--only", "box_count"]);
    assert!(
        run.stdout.contains(
            "box_count.b\tin `schema` in `cType` write \"x-handle\": \"box\"\tanswer: \"yes, only during the call\"\nbox_count.result"
        ),
        "{}",
        run.stdout
    );
}
