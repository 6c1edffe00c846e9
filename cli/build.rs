//! What this machine lacks that tests need: they are then reported as ignored.

use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_python)");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rerun-if-env-changed=OPENDYN_PYTHON");
    println!("cargo::rerun-if-env-changed=PATH");
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let has_python = Command::new(python).arg("--version").output().is_ok_and(|run| run.status.success());
    if !has_python && std::env::var_os("OPENDYN_TEST_ALL").is_none() {
        println!("cargo::rustc-cfg=no_python");
    }
}
