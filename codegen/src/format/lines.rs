//! Code in plain lines: a line per statement, field and attribute, indented by block. The compiler reads the same
//! code as from a formatted file, and its errors have lines to point at.

use crate::tokens::string_end;

pub(super) fn text(code: &str) -> String {
    let mut lines = Lines { rest: code, text: String::with_capacity(code.len() * 2), open: Vec::new() };
    while !lines.rest.is_empty() {
        lines.part();
    }
    lines.end_line();
    lines.text
}

/// The characters that may end a line or hide others.
const SPECIAL: [char; 12] = ['\n', '(', '[', '{', '}', ']', ')', ',', ';', '#', '"', '\''];

struct Lines<'c> {
    rest: &'c str,
    text: String,
    /// The delimiters that are open, by their closing ones; `#` for the bracket of an attribute that has its own line.
    open: Vec<char>,
}

impl Lines<'_> {
    /// Code up to the next character that may end a line or hide others, and what that one does.
    fn part(&mut self) {
        self.copy(self.rest.find(SPECIAL).unwrap_or(self.rest.len()));
        let Some(character) = self.rest.chars().next() else { return };
        match character {
            '\n' => {
                self.rest = self.rest.trim_start();
                self.write(" ");
            }
            '"' => self.copy(string_end(&self.text, self.rest)),
            '\'' => self.copy(character_end(self.rest)),
            '#' if self.is_in_block() && self.rest[1..].trim_start().starts_with('[') => self.attribute(),
            '(' => self.open(')'),
            '[' => self.open(']'),
            '{' if self.rest[1..].trim_start().starts_with('}') => {
                self.copy(1);
                self.rest = self.rest.trim_start();
                self.copy(1);
                self.end_block();
            }
            '{' => {
                self.open('}');
                self.end_line();
            }
            '}' => {
                self.end_line();
                self.open.pop();
                self.copy(1);
                self.end_block();
            }
            ')' | ']' => {
                self.copy(1);
                if self.open.pop() == Some('#') {
                    self.end_line();
                }
            }
            _ => {
                self.copy(1);
                if matches!(character, ',' | ';') && self.is_in_block() {
                    self.end_line();
                }
            }
        }
    }

    /// Whether this is directly in braces or in the file, where lines end.
    fn is_in_block(&self) -> bool {
        matches!(self.open.last(), None | Some('}'))
    }

    fn open(&mut self, closing: char) {
        self.copy(1);
        self.open.push(closing);
    }

    /// `#[…]` on its own line; a comment attribute becomes a comment.
    fn attribute(&mut self) {
        self.end_line();
        let comment = self.rest.strip_prefix('#').and_then(|rest| {
            let literal = ["[", "comment", "="]
                .iter()
                .try_fold(rest, |rest, token| rest.trim_start().strip_prefix(token))?;
            let literal = literal.trim_start();
            // It is still escaped as in the literal, so it cannot end the line.
            let (literal, behind) = literal.split_at_checked(string_end("", literal))?;
            Some((literal.strip_prefix('"')?.strip_suffix('"')?, behind.trim_start().strip_prefix(']')?))
        });
        match comment {
            Some((comment, behind)) => {
                self.rest = behind;
                self.write(&format!("//{comment}"));
                self.end_line();
            }
            None => {
                self.copy(1);
                self.open('#');
            }
        }
    }

    /// Behind braces: what follows goes on in the line, or is on the next one.
    fn end_block(&mut self) {
        let next = self.rest.trim_start();
        let goes_on = next.starts_with(|next: char| {
            next.is_ascii_punctuation() && !matches!(next, '#' | '(' | '[' | '{' | '"' | '\'' | '_')
        });
        if self.is_in_block() && !goes_on && !next.starts_with("else ") {
            self.end_line();
        }
    }

    fn copy(&mut self, length: usize) {
        let (copied, rest) = self.rest.split_at(length);
        self.write(copied);
        self.rest = rest;
    }

    fn write(&mut self, code: &str) {
        let begins_line = self.text.is_empty() || self.text.ends_with('\n');
        let code = if begins_line { code.trim_start() } else { code };
        if begins_line && !code.is_empty() {
            let depth = self.open.iter().filter(|closing| **closing == '}').count();
            self.text.extend(std::iter::repeat_n("    ", depth));
        }
        self.text.push_str(code);
    }

    fn end_line(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// The length of the character literal that begins here; of its quote, if it is a lifetime.
fn character_end(literal: &str) -> usize {
    let mut characters = literal.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let from = at + escaped.len_utf8();
            literal[from..].find('\'').map_or(1, |end| from + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::{TokenStream, TokenTree};

    fn sample() -> String {
        let tokens = crate::tokens::quote! {
            #[doc = " A \"thing\"."]
            #[derive(Clone, Copy)]
            pub struct Thing<'a> { pub x: &'a [u8; 4], y: ::core::option::Option<fn(u8) -> i64> }
            impl<'a> Thing<'a> {
                const fn get(&self, r#in: (u8, f32)) -> Result<u8, ()> {
                    #[comment = " SAFETY: it is `\"x\"`.\n"]
                    let first = unsafe { *self.x.as_ptr() };
                    if first >= r#in.0 && -1 < 0 { return Err(()); } else { for _ in 0..=7 {} }
                    match r#in { (a, _) if a << 1 == 2 => Ok(1.max(a)), _ => self.get((1, 1.5))?.get(|x| x + 1) }
                }
            }
            include!("a.rs");
        };
        tokens.into_text()
    }

    #[test]
    fn statements_fields_and_attributes_have_their_own_lines() {
        let expected = r##"#[doc = " A \"thing\"."]
#[derive(Clone, Copy)]
pub struct Thing<'a> {
    pub x: &'a [u8; 4],
    y: ::core::option::Option<fn(u8) -> i64>
}
impl<'a> Thing<'a> {
    const fn get(&self, r#in: (u8, f32)) -> Result<u8,
    ()> {
        // SAFETY: it is `\"x\"`.\n
        let first = unsafe {
            *self.x.as_ptr()
        };
        if first >= r#in.0 && -1 < 0 {
            return Err(());
        } else {
            for _ in 0..=7 {}
        }
        match r#in {
            (a, _) if a << 1 == 2 => Ok(1.max(a)),
            _ => self.get((1, 1.5))?.get(|x| x + 1)
        }
    }
}
include!("a.rs");
"##;
        assert_eq!(text(&sample()), expected);
    }

    #[test]
    fn the_text_has_the_same_tokens() {
        // One entry per token: spaces between two marks do not count.
        fn again(text: String) -> Vec<String> {
            let tokens: TokenStream = text.parse().expect("tokens");
            tokens.into_iter().flat_map(flat).collect()
        }
        fn flat(token: TokenTree) -> Vec<String> {
            match token {
                TokenTree::Group(group) => {
                    let inner = group.stream().into_iter().flat_map(flat);
                    std::iter::once(format!("{:?}", group.delimiter())).chain(inner).collect()
                }
                other => vec![other.to_string()],
            }
        }
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures");
        for folder in std::fs::read_dir(fixtures).into_iter().flatten().flatten() {
            let document = folder.path().join("tool.json");
            let Ok(source) = std::fs::read_to_string(&document) else { continue };
            let Ok(generated) = crate::generate("tool.json", &source, &crate::Options::default()) else {
                continue;
            };
            let reasoned = crate::emit::emit(&generated.binding, true).into_text();
            let (lines, code) = (again(text(&reasoned)), again(generated.code()));
            let differs = lines.iter().zip(&code).find(|(line, code)| line != code);
            assert_eq!((differs, lines.len()), (None, code.len()), "{}", document.display());
        }
    }
}
