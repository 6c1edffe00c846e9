//! Lengths that the machine code proves: whatever the arguments are, it accesses no more elements behind a pointer than a
//! number, or the product of two numbers, says.

use serde_json::{Value, json};

use super::context::Pointee;
use super::evidence::Evidence;
use super::lengths::Length;
use super::names::words;
use super::seen::place;
use super::site::Site;
use crate::{Type, TypeId};

impl Site<'_, '_> {
    /// The proven length of what C only reads: the value of `x-length`.
    pub(super) fn proven_extent(&self) -> Option<(Value, Evidence)> {
        let (factors, least) = self.extent()?;
        let names: Vec<&str> = factors.iter().map(|index| self.name_of(*index)).collect();
        let says = |text: &str| self.context.seen.says(text);
        match names.as_slice() {
            // A length is no argument of its own, of which a limit could be stated.
            [only] if least.is_empty() => {
                Some(((*only).into(), says(&format!("it accesses no more than `{only}` elements of it"))))
            }
            [first, second] => {
                let text = format!(
                    "it accesses no more elements of it than the product of `{first}` and `{second}`"
                );
                Some((json!(names), says(&text)))
            }
            _ => None,
        }
    }

    /// What proves that an integer has to be 1 at least: it is a factor of the length of an array of which C accesses an element
    /// even if it is 0.
    pub(super) fn is_positive_factor(&self) -> Option<Evidence> {
        if !self.is_count(self.index) {
            return None;
        }
        let arrays = (0..self.candidates.len()).filter(|index| *index != self.index);
        let needs = |index: usize| {
            let at = Site { index, ..*self };
            let (_, least) = at.extent()?;
            at.proven_extent().filter(|_| least.contains(&self.index))?;
            let text = format!("it accesses an element of `{}` even if this is 0", at.name());
            Some(self.context.seen.says(&text))
        };
        arrays.into_iter().find_map(needs)
    }

    /// The factors of the length that names and positions suggest, if the code proves it, and those of them that have to
    /// be 1 at least.
    fn extent(&self) -> Option<(Vec<usize>, Vec<usize>)> {
        let types = self.context.types;
        let is_pointer = |id: TypeId| matches!(types.resolve(id), Type::Pointer { .. } | Type::Record(_));
        if !self.is_constant() || is_pointer(self.entry.signature.returns) {
            return None;
        }
        let factors = match self.length() {
            Length::Product(first, second) => vec![first, second],
            // A text may end before.
            _ if self.may_be_text() || is_about_text(&self.entry.name) => return None,
            Length::Certain(count) | Length::Likely(count) => vec![count],
            Length::Unknown => {
                let mut counts = (0..self.candidates.len()).filter(|index| self.is_count(*index));
                vec![counts.next().filter(|_| counts.next().is_none())?]
            }
        };
        if !factors.iter().all(|index| self.is_count(*index)) {
            return None;
        }
        let places: Vec<usize> =
            factors.iter().map(|index| place(self.entry, types, *index)).collect::<Option<_>>()?;
        let own = place(self.entry, types, self.index)?;
        let least = self.context.seen.fits(&self.entry.symbol, own, self.pointee_size()?, &places)?;
        let least = factors.iter().zip(&places).filter(|(_, place)| least & (1 << **place) != 0);
        Some((factors.clone(), least.map(|(index, _)| *index).collect()))
    }

    fn may_be_text(&self) -> bool {
        match self.context.pointee(self.parameter().of) {
            Some((Pointee::Scalar(scalar), _)) => {
                scalar.is_byte() && self.context.text_says(self.entry, self.parameter().of, scalar).is_some()
            }
            _ => false,
        }
    }

    /// Whether it is an integer that fills a register, and is never less than 0.
    fn is_count(&self, index: usize) -> bool {
        let Some(parameter) = self.entry.signature.parameters.get(index) else { return false };
        let of = self.context.types.resolve(parameter.of);
        matches!(of, Type::Integer(integer) if integer.size == 8 && !integer.signed)
    }
}

/// Whether a name speaks of texts, which may have wide characters: `u16_strncmp`.
fn is_about_text(function: &str) -> bool {
    words(function).iter().any(|word| word.starts_with("str"))
}
