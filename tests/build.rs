//! Bindings by way of a build script: some for `frontends` to compare with those of the macro, and those of every
//! document for tests that compile them. Also, what this machine lacks that tests need.
//!
//! The first document goes the way of every user, `write_to_out_dir`. The others have the same
//! file name, so each is written to a name of its own.

#[path = "src/documents.rs"]
mod documents;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use opendyn_codegen::{BuildError, Builder, Unchecked, generate};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-check-cfg=cfg(other_compiler)");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    if !is_compiler_of_ui() && std::env::var_os("OPENDYN_TEST_ALL").is_none() {
        println!("cargo::rustc-cfg=other_compiler");
    }
    println!("cargo::rustc-check-cfg=cfg(no_openai)");
    println!("cargo::rerun-if-env-changed=OPENDYN_PYTHON");
    println!("cargo::rerun-if-env-changed=PATH");
    if !has_packages(&["openai", "agents"]) && std::env::var_os("OPENDYN_TEST_ALL").is_none() {
        println!("cargo::rustc-cfg=no_openai");
    }

    let all = std::env::var_os("OPENDYN_TEST_ALL").is_some();
    // What takes minutes is left to CI.
    println!("cargo::rustc-check-cfg=cfg(quick)");
    if !all {
        println!("cargo::rustc-cfg=quick");
    }
    for (cfg, line) in [
        ("no_zlib_header", "#include <zlib.h>"),
        ("no_sqlite3_header", "#include <sqlite3.h>"),
        ("no_expat", "#include <expat.h>"),
        ("no_glibc", "#include <math.h>\n#ifndef __GLIBC__\n#error other\n#endif"),
    ] {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        if !all && !is_preprocessed(line) {
            println!("cargo::rustc-cfg={cfg}");
        }
    }
    println!("cargo::rustc-check-cfg=cfg(no_libc_debug_info)");
    if !all && !Path::new("/usr/lib/debug/.build-id").is_dir() {
        println!("cargo::rustc-cfg=no_libc_debug_info");
    }
    for (program, cfg) in
        [("clang", "no_clang"), ("lld-link", "no_lld"), ("llvm-dwp", "no_dwp"), ("dwz", "no_dwz")]
    {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        if !all && !has_program(program) {
            println!("cargo::rustc-cfg={cfg}");
        }
    }

    Builder::new("fixtures/outputs/tool.json").name("FromBuild").write_to_out_dir()?;

    let out_dir = std::env::var_os("OUT_DIR").ok_or(BuildError::NoOutDir)?;
    let builders = [
        document("names")
            .name("FromBuildNames")
            .strip_prefix("gfx_")
            .rename("old_name", "new_name")
            .rename("old_keyword", "yield")
            .optional("get-x")
            .optional("drop"),
        document("optional").name("FromBuildOptional").optional("plain"),
        document("unchecked").name("FromBuildUnchecked").unchecked(Unchecked::Allow),
        document("docs").name("FromBuildDocs"),
        document("stdcall").name("FromBuildStdcall"),
    ];
    for builder in builders {
        let name = builder.generate()?.name().to_owned();
        builder.write_to(Path::new(&out_dir).join(name).with_extension("rs"))?;
    }
    write_documents(Path::new(&out_dir))
}

/// Writes the bindings of every document to a file in `OUT_DIR/documents`, and a module for each to
/// `OUT_DIR/documents.rs`.
fn write_documents(out_dir: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=fixtures");
    println!("cargo::rerun-if-changed=goldens");
    let folder = out_dir.join("documents");
    std::fs::create_dir_all(&folder)?;
    let mut modules = String::new();
    for document in documents::documents()? {
        let module = document.file.trim_end_matches(".json").replace(['/', '-'], "_");
        let path = folder.join(&module).with_extension("rs");
        // An error is one of the tests that compile it, so that the other tests can show it.
        let text = match generate(&document.file, &document.source, &document.options) {
            Ok(generated) => generated.to_file().unwrap_or_else(|error| failing(&error)),
            Err(diagnostics) => failing(&diagnostics),
        };
        std::fs::write(&path, text)?;
        modules +=
            &format!("/// The bindings of `{}`.\n#[path = {path:?}]\npub mod {module};\n", document.file);
    }
    std::fs::write(out_dir.join("documents.rs"), modules)?;
    Ok(())
}

fn failing(error: &dyn std::fmt::Display) -> String {
    format!("compile_error!({:?});\n", error.to_string())
}

/// Whether the messages in `ui/` are those of this compiler.
fn is_compiler_of_ui() -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output();
    version.is_ok_and(|version| version.stdout.starts_with(b"rustc 1.95."))
}

/// Whether Python is there, with packages of these names.
fn has_packages(names: &[&str]) -> bool {
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let code = "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))";
    Command::new(python).args(["-c", code]).args(names).status().is_ok_and(|status| status.success())
}

/// Whether the preprocessor takes these lines.
fn is_preprocessed(lines: &str) -> bool {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let child = Command::new(compiler)
        .args(["-E", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return false };
    let written = child.stdin.take().is_some_and(|mut stdin| stdin.write_all(lines.as_bytes()).is_ok());
    written && child.wait().is_ok_and(|status| status.success())
}

/// Whether a program is there, also under the name that Debian gives the programs of LLVM.
fn has_program(name: &str) -> bool {
    [name.to_owned(), format!("{name}-14")]
        .iter()
        .any(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}

fn document(case: &str) -> Builder {
    let path = format!("fixtures/{case}/tool.json");
    println!("cargo::rerun-if-changed={path}");
    Builder::new(path)
}
