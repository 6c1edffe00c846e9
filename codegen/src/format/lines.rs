//! Tokens in plain lines: a line per statement, field and attribute, indented by block. The compiler reads the same
//! code as from a formatted file, and its errors have lines to point at.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

pub(super) fn text(tokens: TokenStream) -> String {
    let mut lines = Lines::default();
    lines.block(tokens);
    lines.text
}

#[derive(Default)]
struct Lines {
    text: String,
    depth: usize,
    last: Last,
}

/// What is before the next token.
#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    /// The end of a line.
    #[default]
    Line,
    /// A token that the next one touches.
    Glue,
    /// An identifier or a closing delimiter.
    Word,
    /// A literal, or the end of an operator.
    Other,
}

impl Lines {
    /// The contents of braces or of the file, on their own lines.
    fn block(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => match tokens.next_if(is_attribute) {
                    Some(TokenTree::Group(attribute)) => self.attribute(&attribute),
                    _ => self.token(TokenTree::Punct(punct)),
                },
                TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';') => {
                    self.token(TokenTree::Punct(punct));
                    self.end_line();
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.group(&group);
                    let goes_on = |next: &TokenTree| match next {
                        TokenTree::Punct(punct) => punct.as_char() != '#',
                        TokenTree::Ident(word) => *word == "else",
                        TokenTree::Group(_) | TokenTree::Literal(_) => false,
                    };
                    if !tokens.peek().is_some_and(goes_on) {
                        self.end_line();
                    }
                }
                other => self.token(other),
            }
        }
        self.end_line();
    }

    /// `#[…]` on its own line; a comment attribute becomes a comment.
    fn attribute(&mut self, attribute: &Group) {
        self.end_line();
        match comment(attribute) {
            // It is still escaped as in the literal, so it cannot end the line.
            Some(comment) => self.word(&format!("//{comment}"), Last::Word),
            None => {
                self.word("#", Last::Glue);
                self.group(attribute);
            }
        }
        self.end_line();
    }

    fn token(&mut self, token: TokenTree) {
        match token {
            TokenTree::Group(group) => self.group(&group),
            TokenTree::Ident(ident) => self.word(&ident.to_string(), Last::Word),
            TokenTree::Literal(literal) => self.word(&literal.to_string(), Last::Other),
            TokenTree::Punct(punct) => {
                let mark = punct.as_char();
                let ends_path = mark == ':' && self.last == Last::Glue && self.text.ends_with(':');
                let touches = punct.spacing() == Spacing::Joint || ends_path || matches!(mark, '.' | '#');
                let last = if touches { Last::Glue } else { Last::Other };
                self.word(mark.encode_utf8(&mut [0; 4]), last);
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace => {
                self.word("{", Last::Glue);
                if !group.stream().is_empty() {
                    self.end_line();
                    self.depth += 1;
                    self.block(group.stream());
                    self.depth -= 1;
                }
                return self.word("}", Last::Word);
            }
            Delimiter::None => return group.stream().into_iter().for_each(|token| self.token(token)),
        };
        self.word(open, Last::Glue);
        group.stream().into_iter().for_each(|token| self.token(token));
        self.last = Last::Glue;
        self.word(close, Last::Word);
    }

    fn word(&mut self, word: &str, last: Last) {
        let touches = match (self.last, word) {
            (Last::Line, _) => {
                self.text.extend(std::iter::repeat_n("    ", self.depth));
                true
            }
            (Last::Glue, _) | (_, "," | ";") | (Last::Word, "(" | ":" | "." | "?") => true,
            (Last::Word | Last::Other, _) => false,
        };
        if !touches {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.last = last;
    }

    fn end_line(&mut self) {
        if self.last != Last::Line {
            self.text.push('\n');
            self.last = Last::Line;
        }
    }
}

fn is_attribute(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
}

/// The text of `[comment = "…"]`, as it is written between the quotes.
fn comment(attribute: &Group) -> Option<String> {
    let mut tokens = attribute.stream().into_iter();
    match (tokens.next()?, tokens.nth(1)?) {
        (TokenTree::Ident(name), TokenTree::Literal(text)) if name == "comment" => {
            Some(text.to_string().strip_prefix('"')?.strip_suffix('"')?.to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn sample() -> TokenStream {
        quote! {
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
        }
    }

    #[test]
    fn statements_fields_and_attributes_have_their_own_lines() {
        let expected = r#"#[doc = " A \"thing\"."]
#[derive(Clone, Copy)]
pub struct Thing < 'a > {
    pub x: & 'a [u8; 4],
    y: ::core::option::Option < fn(u8) -> i64 >
}
impl < 'a > Thing < 'a > {
    const fn get(& self, r#in: (u8, f32)) -> Result < u8,
    () > {
        // SAFETY: it is `\"x\"`.\n
        let first = unsafe {
            * self.x.as_ptr()
        };
        if first >= r#in.0 && - 1 < 0 {
            return Err(());
        } else {
            for _ in 0 ..= 7 {}
        }
        match r#in {
            (a, _) if a << 1 == 2 => Ok(1 .max(a)),
            _ => self.get((1, 1.5))? .get(| x | x + 1)
        }
    }
}
include ! ("a.rs");
"#;
        assert_eq!(text(sample()), expected);
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
            let reasoned = crate::emit::emit(&generated.binding, true);
            assert_eq!(
                again(text(reasoned)),
                again(generated.tokens().to_string()),
                "{}",
                document.display()
            );
        }
    }
}
