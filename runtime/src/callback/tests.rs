//! Closures called as C would call them: through a function pointer and a `void*`.

use super::*;
use std::rc::Rc;

type Trampoline = unsafe extern "C" fn(*mut c_void, i32) -> i32;

unsafe extern "C" fn trampoline<F: FnMut(i32) -> i32>(user_data: *mut c_void, n: i32) -> i32 {
    // SAFETY: the tests pass the user data of a `Callback<F>`.
    unsafe { Callback::<F>::invoke(user_data, -1, |closure| closure(n)) }
}

unsafe extern "C" fn kept_trampoline<F: Fn(i32) -> i32>(user_data: *mut c_void, n: i32) -> i32 {
    // SAFETY: the tests pass the user data of a `Kept<F>`.
    unsafe { Kept::<F>::invoke(user_data, -1, |closure| closure(n)) }
}

/// Calls a callback with 1, 2, 3, as a C function would.
fn each(callback: Trampoline, user_data: *mut c_void) -> [i32; 3] {
    // SAFETY: the user data belongs to the trampoline.
    [1, 2, 3].map(|n| unsafe { callback(user_data, n) })
}

/// Passes a closure to C as a generated method does.
fn call_each<F: FnMut(i32) -> i32>(closure: F) -> [i32; 3] {
    let mut callback = Callback::new(closure);
    let answers = each(trampoline::<F>, callback.user_data());
    callback.finish();
    answers
}

fn kept_trampoline_of<F: Fn(i32) -> i32>(_: &Kept<F>) -> Trampoline {
    kept_trampoline::<F>
}

fn message(panic: Payload) -> &'static str {
    *panic.downcast::<&'static str>().expect("a literal")
}

#[test]
fn a_closure_is_called_and_may_change_what_it_borrows() {
    let mut sum = 0;
    let answers = call_each(|n| {
        sum += n;
        sum
    });
    assert_eq!((answers, sum), ([1, 3, 6], 6));
}

#[test]
fn a_borrowed_dyn_closure_is_a_closure() {
    let mut last = 0;
    let closure: &mut dyn FnMut(i32) -> i32 = &mut |n| {
        last = n;
        n * 2
    };
    assert_eq!(call_each(closure), [2, 4, 6]);
    assert_eq!(last, 3);
}

#[test]
fn a_panic_ends_the_calls_and_resumes_after_c_has_returned() {
    let mut calls = 0;
    let closure = |n: i32| {
        calls += 1;
        if n == 2 {
            panic!("at two");
        }
        n
    };
    fn run<F: FnMut(i32) -> i32>(closure: F) -> ([i32; 3], Result<(), Payload>) {
        let mut callback = Callback::new(closure);
        let answers = each(trampoline::<F>, callback.user_data());
        (answers, catch_unwind(AssertUnwindSafe(|| callback.finish())))
    }
    let (answers, finished) = run(closure);
    assert_eq!(answers, [1, -1, -1]);
    assert_eq!(message(finished.expect_err("the panic")), "at two");
    assert_eq!(calls, 2);
}

#[test]
fn a_closure_that_is_called_while_it_runs_is_a_panic() {
    type Boxed = Box<dyn FnMut(i32) -> i32>;
    let user_data = Rc::new(Cell::new(ptr::null_mut()));
    let again = Rc::clone(&user_data);
    // SAFETY: the callback is alive while it is called.
    let closure: Boxed = Box::new(move |n| 10 * unsafe { trampoline::<Boxed>(again.get(), n) });
    let mut callback = Callback::new(closure);
    user_data.set(callback.user_data());
    assert_eq!(each(trampoline::<Boxed>, user_data.get()), [-10, -1, -1]);
    let finished = catch_unwind(AssertUnwindSafe(|| callback.finish()));
    assert_eq!(message(finished.expect_err("a panic")), "a callback was called again while it was running");
}

#[test]
fn the_first_panic_is_resumed() {
    type Boxed = Box<dyn FnMut(i32) -> i32>;
    let user_data = Rc::new(Cell::new(ptr::null_mut()));
    let again = Rc::clone(&user_data);
    let closure: Boxed = Box::new(move |n| {
        // SAFETY: the callback is alive while it is called.
        unsafe { trampoline::<Boxed>(again.get(), n) };
        panic!("the second");
    });
    let mut callback = Callback::new(closure);
    user_data.set(callback.user_data());
    assert_eq!(each(trampoline::<Boxed>, user_data.get()), [-1, -1, -1]);
    let finished = catch_unwind(AssertUnwindSafe(|| callback.finish()));
    assert_eq!(message(finished.expect_err("a panic")), "a callback was called again while it was running");
}

#[test]
fn callbacks_nest() {
    let answers = call_each(|n| call_each(|m| n * m)[2]);
    assert_eq!(answers, [3, 6, 9]);

    // The inner panic passes the inner function, the outer closure and the outer function.
    let outer = catch_unwind(|| call_each(|_| call_each(|_| panic!("deep inside"))[0]));
    assert_eq!(message(outer.expect_err("a panic")), "deep inside");
}

