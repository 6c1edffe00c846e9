//! `server.json`, an entry of the MCP registry: which bundle serves a document, where it is, and its hash.

use std::path::Path;

use data_encoding::HEXLOWER;
use opendyn_codegen::description::Description;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::info::{about, semantic};
use crate::failure::{Failure, Outcome};

/// The schema that the entry is written for.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// How many characters a description can have.
const LONGEST: usize = 100;

/// What an entry needs besides the document.
pub(crate) struct Entry<'a> {
    /// The name in the registry: `io.github.ada/zlib`.
    pub(crate) name: &'a str,
    /// The bundle, as a file here.
    pub(crate) bundle: &'a Path,
    /// Where clients download it.
    pub(crate) url: &'a str,
}

/// The text of the entry.
pub(crate) fn entry(description: &Description, entry: &Entry<'_>) -> Outcome<String> {
    let Entry { name, bundle, url } = entry;
    if !is_name(name) {
        return Err(Failure::new(format!("`{name}` is not a name in the MCP registry"))
            .help("write a reversed domain, one slash and a name, such as io.github.ada/zlib"));
    }
    // The registry takes only bundles whose address says what they are.
    if !url.starts_with("https://") || !url.contains("mcp") {
        return Err(Failure::new(format!("`{url}` cannot be the address of a bundle in the MCP registry"))
            .help("write an https:// address of a release that has `mcp` in it, as the ending .mcpb does"));
    }
    let shown = bundle.display();
    let bytes =
        std::fs::read(bundle).map_err(|error| Failure::new(format!("cannot read `{shown}`: {error}")))?;
    if !bytes.starts_with(b"PK\x03\x04") {
        return Err(Failure::fault(format!("`{shown}` is not an MCP bundle"))
            .help("`opendyn export DOC --format mcpb -o FILE` writes one"));
    }
    let server = json!({
        "$schema": SCHEMA,
        "name": name,
        "title": short(&description.title),
        "description": short(&about(description)),
        "version": semantic(description)?,
        "packages": [{
            "registryType": "mcpb",
            "identifier": url,
            "fileSha256": HEXLOWER.encode(&Sha256::digest(&bytes)),
            "transport": { "type": "stdio" },
        }],
    });
    Ok(format!("{server:#}\n"))
}

/// As the schema of the registry has it: one slash between letters, digits, dots and dashes.
fn is_name(name: &str) -> bool {
    let Some((space, server)) = name.split_once('/') else { return false };
    let is_of = |text: &str, more: &[u8]| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || more.contains(&byte))
    };
    is_of(space, b".-") && is_of(server, b"._-") && name.len() <= 200
}

/// The text, or as many whole words of it as fit.
fn short(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONGEST - 1).collect();
    let words = start.rsplit_once(' ').map_or(start.as_str(), |(words, _)| words);
    format!("{}…", words.trim_end_matches([',', '.', ';', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_slash() {
        assert!(is_name("io.github.ada/zlib") && is_name("a/b_c"));
        for name in ["zlib", "a/b/c", "/b", "a/", "a b/c", "io_x/b"] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn a_long_text_ends_with_a_whole_word() {
        assert_eq!(short("Compresses."), "Compresses.");
        let long = "word ".repeat(30);
        let cut = short(&long);
        assert!(cut.chars().count() <= LONGEST && cut.ends_with("word…"), "{cut}");
        assert_eq!(short(&"x".repeat(300)).chars().count(), LONGEST);
    }
}
