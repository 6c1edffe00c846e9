//! The search for Python, and the errors for unsuitable ones.

#[cfg(unix)]
use std::path::{Path, PathBuf};

use opentool_python::Interpreter;
#[cfg(unix)]
use opentool_python::Reason;

/// A program that always prints the same.
#[cfg(unix)]
fn pretender(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pretenders").join(name)
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn the_python_that_is_found_is_not_a_launcher() {
    let found = Interpreter::find().expect("it is there");
    assert!(found.path().is_absolute(), "{}", found.path().display());
    assert!(found.version() >= (3, 8, 0));
    assert_eq!(Interpreter::at(found.path()), Ok(found));
}

#[cfg(unix)]
#[test]
fn a_python_that_is_too_old_is_refused_with_its_version() {
    let old = pretender("old");
    let error = Interpreter::at(&old).expect_err("too old");
    assert_eq!(error.tried, [(old, Reason::TooOld("3.7.16".to_owned()))]);
    assert!(error.to_string().contains("is Python 3.7.16; install Python, or set OPENDYN_PYTHON"), "{error}");
}

#[cfg(unix)]
#[test]
fn another_program_is_not_taken_for_python() {
    let other = pretender("other");
    assert_eq!(Interpreter::at(&other).expect_err("not Python").tried[0].1, Reason::NotPython);
    let failing = Interpreter::at("false").expect_err("not Python");
    assert!(matches!(&failing.tried[0].1, Reason::Failed(how) if how.contains('1')), "{failing}");
    let absent = Interpreter::at("/no/such/python").expect_err("not there");
    assert!(matches!(absent.tried[0].1, Reason::NotStarted(_)), "{absent}");
}
