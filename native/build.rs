//! What this machine lacks that tests need. The package leaves this file out: it is of use in the
//! repository alone.

use std::path::Path;

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
}

/// Whether a program is there, as it is called or as Debian calls the version of LLVM 14.
fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .any(|folder| folder.join(program).is_file() || folder.join(format!("{program}-14")).is_file())
}