#[test]
fn null_user_data_and_closures_without_a_value_work() {
    // SAFETY: NULL is allowed.
    unsafe {
        assert_eq!(Callback::<fn()>::invoke(ptr::null_mut(), 5, |_| 6), 5);
        assert_eq!(Kept::<fn()>::invoke(ptr::null_mut(), 5, |_| 6), 5);
    }
    let mut callback = Callback::new(|| panic!("no value"));
    fn call<F: FnMut()>(callback: &mut Callback<F>) {
        // SAFETY: the user data belongs to that callback.
        unsafe { Callback::<F>::invoke(callback.user_data(), (), |closure| closure()) }
    }
    call(&mut callback);
    let finished = catch_unwind(AssertUnwindSafe(|| callback.finish()));
    assert_eq!(message(finished.expect_err("a panic")), "no value");
}

#[test]
fn a_kept_closure_is_called_wherever_it_was_moved() {
    let calls = Rc::new(Cell::new(0));
    let count = Rc::clone(&calls);
    let kept = Kept::new(move |n| {
        count.set(count.get() + 1);
        n
    });
    let (callback, user_data) = (kept_trampoline_of(&kept), kept.user_data());
    let kept: Box<dyn Any> = Box::new(kept);
    assert_eq!(each(callback, user_data), [1, 2, 3]);
    assert_eq!((calls.get(), Rc::strong_count(&calls)), (3, 2));
    drop(kept);
    assert_eq!(Rc::strong_count(&calls), 1);
}

#[test]
fn a_kept_closure_may_be_called_while_it_runs() {
    type Boxed = Box<dyn Fn(i32) -> i32>;
    let user_data = Rc::new(Cell::new(ptr::null_mut()));
    let again = Rc::clone(&user_data);
    let closure: Boxed = Box::new(move |n| match n {
        0 => 0,
        // SAFETY: the `Kept` is alive.
        n => n + unsafe { kept_trampoline::<Boxed>(again.get(), n - 1) },
    });
    let kept = Kept::new(closure);
    user_data.set(kept.user_data());
    assert_eq!(each(kept_trampoline::<Boxed>, user_data.get()), [1, 3, 6]);
}

#[test]
fn the_panic_of_a_kept_closure_is_resumed_once() {
    let kept = Kept::new(|n: i32| if n == 2 { panic!("kept") } else { n });
    assert_eq!(each(kept_trampoline_of(&kept), kept.user_data()), [1, -1, -1]);
    let resumed = catch_unwind(resume_kept_panic);
    assert_eq!(message(resumed.expect_err("the panic")), "kept");
    resume_kept_panic();
    assert_eq!(each(kept_trampoline_of(&kept), kept.user_data())[0], 1);
    assert!(catch_unwind(resume_kept_panic).is_err());
}

#[test]
fn a_kept_panic_is_not_resumed_while_another_unwinds() {
    struct Resumes;
    impl Drop for Resumes {
        fn drop(&mut self) {
            let kept = Kept::new(|_| panic!("second"));
            each(kept_trampoline_of(&kept), kept.user_data());
            resume_kept_panic();
        }
    }
    let unwound = catch_unwind(|| {
        let _resumes = Resumes;
        panic!("first");
    });
    assert_eq!(message(unwound.expect_err("a panic")), "first");
    resume_kept_panic();
}

#[test]
fn a_kept_closure_that_ends_its_own_loan_lives_until_it_returns() {
    type Boxed = Box<dyn Fn(i32) -> i32>;
    let holder: Rc<RefCell<Option<Kept<Boxed>>>> = Rc::default();
    let own = Rc::clone(&holder);
    let value = Box::new(40);
    let kept: Kept<Boxed> = Kept::new(Box::new(move |n| {
        drop(own.take());
        *value + n
    }));
    let user_data = kept.user_data();
    *holder.borrow_mut() = Some(kept);
    // SAFETY: the `Kept` is alive when the closure is called.
    assert_eq!(unsafe { kept_trampoline::<Boxed>(user_data, 2) }, 42);
    assert!(holder.borrow().is_none());
}

#[test]
#[should_panic(expected = "C called a closure in another thread")]
fn a_closure_for_one_call_does_not_run_in_another_thread() {
    // Not `Send`, as any closure for one call may be.
    let sum = Rc::new(Cell::new(0));
    let counted = Rc::clone(&sum);
    let closure = move |n| {
        counted.set(counted.get() + n);
        counted.get()
    };
    let trampoline = trampoline_of(&closure);
    let mut callback = Callback::new(closure);
    let user_data = callback.user_data().expose_provenance();
    // SAFETY: the callback is alive.
    let call = move |n| unsafe { trampoline(ptr::with_exposed_provenance_mut(user_data), n) };
    assert_eq!(call(1), 1);
    assert_eq!(thread::spawn(move || call(2)).join().ok(), Some(-1), "it answers as after a panic");
    assert_eq!((call(3), sum.get()), (4, 4));
    callback.finish();
}

fn trampoline_of<F: FnMut(i32) -> i32>(_: &F) -> Trampoline {
    trampoline::<F>
}
