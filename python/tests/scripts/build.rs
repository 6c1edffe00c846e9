//! Looks for the Python that the tests need. Without it they are ignored, with the reason.

use std::process::Command;

const IS_NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 8))";
const HAS_REQUESTS: &str = "import importlib.util, sys; sys.exit(not importlib.util.find_spec('requests'))";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_python, no_requests, quick)");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rerun-if-env-changed=OPENDYN_PYTHON");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-changed=build.rs");
    let named = std::env::var("OPENDYN_PYTHON").ok();
    let names = named.map_or_else(|| vec!["python3".to_owned(), "python".to_owned()], |named| vec![named]);
    let succeeds = |name: &&String, code: &str| {
        let status = Command::new(name).args(["-I", "-c", code]).status();
        status.is_ok_and(|status| status.success())
    };
    let python = names.iter().find(|name| succeeds(name, IS_NEW_ENOUGH));
    let has_requests = python.is_some_and(|python| succeeds(&python, HAS_REQUESTS));
    // Tests that take minutes run only with OPENDYN_TEST_ALL, where `quick` is never set.
    for (is_there, missing) in
        [(false, "quick"), (python.is_some(), "no_python"), (has_requests, "no_requests")]
    {
        if !is_there && std::env::var_os("OPENDYN_TEST_ALL").is_none() {
            println!("cargo::rustc-cfg={missing}");
        }
    }
}
