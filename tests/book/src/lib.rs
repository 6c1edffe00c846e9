//! The pages that the tests read, and their blocks of code.

#![expect(clippy::expect_used, reason = "a test cannot go on without its page")]

use std::path::{Path, PathBuf};

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a file of the repository.
///
/// # Panics
///
/// The file cannot be read.
#[must_use]
pub fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).expect(file)
}

/// The pages of the book, as paths within `docs/`, without the list of its chapters.
///
/// # Panics
///
/// A folder cannot be read.
#[must_use]
pub fn pages() -> Vec<String> {
    let docs = root().join("docs");
    let mut folders = vec![docs.clone()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let page = path.strip_prefix(&docs).expect("it is in docs/");
                pages.push(page.to_string_lossy().into_owned());
            }
        }
    }
    pages.retain(|page| page != "SUMMARY.md");
    pages.sort();
    pages
}

/// A block of code.
#[derive(Debug, PartialEq)]
pub struct Block<'a> {
    /// The comment on the line before it, which readers of the page do not see.
    pub hint: Option<&'a str>,
    /// The language of its fence.
    pub language: &'a str,
    /// The file that the reader saves it as.
    pub file: Option<&'a str>,
    /// Its lines.
    pub lines: Vec<&'a str>,
}

impl Block<'_> {
    /// The commands of a block of the console: each line after `$ `.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|_| self.language == "console").filter_map(|line| line.strip_prefix("$ "))
    }
}

/// All blocks of a page, in order.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut before = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let (language, file) = match info.split_once(' ') {
                Some((language, file)) => (language, Some(file)),
                None => (info, None),
            };
            let hint = before.strip_prefix("<!-- ").and_then(|hint| hint.strip_suffix(" -->"));
            let lines = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block { hint, language, file, lines });
        }
        before = line;
    }
    blocks
}

/// The block of text in `page` that begins with `start`, without its fences.
///
/// # Panics
///
/// The page cannot be read, or has no such block.
#[must_use]
pub fn text_block(page: &str, start: &str) -> String {
    let text = read(page);
    let block = text.split("```text\n").skip(1).find(|block| block.starts_with(start));
    block.and_then(|block| block.split("```").next()).expect(start).to_owned()
}
