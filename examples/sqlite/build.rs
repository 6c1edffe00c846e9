//! Finds out whether this system has SQLite: without it the tests are ignored, with the reason.

const LIBRARY: &str = if cfg!(windows) {
    "sqlite3.dll"
} else if cfg!(target_os = "macos") {
    "libsqlite3.dylib"
} else {
    "libsqlite3.so.0"
};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_sqlite)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SQLITE_LIBRARY");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    if std::env::var_os("OPENDYN_TEST_ALL").is_some() || std::env::var_os("SQLITE_LIBRARY").is_some() {
        return;
    }
    // SAFETY: the initialisers of SQLite are sound to run.
    if unsafe { libloading::Library::new(LIBRARY) }.is_err() {
        println!("cargo::rustc-cfg=no_sqlite");
        // It may be installed later: a missing file makes Cargo run this each time.
        println!("cargo::rerun-if-changed={LIBRARY}");
    }
}
