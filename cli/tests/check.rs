//! `opendyn check`, for people and for programs.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

use std::path::{Path, PathBuf};
use std::process::Command;

const DOCUMENT: &str = r#"{
  "opendyn": "1.0.0",
  "info": { "title": "calc", "version": "1.0.0", "callingConvention": "cdecl" },
  "functions": [
    { "name": "add", "description": "The sum.",
      "parameters": [
        { "name": "a", "isIn": true, "required": true, "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } },
        { "name": "b", "isIn": true, "required": true, "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } } ],
      "return": { "name": "sum", "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } } }
  ]
}
"#;

/// A folder for one test, with the given files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("the file can be written");
    }
    folder
}

/// Compiles `calc.c` to `libcalc.so`.
fn compile(folder: &Path, flags: &[&str]) {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(compiler)
        .args(["-shared", "-fPIC", "-o", "libcalc.so", "calc.c"])
        .args(flags)
        .current_dir(folder)
        .status();
    assert!(status.expect("there is a C compiler").success());
}

/// The result of the command: its exit status, stdout and stderr.
fn check(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_opendyn"))
        .arg("check")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("it ended by itself"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_document_that_fits_its_library_and_header_has_no_findings() {
    let source = "#include \"calc.h\"\nint add(int a, int b) { return a + b; }\n";
    let files = [("calc.json", DOCUMENT), ("calc.c", source), ("calc.h", "int add(int a, int b);\n")];
    let folder = folder("fits", &files);
    compile(&folder, &["-g"]);
    let arguments = ["calc.json", "--library", "./libcalc.so", "--header", "calc.h"];
    let (status, stdout, stderr) = check(&folder, &arguments);
    assert_eq!(
        stdout,
        "calc.json\n  exports (./libcalc.so): 1 of 1 function checked\n  header (calc.h): 1 of 1 function \
         checked\n  debug info (./libcalc.so): 1 of 1 function checked\n0 errors, 0 warnings\n"
    );
    assert_eq!((status, stderr.as_str()), (0, ""));
}

#[test]
fn every_source_reports_and_none_twice() {
    let files = [
        ("calc.json", DOCUMENT),
        ("calc.c", "long add(int a, long b) { return a + b; }\n"),
        ("calc.h", "long add(int a, long b);\n"),
    ];
    let folder = folder("misfits", &files);
    compile(&folder, &["-g"]);
    let arguments = ["calc.json", "--library", "./libcalc.so", "--header", "calc.h"];
    let (status, stdout, _) = check(&folder, &arguments);
    assert_eq!(status, 1, "{stdout}");
    let against = "the document says int, the header says long: 4 bytes against 8\n";
    for line in [
        &format!("calc.json:8:96: error[E041]: parameter 2 of add: {against}"),
        &format!("calc.json:9:74: error[E042]: what add returns: {against}"),
        "\n2 errors, 0 warnings\n",
        "\n`opendyn explain E041` explains a rule\n",
    ] {
        assert!(stdout.contains(line), "{line}is not in\n{stdout}");
    }
    assert!(!stdout.contains('\u{1b}'), "colours are for terminals");
}

#[test]
fn what_was_not_checked_is_told_and_no_finding() {
    let files = [("calc.json", DOCUMENT), ("calc.c", "int add(int a, int b) { return a + b; }\n")];
    let folder = folder("untold", &files);
    compile(&folder, &["-s"]);
    let (status, stdout, _) = check(&folder, &["calc.json", "--library", "./libcalc.so"]);
    assert_eq!(status, 0, "{stdout}");
    assert!(stdout.contains("  header: not checked: no header was given (--header)\n"), "{stdout}");
    assert!(stdout.contains("  debug info: not checked: ./libcalc.so has no debug info"), "{stdout}");
    let (status, stdout, _) = check(&folder, &["calc.json"]);
    assert_eq!(status, 0, "{stdout}");
    let reason = "no library was given (--library), and the document names none for linux";
    assert!(stdout.contains(&format!("  exports: not checked: {reason}\n")), "{stdout}");
}

#[test]
fn the_library_that_the_document_names_is_taken_where_it_is_found() {
    let named =
        |name: &str| DOCUMENT.replace("\"cdecl\" }", &format!("\"cdecl\", \"x-library\": \"{name}\" }}"));
    let (found, nowhere) = (named("libc.so.6"), named("libopendyn-nowhere.so"));
    let folder = folder("named", &[("found.json", &found), ("nowhere.json", &nowhere)]);
    let (status, stdout, _) = check(&folder, &["found.json", "nowhere.json"]);
    assert_eq!(status, 1, "the C library has no `add`: {stdout}");
    assert!(stdout.contains("  the library is the document's own, `libc.so.6`: /"), "{stdout}");
    let reason = "no library libopendyn-nowhere.so was found; looked in";
    assert!(stdout.contains(&format!("  exports: not checked: {reason}")), "{stdout}");
}

#[test]
fn warnings_count_where_they_are_denied() {
    let asked = DOCUMENT.replace("\"The sum.\",", "\"The sum.\", \"x-todo\": \"Of what?\",");
    let folder = folder("denied", &[("calc.json", &asked)]);
    let (status, stdout, _) = check(&folder, &["calc.json"]);
    assert_eq!(status, 0, "{stdout}");
    assert!(stdout.contains("warning[W010]: function `add` has an open question: Of what?"), "{stdout}");
    assert_eq!(check(&folder, &["calc.json", "--deny", "warnings"]).0, 1);
}

#[test]
fn programs_get_one_object() {
    let files = [("calc.json", DOCUMENT), ("calc.c", "int sub(int a, int b) { return a - b; }\n")];
    let folder = folder("json", &files);
    compile(&folder, &["-g"]);
    let (status, stdout, _) = check(&folder, &["calc.json", "--library", "./libcalc.so", "--format", "json"]);
    assert_eq!(status, 1);
    let value: serde_json::Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
    let finding = &value["findings"][0];
    let told = ["rule", "severity", "file", "line", "column", "message"].map(|key| finding[key].to_string());
    let message = "\"the library does not export `add`\"";
    assert_eq!(told, ["\"E039\"", "\"error\"", "\"calc.json\"", "5", "15", message]);
    assert_eq!((&value["errors"], &value["warnings"]), (&1.into(), &0.into()));
    assert_eq!(value["tiers"][0]["against"], "exports");
    assert_eq!(value["tiers"][1]["notChecked"], "no header was given (--header)");
    assert_eq!(value["tiers"][2]["unchecked"][0]["functions"][0], "add");
}

#[test]
fn github_gets_annotations() {
    let folder = folder("github", &[("calc.json", &DOCUMENT.replace("\"cdecl\"", "\"pascal\""))]);
    let (status, stdout, _) = check(&folder, &["calc.json", "--format", "github"]);
    assert_eq!(status, 1);
    let line =
        "::error file=calc.json,line=3,col=71,title=E014::unknown calling convention \"pascal\"%0Ahelp: ";
    assert!(stdout.starts_with(line), "{stdout}");
}

#[test]
fn what_cannot_be_done_is_an_error_of_its_own() {
    let files = [("calc.json", DOCUMENT), ("text.so", "not a library"), ("broken.h", "#error no\n")];
    let folder = folder("failing", &files);
    for (arguments, expected) in [
        (&["nowhere.json"][..], "cannot read the document `nowhere.json`"),
        (&["calc.json", "--library", "./nowhere.so"], "no library ./nowhere.so was found"),
        (&["calc.json", "--library", "./text.so"], "./text.so is not a shared library"),
        (&["calc.json", "--header", "nowhere.h"], "nowhere.h"),
        (&["calc.json", "--header", "broken.h"], "#error no"),
        (&["calc.json", "--target", "pdp11"], "the target `pdp11` is unknown"),
        (&["calc.json", "--debug-info", "x.debug"], "name the library with --library"),
    ] {
        let (status, stdout, stderr) = check(&folder, arguments);
        assert_eq!(status, 2, "{arguments:?}: {stdout}{stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

const SCRIPT: &str = "from os import path\n\n\ndef execute(tool_input):\n    return dict(success=True, message='', data=path.sep)\n";

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn scripts_are_checked_beside_documents() {
    let good = SCRIPT.replace("from os import path", "import os").replace("path.sep", "os.sep");
    let files = [("calc.json", DOCUMENT), ("bad.py", SCRIPT), ("good.py", good.as_str())];
    let folder = folder("scripts", &files);
    let (status, stdout, stderr) = check(&folder, &["good.py"]);
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, "0 errors, 0 warnings\n", ""));
    let (status, stdout, _) = check(&folder, &["calc.json", "bad.py", "good.py"]);
    assert_eq!(status, 1);
    assert!(stdout.starts_with("bad.py:1:1: error[P004]: `from os import path` imports"), "{stdout}");
    assert!(stdout.contains("\ncalc.json\n"), "{stdout}");
    assert!(stdout.ends_with("1 error, 0 warnings\n`opendyn explain P004` explains a rule\n"), "{stdout}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn findings_of_scripts_have_every_format() {
    let folder = folder("script-formats", &[("bad.py", SCRIPT)]);
    let (status, stdout, _) = check(&folder, &["bad.py", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((status, &object["errors"]), (1, &serde_json::json!(1)));
    let finding = &object["findings"][0];
    assert_eq!((&finding["rule"], &finding["line"]), (&"P004".into(), &1.into()), "{finding}");
    assert!(finding["help"].as_str().is_some_and(|help| help.contains("importlib")), "{finding}");
    let (_, stdout, _) = check(&folder, &["bad.py", "--format", "github"]);
    assert!(stdout.starts_with("::error file=bad.py,line=1,col=1,title=P004::"), "{stdout}");
}

#[test]
fn a_script_that_is_not_there_and_a_python_that_is_none_are_failures() {
    let folder = folder("no-scripts", &[("a.py", SCRIPT)]);
    let (status, stdout, stderr) = check(&folder, &["nowhere.py"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("cannot read the script `nowhere.py`"), "{stderr}");
    let output = Command::new(env!("CARGO_BIN_EXE_opendyn"))
        .args(["check", "a.py"])
        .env("OPENDYN_PYTHON", "no-such-python")
        .current_dir(&folder)
        .output()
        .expect("the command runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("Python 3.8 or newer is required for Python tools"), "{stderr}");
}
