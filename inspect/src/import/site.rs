//! One parameter, and what is proven about it: its length, its direction, whether it may be an array.

use serde_json::Value;

use super::context::{Context, Pointee};
use super::evidence::Evidence;
use super::frees::FREES;
use super::function::Entry;
use super::lengths::{self, Candidate, Counter, Length};
use super::names::words;
use super::ownership;
use super::said::Unit;
use crate::{AttributeKind, Count, Direction, Parameter};

/// One parameter in its context.
#[derive(Clone, Copy)]
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
        match lengths::of(self.candidates, self.index) {
            // Where C only leaves a number, it does not find one.
            Length::Certain(count) | Length::Likely(count) if self.is_output(count) => Length::Unknown,
            length => length,
        }
    }

    /// Whether it is proven that C only writes what the parameter at `index` points to.
    pub(super) fn is_output(&self, index: usize) -> bool {
        let at = Site { index, ..*self };
        let direction = at.direction(false).or_else(|| at.is_one());
        matches!(direction, Some((Direction::Out, _)))
    }

    /// What proves that it is a text that ends at its NUL.
    pub(super) fn states_text(&self) -> Option<Evidence> {
        self.entry.states_text(self.position()).or_else(|| self.entry.said.is_text(self.raw_name()))
    }

    /// Its position among the parameters, from 1.
    pub(super) fn position(&self) -> usize {
        self.index + 1
    }

    /// The proven length: the value of `x-length`, and what it counts.
    pub(super) fn proven_length(&self) -> Option<(Value, Unit, Evidence)> {
        if let Some(((count, is_bytes), says)) = self.entry.states_length(self.position()) {
            let unit = if is_bytes { Unit::Size } else { Unit::Elements };
            let is_usable = match count {
                Count::Parameter(position) => self.is_integer(position - 1),
                Count::Constant(count) => count > 0,
                Count::Terminated => {
                    let is_in = self.direction(self.is_constant()).is_some_and(|(of, _)| of == Direction::In);
                    let of = self.context.pointee(self.parameter().of);
                    is_in && matches!(of, Some((Pointee::Scalar(scalar), _)) if !scalar.is_byte())
                }
            };
            return Some((self.entry.x_length(count).filter(|_| is_usable)?, unit, says));
        }
        let (index, unit, says) = self.said_length()?;
        Some((self.name_of(index).into(), unit, says))
    }

    /// The parameter that may count a text, although a file calls it one that ends at a NUL: C may read as far as it
    /// says. With what proves that it is the number of bytes.
    pub(super) fn text_count(&self) -> Option<(usize, Option<Evidence>)> {
        let counts = |index: &usize| {
            *index != self.index
                && self.is_integer(*index)
                && self.candidates[*index].may_count
                && !self.is_count_of_another(*index)
        };
        (0..self.candidates.len()).filter(counts).find_map(|index| {
            let (text, count) = (self.raw_name(), self.raw_name_of(index));
            let proven = self.entry.said.counts_text(text, count, index == self.index + 1)?;
            Some((index, proven))
        })
    }

    /// The parameter that the documentation says counts this one.
    fn said_length(&self) -> Option<(usize, Unit, Evidence)> {
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
        // What C reads first is more than a place for a result, whatever the documentation calls it.
        let said = || self.entry.said.direction(self.raw_name(), self.parameter().direction);
        let is_so = |(direction, _): &(Direction, _)| *direction != Direction::Out || !self.is_read_first();
        attribute.or_else(|| said().filter(is_so))
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

    /// Whether it may be an array: it is declared as one, an integer may count it, or the documentation speaks of
    /// several; unless it is stated that it is one.
    pub(super) fn may_be_several(&self) -> bool {
        if self.entry.states_one(self.position()).is_some() {
            return false;
        }
        if !self.parameter().is_array && self.entry.said.is_number(self.raw_name()) {
            return false;
        }
        self.parameter().is_array
            || self.entry.said.suggests_several(self.raw_name())
            || self.possible_count().is_some()
    }

    /// The first integer that may count what this parameter points to: one by value, or one that C may read
    /// through a pointer; unless it counts something else, its documentation says that it is something else, or
    /// its type does.
    pub(super) fn possible_count(&self) -> Option<usize> {
        (0..self.candidates.len()).find(|&index| {
            index != self.index
                && (self.is_integer(index) || self.is_integer_behind(index))
                && self.candidates[index].may_count
                && !self.is_count_of_another(index)
                && !self.entry.said.is_no_count(self.raw_name_of(index))
        })
    }

    pub(super) fn is_integer(&self, index: usize) -> bool {
        self.candidates.get(index).is_some_and(|of| of.counter == Counter::Value)
    }

    /// Whether it points to an integer that C may read.
    fn is_integer_behind(&self, index: usize) -> bool {
        let Some(parameter) = self.entry.signature.parameters.get(index) else { return false };
        let is_integer = matches!(self.context.pointee(parameter.of), Some((Pointee::Scalar(scalar), false))
            if scalar.json == "integer" && !scalar.is_byte());
        let at = Site { index, ..*self };
        is_integer && parameter.array.is_none() && !matches!(at.direction(false), Some((Direction::Out, _)))
    }

    /// Whether it is proven that the integer at `index` counts another pointer.
    fn is_count_of_another(&self, index: usize) -> bool {
        let name = Value::from(self.name_of(index));
        (0..self.candidates.len()).filter(|other| *other != self.index && *other != index).any(|other| {
            let at = Site { index: other, ..*self };
            self.context.pointee(at.parameter().of).is_some()
                && at.proven_length().is_some_and(|(length, ..)| length == name)
        })
    }

    fn raw_name_of(&self, index: usize) -> &str {
        self.entry.signature.parameters.get(index).and_then(|of| of.name.as_deref()).unwrap_or_default()
    }

    /// The C type of the parameter at `index`, if it comes directly after this one and C names both.
    pub(super) fn count_beside(&self, index: usize) -> Option<String> {
        let is_named = |index: usize| self.candidates.get(index).is_some_and(|of| of.is_named);
        let parameter = self.entry.signature.parameters.get(index)?;
        (index == self.index + 1 && is_named(index) && is_named(self.index))
            .then(|| self.context.types.spelling(parameter.of))
    }

    /// Whether C cannot write what it points to.
    pub(super) fn is_constant(&self) -> bool {
        self.context.pointee(self.parameter().of).is_some_and(|(_, constant)| constant)
    }

    /// The same for a struct, of which several may also end with a special one.
    pub(super) fn may_be_several_structs(&self) -> bool {
        self.entry.states_one(self.position()).is_none()
            && (self.may_be_several() || self.is_plural() || self.is_called_several())
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

    /// Whether the name of its type suggests several: `symlist`.
    fn is_called_several(&self) -> bool {
        let spelling = self.context.types.spelling(self.parameter().of);
        let name = spelling.trim_end_matches([' ', '*']);
        let name = name.strip_suffix("_t").unwrap_or(name).to_lowercase();
        ["list", "array", "table", "vec", "vector"].iter().any(|end| name.ends_with(end))
    }

    /// Whether a function that frees may free this text: its last pointer.
    pub(super) fn is_freed_text(&self) -> bool {
        let parameters = &self.entry.signature.parameters;
        let is_pointer = |index: &usize| self.context.pointee(parameters[*index].of).is_some();
        let last = (0..parameters.len()).rev().find(is_pointer);
        last == Some(self.index) && words(&self.entry.name).iter().any(|word| FREES.contains(&word.as_str()))
    }

    /// Whether it may be a place within something else, such as another text: `before`.
    pub(super) fn is_place(&self) -> bool {
        const PLACES: [&str; 6] = ["after", "before", "cursor", "pos", "position", "where"];
        // `tptr` beside `text`.
        let is_place = |word: &String| PLACES.contains(&word.as_str()) || word.ends_with("ptr");
        words(self.raw_name()).last().is_some_and(is_place) || self.entry.said.is_place(self.raw_name())
    }

    /// Whether it may be encoded bytes, which may have no NUL: `data` of a function that decodes.
    pub(super) fn is_encoded(&self) -> bool {
        const DECODES: [&str; 8] =
            ["decode", "decompress", "decrypt", "demux", "deserialize", "inflate", "unpack", "unserialize"];
        const BYTES: [&str; 15] = [
            "bin", "binary", "blob", "body", "buf", "buffer", "bytes", "chunk", "data", "frame", "packet",
            "payload", "pdu", "raw", "stream",
        ];
        let has = |name: &str, list: &[&str]| words(name).iter().any(|word| list.contains(&word.as_str()));
        has(&self.entry.name, &DECODES) && has(self.raw_name(), &BYTES)
    }

    /// Whether it may be one end of a range, whose other end is another pointer of the same type.
    pub(super) fn is_end_of_range(&self) -> bool {
        const ENDS: [&str; 8] = ["begin", "end", "finish", "first", "last", "limit", "start", "stop"];
        let is_end =
            |index: usize| words(self.raw_name_of(index)).iter().any(|word| ENDS.contains(&word.as_str()));
        let parameters = &self.entry.signature.parameters;
        let of = |index: usize| self.context.types.spelling(parameters[index].of);
        let is_other = |index: usize| index != self.index && is_end(index) && of(index) == of(self.index);
        is_end(self.index) && (0..parameters.len()).any(is_other)
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
