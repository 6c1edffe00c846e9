//! Arrays of handles that C takes: all of them or none, into a handle, into the one that the call returns, or for good.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use opendyn::Tool;
use serde_json::{Value, json};

use crate::{Branch, KeysTakes, alive, call, counted, token, tool};

fn branches<'t>(tool: &'t KeysTakes, ids: &[i32]) -> Vec<Branch<'t>> {
    ids.iter().map(|id| tool.branch_new(*id).expect("a branch")).collect()
}

mod typed {
    use super::*;

    #[test]
    fn what_c_takes_into_the_result_is_freed_with_it() {
        let tool = tool();
        let bundle = tool.branch_bundle(branches(&tool, &[1, 2, 4])).expect("a bundle");
        assert_eq!((bundle.sum(), alive(&tool)), (107, (4, 0)));
        let outer = bundle.wrap().expect("a bundle of one");
        assert_eq!((outer.sum(), alive(&tool)), (207, (5, 0)));
        drop(outer);
        assert_eq!(alive(&tool), (0, 0), "once");
    }

    #[test]
    fn what_c_does_not_take_comes_back_in_order() {
        let tool = tool();
        let refused = tool.branch_bundle(branches(&tool, &[1, 13, 2])).expect_err("C refuses it");
        let back = refused.into_inner().expect("C has taken nothing");
        assert_eq!(back.iter().map(|branch| branch.id()).collect::<Vec<_>>(), [1, 13, 2]);
        let root = tool.branch_new(5).expect("a branch");
        let refused = root.add_all(back).expect_err("C refuses it");
        assert_eq!((refused.code(), refused.text()), (Some(3), Some("a wrong argument")));
        assert_eq!((refused.inner().len(), alive(&tool)), (3, (4, 0)));
        drop(refused);
        assert_eq!(alive(&tool), (1, 0), "they are dropped, and freed");
        let refused = tool.branch_new(13).expect("a branch").wrap().expect_err("C refuses it");
        assert_eq!(refused.into_inner().expect("C has not taken it").id(), 13);
        drop(root);
        assert_eq!(alive(&tool), (0, 0));
    }

    #[test]
    fn what_c_takes_always_does_not_come_back() {
        let tool = tool();
        let refused = tool.branch_bundle_always(branches(&tool, &[1, 13])).expect_err("it fails");
        assert!(refused.into_inner().is_none(), "C has freed them");
        assert_eq!(alive(&tool), (0, 0));
        // A byte counts them: C is not called.
        let refused = tool.branch_bundle_always(branches(&tool, &[1; 256])).expect_err("too many");
        assert_eq!(refused.into_inner().expect("C was not called").len(), 256);
        assert_eq!(tool.branch_bundle_always(branches(&tool, &[1; 255])).expect("a bundle").sum(), 355);
        assert_eq!(alive(&tool), (0, 0));
    }

    #[test]
    fn what_c_takes_into_a_parameter_can_still_be_used() {
        let tool = tool();
        let root = tool.branch_new(1).expect("a branch");
        let children = root.add_all(branches(&tool, &[2, 4])).expect("they are added");
        assert_eq!(children.iter().map(|child| child.id()).collect::<Vec<_>>(), [2, 4]);
        drop(children);
        assert!(root.add_all(Vec::new()).expect("none is added").is_empty());
        let mut some: Vec<Option<Branch<'_>>> = branches(&tool, &[8, 16]).into_iter().map(Some).collect();
        some.insert(1, None);
        let children = root.hang_all(some).expect("they are added");
        let ids = children.iter().map(|child| child.as_ref().map(|child| child.id()));
        assert_eq!(ids.collect::<Vec<_>>(), [Some(8), None, Some(16)]);
        assert_eq!((root.sum(), alive(&tool)), (31, (5, 0)));
        drop(children);
        drop(root);
        assert_eq!(alive(&tool), (0, 0));
    }

    #[test]
    fn what_c_takes_for_good_is_the_librarys() {
        let tool = tool();
        tool.branch_give_all(Some(branches(&tool, &[1, 2])));
        tool.branch_give_all(None);
        tool.branch_give_all(Some(Vec::new()));
        assert_eq!((tool.given_sum(0), alive(&tool)), (3, (0, 0)));
    }

