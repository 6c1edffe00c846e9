//! Every promise in SECURITY.md names tests, and those tests exist.
//!
//! A table whose last column is "proven by" lists them as `` `name` (`path`) ``, or several names before one path. Names
//! without a path are in one of the files that the text above the table names.

use std::path::Path;

use opendyn_book::root;

/// A test that a row names, and the files of which one should have it.
#[derive(Debug, PartialEq)]
struct Named<'a> {
    row: &'a str,
    test: &'a str,
    paths: Vec<&'a str>,
}

/// What stands between backticks, with what stands before each.
fn quoted(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts: Vec<&str> = text.split('`').collect();
    let count = parts.len() / 2;
    (0..count).map(move |at| (parts[2 * at], parts[2 * at + 1]))
}

/// The tests of the last column of a row.
fn tests<'a>(row: &'a str, cell: &'a str, files: &[&'a str]) -> Vec<Named<'a>> {
    let mut named: Vec<Named<'_>> = Vec::new();
    let mut open = 0;
    for (before, text) in quoted(cell) {
        if before.ends_with('(') {
            named[open..].iter_mut().for_each(|test| test.paths = vec![text]);
            open = named.len();
        } else {
            named.push(Named { row, test: text, paths: files.to_vec() });
        }
    }
    named
}

/// All tests that a page names, and the rows that name none.
fn promises(page: &str) -> (Vec<Named<'_>>, Vec<&str>) {
    let (mut named, mut without) = (Vec::new(), Vec::new());
    let (mut files, mut is_table) = (Vec::new(), false);
    for line in page.lines() {
        let Some(row) = line.strip_prefix('|') else {
            if std::mem::take(&mut is_table) {
                files.clear();
            }
            files.extend(quoted(line).map(|(_, text)| text).filter(|text| text.ends_with(".rs")));
            continue;
        };
        let cell = row.trim_end_matches('|').rsplit(" | ").next().unwrap_or_default();
        if cell.trim() == "proven by" {
            is_table = true;
        } else if is_table && !row.starts_with("---") {
            let found = tests(row, cell, &files);
            if found.is_empty() {
                without.push(row);
            }
            named.extend(found);
        }
    }
    (named, without)
}

/// Whether the file has a test of this name: a function, or a case with the name as its text.
fn exists(root: &Path, test: &str, path: &str) -> bool {
    std::fs::read_to_string(root.join(path)).is_ok_and(|text| {
        let case = format!("\"{test}\"");
        text.contains(&format!("fn {test}(")) || test.contains(' ') && text.contains(&case)
    })
}

#[test]
fn every_promise_names_tests_that_exist() {
    let page = std::fs::read_to_string(root().join("SECURITY.md")).expect("the page is there");
    let (named, without) = promises(&page);
    assert!(without.is_empty(), "rows without a test: {without:#?}");
    let missing: Vec<_> = named
        .iter()
        .filter(|named| !named.paths.iter().any(|path| exists(&root(), named.test, path)))
        .collect();
    assert!(missing.is_empty(), "not in the file that is named: {missing:#?}");
    assert!(named.len() > 40, "the page was read: {} tests", named.len());
}

#[test]
fn a_row_without_a_test_or_with_one_that_is_gone_is_noticed() {
    let page = "The cases are in `tests/book/tests/security.rs`.\n\n\
        | threat | what happens | proven by |\n|---|---|---|\n\
        | a `pipe` | nothing | `gone_by_now`, `is_there` (`a.rs`), `other` (`b.rs`) |\n\
        | a case | nothing | `a case of a table` |\n| a word | `--no` | somehow |\n\n\
        | flag | default |\n|---|---|\n| `--memory` | 1 |\n";
    let (named, without) = promises(page);
    let found: Vec<_> = named.iter().map(|named| (named.test, named.paths.concat())).collect();
    let own = "tests/book/tests/security.rs";
    assert_eq!(
        found,
        [("gone_by_now", "a.rs"), ("is_there", "a.rs"), ("other", "b.rs"), ("a case of a table", own)]
            .map(|(test, path)| (test, path.to_owned()))
    );
    assert_eq!(without, [" a word | `--no` | somehow |"]);

    assert!(exists(&root(), "every_promise_names_tests_that_exist", own));
    assert!(exists(&root(), "a case of a table", own));
    assert!(!exists(&root(), "no_test_is_called_so", own));
    assert!(!exists(&root(), "every_promise_names_tests_that_exist", "tests/book/tests/none.rs"));
}
