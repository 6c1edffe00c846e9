//! What the documentation says about the end of the only handle of a function whose name says that it ends something.

use super::super::evidence::Evidence;
use super::Said;
use super::plain::Plain;
use super::sentence::{About, Sentence};

/// Words before a thing that do not tell which it is.
const ARTICLES: [&str; 12] = [
    "the",
    "a",
    "an",
    "all",
    "this",
    "given",
    "specified",
    "passed",
    "previously",
    "allocated",
    "existing",
    "open",
];

/// Words behind the name of a thing that do not make another thing of it: "the status list object", not "the status list
/// entries".
const BEHIND: [&str; 18] = [
    "and",
    "by",
    "created",
    "from",
    "handle",
    "instance",
    "object",
    "obtained",
    "opened",
    "pointer",
    "previously",
    "returned",
    "struct",
    "structure",
    "that",
    "when",
    "which",
    "with",
];

impl Said {
    /// What proves that a function ends its only handle, `parameter`, which the text may call one of `objects`, and which
    /// is not to be used again.
    pub(in super::super) fn ends(&self, parameter: &str, objects: &[String]) -> Option<Evidence> {
        // What lives on, or ends only at times, is told in words of their own.
        const LIVES: [&str; 11] = [
            "itself",
            "contents",
            "does not free",
            "doesn't free",
            "not freed",
            "without freeing",
            "reuse",
            "reused",
            "reopen",
            "reset",
            "reinitialized",
        ];
        if self.sentences.iter().any(|sentence| sentence.bare().has_any(&LIVES)) {
            return None;
        }
        let ends = |sentence: &&Sentence| {
            let plain = sentence.bare();
            if plain.has_any(&["not", "only", "if", "but", "unless", "except", "without"]) {
                return false;
            }
            match &sentence.about {
                About::Parameter(name) => name == parameter && is_to_be_freed(plain),
                About::Function => {
                    frees_memory(plain, objects) || frees(plain, objects) || is_past(plain, objects)
                }
                About::Returns => false,
            }
        };
        self.own().find(ends).map(Sentence::evidence)
    }
}

/// "`@param blame` the blame structure to free"
fn is_to_be_freed(plain: &Plain) -> bool {
    let words: Vec<&str> = plain.split_whitespace().collect();
    matches!(words.as_slice(), [.., "to", "free" | "deallocate" | "destroy" | "dispose"])
        || matches!(words.as_slice(), [.., "to", "be", "freed" | "deallocated" | "destroyed" | "disposed"])
}

/// "Free the memory associated with a remote"
fn frees_memory(plain: &Plain, objects: &[String]) -> bool {
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !ARTICLES.contains(word)).collect();
    let rest = match words.as_slice() {
        ["free" | "frees" | "release" | "releases", "memory" | "resources", rest @ ..] => rest,
        _ => return false,
    };
    match rest {
        ["associated" | "associates", "with", rest @ ..] | ["held" | "used" | "owned", "by", rest @ ..] => {
            names(rest, objects)
        }
        _ => false,
    }
}

/// "Free a branch iterator"
fn frees(plain: &Plain, objects: &[String]) -> bool {
    let words: Vec<&str> = plain
        .split_whitespace()
        .filter(|word| !ARTICLES.contains(word) && !word.ends_with("brief"))
        .collect();
    match words.as_slice() {
        ["free" | "frees" | "destroy" | "destroys" | "deallocate" | "deallocates", rest @ ..] => {
            names(rest, objects)
        }
        _ => false,
    }
}

/// "You can no longer use the git_tag pointer after this call"
fn is_past(plain: &Plain, objects: &[String]) -> bool {
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !ARTICLES.contains(word)).collect();
    match words.as_slice() {
        ["you", "can", "no", "longer", "use", rest @ ..] => {
            names(rest, objects) && plain.has_any(&["after this call", "after calling this function"])
        }
        _ => false,
    }
}

/// Whether the words begin with the name of one of `objects`, whole or its last words: "branch iterator" for
/// `git_branch_iterator`.
fn names(words: &[&str], objects: &[String]) -> bool {
    let folded = |name: &str| name.replace('_', "");
    (1..=words.len().min(4)).any(|count| {
        let (name, behind) = words.split_at(count);
        let is_whole = behind.first().is_none_or(|word| BEHIND.contains(word));
        let name = folded(&name.concat());
        let is_name = |object: &String| match count {
            1 => folded(object) == name,
            _ => folded(object).ends_with(&name),
        };
        is_whole && objects.iter().any(is_name)
    })
}