    #[test]
    fn what_taken_handles_keep_lives_as_long_as_the_result() {
        let tool = tool();
        let calls = Arc::new(AtomicI32::new(0));
        let listening = |id: i32| {
            let (branch, inside) = (tool.branch_new(id).expect("a branch"), Arc::clone(&calls));
            branch.listen(Some(Box::new(move |event| inside.fetch_add(event, Ordering::Relaxed) + event)));
            branch.note(c"kept".to_owned());
            branch
        };
        // What C refuses keeps what it kept.
        let refused = tool.branch_bundle(vec![listening(1), listening(13)]).expect_err("C refuses it");
        assert_eq!(Arc::strong_count(&calls), 3);
        drop(refused);
        assert_eq!(Arc::strong_count(&calls), 1);
        let bundle = tool.branch_bundle(vec![listening(1), listening(2)]).expect("a bundle");
        let bundle = bundle.wrap().expect("a bundle of one");
        assert_eq!((bundle.fire(3), bundle.notes(), Arc::strong_count(&calls)), (9, 8, 3));
        drop(bundle);
        assert_eq!((Arc::strong_count(&calls), alive(&tool)), (1, (0, 0)), "freed with its owner");
    }

    /// A bud needs its branch, of which the bowl knows nothing.
    #[test]
    fn taking_what_depends_on_another_handle_is_unsafe() {
        let tool = tool();
        let branch = tool.branch_new(1).expect("a branch");
        let buds = vec![branch.bud_new().expect("a bud"), branch.bud_new().expect("a bud")];
        // SAFETY: the bowl is dropped before the branch.
        let bowl = unsafe { tool.bowl_of(buds) }.expect("a bowl");
        drop(bowl);
        drop(branch);
        assert_eq!(alive(&tool), (0, 0));
    }
}

/// The compiled binding and the interpreter must agree.
mod json {
    use super::*;

    fn new(tool: &impl Tool, id: i32) -> String {
        token(tool, "branch_new", &json!({"id": id}), "branch")
    }

    fn refused(tool: &impl Tool, function: &str, arguments: &Value) -> String {
        call(tool, function, arguments).expect_err(function).to_string()
    }

    #[test]
    fn tokens_that_c_takes_into_the_result_become_its_children() {
        let tool = tool();
        let (one, two) = (new(&tool, 1), new(&tool, 2));
        let bundle = token(&tool, "branch_bundle", &json!({"branches": [one, two]}), "bundle");
        assert_eq!(call(&tool, "branch_id", &json!({"branch": two})), Ok(json!({"id": 2})), "it can be used");
        let belongs =
            format!("{one:?} belongs to {bundle:?} since `branch_bundle` was called, and is freed with it");
        let error = refused(&tool, "branch_free", &json!({"branch": one}));
        assert!(error.ends_with(&belongs), "{error}");
        let error = refused(&tool, "branch_bundle", &json!({"branches": [new(&tool, 3), one]}));
        assert!(error.contains("/branches/1: ") && error.ends_with(&belongs), "{error}");
        let outer = token(&tool, "branch_wrap", &json!({"child": bundle}), "wrapped");
        assert_eq!(call(&tool, "branch_sum", &json!({"branch": outer})), Ok(json!({"sum": 203})));
        call(&tool, "branch_free", &json!({"branch": outer})).expect("it is freed");
        let error = refused(&tool, "branch_id", &json!({"branch": bundle}));
        assert!(error.contains(&format!("was freed with {outer:?}")), "{error}");
        let error = refused(&tool, "branch_id", &json!({"branch": two}));
        assert!(error.contains(&format!("was freed with {bundle:?}")), "{error}");
        assert_eq!(counted(&tool), (1, 0), "the third branch was not taken");
    }

