//! One parameter, and what is proven about it: its length, its direction, whether it may be an array.

use super::context::Context;
use super::evidence::Evidence;
use super::function::Entry;
use super::lengths::{self, Candidate, Counter, Length, is_count};
use super::names::words;
use super::ownership;
use super::said::Unit;
use crate::{AttributeKind, Direction, Parameter};

/// One parameter in its context.
pub(super) struct Site<'s, 'i> {
    pub(super) entry: &'s Entry<'i>,
    pub(super) context: &'s Context<'i>,
    pub(super) candidates: &'s [Candidate],
    pub(super) index: usize,
}

impl Site<'_, '_> {
    pub(super) fn parameter(&self) -> &Parameter {
        &self.entry.signature.parameters[self.index]
    }

    pub(super) fn name(&self) -> &str {
        self.name_of(self.index)
    }

    pub(super) fn name_of(&self, index: usize) -> &str {
        self.entry.parameters.get(index).map_or("", |(name, _)| name)
    }

    /// Its name in C, as the documentation has it.
    pub(super) fn raw_name(&self) -> &str {
        self.parameter().name.as_deref().unwrap_or_default()
    }

    /// The length that names and positions suggest: only for questions.
    pub(super) fn length(&self) -> Length {
        lengths::of(self.candidates, self.index)
    }

    /// The parameter that is proven to count this one.
    pub(super) fn proven_length(&self) -> Option<(usize, Unit, Evidence)> {
        for attribute in &self.entry.function.attributes {
            if let AttributeKind::Access { pointer, size: Some(size), .. } = &attribute.of
                && *pointer == self.index + 1
                && self.candidates.get(*size - 1).is_some_and(|of| of.counter == Counter::Value)
            {
                return Some((*size - 1, Unit::Elements, Evidence::attribute(attribute)));
            }
        }
        let parameters = &self.entry.signature.parameters;
        (0..parameters.len())
            .filter(|index| *index != self.index && self.candidates[*index].counter == Counter::Value)
            .find_map(|index| {
                let count = parameters[index].name.as_deref()?;
                let (unit, evidence) = self.entry.said.length(self.raw_name(), count)?;
                Some((index, unit, evidence))
            })
    }

    /// The proven direction: by `const`, an attribute, or the documentation.
    pub(super) fn direction(&self, is_constant: bool) -> Option<(Direction, Evidence)> {
        if is_constant {
            let text = format!("`{}`", self.context.types.spelling(self.parameter().of));
            return Some((Direction::In, Evidence::qualifier(text, self.entry.function)));
        }
        let attribute = self.entry.function.attributes.iter().find_map(|attribute| match &attribute.of {
            AttributeKind::Access { direction, pointer, .. } if *pointer == self.index + 1 => {
                Some((*direction, Evidence::attribute(attribute)))
            }
            _ => None,
        });
        attribute.or_else(|| self.entry.said.direction(self.raw_name(), self.parameter().direction))
    }

    /// The same for bytes, which a function may be said to fill.
    pub(super) fn buffer_direction(&self, is_constant: bool) -> Option<(Direction, Evidence)> {
        self.direction(is_constant)
            .or_else(|| Some((Direction::Out, self.entry.said.fills(self.raw_name())?)))
    }

    /// The declared length of an array parameter.
    pub(super) fn array(&self) -> Option<u64> {
        self.parameter().array.filter(|count| *count > 0)
    }

    /// What the declaration `k[32]` says.
    pub(super) fn array_says(&self, count: u64) -> Evidence {
        self.context.types_say(self.entry, format!("declared as an array: `{}[{count}]`", self.raw_name()))
    }

    /// Whether it may be an array: it is declared as one, an integer beside it or the name of another may count
    /// it, or the documentation speaks of several.
    pub(super) fn may_be_several(&self) -> bool {
        let is_integer =
            |index: usize| self.candidates.get(index).is_some_and(|of| of.counter == Counter::Value);
        self.parameter().is_array
            || is_integer(self.index + 1)
            || self.index.checked_sub(1).is_some_and(is_integer)
            || self.candidates.iter().any(|of| of.counter != Counter::None && is_count(&of.name))
            || self.entry.said.suggests_several(self.raw_name())
    }

    /// The same for a struct: of those that have no name and no documentation, many are arrays.
    pub(super) fn may_be_several_structs(&self) -> bool {
        let is_unnamed = !self.candidates[self.index].is_named
            && self.candidates.iter().any(|of| of.counter == Counter::Value);
        self.may_be_several() || self.is_plural() || is_unnamed
    }

    /// Whether its name suggests several: only for questions.
    fn is_plural(&self) -> bool {
        const SEVERAL: [&str; 8] = ["array", "list", "table", "vec", "vector", "program", "seq", "sequence"];
        let words = words(self.raw_name());
        words.last().is_some_and(|word| {
            SEVERAL.contains(&word.as_str())
                || word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us")
        })
    }

    /// The type of the parameter, as evidence.
    pub(super) fn type_says(&self) -> Evidence {
        self.context.spelling(self.entry, self.parameter().of)
    }

    /// Whether the function may only free it: other functions name it in `x-free`.
    pub(super) fn only_frees(&self) -> bool {
        self.entry.signature.parameters.len() == 1 && ownership::may_release(&self.entry.name)
    }
}
