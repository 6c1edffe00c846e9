//! One kind of file given as another: the message says what it is, and what to write.

use std::path::PathBuf;
use std::process::Command;

use super::command::{argument, folder, opendyn};

const DOCUMENT: &str = r#"{"opendyn":"1.0.0","info":{"title":"t","description":"d","version":"1.0.0"},
    "functions":[{"name":"f","description":"d","parameters":[],"return":{"name":"r","type":"int","description":"d"}}]}"#;

/// A library, an archive and other files that are not headers, each with its message.
fn no_headers(name: &str) -> Vec<(PathBuf, &'static str, &'static str)> {
    let folder = folder(name);
    let library = folder.join("libmine.so");
    let source = folder.join("mine.c");
    std::fs::write(&source, "int f(void) { return 1; }").expect("it can be written");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(compiler).args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    assert!(status.expect("there is a C compiler").success());
    let mut files = vec![
        (library, "is a binary file (ELF), not a C header", "--library"),
        (folder.clone(), "is a folder, not a C header", "name the header"),
    ];
    for (file, bytes, what, help) in [
        ("x.dll", &b"MZ\x90\0\x03\0\0\0"[..], "is a binary file (PE), not a C header", "--library"),
        (
            "x.dylib",
            b"\xcf\xfa\xed\xfe\x0c\0\0\x01",
            "is a binary file (Mach-O), not a C header",
            "--library",
        ),
        (
            "fat.dylib",
            b"\xca\xfe\xba\xbe\0\0\0\x02",
            "is a binary file (Mach-O), not a C header",
            "--library",
        ),
        ("libx.a", b"!<arch>\nfoo.o/  ", "is a static library, not a C header", "--library"),
        ("x.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a binary file, not a C header", "name the header"),
        ("x.json", DOCUMENT.as_bytes(), "is a JSON document, not a C header", "opendyn check"),
        ("x.h", b" \n", "is empty", "name the header"),
        ("wide.h", b"\xff\xfei\0n\0t\0 \0f\0", "is a text in UTF-16", "UTF-8"),
    ] {
        std::fs::write(folder.join(file), bytes).expect("it can be written");
        files.push((folder.join(file), what, help));
    }
    files
}

#[test]
fn what_is_no_header_is_said_before_the_compiler_reads_it() {
    for (file, what, help) in no_headers("mistaken-import") {
        let run = opendyn(&["import", argument(&file)]);
        assert_eq!(run.status, 2, "{}: {}", file.display(), run.stderr);
        let told = run.stderr.contains(what) && run.stderr.contains(help);
        assert!(told && run.stderr.lines().count() < 4, "{}: {}", file.display(), run.stderr);
    }
}

#[test]
fn a_library_that_is_not_a_file_here_is_not_taken_for_a_header_either() {
    let run = opendyn(&["import", "libz.so.1"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("no such header") && run.stderr.contains("--library libz.so.1"),
        "{}",
        run.stderr
    );
}

#[test]
fn check_says_what_is_no_header_too() {
    let document = folder("mistaken-document").join("t.json");
    std::fs::write(&document, DOCUMENT).expect("it can be written");
    for (file, what, help) in no_headers("mistaken-check") {
        let run = opendyn(&["check", argument(&document), "--header", argument(&file)]);
        assert_eq!(run.status, 2, "{}: {}", file.display(), run.stderr);
        assert!(run.stderr.contains(what) && run.stderr.contains(help), "{}: {}", file.display(), run.stderr);
    }
}

#[test]
fn a_header_in_the_place_of_the_library_is_said_with_what_to_write() {
    let folder = folder("mistaken-library");
    let (header, document) = (folder.join("t.h"), folder.join("t.json"));
    std::fs::write(&header, "int f(void);").expect("it can be written");
    std::fs::write(&document, DOCUMENT).expect("it can be written");
    let (header, document) = (argument(&header), argument(&document));
    for arguments in [
        &["import", header, "--library", header][..],
        &["import", "--debug-info", header],
        &["check", document, "--library", header],
    ] {
        let run = opendyn(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stderr);
        let told = run.stderr.contains("it is a text") && run.stderr.contains("help: a C header");
        assert!(told, "{arguments:?}: {}", run.stderr);
    }
    for arguments in
        [&["import", header, "--library", document][..], &["check", document, "--library", document]]
    {
        let run = opendyn(arguments);
        assert!(run.stderr.contains("it is a JSON document"), "{arguments:?}: {}", run.stderr);
    }
    let run = opendyn(&["import", header, "--library", argument(&folder)]);
    assert!(run.status == 2 && run.stderr.contains("is a folder"), "{}", run.stderr);
}
