//! Which type has the method of a function, and what the method is called: `x-receiver` and `x-prefix`.

use opendyn::CallError;
use opendyn_tests::Twin;
use serde_json::json;

use super::{call, token};

opendyn::opendyn!("fixtures/keys-handles/receivers.json");
opendyn_tests::twin!(Ledger = "fixtures/keys-handles/receivers.json");

fn ledger() -> Twin<Ledger> {
    // SAFETY: fixtures/keys-handles/receivers.json describes c/keys_handles.c correctly.
    unsafe { Twin::open("keys_handles", &[]) }.expect("every function but an optional one is there")
}

/// What C counts: living objects and faults.
fn counts(ledger: &Ledger) -> (i32, i32) {
    (ledger.living(), ledger.faults())
}

#[test]
fn a_function_is_a_method_of_its_first_handle_without_prefix_and_type() {
    let ledger = ledger();
    let bank: Bank<'_> = ledger.open(c"ours").expect("a bank");
    assert_eq!(bank.name().as_deref(), Ok(c"ours"));
    let account: Account<'_> = bank.account_open(5).expect("an account");
    account.close();
    bank.close();
    assert_eq!(counts(&ledger), (0, 0));
}

#[test]
fn a_function_can_be_called_open_and_the_library_is_still_opened_by_path() {
    let library = opendyn_tests::shared_library("keys_handles", &[]);
    // SAFETY: as for `ledger`.
    let ledger = unsafe { Ledger::open_library(&library) }.expect("every function is there");
    drop(ledger.open(c"ours"));
    assert_eq!(counts(&ledger), (0, 0));
}

#[test]
fn methods_that_would_meet_keep_the_name_of_the_type() {
    let ledger = ledger();
    let bank = ledger.open(c"ours").expect("a bank");
    assert_eq!((bank.rename(c"theirs"), bank.bank_rename(c"ours")), (6, 4));
    assert_eq!(bank.name().as_deref(), Ok(c"ours"));
}

#[test]
fn a_receiver_is_another_parameter_or_none() {
    let ledger = ledger();
    let bank = ledger.open(c"ours").expect("a bank");
    let (from, to) = (bank.account_open(5).expect("an account"), bank.account_open(1).expect("an account"));
    assert_eq!(to.transfer(&from, 2), Ok(()));
    assert_eq!((ledger.account_balance(&from), ledger.account_balance(&to)), (3, 3));
    // A handle that may be absent is not a receiver.
    assert_eq!((ledger.balance_or(Some(&to), 9), ledger.balance_or(None, 9)), (3, 9));
}

#[test]
fn a_result_borrows_its_parent_and_not_the_receiver() {
    let ledger = ledger();
    let bank = ledger.open(c"ours").expect("a bank");
    let first = bank.account_open(5).expect("an account");
    let second = first.beside(&bank, 6).expect("an account");
    first.close();
    assert_eq!(ledger.account_balance(&second), 6);
    drop(second);
    drop(bank);
    assert_eq!(counts(&ledger), (0, 0));
}

#[test]
fn an_optional_method_is_asked_for_at_the_binding() {
    let ledger = ledger();
    let bank = ledger.open(c"ours").expect("a bank");
    assert!(!ledger.has_bank_audit());
    assert_eq!(bank.audit(), Err(CallError::Missing { symbol: "bank_audit" }));
}

#[test]
#[should_panic(expected = "the handle was made by another binding")]
fn a_method_takes_handles_of_its_own_binding_alone() {
    let (ours, theirs) = (ledger(), ledger());
    let bank = ours.open(c"ours").expect("a bank");
    let account = bank.account_open(5).expect("an account");
    let elsewhere = theirs.open(c"theirs").expect("a bank");
    drop(account.beside(&elsewhere, 6));
}

#[test]
fn json_knows_functions_by_the_names_of_the_document() {
    let ledger = ledger();
    let bank = token(&ledger, "ledger_open", &json!({"name": "ours"}), "bank");
    let open = |balance: i32| {
        token(&ledger, "ledger_account_open", &json!({"bank": bank, "balance": balance}), "account")
    };
    let (from, to) = (open(5), open(1));
    let beside = json!({"account": from, "bank": bank, "balance": 7});
    let beside = token(&ledger, "ledger_account_beside", &beside, "opened");
    let transfer = json!({"from": from, "to": to, "amount": 2});
    assert_eq!(call(&ledger, "ledger_transfer", &transfer), Ok(json!({})));
    for (account, balance) in [(&from, 3), (&to, 3), (&beside, 7)] {
        let reply = call(&ledger, "ledger_account_balance", &json!({"account": account}));
        assert_eq!(reply, Ok(json!({"balance": balance})));
        assert_eq!(call(&ledger, "ledger_account_close", &json!({"account": account})), Ok(json!({})));
    }
    assert_eq!(call(&ledger, "ledger_bank_close", &json!({"bank": bank})), Ok(json!({})));
    assert_eq!(call(&ledger, "ledger_living", &json!({})), Ok(json!({"count": 0})));
    assert_eq!(call(&ledger, "ledger_faults", &json!({})), Ok(json!({"count": 0})));
}
