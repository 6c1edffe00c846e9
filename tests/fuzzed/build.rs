//! Compiles the C library that `arguments` calls.

#![expect(clippy::expect_used, reason = "a build that cannot go on ends")]

use std::path::PathBuf;
use std::process::Command;

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo sets it"));
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(out.join("libprobe.so"))
        .arg("probe.c")
        .status()
        .expect("there is a C compiler");
    assert!(status.success(), "the C library compiles");
    println!("cargo::rerun-if-changed=probe.c");
}
