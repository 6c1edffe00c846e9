//! Tokens of handles that C takes: they become children, or are gone, and say why.

use opendyn::Session;
use serde_json::json;

use crate::{call, counted, token, tool};

#[test]
fn a_token_that_c_takes_into_another_becomes_its_child() {
    let tool = tool();
    let new = |id: i32| token(&tool, "branch_new", &json!({"id": id}), "branch");
    let (root, child) = (new(1), new(2));
    let added = call(&tool, "branch_add", &json!({"parent": root, "child": child}));
    assert_eq!(added, Ok(json!({"child": child})), "its token stays");
    assert_eq!(call(&tool, "branch_id", &json!({"branch": child})), Ok(json!({"id": 2})));
    let error = call(&tool, "branch_free", &json!({"branch": child})).expect_err("it is not its own");
    let expected =
        format!("{child:?} belongs to {root:?} since `branch_add` was called, and is freed with it");
    assert!(error.to_string().ends_with(&expected), "{error}");
    let error = call(&tool, "branch_give", &json!({"branch": child})).expect_err("it is not its own");
    assert!(error.to_string().ends_with(&expected), "{error}");
    call(&tool, "branch_free", &json!({"branch": root})).expect("it is freed");
    let error = call(&tool, "branch_id", &json!({"branch": child})).expect_err("it is freed");
    let expected =
        format!("{child:?} was freed with {root:?}, to which it belonged since `branch_add` was called");
    assert!(error.to_string().ends_with(&expected), "{error}");
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn a_token_that_c_does_not_take_stays() {
    let tool = tool();
    let new = |id: i32| token(&tool, "branch_new", &json!({"id": id}), "branch");
    let (root, child) = (new(1), new(13));
    for function in ["branch_add", "branch_merge"] {
        call(&tool, function, &json!({"parent": root, "child": child})).expect_err("C refuses");
        assert_eq!(call(&tool, "branch_id", &json!({"branch": child})), Ok(json!({"id": 13})));
    }
    call(&tool, "branch_force", &json!({"parent": root, "child": child})).expect_err("it fails");
    let error = call(&tool, "branch_free", &json!({"branch": child})).expect_err("C has it");
    assert!(error.to_string().contains("since `branch_force` was called"), "{error}");
    assert_eq!(call(&tool, "branch_sum", &json!({"branch": root})), Ok(json!({"sum": 14})));
    assert_eq!(call(&tool, "branch_hang", &json!({"parent": root})), Ok(json!({"child": null})));
    call(&tool, "branch_free", &json!({"branch": root})).expect("it is freed");
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn a_token_that_c_takes_for_good_is_gone() {
    let tool = tool();
    let new = |id: i32| token(&tool, "branch_new", &json!({"id": id}), "branch");
    let (root, first, second) = (new(1), new(2), new(2));
    let inner = token(&tool, "branch_add", &json!({"parent": second, "child": new(3)}), "child");
    let merge =
        |child: &str| token(&tool, "branch_merge", &json!({"parent": root, "child": child}), "merged");
    assert_eq!(merge(&first), merge(&second), "they are merged");
    for child in [&first, &second, &inner] {
        let error = call(&tool, "branch_id", &json!({"branch": child})).expect_err("it is gone");
        let expected = format!("{child:?} is gone: its ownership was passed to C by `branch_merge`");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    let given = new(5);
    assert_eq!(call(&tool, "branch_give", &json!({"branch": given})), Ok(json!({})));
    let error = call(&tool, "branch_free", &json!({"branch": given})).expect_err("it is gone");
    assert!(error.to_string().ends_with("its ownership was passed to C by `branch_give`"), "{error}");
    assert_eq!(call(&tool, "given_sum", &json!({"event": 0})), Ok(json!({"sum": 5})));
    call(&tool, "branch_free", &json!({"branch": root})).expect("it is freed");
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn a_handle_cannot_be_passed_into_itself_or_into_what_is_in_it() {
    let tool = tool();
    let new = |id: i32| token(&tool, "branch_new", &json!({"id": id}), "branch");
    let (root, child) = (new(1), new(2));
    let error = call(&tool, "branch_add", &json!({"parent": root, "child": root})).expect_err("itself");
    assert!(error.to_string().contains(&root), "{error}");
    call(&tool, "branch_add", &json!({"parent": root, "child": child})).expect("it is added");
    let first = token(&tool, "branch_first", &json!({"branch": root}), "child");
    for (function, parent) in
        [("branch_add", &child), ("branch_add", &first), ("branch_merge", &child), ("branch_merge", &first)]
    {
        let error =
            call(&tool, function, &json!({"parent": parent, "child": root})).expect_err("it is in it");
        let expected =
            format!("{root:?} cannot be passed to C here: {parent:?} depends on it, or it on {parent:?}");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    // A borrowed handle is not given away.
    let other = new(9);
    let error = call(&tool, "branch_add", &json!({"parent": other, "child": first})).expect_err("borrowed");
    assert!(error.to_string().contains(&first), "{error}");
    call(&tool, "branch_free", &json!({"branch": root})).expect("it is freed");
    assert_eq!(counted(&tool), (1, 0));
}

#[test]
fn the_owner_of_a_taken_handle_lives_in_what_that_lived_in() {
    let tool = tool();
    let branch = token(&tool, "branch_new", &json!({"id": 1}), "branch");
    let bowl = token(&tool, "bowl_new", &json!({}), "bowl");
    let bud = token(&tool, "bud_new", &json!({"branch": branch}), "bud");
    call(&tool, "bowl_add", &json!({"bowl": bowl, "bud": bud})).expect("it is in the bowl");
    let error = call(&tool, "branch_free", &json!({"branch": branch})).expect_err("the bowl needs it");
    assert!(error.to_string().contains(&bowl), "{error}");
    let lost = token(&tool, "bud_new", &json!({"branch": branch}), "bud");
    let error = call(&tool, "bud_lose", &json!({"bud": lost})).expect_err("it may depend on a branch");
    assert!(error.to_string().contains("takes `bud` for good"), "{error}");
    call(&tool, "bud_free", &json!({"bud": lost})).expect("it is freed");
    call(&tool, "bowl_free", &json!({"bowl": bowl})).expect("it is freed");
    call(&tool, "branch_free", &json!({"branch": branch})).expect("nothing needs it");
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn memory_that_a_taken_token_keeps_lives_as_long_as_its_owner() {
    let tool = tool();
    let new = |id: i32| token(&tool, "branch_new", &json!({"id": id}), "branch");
    let (root, child) = (new(1), new(2));
    call(&tool, "branch_note", &json!({"branch": child, "note": "kept by C"})).expect("a note");
    call(&tool, "branch_add", &json!({"parent": root, "child": child})).expect("it is added");
    call(&tool, "branch_note", &json!({"branch": root, "note": "own"})).expect("a note");
    assert_eq!(call(&tool, "branch_notes", &json!({"branch": root})), Ok(json!({"count": 12})));
    call(&tool, "branch_free", &json!({"branch": root})).expect("it is freed");
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn a_session_frees_what_c_took_with_its_owner() {
    let tool = tool();
    {
        let session = Session::new(&*tool);
        let new = |id: i32| token(&session, "branch_new", &json!({"id": id}), "branch");
        let (root, child, other) = (new(1), new(2), new(3));
        call(&session, "branch_add", &json!({"parent": root, "child": child})).expect("it is added");
        call(&session, "branch_add", &json!({"parent": other, "child": root})).expect("it is added");
        assert_eq!(call(&session, "branch_sum", &json!({"branch": other})), Ok(json!({"sum": 6})));
        assert_eq!(crate::alive(&tool), (3, 0));
    }
    assert_eq!(crate::alive(&tool), (0, 0));
}

#[test]
fn a_token_is_freed_only_with_the_arguments_that_it_was_made_with() {
    let tool = tool();
    let new = |id: i32| token(&tool, "branch_new", &json!({"id": id}), "branch");
    let (one, two) = (new(1), new(2));
    let part = token(&tool, "part_new", &json!({"context": one, "kind": -7}), "part");
    let free = |context: &str, kind: i32, check: i32| {
        call(&tool, "part_free", &json!({"context": context, "part": part, "kind": kind, "check": check}))
    };
    for (refused, value) in
        [(free(&two, -7, 42), "context"), (free(&one, 7, 42), "kind"), (free(&one, -7, 41), "check")]
    {
        let error = refused.expect_err("another argument");
        let expected = format!("/{value}: not the argument that the handle was made with");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    assert_eq!(free(&one, -7, 42), Ok(json!({})));
    assert_eq!(counted(&tool), (2, 0));
}

#[test]
fn a_handle_is_not_taken_beside_an_array_with_what_lives_in_it() {
    let tool = tool();
    let new = |id: i32| token(&tool, "branch_new", &json!({"id": id}), "branch");
    let (root, child, other) = (new(1), new(2), new(3));
    call(&tool, "branch_add", &json!({"parent": root, "child": child})).expect("it is added");
    let depends =
        format!("/branch: {child:?}, another argument, depends on {root:?} and would end with this call");
    for (within, expected) in [(&child, depends.as_str()), (&root, "/others/1: the same handle as `branch`")]
    {
        let error = call(&tool, "branch_give_beside", &json!({"branch": root, "others": [other, within]}))
            .expect_err("it is in it");
        assert!(error.to_string().ends_with(expected), "{error}");
    }
    let given = call(&tool, "branch_give_beside", &json!({"branch": root, "others": [other, other]}));
    assert_eq!(given, Ok(json!({"sum": 6})));
    call(&tool, "branch_free", &json!({"branch": other})).expect("it is freed");
    assert_eq!(counted(&tool).1, 0);
}
