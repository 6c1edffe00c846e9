//! Text of a document, escaped so that Markdown shows it as it was written.

/// A description as paragraphs. Code in backticks and fenced blocks stay unchanged.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in text.trim().lines() {
        let line = shown(line.trim_end());
        let line = line.as_str();
        let is_fence = ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
        if is_fence {
            fenced = !fenced;
        }
        if is_fence {
            // One kind of fence, so that each closes the one before.
            out += &line.trim_start().replace("~~~", "```");
        } else if fenced {
            out += line;
        } else {
            out += &start(&inline(line.trim_start()));
        }
        out.push('\n');
    }
    if fenced {
        out += "```\n";
    }
    out.trim_end().to_owned()
}

/// A description as one cell of a table.
pub(super) fn cell(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| inline(&shown(line)))
        .collect();
    // A bar ends the cell even in code.
    lines.join("<br>").replace('|', "\\|").replace("\\\\|", "\\|")
}

/// The name of a place on the page.
pub(super) fn anchor(kind: &str, name: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
    let name: String =
        name.chars().map(|character| if is_plain(character) { character } else { '-' }).collect();
    format!("{kind}-{name}")
}

/// A link to it.
pub(super) fn link(kind: &str, name: &str) -> String {
    format!("[{}](#{})", code(name).replace('|', "\\|"), anchor(kind, name))
}

/// The place itself, with its heading.
pub(super) fn heading(kind: &str, name: &str) -> String {
    format!("<a id=\"{}\"></a>\n\n### {}\n\n", anchor(kind, name), code(name))
}

/// Code, in as many backticks as it needs.
pub(super) fn code(text: &str) -> String {
    let fence = longest_run(text) + 1;
    let fence = "`".repeat(fence);
    if text.contains('`') { format!("{fence} {text} {fence}") } else { format!("{fence}{text}{fence}") }
}

/// A block of code, fenced by as many backticks as it needs.
pub(super) fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// Escapes what has a meaning only at the start of a line. Lists stay lists; headings, and lines that would turn the
/// line above into a heading, become text.
fn start(line: &str) -> String {
    let is_rule = !line.is_empty() && line.chars().all(|character| matches!(character, '-' | '=' | ' '));
    if line.starts_with('#') || is_rule {
        return format!("\\{line}");
    }
    match line.strip_prefix("\\* ") {
        Some(item) => format!("* {item}"),
        None => line.to_owned(),
    }
}

/// A line without invisible characters: control characters, and those that change the direction of text.
fn shown(line: &str) -> String {
    let is_shown = |character: &char| {
        !character.is_control() && !matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    line.replace('\t', " ").chars().filter(is_shown).collect()
}

/// Escapes what has a meaning anywhere in a line, outside of code.
fn inline(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, from) = rest.split_at(at);
        out += &plain(before);
        let run = from.len() - from.trim_start_matches('`').len();
        let fence = &from[..run];
        match closing(&from[run..], fence) {
            Some(end) => {
                out += &from[..run + end + run];
                rest = &from[run + end + run..];
            }
            None => {
                out += &fence.replace('`', "\\`");
                rest = &from[run..];
            }
        }
    }
    out + &plain(rest)
}

/// The position of a run of backticks as long as the fence.
fn closing(text: &str, fence: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('`').map(|at| from + at) {
        let run = text[at..].len() - text[at..].trim_start_matches('`').len();
        if run == fence.len() {
            return Some(at);
        }
        from = at + run;
    }
    None
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        let escapes = match character {
            '\\' | '*' | '[' | ']' | '<' | '>' | '|' => true,
            // Within a word it is part of a name.
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '&' => after == '#' || after.is_ascii_alphabetic(),
            '~' => after == '~',
            _ => false,
        };
        if escapes {
            out.push('\\');
        }
        out.push(character);
        before = character;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_markdown_would_eat_is_escaped() {
        assert_eq!(prose("a *b* [c](d) <e> &amp; 1 & 2"), r"a \*b\* \[c\](d) \<e\> \&amp; 1 & 2");
        assert_eq!(prose("snake_case _x_ __y__"), r"snake_case \_x\_ \_\_y\_\_");
        assert_eq!(prose("# a\nb\n---\n    d"), "\\# a\nb\n\\---\nd");
        assert_eq!(prose("a\u{202e}b\u{7}c"), "abc");
        assert_eq!(prose("`co*de` and ``a`b`` and a lone `"), r"`co*de` and ``a`b`` and a lone \`");
    }

    #[test]
    fn a_list_stays_one() {
        assert_eq!(prose("- a\n* b\n1. c"), "- a\n* b\n1. c");
    }

    #[test]
    fn a_block_of_code_stays_and_is_closed() {
        assert_eq!(prose("a\n```\n*b*\n```\n*c*"), "a\n```\n*b*\n```\n\\*c\\*");
        assert_eq!(prose("```c\nint *p;"), "```c\nint *p;\n```");
        assert_eq!(prose("~~~c\nint *p;\n~~~"), "```c\nint *p;\n```");
    }

    #[test]
    fn a_cell_has_no_bars_and_no_lines() {
        assert_eq!(cell("a|b `c|d`\n\ne"), r"a\|b `c\|d`<br>e");
    }

    #[test]
    fn code_may_contain_backticks() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(block("c", "```"), "````c\n```\n````\n");
    }
}