    #[test]
    fn tokens_are_taken_all_or_none() {
        let tool = tool();
        let (root, one, bad) = (new(&tool, 0), new(&tool, 1), new(&tool, 13));
        for (function, list) in [
            ("branch_bundle", "branches"),
            ("branch_bundle_always", "branches"),
            ("branch_add_all", "children"),
        ] {
            let with = |tokens: &[&str]| json!({list: tokens, "parent": root});
            let arguments = |tokens: &[&str]| {
                let mut arguments = with(tokens);
                if list == "branches" {
                    arguments.as_object_mut().expect("an object").remove("parent");
                }
                arguments
            };
            let error = refused(&tool, function, &arguments(&[&one, &root, &one]));
            assert!(error.contains(&format!("/{list}/2: {one:?} is given twice")), "{error}");
            let error = refused(&tool, function, &arguments(&[&one, "nothing"]));
            assert!(error.contains(&format!("/{list}/1: ")), "{error}");
        }
        let error = refused(&tool, "branch_add_all", &json!({"parent": root, "children": [one, root]}));
        assert!(error.contains("/children/1: "), "{error}");
        for (function, arguments) in [
            ("branch_bundle", json!({"branches": [one, bad]})),
            ("branch_add_all", json!({"parent": root, "children": [one, bad]})),
            ("branch_wrap", json!({"child": bad})),
        ] {
            refused(&tool, function, &arguments);
            assert_eq!(call(&tool, "branch_id", &json!({"branch": one})), Ok(json!({"id": 1})));
            assert_eq!(call(&tool, "branch_id", &json!({"branch": bad})), Ok(json!({"id": 13})));
        }
        // C has taken them although it failed.
        refused(&tool, "branch_bundle_always", &json!({"branches": [one, bad]}));
        let error = refused(&tool, "branch_id", &json!({"branch": one}));
        assert!(
            error.ends_with("is gone: its ownership was passed to C by `branch_bundle_always`"),
            "{error}"
        );
        assert_eq!(counted(&tool), (1, 0));
    }

    #[test]
    fn tokens_that_c_takes_into_a_parameter_are_in_the_reply() {
        let tool = tool();
        let (root, one, two) = (new(&tool, 1), new(&tool, 2), new(&tool, 4));
        let added = call(&tool, "branch_add_all", &json!({"parent": root, "children": [one, two]}));
        assert_eq!(added, Ok(json!({"children": [one, two]})));
        let three = new(&tool, 8);
        let hung = call(&tool, "branch_hang_all", &json!({"parent": two, "children": [null, three]}));
        assert_eq!(hung, Ok(json!({"children": [null, three]})));
        assert_eq!(call(&tool, "branch_sum", &json!({"branch": root})), Ok(json!({"sum": 15})));
        let error = refused(&tool, "branch_hang_all", &json!({"parent": three, "children": [root]}));
        assert!(error.contains("cannot be passed to C here"), "{error}");
        call(&tool, "branch_free", &json!({"branch": root})).expect("it is freed");
        assert_eq!(counted(&tool), (0, 0));
    }

    #[test]
    fn tokens_that_c_takes_for_good_are_gone() {
        let tool = tool();
        let (one, two) = (new(&tool, 1), new(&tool, 2));
        call(&tool, "branch_give_all", &json!({"branches": [one, two]})).expect("they are given");
        call(&tool, "branch_give_all", &json!({})).expect("nothing is given");
        for branch in [&one, &two] {
            let error = refused(&tool, "branch_id", &json!({"branch": branch}));
            assert!(
                error.ends_with("is gone: its ownership was passed to C by `branch_give_all`"),
                "{error}"
            );
        }
        assert_eq!(call(&tool, "given_sum", &json!({"event": 0})), Ok(json!({"sum": 3})));
        assert_eq!(counted(&tool), (0, 0));
    }

    #[test]
    fn the_result_lives_in_what_its_children_live_in() {
        let tool = tool();
        let branch = new(&tool, 1);
        let bud = token(&tool, "bud_new", &json!({"branch": branch}), "bud");
        let bowl = token(&tool, "bowl_of", &json!({"buds": [bud]}), "bowl");
        let error = refused(&tool, "branch_free", &json!({"branch": branch}));
        assert!(error.contains(&bowl), "{error}");
        call(&tool, "bowl_free", &json!({"bowl": bowl})).expect("it is freed");
        call(&tool, "branch_free", &json!({"branch": branch})).expect("it is freed");
        assert_eq!(counted(&tool), (0, 0));
    }
}
