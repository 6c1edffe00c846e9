//! Compiles the libraries, and looks for what the tests need: without it they are ignored, with the reason.

use std::path::Path;
use std::process::Command;

const SQLITE: &str = if cfg!(windows) {
    "sqlite3.dll"
} else if cfg!(target_os = "macos") {
    "libsqlite3.dylib"
} else {
    "libsqlite3.so.0"
};

/// The folder of `.ci/mcp-clients`.
const CLIENTS: &str = "../../target/mcp-clients";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_sqlite, no_clients)");
    println!("cargo::rerun-if-env-changed=CC");
    println!("cargo::rerun-if-env-changed=SQLITE_LIBRARY");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rerun-if-changed=build.rs");
    compile("../quickstart/calc.c", "CALC_LIBRARY");
    compile("fixture/chatty.c", "CHATTY_LIBRARY");
    if std::env::var_os("OPENDYN_TEST_ALL").is_some() {
        return;
    }
    // SAFETY: the initialisers of SQLite are sound to run.
    let sqlite = || unsafe { libloading::Library::new(SQLITE) };
    missing("no_sqlite", SQLITE, std::env::var_os("SQLITE_LIBRARY").is_some() || sqlite().is_ok());
    let clients = format!("{CLIENTS}/installed");
    missing("no_clients", &clients, Path::new(&clients).exists());
}

fn missing(name: &str, what: &str, is_there: bool) {
    if !is_there {
        println!("cargo::rustc-cfg={name}");
    }
    // It may be installed or removed later: Cargo checks a missing file each time.
    println!("cargo::rerun-if-changed={what}");
}

/// Compiles `source` to a library and puts its path into `variable`.
fn compile(source: &str, variable: &str) {
    println!("cargo::rerun-if-changed={source}");
    let out_dir = std::env::var("OUT_DIR").unwrap_or_default();
    let library = Path::new(&out_dir).join(variable).with_extension(std::env::consts::DLL_EXTENSION);
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status =
        Command::new(&compiler).args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library).arg(source).status();
    match status {
        Ok(status) if status.success() => println!("cargo::rustc-env={variable}={}", library.display()),
        Ok(status) => println!("cargo::error=`{compiler}` could not compile {source}: {status}"),
        Err(error) => println!(
            "cargo::error=this example needs a C compiler; `{compiler}` (or CC) did not start: {error}"
        ),
    }
}
