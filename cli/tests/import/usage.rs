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
    assert!(run.stderr.contains("is there already") && run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&document).expect("it is there"), "mine");
    let run = imported("there-header", "int f(int a);", &["-o", argument(&document), "--force"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&document).expect("it is there").starts_with("{\n  \"opendyn\""));
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
