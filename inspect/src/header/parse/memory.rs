//! Attributes and SAL annotations that say how a function treats memory, from their words to
//! [`AttributeKind`]s. Positions count parameters from 1; 0 is the return value.

use super::super::sal;
use super::{Parser, Reason};
use crate::{AttributeKind, Count, Counted, Direction};

/// One attribute, as the header writes it.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    name: String,
    /// The words of each argument.
    arguments: Vec<Vec<String>>,
    /// The position of its name.
    pub(super) token: usize,
}

impl<'s> Parser<'s> {
    /// Reads the arguments of an attribute whose name was just read.
    pub(super) fn statement(&mut self, name: &str, has_arguments: bool) -> Result<Statement, Reason> {
        let mut statement = Statement { name: name.to_owned(), arguments: Vec::new(), token: self.at - 1 };
        if has_arguments {
            let start = self.at + 1;
            self.skip_group()?;
            let inner = self.unit.tokens.get(start..self.at - 1).unwrap_or_default();
            let mut depth = 0_u32;
            let mut argument = Vec::new();
            for token in inner {
                match token.text {
                    "(" => depth += 1,
                    ")" => depth = depth.saturating_sub(1),
                    "," if depth == 0 => {
                        statement.arguments.push(std::mem::take(&mut argument));
                        continue;
                    }
                    _ => {}
                }
                argument.push(token.text.to_owned());
            }
            if !argument.is_empty() {
                statement.arguments.push(argument);
            }
        }
        Ok(statement)
    }
}

impl Statement {
    /// Whether an attribute of this name says how memory is treated.
    pub(super) fn is_one(name: &str) -> bool {
        matches!(
            name,
            "nonnull"
                | "returns_nonnull"
                | "access"
                | "malloc"
                | "alloc_size"
                | "format"
                | "null_terminated_string_arg"
                | "counted_by"
                | "counted_by_or_null"
                | "sized_by"
                | "sized_by_or_null"
                | sal::ATTRIBUTE
        )
    }

    /// How the header writes it.
    pub(super) fn text(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(|words| words.concat()).collect();
        match (self.name.as_str(), arguments.as_slice()) {
            (sal::ATTRIBUTE, [name]) => name.clone(),
            (sal::ATTRIBUTE, [name, rest @ ..]) => format!("{name}({})", rest.join(", ")),
            (name, []) => name.to_owned(),
            (name, arguments) => format!("{name}({})", arguments.join(", ")),
        }
    }

    /// What it says about a function.
    pub(super) fn of_function(&self, names: &[Option<&str>]) -> Vec<AttributeKind> {
        let words: Vec<&str> = self.arguments.iter().map(|words| alone(words)).collect();
        let position = |word: &&str| word.parse::<usize>().ok().filter(|position| *position > 0);
        let positions = || words.iter().map(position).collect::<Option<Vec<usize>>>();
        let one = |kind: Option<AttributeKind>| kind.into_iter().collect();
        match (self.name.as_str(), words.as_slice()) {
            ("nonnull", []) => vec![AttributeKind::Nonnull(Vec::new())],
            ("nonnull", _) => one(positions().map(AttributeKind::Nonnull)),
            ("returns_nonnull", _) => vec![AttributeKind::ReturnsNonnull],
            ("access", [mode, pointer, rest @ ..]) => {
                let direction = match mode.trim_matches('_') {
                    "read_only" => Direction::In,
                    "write_only" => Direction::Out,
                    "read_write" => Direction::InOut,
                    // `none`: only the address is used, which no key states.
                    _ => return Vec::new(),
                };
                let size = rest.first().and_then(position);
                one(position(pointer).map(|pointer| AttributeKind::Access { direction, pointer, size }))
            }
            ("malloc", [free, rest @ ..]) => {
                let place = rest.first().map_or(Some(1), position);
                one(place.map(|place| AttributeKind::Malloc((*free).to_owned(), place)))
            }
            ("alloc_size", [_, ..]) => one(positions().map(AttributeKind::AllocSize)),
            // `format(printf, 1, 2)`: a text, and what its arguments are, which is asked.
            ("format", [_, text, _]) => one(position(text).map(AttributeKind::Text)),
            ("null_terminated_string_arg", [text]) => one(position(text).map(AttributeKind::Text)),
            (sal::ATTRIBUTE, _) => self.of_value(0, names),
            _ => Vec::new(),
        }
    }

    /// What it says about a member of a struct.
    pub(super) fn of_member(&self) -> Option<Counted> {
        let (is_bytes, is_nullable) = match self.name.as_str() {
            "counted_by" => (false, false),
            "counted_by_or_null" => (false, true),
            "sized_by" => (true, false),
            "sized_by_or_null" => (true, true),
            _ => return None,
        };
        match self.arguments.as_slice() {
            [only] => match alone(only) {
                "" => None,
                by => Some(Counted { by: by.to_owned(), is_bytes, is_nullable }),
            },
            _ => None,
        }
    }

    /// What it says about the value at `position`, before or behind which it is written.
    pub(super) fn of_value(&self, position: usize, names: &[Option<&str>]) -> Vec<AttributeKind> {
        let count = |index: usize| count(self.arguments.get(index)?, names);
        let length = |is_bytes: bool| {
            let kind = count(0).map(|count| AttributeKind::Length { pointer: position, count, is_bytes });
            kind.into_iter().collect::<Vec<_>>()
        };
        match self.name.as_str() {
            "nonnull" if self.arguments.is_empty() => vec![AttributeKind::Nonnull(vec![position])],
            "counted_by" => length(false),
            "sized_by" => length(true),
            "counted_by_or_null" | "sized_by_or_null" => {
                let mut kinds = length(self.name.starts_with("sized"));
                kinds.push(AttributeKind::Nullable(position));
                kinds
            }
            sal::ATTRIBUTE => {
                let name = self.arguments.first().map(|words| alone(words)).unwrap_or_default();
                sal::says(name, position, count(1), count(2))
            }
            _ => Vec::new(),
        }
    }
}

/// The only word of an argument.
fn alone(words: &[String]) -> &str {
    match words {
        [only] => only.as_str(),
        _ => "",
    }
}

/// `n`, `*n` or `16`.
fn count(words: &[String], names: &[Option<&str>]) -> Option<Count> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["*", name] | [name] => {
            if let Some(index) = names.iter().position(|known| known.as_ref() == Some(name)) {
                return Some(Count::Parameter(index + 1));
            }
            let is_pointer = words.len() > 1;
            name.parse().ok().filter(|_| !is_pointer).map(Count::Constant)
        }
        _ => None,
    }
}
