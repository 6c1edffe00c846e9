//! Handles of which C counts the owners: `x-retain`.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use opendyn::ToolError;
use serde_json::json;

use crate::{alive, call, counted, token, tool};

#[test]
fn a_clone_is_one_more_owner_and_the_last_one_frees() {
    let tool = tool();
    let sheet = tool.sheet_new(1).expect("a sheet");
    let clone = sheet.clone();
    assert_eq!((sheet.owners(), clone.as_ptr() == sheet.as_ptr()), (2, true));
    drop(sheet);
    assert_eq!((clone.owners(), alive(&tool)), (1, (1, 0)));
    clone.clone().destroy();
    assert_eq!((clone.owners(), alive(&tool)), (1, (1, 0)));
    clone.destroy();
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
fn a_clone_of_a_borrowed_handle_is_an_owner() {
    let tool = tool();
    let common = tool.sheet_common().expect("a sheet");
    let clone = common.clone();
    assert_eq!(common.owners(), 2);
    drop(clone);
    assert_eq!((common.owners(), alive(&tool)), (1, (0, 0)));
}

/// Without it the closure would be freed with the handle that kept it, while C still has it for the other owner.
#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn what_one_owner_keeps_lives_for_the_others() {
    let tool = tool();
    let heard = Arc::new(AtomicI32::new(0));
    let hears = Arc::clone(&heard);
    let sheet = tool.sheet_new(1).expect("a sheet");
    sheet.listen(Some(Box::new(move |event| hears.fetch_add(event, Ordering::Relaxed))));
    let clone = sheet.clone();
    drop(sheet);
    assert_eq!((clone.fire(5), clone.fire(6)), (0, 5));
    let last = clone.clone();
    clone.destroy();
    assert_eq!((last.fire(1), heard.load(Ordering::Relaxed)), (11, 12));
    let hears = Arc::clone(&heard);
    last.listen(Some(Box::new(move |event| hears.fetch_sub(event, Ordering::Relaxed))));
    let further = last.clone();
    last.destroy();
    assert_eq!((further.fire(12), heard.load(Ordering::Relaxed)), (12, 0));
    assert_eq!(Arc::strong_count(&heard), 3, "C may have both closures");
}

/// C itself can be an owner: the closure lives on although the handle was never cloned.
#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn what_a_counted_handle_keeps_lives_for_c() {
    let tool = tool();
    let heard = Arc::new(AtomicI32::new(0));
    let hears = Arc::clone(&heard);
    let sheet = tool.sheet_new(1).expect("a sheet");
    sheet.listen(Some(Box::new(move |event| hears.fetch_add(event, Ordering::Relaxed))));
    let board = sheet.board_new().expect("a board");
    drop(sheet);
    assert_eq!((board.fire(5), board.fire(6)), (0, 5));
    assert_eq!((heard.load(Ordering::Relaxed), Arc::strong_count(&heard)), (11, 2));
    drop(board);
    assert_eq!(alive(&tool), (0, 0));
}

#[test]
#[cfg_attr(opendyn_exact_buffers, ignore = "it leaks on purpose")]
fn what_the_token_of_a_counted_handle_keeps_lives_for_c() {
    let tool = tool();
    let title = "a title that is not short ".repeat(10);
    let sheet = token(&tool, "sheet_new", &json!({ "id": 1 }), "sheet");
    call(&tool, "sheet_title_set", &json!({ "sheet": sheet, "title": title })).expect("a title");
    let board = token(&tool, "board_new", &json!({ "sheet": sheet }), "board");
    call(&tool, "sheet_destroy", &json!({ "sheet": sheet })).expect("it is given up");
    assert_eq!(call(&tool, "board_title", &json!({ "board": board })), Ok(json!({ "title": title })));
    call(&tool, "board_free", &json!({ "board": board })).expect("it is freed");
    assert_eq!(counted(&tool), (0, 0));
}

#[test]
fn tokens_have_one_owner_and_json_cannot_add_one() {
    let tool = tool();
    let sheet = token(&tool, "sheet_new", &json!({ "id": 3 }), "sheet");
    let refused = call(&tool, "sheet_reference", &json!({ "sheet": sheet })).expect_err("it would leak");
    assert!(matches!(refused, ToolError::NotCallable { .. }), "{refused:?}");
    assert!(refused.to_string().contains("`x-retain`"), "{refused}");
    assert_eq!(
        call(&tool, "sheet_owners", &json!({ "sheet": sheet })).expect("a count"),
        json!({ "count": 1 })
    );
    call(&tool, "sheet_destroy", &json!({ "sheet": sheet })).expect("it is freed");
    assert_eq!(counted(&tool), (0, 0));
}
