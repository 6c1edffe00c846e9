//! The command itself.

use super::command::{argument, folder, opendyn};
use super::{function, imported};

#[test]
fn a_document_that_is_there_is_not_written_over() {
    let folder = folder("import-there");
    let document = folder.join("t.json");
    std::fs::write(&document, "mine").expect("it can be written");
    let run = imported("there-header", "int f(int a);", &["-o", argument(&document)]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("already exists") && run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&document).expect("it is there"), "mine");
    let run = imported("there-header", "int f(int a);", &["-o", argument(&document), "--force"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&document).expect("it is there").starts_with("{\n  \"opendyn\""));
}

#[test]
fn answers_stay_when_a_new_version_is_merged() {
    let document = folder("import-merge").join("t.json");
    let path = argument(&document);
    assert_eq!(imported("merge-1", "int f(int a); int old(int a);", &["-o", path]).status, 0);
    let text = std::fs::read_to_string(&document).expect("it was written");
    let answered = text.replacen("\"description\": \"\"", "\"description\": \"my words\"", 1);
    assert_ne!(text, answered);
    std::fs::write(&document, &answered).expect("it can be written");
    let run = imported(
        "merge-2",
        "int f(int a); struct s { int x; }; int g(const struct s *s);",
        &["-o", path, "--merge"],
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("1 function kept, 1 added\n  added: g\n  kept, but no longer found: old"),
        "{}",
        run.stderr
    );
    let merged = std::fs::read_to_string(&document).expect("it is there");
    let found = opendyn_codegen::check("t.json", &merged, &opendyn_codegen::Options::default());
    assert_eq!(found.errors().count(), 0, "{found}");
    assert!(merged.contains("my words"));
    std::fs::write(&document, "[]").expect("it can be written");
    assert_eq!(imported("merge-3", "int f(int a);", &["-o", path, "--merge"]).status, 2);
}

#[test]
fn the_summary_counts_functions_and_questions() {
    let header = "/** Adds. */ int f(int a);\nint g(int *a, int *b);\nlong double h(void);";
    let run = imported("summary", header, &["--summary"]);
    assert_eq!(
        run.stdout,
        "2 functions imported, 1 described, 1 with a question (2 questions), 1 left out\n"
    );
    assert_eq!(run.stderr, "  left out, because it returns `long double` by value: h\n");
}

#[test]
fn the_layout_is_the_canonical_one() {
    let run = imported("layout", "struct s { int x; }; int f(const struct s *s, int *a);", &[]);
    let file = folder("import-layout-fmt").join("t.json");
    std::fs::write(&file, &run.stdout).expect("it can be written");
    assert_eq!(opendyn(&["fmt", "--check", argument(&file)]).status, 0);
}

#[test]
fn only_functions_of_a_pattern_are_imported() {
    let run = imported(
        "only",
        "int a_f(int a); int b_f(int a); int b_g(int a);",
        &["--only", "b_*", "--title", "mine"],
    );
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(document["functions"].as_array().expect("a list").len(), 2);
    assert_eq!(document["info"]["title"], "mine");
    function(&document, "b_g");
}

#[test]
fn nothing_to_import_is_said() {
    let run = imported("nothing", "int f(int a);", &["--only", "x*"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("no function was found"), "{}", run.stderr);
    assert_eq!(opendyn(&["import"]).status, 2);
    assert_eq!(opendyn(&["import", "no-such-header.h"]).status, 2);
    let run = imported("no-library", "int f(int a);", &["--library", "libnosuch.so.9"]);
    assert!(run.stderr.contains("no library libnosuch.so.9 was found"), "{}", run.stderr);
}

#[test]
fn macros_and_folders_reach_the_preprocessor() {
    let folder = folder("import-include");
    std::fs::write(folder.join("inner.h"), "typedef int number;\n").expect("it can be written");
    let header = "#include <inner.h>\n#if WIDTH == 8\nnumber f(number a);\n#endif\n";
    let run = imported("macros", header, &["-I", argument(&folder), "-D", "WIDTH=8", "--summary"]);
    assert!(run.stdout.starts_with("1 function imported"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn no_title_makes_a_document_that_check_refuses() {
    let header = "typedef struct archive archive;\nint archive_read(struct archive *a);\n\
        struct point { int x; int y; };\nint take(const struct point *p);\nint take_code(const struct zlib_code *c);\n\
        struct zlib_code { int x; };\nenum color { RED, GREEN };\nint paint(enum color c);\nint div_mod(int a, int *q, int *r);\n";
    for title in [
        "archive",
        "Archive",
        "ARCHIVE",
        "archive_",
        "point",
        "Point",
        "color",
        "zlib",
        "div mod outputs",
        "take",
        "",
        " ",
        "_",
        "-",
        "123",
        "3d lib",
        "self",
        "Self",
        "crate",
        "fn",
        "async",
        "Option",
        "Result",
        "String",
        "Vec",
        "Box",
        "Error",
        "Ok",
        "Drop",
        "Send",
        "Library",
        "Handle",
        "u8",
        "\u{538b}\u{7f29}",
        "\u{e9}",
        "\u{1f600}",
        "a/b",
        "\"quoted\"",
        "two\nlines",
        "archive library",
        "opendyn",
        "super",
    ] {
        let run = imported("titles", header, &["--title", title]);
        assert_eq!(run.status, 0, "{title:?}: {}", run.stderr);
        let options = opendyn_codegen::Options::default();
        let found = opendyn_codegen::check("t.json", &run.stdout, &options);
        assert_eq!(found.errors().count(), 0, "{title:?}: {found}");
        let written: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let is_kept = written["info"]["title"] == title;
        // If the title differs from the requested one, that is reported.
        assert_eq!(is_kept, !run.stderr.contains("the title is"), "{title:?}: {}", run.stderr);
        assert!(is_kept || !["Option", "fn", "opendyn"].contains(&title), "{title:?}");
    }
}
