//! The child: enters the sandbox that its arguments describe, and calls one function, or becomes a program.

use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use opentool_sandbox::Sandbox;

pub fn run(arguments: &mut impl Iterator<Item = OsString>) {
    let is_inside = arguments.next().is_some_and(|it| it == "inside");
    let sandbox = Sandbox::from_arguments(arguments).expect("the parent wrote them");
    let what = arguments.next().expect("there is something to do");
    if what == "threads" {
        std::thread::spawn(std::thread::park);
    }
    if is_inside {
        match sandbox.enter() {
            Ok(entered) => {
                assert_eq!(entered.lacking, [], "this kernel lacks a part, so nothing can be proven")
            }
            Err(error) => return println!("{error}"),
        }
    }
    match what.to_str() {
        Some("call") => {
            let mut next = || arguments.next().expect("a library, a function and an argument");
            let (library, function, text) = (next(), next(), next());
            let text = CString::new(text.into_vec()).expect("it has no NUL");
            println!("{}", call(&library, function.to_str().expect("it is a C name"), &text));
        }
        Some("become") => {
            let program = arguments.next().expect("a program");
            println!("{}", Command::new(program).args(arguments).exec());
        }
        _ => println!("entered"),
    }
}

fn call(library: &OsString, function: &str, text: &CString) -> c_int {
    // SAFETY: the library is `probe.c`, which has no constructors.
    let library = unsafe { libloading::Library::new(library) }.expect("the library loads");
    // SAFETY: every function of `probe.c` that a case names has this signature.
    let function =
        unsafe { library.get::<unsafe extern "C" fn(*const c_char) -> c_int>(function.as_bytes()) }
            .expect("the library has the function");
    // SAFETY: the functions take a C string, which lives until they return.
    unsafe { function(text.as_ptr()) }
}
