//! Functions that take several handles, and free one of them or all.

use opendyn_tests::Twin;
use serde_json::json;

use super::{call, counted, open_account, open_bank, refusal};

opendyn::opendyn!("fixtures/keys-handles/several.json");
opendyn_tests::twin!(KeysSeveral = "fixtures/keys-handles/several.json");

fn several() -> Twin<KeysSeveral> {
    // SAFETY: fixtures/keys-handles/several.json describes c/keys_handles.c correctly.
    unsafe { Twin::open("keys_handles", &[]) }.expect("every function is there")
}

#[test]
fn only_the_handle_that_says_so_is_freed() {
    let several = several();
    let bank = open_bank(&several);
    let (into, from) = (open_account(&several, &bank, 3), open_account(&several, &bank, 4));
    let merged = call(&several, "account_merge", &json!({"into": into, "from": from}));
    assert_eq!(merged, Ok(json!({"balance": 7})));
    assert_eq!(counted(&several), (2, 0));
    assert_eq!(
        refusal(&several, "account_balance", "account", &from),
        format!("invalid arguments: /account: \"{from}\" was freed")
    );
    assert_eq!(call(&several, "account_balance", &json!({"account": into})), Ok(json!({"balance": 7})));
    assert_eq!(call(&several, "account_close", &json!({"account": into})), Ok(json!({})));
    assert_eq!(call(&several, "bank_close", &json!({"bank": bank})), Ok(json!({})));
    assert_eq!(counted(&several), (0, 0));
}

#[test]
fn both_handles_are_freed_where_both_say_so() {
    let several = several();
    let (first, second) = (several.bank_open(c"first"), several.bank_open(c"second"));
    first.expect("a bank").close_both(second.expect("a bank"));
    assert_eq!(counted(&several), (0, 0));
    let (first, second) = (open_bank(&several), open_bank(&several));
    let closed = call(&several, "bank_close_both", &json!({"first": first, "second": second}));
    assert_eq!(closed, Ok(json!({})));
    assert_eq!(counted(&several), (0, 0));
}

#[test]
fn a_handle_to_free_is_not_given_twice() {
    let several = several();
    let bank = open_bank(&several);
    let account = open_account(&several, &bank, 3);
    let error = call(&several, "account_merge", &json!({"into": account, "from": account}))
        .expect_err("it would be used when it is gone");
    assert_eq!(error.to_string(), "invalid arguments: /from: the same handle as `into`");
    assert_eq!(call(&several, "account_balance", &json!({"account": account})), Ok(json!({"balance": 3})));
    assert_eq!(call(&several, "account_close", &json!({"account": account})), Ok(json!({})));
    let error = call(&several, "bank_close_both", &json!({"first": bank, "second": bank}))
        .expect_err("it would be freed twice");
    assert_eq!(error.to_string(), "invalid arguments: /second: the same handle as `first`");
    assert_eq!(call(&several, "bank_close", &json!({"bank": bank})), Ok(json!({})));
    assert_eq!(counted(&several), (0, 0));
}

#[test]
fn a_call_that_is_refused_takes_no_token() {
    let several = several();
    let (first, second) = (open_bank(&several), open_bank(&several));
    let account = open_account(&several, &second, 1);
    let error = call(&several, "bank_close_both", &json!({"first": first, "second": second}))
        .expect_err("an account lives in the second");
    assert_eq!(
        error.to_string(),
        format!(
            "invalid arguments: /second: \"{second}\" still has 1 handle that lives in it ({account}): free that first"
        )
    );
    assert_eq!(counted(&several), (3, 0));
    assert_eq!(call(&several, "bank_close", &json!({"bank": first})), Ok(json!({})));
    assert_eq!(counted(&several), (2, 0));
}

/// The token of a letter, which lives in the plate of a bank.
fn letter(several: &Twin<KeysSeveral>, bank: &str) -> String {
    let plate = call(several, "bank_plate", &json!({"bank": bank})).expect("a plate")["plate"].take();
    let letter = call(several, "plate_letter", &json!({"plate": plate})).expect("a letter");
    letter["letter"].as_str().expect("a token").to_owned()
}

#[test]
fn what_lives_in_a_handle_is_not_passed_to_a_call_that_frees_it() {
    let several = several();
    let (bank, other) = (open_bank(&several), open_bank(&several));
    let (own, foreign) = (letter(&several, &bank), letter(&several, &other));
    let message = format!(
        "invalid arguments: /bank: \"{own}\", another argument, depends on \"{bank}\" and would end with this call"
    );
    let error = call(&several, "bank_close_with", &json!({"bank": bank, "letter": own}))
        .expect_err("it would be read when it is gone");
    assert_eq!(error.to_string(), message);
    let error = call(&several, "bank_close_all", &json!({"bank": bank, "letters": [foreign, own]}))
        .expect_err("one of them would be read when it is gone");
    assert_eq!(error.to_string(), message);
    assert_eq!(counted(&several), (2, 0), "C was not called");

    let both = json!({"bank": bank, "letter": foreign});
    assert!(call(&several, "bank_close_with", &both).is_ok_and(|reply| reply["code"] != json!(-1)));
    let bank = open_bank(&several);
    assert!(call(&several, "bank_close_all", &json!({"bank": bank, "letters": [foreign, foreign]})).is_ok());
    let bank = open_bank(&several);
    assert_eq!(call(&several, "bank_close_with", &json!({"bank": bank})), Ok(json!({"code": 0})));
    assert_eq!(call(&several, "bank_close", &json!({"bank": other})), Ok(json!({})));
    assert_eq!(counted(&several), (0, 0));
}
