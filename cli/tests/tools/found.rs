//! Questions in words, and the function that answers each.

use super::Model;

/// How many of forty questions find their function among the first five.
const LEAST_FOUND: usize = 38;

#[test]
fn questions_in_words_find_their_function() {
    let questions = include_str!("questions.tsv").lines().skip(1);
    let mut models =
        [("sqlite", Model::at(&["sqlite/sqlite.json"])), ("zlib", Model::at(&["zlib/zlib.json"]))];
    let mut missed = Vec::new();
    let mut count = 0;
    for line in questions {
        let [library, question, function] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (_, model) = models.iter_mut().find(|(name, _)| *name == library).expect("a library");
        count += 1;
        let found = model.search(question);
        if !found.iter().any(|name| name == function) {
            missed.push(format!("{question}: {function} is not among {found:?}"));
        }
    }
    assert_eq!(count, 40);
    println!("{} of {count} found", count - missed.len());
    assert!(count - missed.len() >= LEAST_FOUND, "{missed:#?}");
}
