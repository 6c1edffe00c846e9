//! Preprocessed C as tokens. What is between tokens is stored separately: comments, macros, the files that
//! line markers name, and the alignment of `#pragma pack`.
//!
//! Line markers can occur in the middle of declarations, so they are not tokens: every token has its file and
//! line instead.

use super::files::{FileId, Files};
use super::token::{Token, TokenKind, next};

/// A comment: a block, or consecutive `//` lines, or blocks of one line each that go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawComment<'s> {
    /// The text, including comment markers.
    pub(super) text: &'s str,
    pub(super) file: FileId,
    /// Its first and last line.
    pub(super) lines: (u32, u32),
    /// The index of the token after it.
    pub(super) before: usize,
}

/// A `#define`.
#[derive(Clone, Debug)]
pub(super) struct Macro<'s> {
    pub(super) name: &'s str,
    /// The names of its parameters, if it has any.
    pub(super) parameters: Option<Vec<&'s str>>,
    pub(super) body: Vec<Token<'s>>,
    pub(super) file: FileId,
    pub(super) line: u32,
    /// The index of the token after it.
    pub(super) before: usize,
    /// Whether an `#undef` follows.
    pub(super) undefined: bool,
}

/// A whole translation unit.
#[derive(Debug, Default)]
pub(super) struct Unit<'s> {
    pub(super) tokens: Vec<Token<'s>>,
    pub(super) comments: Vec<RawComment<'s>>,
    pub(super) macros: Vec<Macro<'s>>,
    pub(super) files: Files,
}

impl<'s> Unit<'s> {
    /// The comments between the token at `index` and the one before it.
    pub(super) fn comments_before(&self, index: usize) -> &[RawComment<'s>] {
        let start = self.comments.partition_point(|comment| comment.before < index);
        let end = self.comments.partition_point(|comment| comment.before <= index);
        self.comments.get(start..end).unwrap_or_default()
    }
}

/// Reads the output of a preprocessor.
pub(super) fn unit(source: &str) -> Unit<'_> {
    let mut lexer =
        Lexer { source, at: 0, line: 1, file: FileId::default(), pack: vec![0], unit: Unit::default() };
    lexer.run();
    lexer.unit
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    line: u32,
    file: FileId,
    /// The stack of `#pragma pack(push)`, with the current value last.
    pack: Vec<u8>,
    unit: Unit<'s>,
}

