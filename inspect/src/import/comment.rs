//! Descriptions from the comments of headers, which come without markup.

use crate::Comment;

/// A description ends with the paragraph that exceeds this length.
const ENOUGH: usize = 500;

/// The maximum length of a description, whatever its paragraphs.
const LONGEST: usize = 1200;

/// The description of the function `name` from its comment; none if the comment may be about its neighbours.
pub(super) fn description(comment: &Comment, name: &str) -> String {
    let mut text = String::new();
    if !is_about(comment, name) || is_of_another(comment, name) || is_heading(&comment.text) {
        return text;
    }
    // The first may be a title, and the last may go on.
    let mut paragraphs = paragraphs(&comment.text, |read| {
        let between = read.get(1..read.len().saturating_sub(1)).unwrap_or_default();
        between.iter().map(String::len).sum::<usize>() >= ENOUGH
    });
    // The title of a comment: "ARCHIVE_WRITE_DISK API".
    let is_title = |first: &String| first.contains(' ') && !first.chars().any(char::is_lowercase);
    if paragraphs.len() > 1 && paragraphs.first().is_some_and(is_title) {
        paragraphs.remove(0);
    }
    for paragraph in paragraphs {
        if text.len() + paragraph.len() > LONGEST && !text.is_empty() {
            break;
        }
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&paragraph);
        if text.len() >= ENOUGH {
            break;
        }
    }
    shortened(&text)
}

/// Whether a comment above several functions is about this one: it names it, it says that it is about several, or
/// it is a section of SQLite's header.
fn is_about(comment: &Comment, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    // "Deprecated; use other() instead" is about another function.
    let is_other =
        |before: &str| matches!(before.to_lowercase().as_str(), "use" | "see" | "call" | "than" | "by");
    let is_named = || {
        let words = comment.lines.iter().flat_map(|line| line.split(|c| !word(c)));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        words.iter().enumerate().any(|(index, found)| {
            let before = index.checked_sub(1).and_then(|before| words.get(before));
            *found == name && !before.is_some_and(|before| is_other(before))
        })
    };
    let first = comment.text.split_whitespace().next().unwrap_or_default();
    comment.shared_by <= 1
        || ["These", "Both"].contains(&first)
        || comment.lines.iter().any(|line| line.contains("CAPI3REF"))
        || is_named()
}

/// Whether a comment begins with the name of another function, and never has this one: what it describes is the
/// other, or a macro of that name.
pub(super) fn is_of_another(comment: &Comment, name: &str) -> bool {
    let mut words = comment.lines.iter().flat_map(|line| line.split_whitespace());
    let Some(first) = words.next() else { return false };
    let bare = first.trim_end_matches([':', ',', '.']);
    let called = bare.trim_end_matches("()");
    let is_name = called != bare && called.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let names = |line: &String| line.split(|c| !is_part(c)).any(|found| found == name);
    is_name && called != name && !comment.lines.iter().any(names)
}

/// Whether a few words are the heading of a section: "Private Interfaces.", "File / Directory Ops".
fn is_heading(text: &str) -> bool {
    const HEADINGS: [&str; 16] = [
        "accessors",
        "api",
        "functions",
        "helpers",
        "interface",
        "interfaces",
        "macros",
        "misc",
        "miscellaneous",
        "operations",
        "ops",
        "processing",
        "routines",
        "stuff",
        "support",
        "utilities",
    ];
    let words: Vec<String> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let is_one = words.len() == 1 && first.ends_with("ing");
    let is_list = first == "functions" || first == "routines";
    // What stands in for a description.
    let is_missing =
        ["no docs", "no documentation", "not documented", "undocumented", "todo", "fixme", "tbd"]
            .contains(&words.join(" ").as_str());
    is_list
        || is_missing
        || words.len() <= 4 && (is_one || HEADINGS.contains(&last.as_str()))
        || ends_with_files(text)
}

