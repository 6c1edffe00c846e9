//! Compiles the bundled library. A real project loads an existing one.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=calc.c");
    println!("cargo::rerun-if-env-changed=CC");
    let out_dir = std::env::var("OUT_DIR").unwrap_or_default();
    let name = format!("{}calc{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = Path::new(&out_dir).join(name);
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status =
        Command::new(&compiler).args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library).arg("calc.c").status();
    match status {
        Ok(status) if status.success() => println!("cargo::rustc-env=CALC_LIBRARY={}", library.display()),
        Ok(status) => println!("cargo::error=`{compiler}` could not compile calc.c: {status}"),
        Err(error) => println!(
            "cargo::error=this example needs a C compiler; `{compiler}` (or CC) did not start: {error}"
        ),
    }
}
