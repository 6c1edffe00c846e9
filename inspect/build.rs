//! Finds what this machine lacks for the tests. The package does not include this file: only the repository
//! needs it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn main() {
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rerun-if-env-changed=PATH");
    let all = std::env::var_os("OPENDYN_TEST_ALL").is_some();
    for (cfg, programs) in [
        ("no_clang", &["clang"][..]),
        ("no_dwz", &["dwz"]),
        ("no_dwp", &["llvm-dwp"]),
        ("no_lld", &["clang", "lld-link", "ld64.lld", "ld.lld"]),
        ("no_dsymutil", &["clang", "ld64.lld", "dsymutil"]),
    ] {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        if !all && !programs.iter().all(|program| has(program)) {
            println!("cargo::rustc-cfg={cfg}");
        }
    }
    println!("cargo::rustc-check-cfg=cfg(no_libc_debug_info)");
    if !all && !Path::new("/usr/lib/debug/.build-id").is_dir() {
        println!("cargo::rustc-cfg=no_libc_debug_info");
    }
    println!("cargo::rerun-if-env-changed=CC");
    for (cfg, line) in [
        ("no_zlib_header", "#include <zlib.h>"),
        ("no_sqlite3_header", "#include <sqlite3.h>"),
        ("no_lz4_header", "#include <lz4.h>"),
        ("no_sodium_header", "#include <sodium.h>"),
        ("no_curl_header", "#include <curl/curl.h>"),
        ("no_pcre2_header", "#define PCRE2_CODE_UNIT_WIDTH 8\n#include <pcre2.h>"),
        // Clang defines `__GNUC__` too.
        ("no_gcc", "#if !defined __GNUC__ || defined __clang__\n#error other\n#endif"),
        ("no_glibc_header", "#include <math.h>\n#ifndef __GLIBC__\n#error other\n#endif"),
    ] {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        if !all && !preprocesses(line) {
            println!("cargo::rustc-cfg={cfg}");
            // It may be installed later: a file that never exists makes Cargo run this script every time.
            println!("cargo::rerun-if-changed={cfg}");
        }
    }
}

/// Whether the C compiler accepts these lines.
fn preprocesses(lines: &str) -> bool {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut command = Command::new(compiler);
    command.args(["-E", "-x", "c", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        _ = writeln!(input, "{lines}");
    }
    child.wait().is_ok_and(|status| status.success())
}

/// Whether a program is installed, under its name or under Debian's name for LLVM 14.
fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .any(|folder| folder.join(program).is_file() || folder.join(format!("{program}-14")).is_file())
}