/// Whether it only says in which files something is: "In error.c", "Error handling: error.c".
fn ends_with_files(text: &str) -> bool {
    let is_file = |word: &str| {
        let word = word.trim_end_matches(['.', ':']);
        [".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"].iter().any(|end| word.ends_with(end))
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() <= 3 && words.last().is_some_and(|last| is_file(last)) {
        return true;
    }
    let Some((_, rest)) = text.trim().rsplit_once(": ") else { return false };
    let mut files = rest.split([',', ' ']).filter(|word| !word.is_empty()).peekable();
    files.peek().is_some() && files.all(is_file)
}

/// The description of a value from its comment, on one line.
pub(super) fn line(text: &str) -> String {
    let is_prose = |paragraph: &String| !paragraph.starts_with(FENCE);
    shortened(
        &paragraphs(text, |read| read.iter().any(is_prose))
            .into_iter()
            .find(is_prose)
            .unwrap_or_default()
            .replace('\n', " "),
    )
}

/// Paragraphs with their lines joined; list items keep their lines, and code is a block in fences. Ends when those
/// that were read are enough: some comments are as long as a chapter.
fn paragraphs(text: &str, are_enough: impl Fn(&[String]) -> bool) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut paragraph = String::new();
    for raw in text.lines().chain([""]) {
        let line = raw.trim();
        // What a function does is said in words first.
        let is_code = raw.starts_with(CODE) && (!paragraphs.is_empty() || !paragraph.is_empty());
        if line.is_empty() || is_code || line.chars().all(|c| !c.is_alphanumeric()) {
            if !paragraph.is_empty() {
                paragraphs.push(std::mem::take(&mut paragraph));
                if are_enough(&paragraphs) {
                    break;
                }
            }
            if is_code {
                let line = raw.strip_prefix(CODE).unwrap_or(raw).trim_end();
                match paragraphs.last_mut().and_then(|last| last.strip_suffix(FENCE)) {
                    Some(open) => {
                        let block = format!("{open}{line}\n{FENCE}");
                        paragraphs.pop();
                        paragraphs.push(block);
                    }
                    None => paragraphs.push(format!("{FENCE}c\n{line}\n{FENCE}")),
                }
            }
            continue;
        }
        if !paragraph.is_empty() {
            paragraph.push(if is_item(line) { '\n' } else { ' ' });
        }
        paragraph.extend(line.split_whitespace().flat_map(|word| [" ", word]).skip(1));
    }
    paragraphs
}

/// What code is indented by in a [`Comment`].
const CODE: &str = "    ";

/// What is around code in a description.
const FENCE: &str = "```";

fn is_item(line: &str) -> bool {
    ["- ", "* ", "+ "].iter().any(|sign| line.starts_with(sign))
}

/// Cuts after a sentence, or else after a word.
fn shortened(text: &str) -> String {
    let text = text.trim();
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let head = &text[..end];
    match head.rfind(". ") {
        Some(sentence) => head[..=sentence].to_owned(),
        None => format!("{} …", head.rfind(' ').map_or(head, |word| &head[..word])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        description(&Comment { text: text.to_owned(), ..Comment::default() }, "f")
    }

    #[test]
    fn lines_of_a_paragraph_are_joined_and_lists_kept() {
        assert_eq!(of("Adds  two\n   numbers.\n\n- one\n- two\n"), "Adds two numbers.\n\n- one\n- two");
    }

    #[test]
    fn a_comment_above_several_functions_describes_those_that_it_names() {
        let comment = |text: &str| Comment {
            text: text.to_owned(),
            lines: vec![text.to_owned()],
            shared_by: 3,
            ..Comment::default()
        };
        assert_eq!(description(&comment("NOTE: this function is deprecated."), "f"), "");
        assert_eq!(description(&comment("f() adds, g() subtracts."), "f"), "f() adds, g() subtracts.");
        assert_eq!(description(&comment("f() adds, g() subtracts."), "h"), "");
        assert_eq!(description(&comment("These functions add."), "f"), "These functions add.");
        assert_eq!(description(&comment("Deprecated; use f() instead."), "f"), "");
    }

    #[test]
    fn code_is_in_fences() {
        let text = "Adds.\n\nUsage example:\n\n    int n = add(1, 2);\n\n    if (n) {\n        use(n);\n    }\n\nMore.";
        assert_eq!(
            of(text),
            "Adds.\n\nUsage example:\n\n```c\nint n = add(1, 2);\nif (n) {\n    use(n);\n}\n```\n\nMore."
        );
    }

    #[test]
    fn a_title_in_capitals_is_not_part_of_it() {
        assert_eq!(of("ARCHIVE_WRITE_DISK API\n\nWrites to disk."), "Writes to disk.");
        assert_eq!(of("DO NOT USE"), "DO NOT USE");
    }

    #[test]
    fn the_first_words_are_no_code() {
        assert_eq!(of("    Same as g(a, 0);"), "Same as g(a, 0);");
    }

    #[test]
    fn a_long_comment_ends_with_a_paragraph() {
        let long = "A sentence of words. ".repeat(20);
        let text = format!("Short.\n\n{long}\n\n{long}\n\n{long}");
        assert!((ENOUGH..LONGEST).contains(&of(&text).len()));
        assert!(of(&text).ends_with("words."));
    }

    #[test]
    fn a_paragraph_without_end_is_cut_behind_a_sentence() {
        assert!(of(&"One more sentence. ".repeat(200)).ends_with("sentence."));
        assert!(of(&"ä".repeat(2000)).len() <= LONGEST + 4);
    }
}
