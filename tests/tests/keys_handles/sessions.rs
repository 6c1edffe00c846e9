//! Isolated callers: every [`Session`] has its own handles.

use std::sync::Arc;

use opendyn::{Binding, Handles, Serial, Session};
use opendyn_tests::Twin;
use serde_json::json;

use super::{KeysHandles, banks, banks_and_observer, call, counted, open_account, open_bank, refusal, token};

const THREADS: usize = 4;
const ROUNDS: usize = 50;

#[test]
fn the_tokens_of_one_session_mean_nothing_to_others() {
    let banks = banks();
    let (one, other) = (Session::new(&banks), Session::new(&banks));
    let bank = open_bank(&one);
    let foreign = format!("invalid arguments: /bank: \"{bank}\" belongs to another session");
    for function in ["bank_name", "bank_close", "bank_shut"] {
        assert_eq!(refusal(&other, function, "bank", &bank), foreign);
        assert_eq!(refusal(&banks, function, "bank", &bank), foreign, "the binding itself is another");
    }
    let own = open_bank(&banks);
    assert_eq!(
        refusal(&one, "bank_close", "bank", &own),
        format!("invalid arguments: /bank: \"{own}\" belongs to another session")
    );
    call(&one, "bank_close", &json!({"bank": bank})).expect("its own");
    assert_eq!(refusal(&other, "bank_name", "bank", &bank), foreign, "also when it is gone");
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn the_tokens_of_one_binding_mean_nothing_to_another() {
    let (one, other) = (banks(), banks());
    let bank = open_bank(&one);
    let foreign = format!("invalid arguments: /bank: \"{bank}\" belongs to another session");
    assert_eq!(refusal(&other, "bank_close", "bank", &bank), foreign);
    assert_eq!((counted(&one), counted(&other)), ((1, 0), (0, 0)));
}

#[test]
fn handles_stay_with_the_binding_that_gave_them() {
    let (one, other) = (banks(), banks());
    let handles = Handles::new();
    one.call_with(&handles, "bank_open", br#"{"name":"ours"}"#, &mut Vec::new()).expect("a bank");
    let error = other
        .call_with(&handles, "bank_open", br#"{"name":"ours"}"#, &mut Vec::new())
        .expect_err("handles of another binding");
    assert_eq!(error.to_string(), "invalid arguments: the handles belong to another binding");
    other.free_handles(&handles);
    assert_eq!((counted(&one), counted(&other), handles.len()), ((1, 0), (0, 0), 1));
    one.free_handles(&handles);
    assert_eq!((counted(&one), handles.len()), ((0, 0), 0));
}

#[test]
fn only_the_handles_of_a_session_are_freed_with_it() {
    let banks = banks();
    let (one, other) = (Session::new(&banks), Session::new(&banks));
    open_bank(&banks);
    open_account(&other, &open_bank(&other), 1);
    let bank = open_bank(&one);
    let closed = open_account(&one, &bank, 1);
    open_account(&one, &bank, 2);
    call(&one, "account_close", &json!({"account": closed})).expect("it closes");
    assert_eq!((counted(&banks), one.handles().len()), ((5, 0), 2));
    drop(one);
    assert_eq!(counted(&banks), (3, 0));
    drop(other);
    assert_eq!(counted(&banks), (1, 0));
}

#[test]
fn a_session_owns_its_binding_if_it_is_given_one() {
    let (banks, observer) = banks_and_observer();
    let session = Session::new(banks);
    open_account(&session, &open_bank(&session), 1);
    assert_eq!(counted(&observer), (2, 0));
    drop(session);
    assert_eq!(counted(&observer), (0, 0));
}

#[test]
fn asking_again_does_not_fill_the_table() {
    let banks = banks();
    let session = Session::new(&banks);
    let bank = open_bank(&session);
    let central = token(&session, "central_bank", &json!({}), "bank");
    let ours = open_account(&session, &bank, 1);
    let theirs = open_account(&session, &central, 1);
    let ask = || {
        token(&session, "central_bank", &json!({}), "bank");
        token(&session, "bank_richest", &json!({"bank": bank}), "account");
        token(&session, "bank_richest", &json!({"bank": central}), "account");
        for account in [&ours, &theirs] {
            token(&session, "account_bank", &json!({"account": account}), "bank");
            token(&session, "account_bank_out", &json!({"account": account}), "bank");
        }
        session.handles().len()
    };
    let once = ask();
    assert_eq!((0..100).map(|_| ask()).max(), Some(once));
    assert_eq!(once, 5, "the four, and the central bank as it is borrowed from an account");
}

#[test]
fn opening_and_closing_does_not_fill_the_table() {
    let banks = banks();
    let session = Session::new(&banks);
    for _ in 0..100 {
        let bank = open_bank(&session);
        let account = open_account(&session, &bank, 0);
        assert_eq!(session.handles().len(), 2);
        call(&session, "account_end", &json!({"account": account})).expect("it ends");
        call(&session, "bank_shut", &json!({"bank": bank})).expect("it shuts");
        assert!(session.handles().is_empty());
    }
    assert_eq!(counted(&banks), (0, 0));
}

#[test]
fn sessions_in_several_threads_share_a_binding_behind_a_lock() {
    let banks = Arc::new(Serial::new(banks()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let session = Session::new(Arc::clone(&banks));
                for round in 0..ROUNDS {
                    let bank = open_bank(&session);
                    let account = open_account(&session, &bank, 5);
                    let deposit = json!({"account": account, "amount": 1});
                    assert_eq!(call(&session, "account_deposit", &deposit), Ok(json!({"balance": 6})));
                    if round % 2 == 0 {
                        call(&session, "account_drop", &json!({"account": account})).expect("it goes");
                        call(&session, "bank_close", &json!({"bank": bank})).expect("it closes");
                    }
                }
                assert_eq!(session.handles().len(), ROUNDS);
            });
        }
    });
    assert_eq!(counted(&*banks.lock()), (0, 0));
}

#[test]
fn threads_that_share_a_session_free_each_handle_once() {
    let banks = Serial::new(banks());
    let session: Session<&Serial<Twin<KeysHandles>>> = Session::new(&banks);
    for _ in 0..ROUNDS {
        let bank = open_bank(&session);
        let arguments = json!({"bank": bank});
        let closed: usize = std::thread::scope(|scope| {
            let threads = [(); THREADS].map(|()| scope.spawn(|| call(&session, "bank_close", &arguments)));
            threads.into_iter().map(|thread| usize::from(thread.join().expect("no panic").is_ok())).sum()
        });
        assert_eq!(closed, 1);
    }
    assert_eq!(counted(&*banks.lock()), (0, 0));
}