impl<'s> Lexer<'s> {
    fn run(&mut self) {
        let mut line_begins = true;
        while let Some(&byte) = self.source.as_bytes().get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    line_begins = true;
                    continue;
                }
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {
                    self.at += 1;
                    continue;
                }
                b'#' if line_begins => {
                    let rest = self.rest();
                    let line = rest.split('\n').next().unwrap_or(rest);
                    self.directive(line);
                    continue;
                }
                b'/' if self.rest().starts_with("/*") || self.rest().starts_with("//") => self.comment(),
                _ => {
                    let (kind, length) = next(self.rest());
                    let token = self.token(kind, self.at, length);
                    self.unit.tokens.push(token);
                    self.at += length;
                }
            }
            line_begins = false;
        }
    }

    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn token(&self, kind: TokenKind, start: usize, length: usize) -> Token<'s> {
        Token {
            kind,
            text: self.source.get(start..start + length).unwrap_or_default(),
            file: self.file,
            line: self.line,
            pack: self.pack.last().copied().unwrap_or(0),
        }
    }

    fn comment(&mut self) {
        let rest = self.rest();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
        };
        let text = rest.get(..length).unwrap_or(rest);
        let newlines = u32::try_from(text.matches('\n').count()).unwrap_or(0);
        let comment = RawComment {
            text,
            file: self.file,
            lines: (self.line, self.line + newlines),
            before: self.unit.tokens.len(),
        };
        let start = self.at;
        self.at += length;
        self.line += newlines;
        let source = self.source;
        if let Some(last) = self.unit.comments.last_mut()
            && continues(last, &comment)
        {
            last.text = source.get(offset(source, last.text)..start + length).unwrap_or(last.text);
            last.lines.1 = comment.lines.1;
            return;
        }
        self.unit.comments.push(comment);
    }

    fn directive(&mut self, line: &'s str) {
        self.at += line.len();
        let words = line.get(1..).unwrap_or_default().trim_start();
        if words.starts_with(|first: char| first.is_ascii_digit()) {
            self.marker(words);
            // The newline after the marker starts the line that it names.
            return;
        }
        if let Some(rest) = words.strip_prefix("define") {
            self.define(rest.trim_start());
        } else if let Some(rest) = words.strip_prefix("undef") {
            let name = rest.trim();
            // The last definition counts.
            if let Some(found) = self.unit.macros.iter_mut().rev().find(|found| found.name == name) {
                found.undefined = true;
            }
        } else if let Some(rest) = words.strip_prefix("include_next").or(words.strip_prefix("include")) {
            self.unit.files.includes(rest);
        } else if let Some(rest) = words.strip_prefix("pragma") {
            self.pragma(rest.trim());
        }
    }

    /// `# 12 "file.h" 1 3`: the next line is line 12 of that file; 1 enters the file, 2 returns to it.
    fn marker(&mut self, words: &str) {
        let Some((number, rest)) = words.split_once(' ') else { return };
        let Ok(number) = number.parse::<u32>() else { return };
        let Some(name) = rest.trim_start().strip_prefix('"').and_then(|rest| rest.rsplit_once('"')) else {
            return;
        };
        let flags = name.1;
        let name = name.0.replace("\\\\", "\\").replace("\\\"", "\"");
        let entered = flags.split_whitespace().any(|flag| flag == "1");
        self.file = self.unit.files.switch(&name, self.file, entered);
        self.line = number.saturating_sub(1);
    }

    fn define(&mut self, rest: &'s str) {
        let (kind, length) = next(rest);
        if kind != TokenKind::Identifier {
            return;
        }
        let (name, mut rest) = rest.split_at(length);
        let mut parameters = None;
        if let Some(inner) = rest.strip_prefix('(') {
            let Some((names, body)) = inner.split_once(')') else { return };
            parameters = Some(names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect());
            rest = body;
        }
        let mut body = Vec::new();
        rest = rest.trim_start();
        while !rest.is_empty() {
            let (kind, length) = next(rest);
            let start = offset(self.source, rest);
            body.push(self.token(kind, start, length));
            rest = rest.get(length..).unwrap_or_default().trim_start();
        }
        self.unit.macros.push(Macro {
            name,
            parameters,
            body,
            file: self.file,
            line: self.line,
            before: self.unit.tokens.len(),
            undefined: false,
        });
    }

    /// `pack()`, `pack(2)`, `pack(push)`, `pack(push, 2)`, `pack(pop)`.
    fn pragma(&mut self, rest: &str) {
        let Some(inner) = rest.strip_prefix("pack").and_then(|rest| rest.trim().strip_prefix('(')) else {
            return;
        };
        let inner = inner.trim_end().trim_end_matches(')');
        let present = self.pack.last().copied().unwrap_or(0);
        let mut value = if inner.trim().is_empty() { Some(0) } else { None };
        for word in inner.split(',').map(str::trim) {
            match word {
                "push" => self.pack.push(present),
                "pop" if self.pack.len() > 1 => _ = self.pack.pop(),
                _ => value = word.parse().ok().or(value),
            }
        }
        if let (Some(value), Some(last)) = (value, self.pack.last_mut()) {
            *last = value;
        }
    }
}

/// Whether `next` is the `//` line below `last`, or a block of one line below another, with no token between them.
fn continues(last: &RawComment<'_>, next: &RawComment<'_>) -> bool {
    let line_comment = |text: &str| text.starts_with("//");
    let after = |text: &str| text.starts_with("///<") || text.starts_with("//!<");
    let below = last.before == next.before && last.file == next.file && last.lines.1 + 1 == next.lines.0;
    below
        && match (line_comment(last.text), line_comment(next.text)) {
            (true, true) => !after(next.text),
            (false, false) => {
                is_line_of_block(last.text) && is_line_of_block(next.text) && is_prose(last.text)
            }
            _ => false,
        }
}

/// Whether it is a plain block on one line, or several of them.
fn is_line_of_block(text: &str) -> bool {
    text.lines().all(|line| {
        let line = line.trim();
        let is_plain = !line.starts_with("/**") && !line.starts_with("/*!") && !line.contains("---");
        line.starts_with("/*") && line.ends_with("*/") && is_plain
    })
}

/// Whether the last line of a comment is part of a text, not a heading: several words, or the end of a sentence.
fn is_prose(text: &str) -> bool {
    let last = text.lines().next_back().unwrap_or_default();
    let words = last.trim_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*'));
    words.ends_with('.') || !words.ends_with(':') && words.split_whitespace().count() > 4
}

fn offset(source: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(source.as_ptr() as usize)
}
