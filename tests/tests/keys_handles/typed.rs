//! Handles in Rust: moves and borrows determine when they are freed. Code that must not compile is in `ui`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use opendyn::CallError;

use opendyn_tests::shared_library;

use super::{Account, Bank, KeysHandles};

/// Without a twin: the interpreter has no typed calls.
fn banks() -> KeysHandles {
    // SAFETY: fixtures/keys-handles/tool.json describes c/keys_handles.c correctly.
    unsafe { KeysHandles::open(shared_library("keys_handles", &[])) }.expect("every function is there")
}

/// How many objects are alive, and how many faults there were.
fn counted(banks: &KeysHandles) -> (i32, i32) {
    (banks.keys_living(), banks.keys_faults())
}

#[test]
fn dropping_frees_once() {
    let banks = banks();
    let bank = banks.bank_open(c"ours").expect("a bank");
    let found = banks.bank_find(c"another").expect("a bank");
    assert_eq!(counted(&banks), (2, 0));
    drop(bank);
    assert_eq!(counted(&banks), (1, 0));
    drop(found);
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn a_handle_that_a_function_freed_is_not_freed_again() {
    let banks = banks();
    banks.bank_open(c"closed by its own").expect("a bank").close();
    assert_eq!(counted(&banks), (0, 0));
    assert_eq!(banks.bank_open(c"closed by another").expect("a bank").shut(), 0);
    assert_eq!(counted(&banks), (0, 0));
    let bank = banks.bank_open(c"ours").expect("a bank");
    bank.account_open(1).expect("an account").close();
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn null_is_an_error_or_none() {
    let banks = banks();
    assert_eq!(banks.bank_open(c"").err(), Some(CallError::Null { value: "bank" }));
    assert!(banks.bank_find(c"").is_none());
    let bank = banks.bank_open(c"ours").expect("a bank");
    assert_eq!(bank.account_open(-1).err(), Some(CallError::Null { value: "account" }));
    assert!(bank.richest().is_none());
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn an_output_is_freed_also_where_the_code_is_an_error() {
    let banks = banks();
    let bank = banks.bank_open_out(c"ours").expect("a bank");
    assert_eq!(counted(&banks), (1, 0));
    drop(bank);
    let refused = banks.bank_open_out(c"").expect_err("no name");
    assert_eq!(refused.to_string(), "1: refused");
    assert!(matches!(refused, CallError::Code(code) if code.code() == 1));
    // C left a bank although it returned this code.
    let closed = banks.bank_open_out(c"closed").expect_err("closed");
    assert_eq!(closed.to_string(), "2: closed");
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn an_output_can_be_none_next_to_a_result() {
    let banks = banks();
    let found = banks.bank_find_out(c"ours");
    assert_eq!((found.result, found.bank.is_some()), (0, true));
    let none = banks.bank_find_out(c"");
    assert_eq!((none.result, none.bank.is_none()), (1, true));
    // Without `x-code` a number is not an error.
    let closed = banks.bank_find_out(c"closed");
    assert_eq!((closed.result, closed.bank.is_some()), (2, true));
    assert_eq!(counted(&banks), (2, 0));
    drop((found, none, closed));
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn children_are_freed_before_the_handle_that_they_live_in() {
    let banks = banks();
    {
        let bank = banks.bank_open(c"ours").expect("a bank");
        let _returned = bank.account_open(1).expect("an account");
        let _output = bank.account_open_out(2).expect("an account");
        let found = bank.account_find_out(3);
        assert_eq!((found.result, found.account.is_some()), (0, true));
        let none = bank.account_find_out(-3);
        assert_eq!((none.result, none.account.is_none()), (1, true));
        let refused = bank.account_open_out(-2).expect_err("a debt");
        assert_eq!(refused.to_string(), "1: refused");
        assert_eq!(counted(&banks), (4, 0));
    }
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn a_function_that_frees_and_fails_has_freed() {
    let banks = banks();
    let bank = banks.bank_open(c"ours").expect("a bank");
    let (empty, full) = (bank.account_open(0), bank.account_open(5));
    assert_eq!(empty.expect("an account").end(), Ok(()));
    let error = full.expect("an account").end().expect_err("it is not empty");
    assert_eq!((error.code(), error.text()), (3, Some("the balance is not right")));
    assert_eq!(error.to_string(), "3: the balance is not right");
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn a_handle_is_consumed_through_a_pointer_to_its_pointer() {
    let banks = banks();
    let bank = banks.bank_open(c"ours").expect("a bank");
    bank.account_open(5).expect("an account").drop();
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn functions_get_the_handle_that_they_are_given() {
    let banks = banks();
    let (one, other) = (banks.bank_open(c"one").expect("a bank"), banks.bank_open(c"other").expect("a bank"));
    assert_eq!(other.rename(c"the other"), 9);
    assert_eq!(one.name().as_deref(), Ok(c"one"));
    assert_eq!(other.name().as_deref(), Ok(c"the other"));
    let (from, to) = (one.account_open(7).expect("ours"), other.account_open(0).expect("ours"));
    assert_eq!(from.deposit(3), 10);
    assert_eq!(from.transfer(&to, 4), Ok(()));
    assert_eq!((from.balance(), to.balance()), (6, 4));
    assert_eq!(from.transfer(&to, 7).map_err(|error| error.code()), Err(3));
    let same = from.transfer(&from, 1).expect_err("one account");
    assert_eq!(same.to_string(), "4: the accounts are not two");
    assert_eq!(banks.balance_or(Some(&to), -1), 4);
    assert_eq!(banks.balance_or(None, -1), -1);
    assert_eq!(banks.keys_faults(), 0);
}

#[test]
fn a_borrowed_handle_is_not_freed() {
    let banks = banks();
    let bank = banks.bank_open(c"ours").expect("a bank");
    let poor = bank.account_open(1).expect("an account");
    let rich = bank.account_open(9).expect("an account");
    let richest = bank.richest().expect("there is one");
    assert_eq!(richest.balance(), 9);
    assert_eq!(richest.as_ptr(), rich.as_ptr());
    for borrowed in [poor.bank(), rich.bank_out()] {
        assert_eq!(borrowed.expect("a bank").as_ptr(), bank.as_ptr());
    }
    let central = banks.central_bank().expect("a bank");
    assert_eq!(central.name().as_deref(), Ok(c"central"));
    drop((central, richest));
    assert_eq!(counted(&banks), (3, 0));
}

#[test]
fn a_pointer_from_elsewhere_is_borrowed() {
    let banks = banks();
    let bank = banks.bank_open(c"ours").expect("a bank");
    // SAFETY: the bank is alive.
    let same = unsafe { Bank::from_ptr(&banks, bank.as_ptr()) }.expect("not NULL");
    assert_eq!(same.name().as_deref(), Ok(c"ours"));
    drop(same);
    assert_eq!(counted(&banks), (1, 0));
    // SAFETY: NULL is allowed.
    assert!(unsafe { Account::from_ptr(&banks, ptr::null_mut()) }.is_none());
}

/// Two libraries that one document describes do not know each other's objects.
#[test]
fn a_handle_of_another_binding_does_not_reach_c() {
    let (one, other) = (banks(), banks());
    let (bank, elsewhere) =
        (one.bank_open(c"ours").expect("a bank"), other.bank_open(c"theirs").expect("a bank"));
    let account = bank.account_open(1).expect("an account");
    let theirs = elsewhere.account_open(3).expect("an account");
    for call in [
        catch_unwind(AssertUnwindSafe(|| _ = other.balance_or(Some(&account), 0))),
        catch_unwind(AssertUnwindSafe(|| _ = theirs.transfer(&account, 1))),
    ] {
        let payload = call.expect_err("a panic");
        assert_eq!(payload.downcast_ref(), Some(&"the handle was made by another binding"));
    }
    assert_eq!(counted(&other), (2, 0), "the other library has seen nothing");
    assert_eq!(counted(&one), (2, 0), "and its own still has both");
}
