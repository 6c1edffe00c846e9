//! Headers are read for the target of the library, which may be for another machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::{Run, argument, command, folder};

const HEADER: &str = "#include <stddef.h>\n#ifdef _WIN32\n#define API __declspec(dllexport)\n#else\n#define API\n\
    #endif\n/** Counts. */\nAPI long count(const wchar_t *text, long n);\n\
    #ifdef __APPLE__\nAPI int of_apple(int a);\n#endif\n";
const SOURCE: &str = "#include \"t.h\"\nAPI long count(const wchar_t *text, long n) { return text[0] + n; }\n\
    #ifdef __APPLE__\nAPI int of_apple(int a) { return a; }\n#endif\n";

fn run(program: &str, arguments: &[&str], folder: &Path) {
    let output = |program: &str| Command::new(program).args(arguments).current_dir(folder).output();
    // Debian has some only under a name with the version of LLVM.
    let output = output(program).or_else(|_| output(&format!("{program}-14"))).expect(program);
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A library for this target, and its header.
fn library(test: &str, triple: &str) -> (PathBuf, PathBuf) {
    let folder = folder(&format!("targets-{test}-{triple}"));
    std::fs::write(folder.join("t.h"), HEADER).expect("it can be written");
    std::fs::write(folder.join("t.c"), SOURCE).expect("it can be written");
    let target = format!("--target={triple}");
    let flags = [&target, "-ffreestanding", "-fno-stack-protector", "-fPIC", "-c", "-o", "t.o", "t.c"];
    let flags: Vec<&str> =
        flags.into_iter().filter(|flag| *flag != "-fPIC" || !triple.contains("windows")).collect();
    run("clang", &flags, &folder);
    if triple.contains("msvc") {
        run("lld-link", &["/dll", "/noentry", "/nodefaultlib", "/safeseh:no", "/out:t.lib", "t.o"], &folder);
    } else if triple.contains("apple") {
        let system = ["-platform_version", "macos", "11.0", "11.0", "-dylib", "-o", "t.lib", "t.o"];
        let architecture = if triple.starts_with("aarch64") { "arm64" } else { "x86_64" };
        run("ld64.lld", &[&["-arch", architecture], &system[..]].concat(), &folder);
    } else {
        run("ld.lld", &["-shared", "-o", "t.lib", "t.o"], &folder);
    }
    (folder.join("t.h"), folder.join("t.lib"))
}

/// The command without the compiler that the environment names.
fn opendyn(arguments: &[&str], path: Option<&Path>) -> Run {
    let mut command = command(arguments);
    command.env_remove("CC");
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let output = command.output().expect("it starts");
    Run {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status.code().expect("no signal"),
    }
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn import_reads_headers_for_the_target_of_the_library() {
    for (triple, wide) in [
        ("x86_64-pc-windows-msvc", 16),
        ("i686-pc-windows-msvc", 16),
        ("i686-linux-gnu", 32),
        ("aarch64-linux-gnu", 32),
        ("aarch64-apple-macos11", 32),
        ("x86_64-apple-macos11", 32),
    ] {
        let (header, library) = library("import", triple);
        let arguments = ["import", argument(&header), "--library", argument(&library)];
        let run = opendyn(&arguments, None);
        assert_eq!(run.status, 0, "{triple}: {}", run.stderr);
        let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let functions = document["functions"].as_array().expect("a list");
        let count = functions.iter().find(|function| function["name"] == "count").expect("count");
        let text = count["parameters"][0].to_string();
        let narrow = text.contains("unsigned short");
        assert_eq!(narrow, wide == 16, "{triple}: {text}");
        let has_apple = functions.iter().any(|function| function["name"] == "of_apple");
        assert_eq!(has_apple, triple.contains("apple"), "{triple}");
    }
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn check_reads_headers_with_the_same_compilers() {
    for triple in ["x86_64-pc-windows-msvc", "aarch64-linux-gnu", "x86_64-apple-macos11"] {
        let (header, library) = library("check", triple);
        let document = header.with_extension("json");
        let (header, library, document) = (argument(&header), argument(&library), argument(&document));
        let run = opendyn(&["import", header, "--library", library, "-o", document], None);
        assert_eq!(run.status, 0, "{triple}: {}", run.stderr);
        let run = opendyn(&["check", document, "--library", library, "--header", header], None);
        assert_ne!(run.status, 2, "{triple}: {}", run.stderr);
        assert!(
            !run.stdout.contains("not declared") && !run.stderr.contains("not declared"),
            "{}",
            run.stdout
        );
    }
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_missing_compiler_of_the_target_is_named_instead_of_using_that_of_the_host() {
    let (header, library) = library("missing", "x86_64-pc-windows-msvc");
    let empty = folder("targets-missing-empty");
    let arguments = ["import", argument(&header), "--library", argument(&library)];
    let run = opendyn(&arguments, Some(&empty));
    assert_eq!(run.status, 2);
    for word in ["x86_64-pc-windows-msvc", "x86_64-w64-mingw32-gcc", "clang --target=", "CC"] {
        assert!(run.stderr.contains(word), "{word}: {}", run.stderr);
    }
}

#[test]
#[cfg_attr(no_lld, ignore = "needs clang and lld")]
fn a_compiler_of_another_target_in_cc_is_refused() {
    let (header, library) = library("named", "x86_64-pc-windows-msvc");
    let mut command = command(&["import", argument(&header), "--library", argument(&library)]);
    let output = command.env("CC", "clang").output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("compiles for another target: long has 8 bytes there, not 4"), "{text}");
}
