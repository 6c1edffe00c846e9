//! Handles in Rust that C takes: they are moved, and come back where C refuses.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use opendyn::{CallError, Refused};

use crate::{alive, tool};

#[test]
fn what_c_takes_into_a_handle_is_freed_with_it() {
    let tool = tool();
    let root = tool.branch_new(1).expect("a branch");
    let child = root.add(tool.branch_new(2).expect("a branch")).expect("it is added");
    assert_eq!(child.id(), 2, "it can still be used");
    let grandchild = child.add(tool.branch_new(4).expect("a branch")).expect("it is added");
    assert_eq!((grandchild.id(), root.sum(), alive(&tool)), (4, 7, (3, 0)));
    // What is borrowed from the root cannot outlive it.
    drop(grandchild);
    drop(child);
    drop(root);
    assert_eq!(alive(&tool), (0, 0), "once");
}

#[test]
fn what_c_does_not_take_comes_back() {
    let tool = tool();
    let root = tool.branch_new(1).expect("a branch");
    let refused = root.add(tool.branch_new(13).expect("a branch")).expect_err("C refuses it");
    assert_eq!((refused.code(), refused.text()), (Some(3), Some("a wrong argument")));
    let child = refused.into_inner();
    assert_eq!((child.id(), root.sum(), alive(&tool)), (13, 1, (2, 0)));
    drop((child, root));
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn what_c_takes_always_does_not_come_back() {
    let tool = tool();
    let root = tool.branch_new(1).expect("a branch");
    let error = root.force(tool.branch_new(13).expect("a branch")).expect_err("it fails");
    assert_eq!((error.code(), root.sum()), (3, 14));
    assert_eq!(root.force(tool.branch_new(2).expect("a branch")).expect("it is added").id(), 2);
    drop(root);
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn nothing_is_taken_where_nothing_is_given() {
    let tool = tool();
    let root = tool.branch_new(1).expect("a branch");
    assert!(root.hang(None).is_none());
    let child = root.hang(Some(tool.branch_new(2).expect("a branch"))).expect("it is added");
    assert_eq!((child.id(), root.sum()), (2, 3));
    drop(child);
    drop(root);
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn what_c_takes_for_good_may_be_another_handle_afterwards() {
    let tool = tool();
    let root = tool.branch_new(1).expect("a branch");
    let first = root.merge(tool.branch_new(2).expect("a branch")).expect("it is added");
    let second = root.merge(tool.branch_new(2).expect("a branch")).expect("it is merged");
    assert_eq!((first.as_ptr(), root.sum(), alive(&tool)), (second.as_ptr(), 3, (2, 0)));
    drop((first, second));
    // C returns NULL, and has taken nothing.
    let refused = root.merge(tool.branch_new(13).expect("a branch")).expect_err("C refuses it");
    let child = refused.into_inner().expect("C has not taken it");
    assert_eq!(child.id(), 13);
    drop((child, root));
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn what_a_taken_handle_keeps_lives_as_long_as_its_owner() {
    let tool = tool();
    let calls = Arc::new(AtomicI32::new(0));
    let root = tool.branch_new(1).expect("a branch");
    let child = tool.branch_new(2).expect("a branch");
    let inside = Arc::clone(&calls);
    child.listen(Some(Box::new(move |event| inside.fetch_add(event, Ordering::Relaxed) + event)));
    child.note(c"kept".to_owned());
    root.note(c"own".to_owned());
    let _ = root.add(child).expect("it is added");
    assert_eq!((root.fire(3), root.notes(), Arc::strong_count(&calls)), (3, 7, 2));
    drop(root);
    assert_eq!((Arc::strong_count(&calls), alive(&tool)), (1, (0, 0)), "freed with its owner");
}

/// C may call the closure and read the note at any time.
#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn what_a_handle_keeps_that_c_takes_for_good_stays() {
    let tool = tool();
    let calls = Arc::new(AtomicI32::new(0));
    let branch = tool.branch_new(5).expect("a branch");
    let inside = Arc::clone(&calls);
    branch.listen(Some(Box::new(move |event| inside.fetch_add(event, Ordering::Relaxed) + event)));
    branch.give();
    assert_eq!((tool.given_sum(3), calls.load(Ordering::Relaxed), alive(&tool)), (8, 3, (0, 0)));
    // For leak checkers: what is leaked on purpose is only reachable by C.
    std::mem::forget(calls);
}

/// A handle that depends on another one could outlive it in C.
#[test]
fn taking_what_depends_on_another_handle_is_unsafe() {
    let tool = tool();
    let branch = tool.branch_new(1).expect("a branch");
    let bowl = tool.bowl_new().expect("a bowl");
    let bud = branch.bud_new().expect("a bud");
    // SAFETY: the bowl is dropped before the branch.
    unsafe { bowl.add(bud) };
    drop(bowl);
    assert_eq!(alive(&tool), (1, 0));
    // SAFETY: C does not use the branch of a lost bud.
    unsafe { branch.bud_new().expect("a bud").lose() };
    drop(branch);
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn a_handle_is_freed_only_with_the_arguments_that_it_was_made_with() {
    let tool = tool();
    let (one, two) = (tool.branch_new(1).expect("a branch"), tool.branch_new(2).expect("a branch"));
    let part = one.part_new(-7).expect("a part");
    let other = |refused: Refused<_>, value| {
        assert_eq!(*refused.error(), CallError::OtherArgument { value });
        refused.into_inner()
    };
    let part = other(two.part_free(part, -7, 42).expect_err("another branch"), "context");
    let part = other(one.part_free(part, 7, 42).expect_err("another kind"), "kind");
    let part = other(one.part_free(part, -7, 41).expect_err("not the constant"), "check");
    one.part_free(part, -7, 42).expect("its own arguments");
    drop((one, two));
    assert_eq!(alive(&tool), (0, 0));
}
