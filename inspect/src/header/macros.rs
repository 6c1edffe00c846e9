//! Macros that stand for integers, expanded and evaluated as by the compiler.

use std::collections::HashMap;

use super::lex::Macro;
use super::parse::Parser;
use super::token::{Token, TokenKind};
use crate::{Constant, Place};

/// A longer expansion is not a constant that people use.
const TOKENS: usize = 2_000;

/// The macros of the library's own headers that stand for integers.
pub(super) fn constants(parser: &mut Parser<'_>) -> Vec<Constant> {
    let macros = std::mem::take(&mut parser.unit.macros);
    let by_name: HashMap<&str, &Macro<'_>> =
        macros.iter().filter(|found| !found.undefined).map(|found| (found.name, found)).collect();
    let mut constants = Vec::new();
    for found in &macros {
        let wanted = !found.undefined
            && found.parameters.is_none()
            && !found.body.is_empty()
            && parser.own.has(found.file)
            && by_name.get(found.name).is_some_and(|&last| std::ptr::eq(last, found));
        if !wanted {
            continue;
        }
        let mut expansion = Expansion { macros: &by_name, out: Vec::new() };
        if expansion.expand(&found.body, &mut vec![found.name]).is_none() {
            continue;
        }
        if let Some(value) = parser.evaluate(expansion.out) {
            let place =
                Place { file: parser.unit.files.name(found.file).to_owned(), line: found.line.into() };
            constants.push(Constant {
                name: found.name.to_owned(),
                value: value.value,
                comment: None,
                place,
            });
        }
    }
    parser.unit.macros = macros;
    constants
}

struct Expansion<'m, 's> {
    macros: &'m HashMap<&'m str, &'m Macro<'s>>,
    out: Vec<Token<'s>>,
}

impl<'s> Expansion<'_, 's> {
    /// Appends `tokens` with their macros expanded; `None` if the result cannot be a constant.
    fn expand(&mut self, tokens: &[Token<'s>], within: &mut Vec<&'s str>) -> Option<()> {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if self.out.len() > TOKENS || within.len() > 60 || matches!(token.text, "#" | "##") {
                return None;
            }
            let found = self.macros.get(token.text).filter(|_| token.kind == TokenKind::Identifier);
            let Some(found) = found.filter(|_| !within.contains(&token.text)) else {
                self.out.push(*token);
                continue;
            };
            let body = match &found.parameters {
                None => found.body.clone(),
                Some(names) => {
                    let (arguments, after) = arguments(tokens, at)?;
                    at = after;
                    let arguments: Option<Vec<_>> =
                        arguments.into_iter().map(|argument| self.expanded(argument, within)).collect();
                    substitute(&found.body, names, &arguments?)?
                }
            };
            within.push(found.name);
            self.expand(&body, within)?;
            within.pop();
        }
        Some(())
    }

    /// An argument, which is expanded before it is substituted.
    fn expanded(&self, argument: &[Token<'s>], within: &mut Vec<&'s str>) -> Option<Vec<Token<'s>>> {
        let mut inner = Expansion { macros: self.macros, out: Vec::new() };
        // Each call counts as one level of nesting.
        within.push("");
        inner.expand(argument, within)?;
        within.pop();
        Some(inner.out)
    }
}

/// The arguments of a call with its parenthesis at `at`, and where it ends.
fn arguments<'t, 's>(tokens: &'t [Token<'s>], at: usize) -> Option<(Vec<&'t [Token<'s>]>, usize)> {
    if tokens.get(at)?.text != "(" {
        return None;
    }
    let (mut depth, mut start, mut end) = (0_u32, at + 1, at);
    let mut found = Vec::new();
    loop {
        match tokens.get(end)?.text {
            "(" => depth += 1,
            ")" if depth == 1 => {
                found.push(tokens.get(start..end)?);
                return Some((found, end + 1));
            }
            ")" => depth -= 1,
            "," if depth == 1 => {
                found.push(tokens.get(start..end)?);
                start = end + 1;
            }
            _ => {}
        }
        end += 1;
    }
}

fn substitute<'s>(
    body: &[Token<'s>],
    names: &[&str],
    arguments: &[Vec<Token<'s>>],
) -> Option<Vec<Token<'s>>> {
    if names.len() != arguments.len() {
        return None;
    }
    let mut out = Vec::new();
    for token in body {
        match names.iter().position(|name| *name == token.text) {
            Some(index) => out.extend(arguments.get(index)?.iter().copied()),
            None => out.push(*token),
        }
    }
    Some(out)
}
