//! Bindings of a document that was checked against a library: a mismatch stops the build, and the program
//! knows which library it was checked against.
//!
//! Each test writes a workspace with its own library and runs Cargo in it.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "test code may panic")]

use std::process::{Command, Output};

use opendyn_tests::Workspace;

const DOCUMENT: &str = r#"{
  "opendyn": "1.0.0",
  "info": { "title": "calc", "version": "1.0.0", "callingConvention": "cdecl" },
  "functions": [
    { "name": "add", "description": "The sum.",
      "parameters": [
        { "name": "a", "isIn": true, "required": true, "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } },
        { "name": "b", "isIn": true, "required": true, "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } } ],
      "return": { "name": "sum", "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } } },
    { "name": "twice", "description": "The double.",
      "parameters": [
        { "name": "a", "isIn": true, "required": true, "schema": { "type": "integer", "cType": { "type": "long", "isPointer": false } } } ],
      "return": { "name": "result", "schema": { "type": "integer", "cType": { "type": "long", "isPointer": false } } } }
  ]
}
"#;

const SOURCE: &str = "int add(int a, int b) { return a + b; }\nlong twice(long a) { return 2 * a; }\n";

/// Writes a C file and compiles it to a library, with debug info.
fn compile(workspace: &Workspace, name: &str, source: &str) {
    workspace.write(&format!("{name}.c"), source);
    let file = |ending: &str| workspace.folder().join(name).with_extension(ending);
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(compiler)
        .args(["-g", "-shared", "-fPIC", "-Wl,--build-id=sha1", "-o"])
        .args([file("so"), file("c")])
        .status();
    assert!(status.expect("there is a C compiler").success());
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A program whose document is checked by the macro and by the build script. Cargo takes packages of one name in the same
/// folder of two workspaces for one package, and these share what they compile: each has a name of its own.
fn program(workspace: &Workspace, package: &str) {
    workspace.write(&format!("{package}/calc.json"), DOCUMENT);
    workspace.write(
        &format!("{package}/build.rs"),
        r#"
fn main() -> Result<(), opendyn_codegen::BuildError> {
    opendyn_codegen::Builder::new("calc.json").name("Built").check_library("../first.so").write_to_out_dir()?;
    Ok(())
}
"#,
    );
    workspace.write(
        &format!("{package}/src/main.rs"),
        r#"
opendyn::opendyn!("calc.json", check = "../first.so");
mod built { include!(concat!(env!("OUT_DIR"), "/calc.rs")); }

fn main() {
    let path = std::env::args().nth(1).unwrap();
    // One after the other: the document does not say that the library is thread-safe.
    let macros = unsafe { Calc::open(&path) }.map(|calc| calc.add(2, 3));
    let script = unsafe { built::Built::open(&path) }.map(|calc| calc.twice(4));
    match (macros, script) {
        (Ok(sum), Ok(twice)) => println!("{sum} {twice}"),
        (Err(macros), Err(script)) => {
            assert_eq!(macros.to_string(), script.to_string());
            eprintln!("{macros}");
        }
        _ => unreachable!(),
    }
}
"#,
    );
}

/// Runs the program with a library of the workspace.
fn run(workspace: &Workspace, library: &str) -> Output {
    let path = workspace.folder().join(library);
    workspace.cargo(&["run", "--quiet", "--", &path.to_string_lossy()])
}

#[test]
#[cfg_attr(quick, ignore = "compiles what reads debug info; set OPENDYN_TEST_ALL=1")]
fn the_error_for_another_build_lists_what_it_lacks() {
    let workspace = Workspace::with_features("checked", &["calc"], &["check"]);
    program(&workspace, "calc");
    compile(&workspace, "first", SOURCE);
    compile(&workspace, "second", "int add(int a, int b) { return a + b; }\n");

    let output = run(&workspace, "first.so");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "5 8\n", "{}", stderr(&output));

    let shown = stderr(&run(&workspace, "second.so"));
    let second = workspace.folder().join("second.so");
    let lacks = format!(
        "`{}` lacks 1 function of the document: twice; this is not the build that the document was checked \
         against, `first.so` (build ",
        second.display()
    );
    assert!(shown.starts_with(&lacks), "{shown}");
    let size = std::fs::metadata(workspace.folder().join("first.so")).expect("it was compiled").len();
    assert!(shown.ends_with(&format!(", {size} bytes), which has it\n")), "{shown}");
}

#[test]
#[cfg_attr(quick, ignore = "compiles what reads debug info; set OPENDYN_TEST_ALL=1")]
fn a_mismatch_stops_the_build_also_when_the_library_changes() {
    let workspace = Workspace::with_features("misfitting", &["misfit"], &["check"]);
    program(&workspace, "misfit");
    compile(&workspace, "first", SOURCE);
    let output = workspace.cargo(&["check"]);
    assert!(output.status.success(), "{}", stderr(&output));

    // Another build, with other types.
    compile(&workspace, "first", &SOURCE.replace("int b", "long b").replace("twice", "double_"));
    let output = workspace.cargo(&["check"]);
    let shown = stderr(&output);
    assert!(!output.status.success(), "{shown}");
    for line in [
        "error: misfit@0.0.0: calc.json:8:96: error[E041]: parameter 2 of add: the document says int, the \
         library says long: 4 bytes against 8",
        "error: misfit@0.0.0: calc.json:10:15: error[E039]: the library does not export `twice`",
    ] {
        assert!(shown.contains(line), "{line}\nis not in\n{shown}");
    }

    // From here on, only the macro checks.
    workspace.write("misfit/build.rs", "fn main() {}\n");
    let program = "opendyn::opendyn!(\"calc.json\", check = \"../first.so\");\nfn main() {}\n";
    workspace.write("misfit/src/main.rs", program);
    let shown = stderr(&workspace.cargo(&["check"]));
    let error = "error: calc.json:10:15: error[E039]: the library does not export `twice`";
    assert!(shown.contains(error), "{shown}");

    // The macro checks again automatically.
    compile(&workspace, "first", SOURCE);
    let output = workspace.cargo(&["check"]);
    assert!(output.status.success(), "{}", stderr(&output));
    compile(&workspace, "first", &SOURCE.replace("long a", "int a"));
    let shown = stderr(&workspace.cargo(&["check"]));
    assert!(shown.contains("error[E041]: parameter 1 of twice"), "{shown}");
}

#[test]
#[cfg_attr(quick, ignore = "compiles what reads debug info; set OPENDYN_TEST_ALL=1")]
fn without_the_feature_the_option_says_which_one_to_turn_on() {
    let workspace = Workspace::new("unchecked-library", &["calc"]);
    workspace.write("calc/calc.json", DOCUMENT);
    workspace.write("calc/src/lib.rs", "opendyn::opendyn!(\"calc.json\", check = \"libcalc.so\");\n");
    let shown = stderr(&workspace.cargo(&["check"]));
    assert!(
        shown.contains(
            "error[E047]: the document cannot be checked against \"libcalc.so\": the feature `check` is off"
        ),
        "{shown}"
    );
    assert!(shown.contains("turn on the feature `check` of `opendyn`"), "{shown}");
}
