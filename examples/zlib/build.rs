//! Finds out whether this system has zlib: without it the tests are ignored, with the reason.

const LIBRARY: &str = if cfg!(windows) {
    "zlib1.dll"
} else if cfg!(target_os = "macos") {
    "libz.1.dylib"
} else {
    "libz.so.1"
};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_zlib)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ZLIB_LIBRARY");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    if std::env::var_os("OPENDYN_TEST_ALL").is_some() || std::env::var_os("ZLIB_LIBRARY").is_some() {
        return;
    }
    // SAFETY: the initialisers of zlib are sound to run.
    if unsafe { libloading::Library::new(LIBRARY) }.is_err() {
        println!("cargo::rustc-cfg=no_zlib");
        // It may be installed later: a missing file makes Cargo run this each time.
        println!("cargo::rerun-if-changed={LIBRARY}");
    }
}
