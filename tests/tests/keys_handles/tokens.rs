//! Handles in JSON: tokens, each checked before its pointer is used.

use opendyn::{Tool, ToolError};
use serde_json::{Value, json};

use super::{banks, banks_and_observer, call, counted, open_account, open_bank, refusal, token};

#[test]
fn a_token_stands_for_its_handle_until_it_is_freed() {
    let banks = banks();
    let bank = open_bank(&banks);
    assert!(bank.starts_with("bank:"), "{bank}");
    let name = |bank: &str| call(&banks, "bank_name", &json!({"bank": bank}));
    assert_eq!(name(&bank), Ok(json!({"name": "ours"})));
    let renamed = call(&banks, "bank_rename", &json!({"bank": bank, "name": "theirs"}));
    assert_eq!(renamed, Ok(json!({"length": 6})));
    assert_eq!(name(&bank), Ok(json!({"name": "theirs"})));
    assert_eq!(call(&banks, "keys_living", &json!({})), Ok(json!({"count": 1})));
    assert_eq!(call(&banks, "bank_close", &json!({"bank": bank})), Ok(json!({})));
    let gone = format!("invalid arguments: /bank: \"{bank}\" was freed");
    assert_eq!(refusal(&banks, "bank_name", "bank", &bank), gone);
    assert_eq!(refusal(&banks, "bank_close", "bank", &bank), gone);
    assert_eq!(refusal(&banks, "bank_shut", "bank", &bank), gone);
    assert_eq!(call(&banks, "keys_faults", &json!({})), Ok(json!({"count": 0})));
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn a_token_that_was_freed_does_not_come_back_with_its_place() {
    let banks = banks();
    let first = open_bank(&banks);
    assert_eq!(call(&banks, "bank_shut", &json!({"bank": first})), Ok(json!({"accounts": 0})));
    let second = open_bank(&banks);
    assert_ne!(first, second);
    let gone = format!("invalid arguments: /bank: \"{first}\" was freed");
    assert_eq!(refusal(&banks, "bank_close", "bank", &first), gone);
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn a_token_that_was_made_up_is_refused() {
    let banks = banks();
    let bank = open_bank(&banks);
    let (rest, last) = bank.split_at(bank.len() - 1);
    let forged = format!("{rest}{}", if last == "0" { "1" } else { "0" });
    for made_up in ["", "ours", "0x7fff0000", "bank:1.0.1.0123456789abcdef", forged.as_str()] {
        for function in ["bank_name", "bank_close"] {
            assert_eq!(
                refusal(&banks, function, "bank", made_up),
                format!("invalid arguments: /bank: {made_up:?} is not a handle that this tool gave out")
            );
        }
    }
    let long = "x".repeat(1000);
    let message = refusal(&banks, "bank_name", "bank", &long);
    assert!(message.len() < 200, "{message}");
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn a_token_is_a_string() {
    let banks = banks();
    for other in [json!(1), json!(true), json!({}), json!(["x"]), Value::Null] {
        let error = call(&banks, "bank_name", &json!({"bank": other})).expect_err("no token");
        assert!(matches!(&error, ToolError::InvalidArguments(error) if error.pointer == "/bank"), "{error}");
    }
    let absent = call(&banks, "bank_close", &json!({})).expect_err("no token");
    assert_eq!(absent.code(), 400, "{absent}");
}

#[test]
fn a_token_of_another_type_is_refused() {
    let banks = banks();
    let bank = open_bank(&banks);
    let account = open_account(&banks, &bank, 1);
    for function in ["bank_name", "bank_close"] {
        assert_eq!(
            refusal(&banks, function, "bank", &account),
            format!(
                "invalid arguments: /bank: \"{account}\" is a handle of type `account`; one of type `bank` is needed"
            )
        );
    }
    for function in ["account_balance", "account_close", "account_drop", "account_end"] {
        assert_eq!(
            refusal(&banks, function, "account", &bank),
            format!(
                "invalid arguments: /account: \"{bank}\" is a handle of type `bank`; one of type `account` is needed"
            )
        );
    }
    assert_eq!(counted(&banks), (2, 0));
}

#[test]
fn null_is_an_error_or_null() {
    let banks = banks();
    let null = |name: &str| ToolError::call_failed(format!("`{name}` is a NULL pointer"));
    assert_eq!(call(&banks, "bank_open", &json!({"name": ""})), Err(null("bank")));
    assert_eq!(call(&banks, "bank_find", &json!({"name": ""})), Ok(json!({"bank": null})));
    let none = call(&banks, "bank_find_out", &json!({"name": ""}));
    assert_eq!(none, Ok(json!({"result": 1, "bank": null})));
    let bank = token(&banks, "bank_find", &json!({"name": "ours"}), "bank");
    let debt = json!({"bank": bank, "balance": -1});
    assert_eq!(call(&banks, "account_open", &debt), Err(null("account")));
    assert_eq!(call(&banks, "account_find_out", &debt), Ok(json!({"result": 1, "account": null})));
    assert_eq!(call(&banks, "bank_richest", &json!({"bank": bank})), Ok(json!({"account": null})));
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn an_absent_handle_is_null_in_c() {
    let banks = banks();
    let account = open_account(&banks, &open_bank(&banks), 5);
    for (arguments, balance) in [
        (json!({"account": account, "otherwise": -1}), 5),
        (json!({"account": null, "otherwise": -1}), -1),
        (json!({"otherwise": -2}), -2),
    ] {
        assert_eq!(call(&banks, "balance_or", &arguments), Ok(json!({"balance": balance})));
    }
    let wrong = call(&banks, "balance_or", &json!({"account": "x", "otherwise": 0})).expect_err("made up");
    assert_eq!(
        wrong.to_string(),
        "invalid arguments: /account: \"x\" is not a handle that this tool gave out"
    );
    assert_eq!(banks.keys_faults(), 0);
}

#[test]
fn a_code_that_is_an_error_frees_what_c_left() {
    let (banks, observer) = banks_and_observer();
    let opened = call(&banks, "bank_open_out", &json!({"name": "ours"})).expect("a bank");
    assert_eq!(opened.as_object().map(serde_json::Map::len), Some(1), "the code is not a result: {opened}");
    let failed = |code, message: &str| ToolError::call_failed_with(code, message);
    assert_eq!(call(&banks, "bank_open_out", &json!({"name": ""})), Err(failed(1, "refused")));
    assert_eq!(call(&banks, "bank_open_out", &json!({"name": "closed"})), Err(failed(2, "closed")));
    assert_eq!(counted(&banks), (1, 0));
    // Without `x-code` it is a result, and the bank is held.
    let closed = call(&banks, "bank_find_out", &json!({"name": "closed"})).expect("a bank");
    assert_eq!((closed["result"].as_i64(), closed["bank"].is_string()), (Some(2), true));
    assert_eq!(counted(&banks), (2, 0));
    drop(banks);
    assert_eq!(counted(&observer), (0, 0));
}

#[test]
fn a_handle_with_living_children_cannot_be_freed() {
    let banks = banks();
    let bank = open_bank(&banks);
    let arguments = json!({"bank": bank, "balance": 0});
    let first = token(&banks, "account_open_out", &arguments, "account");
    let one = format!(
        "invalid arguments: /bank: \"{bank}\" still has 1 handle that lives in it ({first}): free that first"
    );
    assert_eq!(refusal(&banks, "bank_close", "bank", &bank), one);
    let second = token(&banks, "account_find_out", &arguments, "account");
    let two = format!(
        "invalid arguments: /bank: \"{bank}\" still has 2 handles that live in it ({first}, {second}): free those first"
    );
    assert_eq!(refusal(&banks, "bank_shut", "bank", &bank), two);
    assert_eq!(counted(&banks), (3, 0));
    for account in [&first, &second] {
        assert_eq!(call(&banks, "account_close", &json!({"account": account})), Ok(json!({})));
    }
    assert_eq!(call(&banks, "bank_shut", &json!({"bank": bank})), Ok(json!({"accounts": 0})));
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn every_way_to_free_ends_the_token() {
    let banks = banks();
    let bank = open_bank(&banks);
    for (function, balance, reply) in [
        ("account_close", 5, Ok(json!({}))),
        ("account_drop", 5, Ok(json!({}))),
        ("account_end", 0, Ok(json!({}))),
        ("account_end", 5, Err(ToolError::call_failed_with(3, "the balance is not right"))),
    ] {
        let account = open_account(&banks, &bank, balance);
        assert_eq!(call(&banks, function, &json!({"account": account})), reply, "{function}");
        assert_eq!(counted(&banks), (1, 0), "{function}");
        assert_eq!(
            refusal(&banks, "account_balance", "account", &account),
            format!("invalid arguments: /account: \"{account}\" was freed")
        );
    }
}

#[test]
fn functions_get_the_handles_that_they_are_given() {
    let banks = banks();
    let bank = open_bank(&banks);
    let (from, to) = (open_account(&banks, &bank, 7), open_account(&banks, &bank, 0));
    let deposited = call(&banks, "account_deposit", &json!({"account": from, "amount": 3}));
    assert_eq!(deposited, Ok(json!({"balance": 10})));
    let transfer =
        |to: &str, amount| call(&banks, "transfer", &json!({"from": from, "to": to, "amount": amount}));
    assert_eq!(transfer(&to, 4), Ok(json!({})));
    assert_eq!(call(&banks, "account_balance", &json!({"account": to})), Ok(json!({"balance": 4})));
    let poor = transfer(&to, 7).expect_err("not so much");
    assert_eq!(poor.to_string(), "the call failed with code 3: the balance is not right");
    let same = transfer(&from, 1).expect_err("one account");
    assert_eq!(same.to_string(), "the call failed with code 4: the accounts are not two");
    let wrong = transfer(&bank, 1).expect_err("a bank");
    assert_eq!(
        wrong.to_string(),
        format!(
            "invalid arguments: /to: \"{bank}\" is a handle of type `bank`; one of type `account` is needed"
        )
    );
    assert_eq!(banks.keys_faults(), 0);
}

#[test]
fn a_borrowed_handle_has_the_token_of_its_owner() {
    let banks = banks();
    let bank = open_bank(&banks);
    let account = open_account(&banks, &bank, 1);
    assert_eq!(call(&banks, "bank_richest", &json!({"bank": bank})), Ok(json!({"account": account})));
    for function in ["account_bank", "account_bank_out"] {
        assert_eq!(call(&banks, function, &json!({"account": account})), Ok(json!({"bank": bank})));
    }
}

#[test]
fn a_borrowed_handle_becomes_invalid_with_the_handle_it_was_borrowed_from() {
    let banks = banks();
    let central = token(&banks, "central_bank", &json!({}), "bank");
    let account = open_account(&banks, &central, 1);
    let borrowed = token(&banks, "account_bank", &json!({"account": account}), "bank");
    assert_eq!(call(&banks, "bank_name", &json!({"bank": borrowed})), Ok(json!({"name": "central"})));
    assert_eq!(call(&banks, "account_close", &json!({"account": account})), Ok(json!({})));
    assert_eq!(
        refusal(&banks, "bank_name", "bank", &borrowed),
        format!("invalid arguments: /bank: \"{borrowed}\" was freed")
    );
    assert_eq!(call(&banks, "bank_name", &json!({"bank": central})), Ok(json!({"name": "central"})));
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn a_borrowed_handle_cannot_be_freed() {
    let banks = banks();
    let central = token(&banks, "central_bank", &json!({}), "bank");
    for function in ["bank_close", "bank_shut"] {
        let reply = call(&banks, function, &json!({"bank": central}));
        assert_eq!(counted(&banks), (0, 0), "{function}: {reply:?}");
        let error = reply.expect_err("it is borrowed");
        assert_eq!(error.code(), 400, "{error}");
    }
    assert_eq!(call(&banks, "bank_name", &json!({"bank": central})), Ok(json!({"name": "central"})));
}

#[test]
fn the_remaining_handles_are_freed_with_the_binding_children_first() {
    let (banks, observer) = banks_and_observer();
    for _ in 0..3 {
        let bank = open_bank(&banks);
        let closed = open_account(&banks, &bank, 1);
        open_account(&banks, &bank, 2);
        call(&banks, "account_close", &json!({"account": closed})).expect("it closes");
        // In the slot of the one that was closed.
        open_account(&banks, &bank, 3);
    }
    token(&banks, "central_bank", &json!({}), "bank");
    assert_eq!(counted(&observer), (9, 0));
    drop(banks);
    assert_eq!(counted(&observer), (0, 0));
}

#[test]
fn a_map_carries_tokens_as_text_does() {
    let banks = banks();
    let arguments = |value: Value| value.as_object().expect("an object").clone();
    let opened = banks.call("bank_open", &arguments(json!({"name": "ours"}))).expect("a bank");
    assert_eq!(banks.call("bank_name", &opened), Ok(arguments(json!({"name": "ours"}))));
    assert_eq!(banks.call("bank_close", &opened), Ok(arguments(json!({}))));
    assert!(banks.call("bank_close", &opened).is_err_and(|error| error.to_string().ends_with("was freed")));
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn a_borrowed_token_without_a_parent_ends_with_the_handle_that_it_came_from() {
    let banks = banks();
    let bank = open_bank(&banks);
    let plate = token(&banks, "bank_plate", &json!({"bank": bank}), "plate");
    assert_eq!(call(&banks, "plate_length", &json!({"plate": plate})), Ok(json!({"length": 4})));
    assert_eq!(call(&banks, "bank_close", &json!({"bank": bank})), Ok(json!({})));
    let gone = format!("invalid arguments: /plate: \"{plate}\" was freed");
    assert_eq!(refusal(&banks, "plate_length", "plate", &plate), gone);
    assert_eq!(counted(&banks), (0, 0));
}
