//! A table used as generated bindings use it, with numbers as pointers, which are never followed.

use std::cell::RefCell;

use proptest::prelude::*;

use super::*;

static DATABASE: HandleType = HandleType::new("sqlite3");
static STATEMENT: HandleType = HandleType::new("sqlite3_stmt");

/// A binding that records what is freed.
type Freed = RefCell<Vec<usize>>;

unsafe fn free(binding: *const (), pointer: *mut c_void, _: &[u64]) -> bool {
    // SAFETY: `free_all` is called with a `Freed`.
    unsafe { &*binding.cast::<Freed>() }.borrow_mut().push(pointer.addr());
    true
}

fn pointer(address: usize) -> NonNull<c_void> {
    NonNull::new(std::ptr::without_provenance_mut(address)).expect("not NULL")
}

impl Handles {
    fn owned(&self, address: usize, of: &'static HandleType, parent: Option<&str>) -> String {
        let parts = Parts { pointer: pointer(address), kept: Vec::new(), captured: Captured::default() };
        self.insert(Given::Owned { parts, free: Free::By(free) }, of, parent.as_slice())
    }

    fn borrowed(&self, address: usize, of: &'static HandleType, parent: Option<&str>) -> String {
        let given = Given::Borrowed { pointer: pointer(address), until: Vec::new() };
        self.insert(given, of, parent.as_slice())
    }

    fn freed(&self) -> Vec<usize> {
        let freed = Freed::default();
        // SAFETY: `free` takes a `Freed` and does not follow the pointer; no call is running.
        unsafe { self.free_all((&raw const freed).cast()) };
        freed.into_inner()
    }
}

fn refusal<T: fmt::Debug>(result: Result<T, HandleError>) -> String {
    result.expect_err("refused").to_string()
}

#[test]
fn a_token_gives_back_its_pointer_until_it_is_taken() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    assert_eq!(handles.get(&db, &DATABASE), Ok(pointer(8)));
    assert_eq!(handles.len(), 1);
    assert_eq!(handles.take(&db, &DATABASE), Ok(pointer(8)));
    assert!(handles.is_empty());
    assert_eq!(refusal(handles.get(&db, &DATABASE)), format!("\"{db}\" was freed"));
    assert_eq!(refusal(handles.take(&db, &DATABASE)), format!("\"{db}\" was freed"));
}

#[test]
fn a_token_stays_freed_when_its_slot_is_used_again() {
    let handles = Handles::new();
    let old = handles.owned(8, &DATABASE, None);
    handles.take(&old, &DATABASE).expect("it is there");
    let new = handles.owned(8, &DATABASE, None);
    assert_ne!(old, new);
    assert_eq!(refusal(handles.get(&old, &DATABASE)), format!("\"{old}\" was freed"));
    assert_eq!(handles.get(&new, &DATABASE), Ok(pointer(8)));
}

#[test]
fn a_token_of_another_type_is_refused() {
    let handles = Handles::new();
    let statement = handles.owned(8, &STATEMENT, None);
    assert_eq!(
        refusal(handles.get(&statement, &DATABASE)),
        format!("\"{statement}\" is a handle of type `sqlite3_stmt`; one of type `sqlite3` is needed")
    );
    assert!(handles.take(&statement, &DATABASE).is_err());
    assert_eq!(handles.len(), 1);
}

#[test]
fn a_token_of_another_session_is_refused() {
    let (mine, yours) = (Handles::new(), Handles::new());
    let token = yours.owned(8, &DATABASE, None);
    mine.owned(8, &DATABASE, None);
    assert_eq!(refusal(mine.get(&token, &DATABASE)), format!("\"{token}\" belongs to another session"));
}

