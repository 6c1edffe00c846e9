//! Finds the function that a comment describes: the one before it, or the one after it.
//!
//! Most headers describe a function above its declaration, some below. The names in a comment decide, and the
//! usual side in that file.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::super::files::FileId;
use super::super::lex::RawComment;
use super::super::parse::{Declared, Parser};
use super::describe::Described;
use super::{clean, title};

/// The side of the function that a comment describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

/// A declaration that a comment can be next to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Its position among the items of the parser.
    pub(super) item: usize,
    pub(super) file: FileId,
    pub(super) lines: (u32, u32),
}

/// The comments above and below a declaration.
#[derive(Clone, Copy, Debug, Default)]
struct Beside<'p, 's> {
    above: Option<&'p RawComment<'s>>,
    below: Option<&'p RawComment<'s>>,
}

/// How many comments of a file name the declaration after them, and how many the one before them.
#[derive(Clone, Copy, Debug, Default)]
struct Habit {
    above: u32,
    below: u32,
}

impl Habit {
    fn is(self, side: Side) -> bool {
        let (of, other) = match side {
            Side::Above => (self.above, self.below),
            Side::Below => (self.below, self.above),
        };
        of > 3 && of > 3 * other
    }
}

pub(super) struct Assigner<'p, 's> {
    pub(super) parser: &'p Parser<'s>,
    habits: HashMap<FileId, Habit>,
    /// By the position of the item.
    found: HashMap<usize, Beside<'p, 's>>,
    /// Comments that begin with the name or the prototype of a function, by function name.
    pub(super) named: HashMap<&'s str, &'p RawComment<'s>>,
}

/// The comments of the functions, by function index in the parser.
pub(in super::super) fn assign(parser: &Parser<'_>) -> HashMap<usize, Described> {
    let mut assigner =
        Assigner { parser, habits: HashMap::new(), found: HashMap::new(), named: HashMap::new() };
    let gaps = 0..=parser.items.len();
    gaps.clone().for_each(|index| assigner.learn(index));
    gaps.for_each(|index| assigner.assign_gap(index));
    let chosen = (0..parser.items.len()).filter_map(|item| Some((item, assigner.choose(item)?))).collect();
    assigner.describe(&assigner.shared(&chosen))
}

impl<'p, 's> Assigner<'p, 's> {
    pub(super) fn entry(&self, item: usize) -> Option<Entry> {
        let (first, last) = self.parser.items.get(item)?.tokens;
        let (first, last) = (self.parser.unit.tokens.get(first)?, self.parser.unit.tokens.get(last)?);
        Some(Entry { item, file: first.file, lines: (first.line, last.line) })
    }

