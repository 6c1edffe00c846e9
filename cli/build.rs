//! What the command has to know of its own build: the versions that were tested together, and the target. And
//! what this machine lacks that tests need: without it they are ignored, and say so.

use std::path::Path;

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
    // Beside the crate where it came from a registry, above it in the workspace.
    let lock = ["Cargo.lock", "../Cargo.lock"].into_iter().find(|lock| Path::new(lock).exists());
    let text = lock.map(|lock| {
        println!("cargo::rerun-if-changed={lock}");
        std::fs::read_to_string(lock)
    });
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    let written = match text {
        Some(Ok(text)) => std::fs::write(Path::new(&out).join("Cargo.lock"), text),
        Some(Err(error)) => Err(error),
        // Without one the newest versions are taken.
        None => std::fs::write(Path::new(&out).join("Cargo.lock"), ""),
    };
    if let Err(error) = written {
        println!("cargo::error=cannot copy Cargo.lock: {error}");
    }
}