#[test]
fn a_made_up_token_is_refused_and_not_repeated_at_length() {
    let handles = Handles::new();
    assert_eq!(
        refusal(handles.get("sqlite3:1.2.\"", &DATABASE)),
        r#""sqlite3:1.2.\"" is not a handle that this tool gave out"#
    );
    let message = refusal(handles.get(&"é".repeat(1 << 20), &DATABASE));
    assert!(message.chars().count() < 150, "{message}");
}

#[test]
fn a_handle_with_living_children_cannot_be_freed() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    let one = handles.owned(16, &STATEMENT, Some(&db));
    let two = handles.owned(24, &STATEMENT, Some(&db));
    assert_eq!(
        refusal(handles.take(&db, &DATABASE)),
        format!("\"{db}\" still has 2 handles that live in it ({one}, {two}): free those first")
    );
    handles.take(&one, &STATEMENT).expect("no children");
    assert_eq!(
        refusal(handles.take(&db, &DATABASE)),
        format!("\"{db}\" still has 1 handle that lives in it ({two}): free that first")
    );
    handles.take(&two, &STATEMENT).expect("no children");
    assert_eq!(handles.take(&db, &DATABASE), Ok(pointer(8)));
}

#[test]
fn the_children_in_the_way_are_counted_and_the_first_named() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    for address in 1..=9 {
        handles.owned(address, &STATEMENT, Some(&db));
    }
    let message = refusal(handles.take(&db, &DATABASE));
    assert!(message.contains("still has 9 handles"), "{message}");
    assert_eq!(message.matches("sqlite3_stmt:").count(), NAMED, "{message}");
    assert!(message.ends_with(", …): free those first"), "{message}");
}

#[test]
fn a_borrowed_handle_becomes_invalid_with_its_parent() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    let child = handles.borrowed(16, &STATEMENT, Some(&db));
    let grandchild = handles.borrowed(24, &STATEMENT, Some(&child));
    let alias = handles.borrowed(8, &STATEMENT, None);
    handles.take(&db, &DATABASE).expect("only borrowed handles live in it");
    for stale in [child, grandchild, alias] {
        assert_eq!(refusal(handles.get(&stale, &STATEMENT)), format!("\"{stale}\" was freed"));
    }
    assert!(handles.is_empty());
}

#[test]
fn an_owned_handle_below_a_borrowed_one_is_in_the_way() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    let child = handles.borrowed(16, &DATABASE, Some(&db));
    let statement = handles.owned(24, &STATEMENT, Some(&child));
    let message = refusal(handles.take(&db, &DATABASE));
    assert!(message.contains(&statement), "{message}");
    assert_eq!(handles.len(), 3);
}

#[test]
fn a_borrowed_pointer_keeps_its_token() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    let statement = handles.owned(16, &STATEMENT, Some(&db));
    assert_eq!(handles.borrowed(8, &DATABASE, Some(&statement)), db, "the owned one");
    let child = handles.borrowed(24, &STATEMENT, Some(&db));
    assert_eq!(handles.borrowed(24, &STATEMENT, Some(&db)), child);
    assert_eq!(handles.len(), 3);
    assert_ne!(handles.borrowed(24, &DATABASE, Some(&db)), child, "another type");
    assert_ne!(handles.borrowed(24, &STATEMENT, Some(&statement)), child, "another parent");
    assert_ne!(handles.owned(24, &STATEMENT, Some(&db)), child, "C gave it away once more");
}

