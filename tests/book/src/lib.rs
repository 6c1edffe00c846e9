//! The pages that the tests read.

use std::path::{Path, PathBuf};

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The block of text in `page` that begins with `start`, without its fences.
///
/// # Panics
///
/// The page cannot be read, or has no such block.
#[must_use]
#[expect(clippy::panic, reason = "a test cannot go on without its page")]
pub fn text_block(page: &str, start: &str) -> String {
    let text = std::fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    let block = text.split("```text\n").skip(1).find(|block| block.starts_with(start));
    let block = block.and_then(|block| block.split("```").next());
    block.unwrap_or_else(|| panic!("{page} has no block of text that begins with {start:?}")).to_owned()
}
