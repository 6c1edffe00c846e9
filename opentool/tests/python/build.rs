//! Looks for the Python that the tests need: without one they are ignored, and say so.

use std::process::Command;

const IS_NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 8))";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_python)");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rerun-if-env-changed=OPENDYN_PYTHON");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-changed=build.rs");
    let named = std::env::var("OPENDYN_PYTHON").ok();
    let names = named.map_or_else(|| vec!["python3".to_owned(), "python".to_owned()], |named| vec![named]);
    let is_there = names.iter().any(|name| {
        let status = Command::new(name).args(["-c", IS_NEW_ENOUGH]).status();
        status.is_ok_and(|status| status.success())
    });
    if !is_there && std::env::var_os("OPENDYN_TEST_ALL").is_none() {
        println!("cargo::rustc-cfg=no_python");
    }
}