#[test]
fn the_remaining_handles_are_freed_once_children_first() {
    let handles = Handles::new();
    // The first slot is reused, so a child has a lower slot than its parent.
    let gone = handles.owned(8, &DATABASE, None);
    let db = handles.owned(16, &DATABASE, None);
    handles.take(&gone, &DATABASE).expect("it is there");
    let statement = handles.owned(24, &STATEMENT, Some(&db));
    handles.borrowed(32, &STATEMENT, Some(&statement));
    assert_eq!(handles.freed(), [24, 16]);
    assert_eq!(handles.freed(), [0_usize; 0]);
    assert_eq!(refusal(handles.get(&db, &DATABASE)), format!("\"{db}\" was freed"));
    let next = handles.owned(16, &DATABASE, None);
    assert!(next != db && next != gone, "no token is given out twice");
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    const DEPTH: usize = 20_000;
    let handles = Handles::new();
    let root = handles.owned(1, &DATABASE, None);
    let mut last = root.clone();
    for address in 2..=DEPTH {
        last = handles.borrowed(address, &DATABASE, Some(&last));
    }
    handles.take(&root, &DATABASE).expect("only borrowed handles live in it");
    assert!(handles.is_empty());

    let mut last = None;
    for address in 1..=DEPTH {
        last = Some(handles.owned(address, &DATABASE, last.as_deref()));
    }
    assert!(handles.freed().into_iter().eq((1..=DEPTH).rev()));
}

#[test]
fn a_table_belongs_to_one_binding() {
    let (own, other, handles) = (Handles::new(), Handles::new(), Handles::new());
    drop(handles.enter(&own).expect("the first"));
    drop(handles.enter(&own).expect("the same"));
    assert_eq!(refusal(handles.enter(&other)), "the handles belong to another binding");
    drop(own.enter(&own).expect("its own"));
}

#[test]
fn one_call_at_a_time_uses_a_table() {
    let handles = Handles::new();
    let inside = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let _entered = handles.enter(&handles).expect("its own");
                    assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0);
                    std::thread::yield_now();
                    inside.fetch_sub(1, Ordering::Relaxed);
                }
            });
        }
    });
}

#[test]
fn a_table_can_be_sent_and_shared() {
    fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Handles>();
}

/// One action of a caller.
#[derive(Clone, Debug)]
enum Step {
    Insert { address: usize, statement: bool, owned: bool, parent: Option<prop::sample::Index> },
    Take(prop::sample::Index),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let insert = (1..9_usize, any::<bool>(), any::<bool>(), any::<Option<prop::sample::Index>>())
        .prop_map(|(address, statement, owned, parent)| Step::Insert { address, statement, owned, parent });
    prop::collection::vec(
        prop_oneof![2 => insert, 1 => any::<prop::sample::Index>().prop_map(Step::Take)],
        0..60,
    )
}

