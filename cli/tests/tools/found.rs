//! Questions in words, and the function that answers each. Whoever changes the ranking adds some that it has not seen.

use super::Model;

/// How many of a hundred questions find their function among the first five, where documents are meant for models.
const LEAST_FOUND: usize = 95;
/// The same of documents with only as many words as a binding needs.
const LEAST_FOUND_ELSEWHERE: usize = 90;

/// Asks the questions about these libraries.
fn found(documents: &[(&str, &str)], least: usize) {
    let (mut count, mut missed) = (0, Vec::new());
    for (library, document) in documents {
        let mut model = Model::at(&[document, "--list", "search"]);
        for line in include_str!("questions.tsv").lines().skip(1) {
            let [of, question, function] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            if of == *library {
                count += 1;
                let found = model.search(question);
                if !found.iter().any(|name| name == function) {
                    missed.push(format!("{library}: {question}: {function} is not among {found:?}"));
                }
            }
        }
    }
    println!("{} of {count} found; {missed:#?}", count - missed.len());
    assert!(count >= 40 && (count - missed.len()) * 100 >= least * count, "{missed:#?}");
}

#[test]
fn questions_in_words_find_their_function() {
    found(&[("sqlite", "sqlite/sqlite.json"), ("zlib", "zlib/zlib.json")], LEAST_FOUND);
}

#[test]
#[cfg_attr(quick, ignore = "needs the libraries of examples/libraries; set OPENDYN_TEST_ALL=1")]
fn questions_in_words_find_their_function_in_other_libraries() {
    let documents = [
        ("libm", "libm/libm.json"),
        ("archive", "libraries/documents/archive.json"),
        ("git", "libraries/documents/git.json"),
        ("uv", "libraries/documents/uv.json"),
        ("xml", "libraries/documents/xml.json"),
        ("zstd", "libraries/documents/zstd.json"),
    ];
    found(&documents, LEAST_FOUND_ELSEWHERE);
}
