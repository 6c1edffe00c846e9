//! What the command has to know of its own build: the versions that were tested together, and the target. And
//! what this machine lacks that tests need: without it they are ignored, and say so.

use std::path::Path;
use std::process::Command;

/// What `.ci/mcp-clients` leaves behind.
const CLIENTS: &str = "../target/mcp-clients/installed";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rustc-check-cfg=cfg(no_clients)");
    if std::env::var_os("OPENDYN_TEST_ALL").is_none() && !Path::new(CLIENTS).exists() {
        println!("cargo::rustc-cfg=no_clients");
    }
    // They may come or go one day: for a file that is not there Cargo looks each time.
    println!("cargo::rerun-if-changed={CLIENTS}");
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=OPENDYN_TARGET={target}");
    if let Err(error) = copy_lock() {
        println!("cargo::error=cannot copy Cargo.lock: {error}");
    }
    println!("cargo::rustc-check-cfg=cfg(no_python)");
    println!("cargo::rerun-if-env-changed=OPENDYN_PYTHON");
    println!("cargo::rerun-if-env-changed=PATH");
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let has_python = Command::new(python).arg("--version").output().is_ok_and(|run| run.status.success());
    if !has_python && std::env::var_os("OPENDYN_TEST_ALL").is_none() {
        println!("cargo::rustc-cfg=no_python");
    }
}

/// The lock is beside the crate where that came from a registry, above it in the workspace. Without one the
/// newest versions are taken.
fn copy_lock() -> std::io::Result<()> {
    let lock = ["Cargo.lock", "../Cargo.lock"].into_iter().find(|lock| Path::new(lock).exists());
    let text = match lock {
        Some(lock) => {
            println!("cargo::rerun-if-changed={lock}");
            std::fs::read_to_string(lock)?
        }
        None => String::new(),
    };
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    std::fs::write(Path::new(&out).join("Cargo.lock"), text)
}