proptest! {
    #[test]
    fn random_strings_are_never_handles(text in any::<String>()) {
        let handles = Handles::new();
        handles.owned(8, &DATABASE, None);
        let made_up = Err(HandleError::made_up(&text));
        prop_assert_eq!(handles.get(&text, &DATABASE), made_up.clone());
        prop_assert_eq!(handles.take(&text, &DATABASE), made_up);
    }

    /// Every owned handle is freed once: taken, or left for `free_all`.
    #[test]
    fn an_owned_handle_is_freed_exactly_once(steps in steps()) {
        let handles = Handles::new();
        let mut tokens: Vec<(String, &'static HandleType, bool)> = Vec::new();
        let (mut given, mut freed) = (Vec::new(), Vec::new());
        for step in steps {
            match step {
                Step::Insert { address, statement, owned, parent } => {
                    let of = if statement { &STATEMENT } else { &DATABASE };
                    let parent = parent.filter(|_| !tokens.is_empty()).map(|at| at.get(&tokens).0.clone());
                    let token = if owned {
                        given.push(address);
                        handles.owned(address, of, parent.as_deref())
                    } else {
                        handles.borrowed(address, of, parent.as_deref())
                    };
                    prop_assert_eq!(handles.get(&token, of), Ok(pointer(address)));
                    if !tokens.iter().any(|(known, ..)| *known == token) {
                        tokens.push((token, of, owned));
                    }
                }
                Step::Take(at) if !tokens.is_empty() => {
                    let (token, of, owned) = at.get(&tokens);
                    if let Ok(pointer) = handles.take(token, of) {
                        prop_assert!(handles.get(token, of).is_err());
                        if *owned {
                            freed.push(pointer.addr().get());
                        }
                    }
                }
                Step::Take(_) => {}
            }
        }
        freed.extend(handles.freed());
        prop_assert!(handles.is_empty());
        given.sort_unstable();
        freed.sort_unstable();
        prop_assert_eq!(given, freed);
    }
}

#[test]
fn a_passed_handle_is_freed_with_its_owner_and_not_by_the_table() {
    let handles = Handles::new();
    let (owner, child) = (handles.owned(8, &DATABASE, None), handles.owned(16, &DATABASE, None));
    assert_eq!(handles.check_pass(&child, &DATABASE, TakenBy::Handle(&owner), &[&owner]), Ok(pointer(16)));
    handles.pass(&child, Some(&owner), "add");
    let expected = format!("\"{child}\" belongs to \"{owner}\" since `add` was called, and is freed with it");
    assert_eq!(refusal(handles.take(&child, &DATABASE)), expected);
    assert_eq!(refusal(handles.check_pass(&child, &DATABASE, TakenBy::C, &[])), expected);
    assert_eq!(handles.get(&child, &DATABASE), Ok(pointer(16)), "it can be used");
    assert_eq!(handles.freed(), [8], "C frees the other one");
}

#[test]
fn a_handle_passed_for_good_is_gone_with_what_was_borrowed_from_it() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    let borrowed = handles.borrowed(16, &STATEMENT, Some(&db));
    let owned = handles.owned(24, &STATEMENT, Some(&db));
    let error = refusal(handles.check_pass(&db, &DATABASE, TakenBy::C, &[]));
    assert!(error.contains(&owned), "{error}");
    handles.take(&owned, &STATEMENT).expect("it is owned");
    assert_eq!(handles.check_pass(&db, &DATABASE, TakenBy::C, &[]), Ok(pointer(8)));
    handles.pass(&db, None, "give");
    let gone = |token: &str| format!("\"{token}\" is gone: its ownership was passed to C by `give`");
    assert_eq!(refusal(handles.get(&db, &DATABASE)), gone(&db));
    assert_eq!(refusal(handles.get(&borrowed, &STATEMENT)), gone(&borrowed));
    assert_eq!(handles.freed(), [] as [usize; 0]);
}

#[test]
fn handles_do_not_come_to_live_in_each_other() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    let stmt = handles.owned(16, &STATEMENT, Some(&db));
    let alias = handles.borrowed(16, &DATABASE, None);
    for other in [&stmt, &alias] {
        let error = refusal(handles.check_pass(&db, &DATABASE, TakenBy::Handle(other), &[other]));
        assert!(error.contains("cannot be passed to C here"), "{error}");
    }
    // What it lives in may take it.
    assert_eq!(handles.check_pass(&stmt, &STATEMENT, TakenBy::Handle(&db), &[&db]), Ok(pointer(16)));
    // A library that nothing frees could outlive what the statement needs.
    let common = handles.borrowed(32, &DATABASE, None);
    let error = refusal(handles.check_pass(&stmt, &STATEMENT, TakenBy::Handle(&common), &[&common]));
    assert!(error.contains("cannot be passed to C here"), "{error}");
    // The owner that takes it lives in what it lived in.
    let pool = handles.owned(40, &DATABASE, None);
    handles.pass(&stmt, Some(&pool), "add");
    let error = refusal(handles.take(&db, &DATABASE));
    assert!(error.contains(&pool), "{error}");
    assert_eq!(handles.freed(), [40, 8]);
}

