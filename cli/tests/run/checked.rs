//! What is wrong with a workflow is found before a library is loaded, all at once.

use crate::{COUNT, DOCUMENT, file, library, opendyn, refused, run, said};

const WRONG: &str = r##"{
  "openworkflow": "1.0.0",
  "info": {"title": "Wrong", "version": "1.0.0"},
  "workflow": {
    "start": {"function": "counter_opn", "arguments": {}, "results": {}, "next": "two"},
    "two": {"function": "half", "arguments": {"off": 1}, "results": {"haf": 0}, "next": null}
  },
  "x-outputs": {"half": {"value": "#/two/results/hlf"}}
}"##;

#[test]
fn every_finding_has_its_line_and_column_and_nothing_is_loaded() {
    let workflow = file("run-wrong", "wrong.json", WRONG);
    for arguments in [&["--check"][..], &[]] {
        let said = refused(&mut run(&workflow, arguments));
        for expected in [
            "wrong.json:5:27: there is no function `counter_opn`; did you mean `counter_open`?",
            "wrong.json:6:47: `half` has no parameter `off`; did you mean `of`?",
            "wrong.json:6:46: `half` requires `of`",
            "wrong.json:6:70: the result of `half`: there is no `haf`",
            "wrong.json:8:35: the result of `half`: there is no `hlf`",
            "\n5 errors, 0 warnings\n",
        ] {
            assert!(said.contains(expected), "{expected}\n{said}");
        }
        assert!(!said.contains("loaded"), "{said}");
    }
}

#[test]
fn a_check_needs_no_library_and_shows_what_a_run_is_given_and_returns() {
    let workflow = file("run-checked", "count.json", COUNT);
    let checked = said(&mut opendyn(&["run", &workflow, DOCUMENT, "--check"]));
    assert_eq!((checked.status, checked.err.as_str()), (Some(0), ""));
    assert!(
        checked.out.contains("count.json: 3 steps, no errors\ncount(from?: integer) -> {second: integer}\n"),
        "{}",
        checked.out
    );
    let ran = refused_with(&["run", &workflow, DOCUMENT]);
    assert!(ran.contains("names no library") && ran.contains("--library"), "{ran}");
}

fn refused_with(arguments: &[&str]) -> String {
    let said = said(&mut opendyn(arguments));
    assert_eq!((said.status, said.out.as_str()), (Some(2), ""), "{}", said.err);
    said.err
}

#[test]
fn what_is_no_workflow_is_said() {
    let said = refused(&mut opendyn(&["run", DOCUMENT, DOCUMENT, "--library", library()]));
    assert!(said.contains("counter.json` is not a workflow") && said.contains("comes first"), "{said}");
    let broken = file("run-broken", "broken.json", "{\"openworkflow\": ");
    let said = refused(&mut run(&broken, &[]));
    assert!(said.contains("broken.json:1:17: not JSON"), "{said}");
    let workflow = file("run-not-checked", "count.json", COUNT);
    let said = refused_with(&["check", &workflow]);
    assert!(said.contains("is a workflow") && said.contains("opendyn run"), "{said}");
    let alone = file("run-alone", "count.json", COUNT);
    let said = refused(&mut opendyn(&["run", &alone]));
    assert!(said.contains("there is no function `counter_open`"), "{said}");
}
