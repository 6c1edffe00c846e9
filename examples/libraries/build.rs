//! Finds out which of the libraries this system has: without one its test is ignored, with the reason.

const LIBRARIES: [(&str, &str); 8] = [
    ("archive", "libarchive.so.13"),
    ("cairo", "libcairo.so.2"),
    ("geos", "libgeos_c.so.1"),
    ("git", "libgit2.so.1.5"),
    ("redis", "libhiredis.so.0.14"),
    ("uv", "libuv.so.1"),
    ("xml", "libxml2.so.2"),
    ("zstd", "libzstd.so.1"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rerun-if-env-changed=PATH");
    let all = std::env::var_os("OPENDYN_TEST_ALL").is_some();
    for (name, file) in LIBRARIES {
        println!("cargo::rustc-check-cfg=cfg(no_{name})");
        // SAFETY: the initialisers of these libraries are sound to run.
        let is_missing = unsafe { libloading::Library::new(file) }.is_err();
        let lacks_server = name == "redis" && !has_program("redis-server");
        if !all && (is_missing || lacks_server) {
            println!("cargo::rustc-cfg=no_{name}");
            // It may be installed later: a missing file makes Cargo run this each time.
            println!("cargo::rerun-if-changed={file}");
        }
    }
}

fn has_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}