#[test]
fn c_takes_all_handles_of_an_array_or_none() {
    let handles = Handles::new();
    let owner = handles.owned(8, &DATABASE, None);
    let one = handles.owned(16, &DATABASE, None);
    let two = handles.owned(24, &DATABASE, None);
    let inner = handles.owned(32, &DATABASE, Some(&two));
    let check = |tokens: &[Option<&str>], by: TakenBy<&str>, others: &[&str]| {
        handles
            .check_pass_all(tokens, &DATABASE, by, others)
            .map_err(|(index, error)| format!("{index}: {error}"))
    };
    let by = TakenBy::Handle(owner.as_str());
    let all = check(&[Some(&one), None, Some(&two)], by, &[&owner]);
    assert_eq!(all, Ok(vec![Some(pointer(16)), None, Some(pointer(24))]));
    for (tokens, by, expected) in [
        (vec![Some(one.as_str()), Some(&one)], by, "1: \"sqlite3"),
        (vec![Some(&one), Some(&owner)], by, "1: \"sqlite3"),
        (vec![Some(&inner), Some(&two)], TakenBy::Result, "1: \"sqlite3"),
        (vec![Some(&one), Some("made up")], TakenBy::Result, "1: \"made up"),
        // For good, nothing may live in it.
        (vec![Some(&one), Some(&two)], TakenBy::C, "1: \"sqlite3"),
    ] {
        let error = check(&tokens, by, &[&owner]).expect_err("it is refused");
        assert!(error.starts_with(expected), "{error}");
    }
    let twice = check(&[Some(&one), Some(&one)], TakenBy::C, &[]).expect_err("it is refused");
    assert!(twice.ends_with("is given twice, but C can take it only once"), "{twice}");
    assert_eq!(handles.len(), 4, "nothing was taken");
}

#[test]
fn what_an_owner_lives_in_is_not_left_behind_for_good() {
    let handles = Handles::new();
    let db = handles.owned(8, &DATABASE, None);
    let statement = handles.owned(16, &STATEMENT, Some(&db));
    let owner = handles.owned(24, &DATABASE, None);
    assert_eq!(handles.check_pass(&owner, &DATABASE, TakenBy::C, &[]), Ok(pointer(24)));
    handles.pass(&statement, Some(&owner), "add");
    let error = refusal(handles.check_pass(&owner, &DATABASE, TakenBy::C, &[]));
    assert!(error.contains(&db), "{error}");
}

/// Each uses the other until it is freed, so no order is right: the newest stays, and the others may use it when they are freed.
#[test]
fn of_handles_that_live_in_each_other_one_is_left_to_c() {
    let handles = Handles::new();
    let (one, two) = (handles.owned(8, &DATABASE, None), handles.owned(16, &DATABASE, None));
    let statement = handles.owned(24, &STATEMENT, Some(&one));
    let around = handles.owned(32, &DATABASE, None);
    handles.adopt(&one, &two);
    handles.adopt(&two, &one);
    handles.adopt(&one, &around);
    for token in [&one, &two, &around] {
        assert!(refusal(handles.take(token, &DATABASE)).contains("still has"));
    }
    assert_eq!(handles.freed(), [24, 8, 32]);
    assert_eq!(refusal(handles.get(&statement, &STATEMENT)), format!("\"{statement}\" was freed"));
}

#[test]
fn a_call_ends_what_lives_in_any_token_of_the_same_object() {
    let handles = Handles::new();
    let owner = handles.owned(16, &DATABASE, None);
    let (one, two) = (handles.borrowed(8, &DATABASE, None), handles.borrowed(8, &DATABASE, Some(&owner)));
    assert_ne!(one, two);
    let until = vec!["next".into()];
    let entry = handles.insert(Given::Borrowed { pointer: pointer(24), until }, &STATEMENT, &[one.as_str()]);
    let reading = handles.owned(32, &STATEMENT, Some(&entry));
    let living = refusal(handles.end_children(&two, "next"));
    assert!(living.contains(&reading), "{living}");
    assert_eq!(handles.take(&reading, &STATEMENT), Ok(pointer(32)));
    assert_eq!(handles.end_children(&two, "next"), Ok(()));
    assert!(matches!(handles.get(&entry, &STATEMENT), Err(HandleError::Ended { .. })));
}
