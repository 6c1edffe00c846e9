//! Parses C declarations, from tokens to the table of types, as a compiler's front end does.
//!
//! Parsing C requires knowing which names are types, so the tables are filled on the way. A declaration that
//! cannot be read is skipped and recorded.

mod attributes;
mod declarator;
mod expression;
mod external;
mod memory;
mod record;
mod specifiers;

use std::collections::HashMap;

use super::files::Own;
use super::lex::Unit;
use super::table::{Qualified, Table};
use super::target::Rules;
use super::token::Token;
use super::value::Value;
use crate::{Attribute, Place, Signature, Skipped, Target, TypeId};

/// No header nests this deep; deeper input must not exhaust the stack.
const DEPTH: u32 = 120;

/// A readable reason why a declaration could not be read.
type Reason = String;

/// One declaration of a function; a function may be declared several times.
#[derive(Debug)]
pub(super) struct Declared<'s> {
    pub(super) name: &'s str,
    pub(super) symbol: Option<String>,
    pub(super) signature: Result<Signature, String>,
    /// The position of its name.
    pub(super) token: usize,
    pub(super) attributes: Vec<Attribute>,
    /// Whether it is `static`, or only `inline`.
    pub(super) private: bool,
}

/// The first and last token of a declaration, and the functions that it declares.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) tokens: (usize, usize),
    pub(super) functions: std::ops::Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tag {
    Struct,
    Union,
    Enum,
}

#[derive(Debug)]
pub(super) struct Parser<'s> {
    pub(super) unit: Unit<'s>,
    pub(super) own: Own,
    pub(super) table: Table,
    pub(super) functions: Vec<Declared<'s>>,
    pub(super) items: Vec<Item>,
    pub(super) skipped: Vec<Skipped>,
    at: usize,
    depth: u32,
    typedefs: HashMap<&'s str, Qualified>,
    tags: HashMap<(Tag, &'s str), TypeId>,
    enumerators: HashMap<&'s str, Value>,
    /// What is written beside the names of types.
    pub(super) type_comments: HashMap<String, (String, Place)>,
    /// The prefix that the compiler adds to every symbol: `_` on some systems.
    prefix: &'s str,
    /// Whether `f()` takes no arguments, as in C23, or leaves them unspecified.
    empty_is_void: bool,
}

impl<'s> Parser<'s> {
    pub(super) fn new(unit: Unit<'s>, own: Own, target: Target) -> Self {
        let defined = |name: &str| {
            let found = unit.macros.iter().find(|found| found.name == name)?;
            Some(found.body.first().map_or("", |token| token.text))
        };
        let prefix = defined("__USER_LABEL_PREFIX__").unwrap_or("");
        let version =
            defined("__STDC_VERSION__").and_then(|version| version.trim_end_matches('L').parse().ok());
        Self {
            own,
            table: Table::new(target, Rules::of(&unit)),
            functions: Vec::new(),
            items: Vec::new(),
            skipped: Vec::new(),
            type_comments: HashMap::new(),
            at: 0,
            depth: 0,
            typedefs: HashMap::new(),
            tags: HashMap::new(),
            enumerators: HashMap::new(),
            prefix,
            empty_is_void: version.unwrap_or(0_u64) >= 202_311,
            unit,
        }
    }

    /// Whether a typedef has this name.
    pub(super) fn is_type(&self, name: &str) -> bool {
        self.typedefs.contains_key(name)
    }

    pub(super) fn place(&self, token: usize) -> Place {
        let (file, line) = self
            .unit
            .tokens
            .get(token)
            .map_or(("", 0), |token| (self.unit.files.name(token.file), token.line));
        Place { file: file.to_owned(), line: u64::from(line) }
    }

    /// The value of the tokens, if they are a constant expression.
    pub(super) fn evaluate(&mut self, tokens: Vec<Token<'s>>) -> Option<Value> {
        let kept = std::mem::replace(&mut self.unit.tokens, tokens);
        let at = std::mem::take(&mut self.at);
        let value = self.constant();
        let whole = self.at == self.unit.tokens.len();
        self.unit.tokens = kept;
        self.at = at;
        value.ok().filter(|_| whole)
    }

    fn token(&self) -> Option<Token<'s>> {
        self.unit.tokens.get(self.at).copied()
    }

    fn peek(&self) -> &'s str {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> &'s str {
        self.unit.tokens.get(self.at + by).map_or("", |token| token.text)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Reason> {
        if self.eat(text) {
            return Ok(());
        }
        let found = self.peek();
        Err(if found.is_empty() {
            format!("`{text}` is missing at the end")
        } else {
            format!("`{text}` is expected before `{found}`")
        })
    }

    /// Skips a group in parentheses, brackets or braces, from its opening token.
    fn skip_group(&mut self) -> Result<(), Reason> {
        let mut depth = 0_u32;
        while let Some(token) = self.token() {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
        Err("a bracket is not closed".to_owned())
    }

    /// Runs `read` one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Reason>) -> Result<T, Reason> {
        if self.depth >= DEPTH {
            return Err("it is nested too deeply".to_owned());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
