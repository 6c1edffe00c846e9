//! Compiles the libraries that the benchmarks call: `calc.c`, `shapes.c`, and with the feature `peers` a library
//! of 1,000 functions, whose bindings are generated here too.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "src/scale.rs"]
#[expect(dead_code, reason = "the calls are for the benchmark")]
mod scale;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=calc.c");
    println!("cargo::rerun-if-changed=shapes.c");
    println!("cargo::rerun-if-changed=src/scale.rs");
    println!("cargo::rerun-if-env-changed=CC");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    compile(Path::new("calc.c"), &out, "CALC_LIBRARY")?;
    compile(Path::new("shapes.c"), &out, "SHAPES_LIBRARY")?;
    if std::env::var_os("CARGO_FEATURE_PEERS").is_some() {
        let library = scale::Library::new(1000);
        let [document, source] = ["thousand.json", "thousand.c"].map(|name| out.join(name));
        std::fs::write(&document, &library.document)?;
        std::fs::write(&source, &library.source)?;
        compile(&source, &out, "THOUSAND_LIBRARY")?;
        opendyn_codegen::Builder::new(&document).name("Thousand").write_to(out.join("thousand.rs"))?;
    }
    Ok(())
}

/// Compiles `source` and puts the path of the library into `variable`.
fn compile(source: &Path, out: &Path, variable: &str) -> Result<(), Box<dyn Error>> {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let file = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = out.join(file);
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(&compiler)
        .args(["-shared", "-fPIC", "-O2", "-o"])
        .arg(&library)
        .arg(source)
        .status()
        .map_err(|error| format!("the benchmarks need a C compiler; `{compiler}` (or CC): {error}"))?;
    if !status.success() {
        return Err(format!("`{compiler}` could not compile {}: {status}", source.display()).into());
    }
    println!("cargo::rustc-env={variable}={}", library.display());
    Ok(())
}