    pub(super) fn functions(&self, entry: Option<Entry>) -> &'p [Declared<'s>] {
        let parser = self.parser;
        let item = entry.and_then(|entry| parser.items.get(entry.item));
        item.and_then(|item| parser.functions.get(item.functions.clone())).unwrap_or_default()
    }

    /// The comments between the item before `index` and the item at `index`.
    pub(super) fn gap(&self, index: usize) -> &'p [RawComment<'s>] {
        let parser = self.parser;
        let before = parser.items.get(index).map_or(parser.unit.tokens.len(), |item| item.tokens.0);
        parser.unit.comments_before(before)
    }

    /// The declarations before and after a comment, if no macro is in between and no other comment is closer.
    fn neighbours(&self, comment: &RawComment<'s>, index: usize) -> (Option<Entry>, Option<Entry>) {
        let macro_between = |from: u32, to: u32| {
            let macros = &self.parser.unit.macros;
            let start = macros.partition_point(|found| found.before < comment.before);
            let mut here = macros.iter().skip(start).take_while(|found| found.before == comment.before);
            here.any(|found| found.file == comment.file && found.line > from && found.line < to)
        };
        let near = |entry: &Entry| entry.file == comment.file;
        let before = index.checked_sub(1).and_then(|item| self.entry(item)).filter(near);
        let after = self.entry(index).filter(near);
        let (first, last) = comment.lines;
        let above_macro = macro_between(last, last + 2);
        // A comment between a function and a macro is about the macro, unless it names the function.
        let nearer = |entry: &Entry| {
            let is_below = first <= entry.lines.1 + 1 && self.names(comment, Some(*entry));
            first <= entry.lines.1 || is_below || !above_macro
        };
        (
            before
                .filter(|entry| entry.lines.1 <= first && !macro_between(entry.lines.1, first))
                .filter(nearer),
            after.filter(|entry| entry.lines.0 >= last && !macro_between(last, entry.lines.0)),
        )
    }

    pub(super) fn names(&self, comment: &RawComment<'_>, entry: Option<Entry>) -> bool {
        self.functions(entry).iter().any(|function| mentions(comment.text, function.name))
    }

    /// How many parameters of a declaration a comment mentions.
    pub(super) fn told(&self, comment: &RawComment<'_>, entry: Option<Entry>) -> usize {
        let signatures = self.functions(entry).iter().filter_map(|function| function.signature.as_ref().ok());
        let parameters = signatures.flat_map(|signature| &signature.parameters);
        // The comments of the C library write them in capitals: NUMER for `__numer`. A single letter may be a
        // word, or what an apostrophe leaves of one.
        let tells = |name: &&str| {
            let bare = name.trim_start_matches('_');
            let english = matches!(bare, "a" | "i" | "s" | "t" | "d" | "m");
            !english && mentions(comment.text, bare) || mentions(comment.text, &bare.to_uppercase())
        };
        parameters.filter_map(|parameter| parameter.name.as_deref()).filter(tells).count()
    }

    /// Learns the usual side in a file: from what its comments adjoin, or else from what they name.
    fn learn(&mut self, index: usize) {
        for comment in self.gap(index) {
            let (before, after) = self.neighbours(comment, index);
            let functions = !self.functions(before).is_empty() || !self.functions(after).is_empty();
            let side = layout(comment, before, after).or_else(|| self.named_side(comment, before, after));
            let habit = self.habits.entry(comment.file).or_default();
            match side.filter(|_| functions) {
                Some(Side::Above) => habit.above += 1,
                Some(Side::Below) => habit.below += 1,
                None => {}
            }
        }
    }

    fn named_side(
        &self,
        comment: &RawComment<'s>,
        before: Option<Entry>,
        after: Option<Entry>,
    ) -> Option<Side> {
        match (self.names(comment, before), self.names(comment, after)) {
            (true, false) => Some(Side::Below),
            (false, true) => Some(Side::Above),
            _ => None,
        }
    }

    fn assign_gap(&mut self, index: usize) {
        let comments = self.gap(index);
        for (position, comment) in comments.iter().enumerate() {
            if !self.parser.own.has(comment.file) || clean::is_licence(comment.text) {
                continue;
            }
            // `cairo_path_t: …` describes the type, whatever follows.
            if clean::first_word(comment.text).is_some_and(|word| self.parser.is_type(&word)) {
                continue;
            }
            let mut named = title::named(comment.text);
            named.extend(title::prototype(comment.text));
            let named: Vec<&'s str> = named.into_iter().filter_map(|name| self.called(name)).collect();
            if !named.is_empty() {
                named.into_iter().for_each(|name| _ = self.named.entry(name).or_insert(comment));
                continue;
            }
            let (before, after) = self.neighbours(comment, index);
            // Consecutive comments without an empty line adjoin the same declaration.
            let rest = comments.get(position + 1..).unwrap_or_default();
            let end = rest
                .iter()
                .fold(comment.lines.1, |end, next| if next.lines.0 <= end + 1 { next.lines.1 } else { end });
            let adjoins = after.is_some_and(|entry| end + 1 >= entry.lines.0);
            let apart = !adjoins && !is_trailing(comment, before);
            if clean::is_about_source(comment.text) || clean::is_heading(comment.text, apart) {
                continue;
            }
            match self.side(comment, before, after, adjoins) {
                Some(Side::Above) => {
                    let earlier =
                        after.and_then(|entry| self.found.get(&entry.item)).and_then(|found| found.above);
                    let worse = earlier.is_some_and(|earlier| {
                        let worth = |comment: &RawComment<'_>| {
                            (clean::is_documentation(comment.text), self.told(comment, after))
                        };
                        worth(comment) < worth(earlier)
                    });
                    if let Some(entry) = after.filter(|_| !worse) {
                        self.found.entry(entry.item).or_default().above = Some(comment);
                    }
                }
                Some(Side::Below) => {
                    let found = before.map(|entry| self.found.entry(entry.item).or_default());
                    found.into_iter().for_each(|found| found.below = found.below.or(Some(comment)));
                }
                None => {}
            }
        }
    }

    /// The side of the comment, as seen from the declaration that it describes.
    fn side(
        &self,
        comment: &RawComment<'s>,
        before: Option<Entry>,
        after: Option<Entry>,
        above: bool,
    ) -> Option<Side> {
        if clean::points_back(comment.text) || is_trailing(comment, before) {
            return Some(Side::Below);
        }
        if clean::is_documentation(comment.text) {
            return Some(Side::Above);
        }
        let below = before.is_some_and(|entry| comment.lines.0 <= entry.lines.1 + 2);
        let habit = self.habits.get(&comment.file).copied().unwrap_or_default();
        let named = self.named_side(comment, before, after);
        // Descriptions mention other functions too, so a name weighs less than the position of the comment,
        // unless the whole file does it differently.
        match layout(comment, before, after) {
            // Where comments are above, what follows a declaration closely may belong to the next one all the same.
            Some(Side::Below) if habit.is(Side::Above) && named != Some(Side::Below) => {}
            Some(side) if !(named.is_some_and(|named| named != side && habit.is(named))) => {
                return Some(side);
            }
            _ => {}
        }
        if above && habit.is(Side::Above) {
            return Some(Side::Above);
        }
        if below && habit.is(Side::Below) {
            return Some(Side::Below);
        }
        if named.is_some() {
            return named;
        }
        match self.told(comment, before).cmp(&self.told(comment, after)) {
            Ordering::Greater if below => Some(Side::Below),
            Ordering::Less if above => Some(Side::Above),
            _ if habit.below > habit.above => below.then_some(Side::Below),
            _ => above.then_some(Side::Above),
        }
    }

    /// The function that `name` calls: itself, or the one that a macro of this name expands to.
    fn called(&self, name: &str) -> Option<&'s str> {
        let functions = &self.parser.functions;
        if let Some(function) = functions.iter().find(|function| function.name == name) {
            return Some(function.name);
        }
        let found = self.parser.unit.macros.iter().find(|found| found.name == name)?;
        let called = found.body.first()?.text;
        functions.iter().find(|function| function.name == called).map(|function| function.name)
    }

    fn choose(&self, item: usize) -> Option<&'p RawComment<'s>> {
        let beside = self.found.get(&item)?;
        let (Some(above), Some(below)) = (beside.above, beside.below) else {
            return beside.above.or(beside.below);
        };
        let entry = self.entry(item);
        let habit = entry.and_then(|entry| self.habits.get(&entry.file)).copied().unwrap_or_default();
        let (names_above, names_below) = (self.names(above, entry), self.names(below, entry));
        // A documentation comment always describes what follows it.
        let chosen_below = clean::points_back(below.text)
            || !clean::is_documentation(above.text)
                && (names_below && !names_above || names_below == names_above && habit.below > habit.above);
        Some(if chosen_below { below } else { above })
    }
}

/// The side by the empty lines around a comment: only one side has one.
fn layout(comment: &RawComment<'_>, before: Option<Entry>, after: Option<Entry>) -> Option<Side> {
    let below = before.is_some_and(|entry| comment.lines.0 <= entry.lines.1 + 1);
    let above = after.is_some_and(|entry| comment.lines.1 + 1 >= entry.lines.0);
    match (above, below) {
        (true, false) => Some(Side::Above),
        (false, true) => Some(Side::Below),
        _ => None,
    }
}

/// Whether the comment begins where the declaration ends.
fn is_trailing(comment: &RawComment<'_>, before: Option<Entry>) -> bool {
    before.is_some_and(|entry| entry.lines.1 == comment.lines.0)
}

/// Whether `text` contains `name` as a word.
fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(word) && !after.is_some_and(word)
        })
}
