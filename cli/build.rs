//! What the command has to know of its own build: the versions that were tested together, and the target.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
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
