//! A line of the source with a place marked in it.

use std::fmt;

use crate::span::{Lines, Span};

/// The maximum number of characters shown of a line; generated documents are often a single line.
const WIDTH: usize = 100;
/// How many of them may come before the marked place.
const BEFORE: usize = 40;

/// A line of the source with one part marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    line: usize,
    before: String,
    marked: String,
    after: String,
}

impl Excerpt {
    /// The line in which `span` begins, with `span` marked up to the end of that line.
    #[must_use]
    pub fn new(lines: &Lines<'_>, span: Span) -> Self {
        let (line, _) = lines.locate(span.start);
        let source = lines.source;
        let start = span.start.min(source.len());
        let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |newline| start + newline);
        let end = span.end.clamp(start, line_end);

        let before = last(&source[line_start..start], BEFORE);
        let marked = first(&source[start..end], WIDTH - BEFORE);
        let room = WIDTH.saturating_sub(before.chars().count() + marked.chars().count());
        // If the marked part was cut, it already ends with an ellipsis.
        let after = if marked.ends_with('…') { String::new() } else { first(&source[end..line_end], room) };
        // The width of a tab depends on the terminal, so marks below one would be misplaced. Other control
        // characters could change the state of the terminal.
        let plain = |text: String| {
            let text = text.replace('\t', " ").replace(['\r', '\u{feff}'], "");
            text.replace(|character: char| character.is_control(), "\u{fffd}")
        };
        Self { line, before: plain(before), marked: plain(marked), after: plain(after) }
    }
}

/// How many terminal columns a text takes.
#[cfg(feature = "width")]
fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

#[cfg(not(feature = "width"))]
fn width(text: &str) -> usize {
    text.chars().count()
}

fn first(text: &str, count: usize) -> String {
    match text.char_indices().nth(count) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

fn last(text: &str, count: usize) -> String {
    match text.char_indices().rev().nth(count) {
        Some((cut, character)) => format!("…{}", &text[cut + character.len_utf8()..]),
        None => text.to_owned(),
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, before, marked, after } = self;
        let gutter = line.to_string().len().max(4);
        writeln!(f, "{line:>gutter$} | {before}{marked}{after}")?;
        write!(
            f,
            "{:>gutter$} | {:>indent$}{}",
            "",
            "",
            "^".repeat(width(marked).max(1)),
            indent = width(before)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, marked: &str) -> String {
        let start = source.find(marked).expect("it is there");
        Excerpt::new(&Lines::new(source), Span { start, end: start + marked.len() }).to_string()
    }

    #[test]
    fn the_place_is_marked_below() {
        assert_eq!(shown("{\n\t\"a\": 12}", "12"), "   2 |  \"a\": 12}\n     |       ^^");
    }

    #[test]
    #[cfg(feature = "width")]
    fn wide_characters_are_two_columns() {
        assert_eq!(shown("\"加法\": x", "x"), "   1 | \"加法\": x\n     |         ^");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(shown("a\u{1b}[2J x\r", "x"), "   1 | a\u{fffd}[2J x\n     |       ^");
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let source = format!("{}HERE{}", "a".repeat(500), "b".repeat(500));
        let text = shown(&source, "HERE");
        let (line, marks) = text.split_once('\n').expect("two lines");
        assert!(line.chars().count() < 120 && line.contains("…") && line.ends_with('…'), "{line}");
        assert_eq!(line.find("HERE").map(|at| line[..at].chars().count()), marks.find('^'));
    }

    #[test]
    fn a_value_of_several_lines_is_marked_on_its_first() {
        assert_eq!(shown("{\"a\": [\n1]}", "[\n1]"), "   1 | {\"a\": [\n     |       ^");
    }

    #[test]
    fn the_end_of_the_text_can_be_marked() {
        let source = "{";
        assert_eq!(
            Excerpt::new(&Lines::new(source), Span { start: 1, end: 1 }).to_string(),
            "   1 | {\n     |  ^"
        );
    }
}
