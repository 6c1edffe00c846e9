//! Crates like those of users: a build script, a library that includes its output, and how Cargo shows
//! the errors and warnings of a document.
//!
//! Each test writes a workspace to a folder of the target directory and runs Cargo in it. Tests of the
//! macro that need Cargo are here too: its errors name absolute paths, and `OPENDYN_DEBUG` is read at
//! compile time.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::path::Path;
use std::process::Output;

use opendyn_codegen::{Options, check};
use opendyn_tests::Workspace;

const BUILD_SCRIPT: &str = r#"
fn main() -> Result<(), opendyn_codegen::BuildError> {
    opendyn_codegen::Builder::new("calc.json").name("Calc").write_to_out_dir()?;
    Ok(())
}
"#;

fn read(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("the file is there")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_broken_document_and_a_missing_one_stop_the_build() {
    let workspace = Workspace::new("failing", &["broken", "missing"]);
    workspace.write("broken/build.rs", BUILD_SCRIPT);
    workspace.write("broken/calc.json", &read("invalid/ten-mistakes.json"));
    workspace.write("broken/src/lib.rs", "include!(concat!(env!(\"OUT_DIR\"), \"/calc.rs\"));\n");
    workspace.write("missing/src/lib.rs", "opendyn::opendyn!(\"calc.json\");\n");

    let output = workspace.cargo(&["check", "--workspace", "--keep-going"]);
    let shown = stderr(&output);
    assert!(!output.status.success(), "{shown}");

    for diagnostic in &check("calc.json", &read("invalid/ten-mistakes.json"), &Options::default()) {
        for line in diagnostic.to_string().lines() {
            assert!(shown.contains(&format!("error: broken@0.0.0: {line}\n")), "{line}\nis not in\n{shown}");
        }
    }

    let missing = workspace.folder().join("missing");
    for place in [missing.join("calc.json"), missing.join("src/calc.json")] {
        let tried = format!("{}: No such file or directory", place.display());
        assert!(shown.contains(&tried), "{tried}\nis not in\n{shown}");
    }
}

#[test]
fn a_document_with_warnings_builds_and_is_documented() {
    let workspace = Workspace::new("working", &["warned"]);
    workspace.write("warned/build.rs", BUILD_SCRIPT);
    workspace.write("warned/calc.json", &read("ui/warned.json"));
    let mut library = r#"//! Bindings of every kind.
        #![deny(warnings, missing_docs)]

        include!(concat!(env!("OUT_DIR"), "/calc.rs"));

        /// The same with the macro.
        pub mod expanded {
            opendyn::opendyn!("calc.json", name = Expanded);
        }

        #[cfg(test)]
        mod tests {
            #[test]
            fn the_two_have_the_same_method() {
                let _: fn(&crate::Calc, f64) = crate::Calc::half;
                let _: fn(&crate::expanded::Expanded, f64) = crate::expanded::Expanded::half;
            }
        }
    "#
    .to_owned();
    // A user's crate could have the bindings of any document.
    library += include_str!(concat!(env!("OUT_DIR"), "/documents.rs"));
    workspace.write("warned/src/lib.rs", &library);
    let written_by_macro = || {
        let folders = std::fs::read_dir(workspace.target().join("debug/build")).into_iter().flatten();
        let files = folders
            .flatten()
            .flat_map(|folder| std::fs::read_dir(folder.path().join("out")).into_iter().flatten());
        let written = |name: &str| name.starts_with("warned-Expanded-");
        files
            .flatten()
            .filter(|file| written(&file.file_name().to_string_lossy()))
            .map(|file| file.path())
            .collect::<Vec<_>>()
    };
    for stale in written_by_macro() {
        std::fs::remove_file(stale).expect("it can be removed");
    }

    let tested = workspace.cargo(&["test"]);
    let shown = stderr(&tested);
    assert!(tested.status.success(), "{shown}");
    for diagnostic in &check("calc.json", &read("ui/warned.json"), &Options::default()) {
        for line in diagnostic.to_string().lines() {
            assert!(
                shown.contains(&format!("warning: warned@0.0.0: {line}\n")),
                "{line}\nis not in\n{shown}"
            );
        }
    }
    // The crate has one test; examples in descriptions are not tests.
    let counts: Vec<String> = String::from_utf8_lossy(&tested.stdout)
        .lines()
        .filter(|line| line.starts_with("running "))
        .map(str::to_owned)
        .collect();
    assert_eq!(counts, ["running 1 test", "running 0 tests"]);
    assert_eq!(written_by_macro().len(), 1, "OPENDYN_DEBUG=1 writes the bindings of the macro to a file");

    let documented = workspace.cargo(&["doc", "--no-deps"]);
    assert!(documented.status.success(), "{}", stderr(&documented));
}
