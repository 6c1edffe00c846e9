//! Descriptions as doc comments.
//!
//! A description is prose, not rustdoc: what rustdoc would take for a link, a tag or a
//! doctest is made to read as it was written.

use crate::tokens::{TokenStream, quote};

/// One `#[doc]` a line.
pub(super) fn attributes(lines: &[String]) -> TokenStream {
    let lines = lines.iter().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    quote! { #(#[doc = #lines])* }
}

/// The lines of a description.
pub(super) fn lines(description: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut fenced = false;
    for line in description.lines() {
        let line: String = line.chars().filter(|character| is_shown(*character)).collect();
        let line = line.trim_end();
        if is_fence(line.trim_start()) {
            // Whatever language it names, it is not a test of the user's crate.
            lines.push(if fenced { "```".to_owned() } else { "```text".to_owned() });
            fenced = !fenced;
        } else if fenced {
            lines.push(line.to_owned());
        } else {
            lines.push(prose(line));
        }
    }
    if fenced {
        lines.push("```".to_owned());
    }
    lines
}

/// Whether a line opens or closes a code block: three backticks or tildes, and no more of them.
fn is_fence(line: &str) -> bool {
    line.strip_prefix("```").is_some_and(|rest| !rest.contains('`')) || line.starts_with("~~~")
}

/// A description in one line, for an item of a list.
pub(super) fn line(description: &str) -> String {
    let words: Vec<&str> = description.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|character| is_shown(*character)).collect();
    prose(&line)
}

/// Neither a control character nor one that turns the direction of the text, which the
/// compiler refuses in comments.
fn is_shown(character: char) -> bool {
    character == '\t'
        || !character.is_control() && !matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn prose(line: &str) -> String {
    // Four spaces in front would make a code block, and with it a doctest.
    let line = line.trim_start();
    let code_spans = line.matches('`').count().is_multiple_of(2);
    let mut text = String::with_capacity(line.len());
    for (index, part) in line.split('`').enumerate() {
        if index > 0 {
            text.push_str(if code_spans { "`" } else { "\\`" });
        }
        if code_spans && index % 2 == 1 {
            text.push_str(part);
        } else {
            text.push_str(&plain(part));
        }
    }
    text
}

/// Prose outside code spans: brackets and tags escaped, addresses marked as such.
fn plain(text: &str) -> String {
    if !text.contains(['[', ']', '<', '>']) && !text.contains("://") {
        return text.to_owned();
    }
    let words = text.split_inclusive(' ').map(|word| {
        let address = word.find("http://").or_else(|| word.find("https://"));
        match address {
            Some(start) => {
                let (before, rest) = word.split_at(start);
                let ends = |character: char| {
                    character.is_whitespace()
                        || matches!(character, '>' | '<' | ')' | ']' | '"' | '，' | '。')
                };
                let mut end = rest.find(ends).unwrap_or(rest.len());
                end = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']).len();
                format!("{}<{}>{}", escaped(before), &rest[..end], escaped(&rest[end..]))
            }
            None => escaped(word),
        }
    });
    words.collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '[' | ']' | '<' | '>') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_blocks_are_no_doctests() {
        assert_eq!(
            lines("Use:\n\n    let x = f();\n\n```\ncode [a] <b>\n```\n~~~rust\nfn\n~~~\n```c``` is\n```"),
            [
                "Use:",
                "",
                "let x = f();",
                "",
                "```text",
                "code [a] <b>",
                "```",
                "```text",
                "fn",
                "```",
                "```c``` is",
                "```text",
                "```"
            ]
        );
    }

    #[test]
    fn brackets_are_no_links_and_tags_are_no_html() {
        assert_eq!(line("a [link] to vector<int>"), r"a \[link\] to vector\<int\>");
        assert_eq!(line("code `a[0] < b` stays"), "code `a[0] < b` stays");
        assert_eq!(line("a lone ` is a ["), r"a lone \` is a \[");
    }

    #[test]
    fn addresses_are_marked() {
        assert_eq!(line("see https://example.org/a_b?c=[d."), "see <https://example.org/a_b?c=[d>.");
        assert_eq!(line("(http://a.b)"), "(<http://a.b>)");
    }

    #[test]
    fn what_the_compiler_refuses_is_left_out() {
        assert_eq!(lines("a\u{202e}b\r\nc\u{0}d"), ["ab", "cd"]);
    }
}
