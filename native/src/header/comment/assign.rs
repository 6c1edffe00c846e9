//! Which function a comment is about: the one before it, the one after it, a group of them, or none.

use std::collections::HashMap;

use super::super::files::FileId;
use super::super::lex::RawComment;
use super::super::parse::Parser;
use super::describe::Described;
use super::{clean, describe};

/// Where the function is that a comment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// A declaration with its neighbours: what comments are assigned to.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Its position among the items of the parser.
    item: usize,
    file: FileId,
    lines: (u32, u32),
}

struct Assigner<'p, 's> {
    parser: &'p Parser<'s>,
    /// For each file, how many comments name what follows them, and how many what precedes them.
    votes: HashMap<FileId, (u32, u32)>,
    /// For each item, the comment before it and the one after it.
    found: HashMap<usize, (Option<&'p RawComment<'s>>, Option<&'p RawComment<'s>>)>,
    /// Comments that carry a prototype, by the function.
    prototypes: HashMap<&'s str, &'p RawComment<'s>>,
}

/// The comments of the functions, by their position among those of the parser.
pub(in super::super) fn assign(parser: &Parser<'_>) -> HashMap<usize, Described> {
    let mut assigner =
        Assigner { parser, votes: HashMap::new(), found: HashMap::new(), prototypes: HashMap::new() };
    assigner.vote();
    for index in 0..=parser.items.len() {
        assigner.assign_gap(index);
    }
    assigner.comments()
}

impl<'p, 's> Assigner<'p, 's> {
    fn entry(&self, item: usize) -> Option<Entry> {
        let (first, last) = self.parser.items.get(item)?.tokens;
        let (first, last) = (self.parser.unit.tokens.get(first)?, self.parser.unit.tokens.get(last)?);
        Some(Entry { item, file: first.file, lines: (first.line, last.line) })
    }

    /// The comments between the item before `index` and the one at it, of the library's own files.
    fn gap(&self, index: usize) -> &'p [RawComment<'s>] {
        let parser = self.parser;
        let before = match parser.items.get(index) {
            Some(item) => item.tokens.0,
            None => parser.unit.tokens.len(),
        };
        parser.unit.comments_before(before)
    }

    /// The items around a comment, where nothing else is between.
    fn neighbours(&self, comment: &RawComment<'s>, index: usize) -> (Option<Entry>, Option<Entry>) {
        let near = |entry: &Entry| entry.file == comment.file;
        let macro_between = |from: u32, to: u32| {
            let macros = &self.parser.unit.macros;
            let start = macros.partition_point(|found| found.before < comment.before);
            let here = macros.iter().skip(start).take_while(|found| found.before == comment.before);
            here.into_iter().any(|found| found.file == comment.file && found.line > from && found.line < to)
        };
        let before = index.checked_sub(1).and_then(|item| self.entry(item)).filter(near);
        let after = self.entry(index).filter(near);
        (
            before.filter(|entry| {
                entry.lines.1 <= comment.lines.0 && !macro_between(entry.lines.1, comment.lines.0)
            }),
            after.filter(|entry| {
                entry.lines.0 >= comment.lines.1 && !macro_between(comment.lines.1, entry.lines.0)
            }),
        )
    }

    fn names(&self, comment: &RawComment<'_>, entry: Option<Entry>) -> bool {
        let Some(item) = entry.and_then(|entry| self.parser.items.get(entry.item)) else { return false };
        let functions = self.parser.functions.get(item.functions.clone()).unwrap_or_default();
        functions.iter().any(|function| mentions(comment.text, function.name))
    }

    fn is_description(&self, comment: &RawComment<'_>, after: Option<Entry>) -> bool {
        let apart = after.is_none_or(|entry| comment.lines.1 + 1 < entry.lines.0);
        self.parser.own.has(comment.file)
            && !clean::is_licence(comment.text)
            && !clean::is_about_source(comment.text)
            && (clean::is_documentation(comment.text) && comment.text.contains('.')
                || clean::points_back(comment.text)
                || !clean::is_heading(comment.text, apart))
    }

    /// Learns the habit of each file.
    fn vote(&mut self) {
        for index in 0..=self.parser.items.len() {
            for comment in self.gap(index) {
                let (before, after) = self.neighbours(comment, index);
                let votes = self.votes.entry(comment.file).or_default();
                let named =
                    (mentions_any(self.parser, comment, before), mentions_any(self.parser, comment, after));
                match named {
                    (false, true) => votes.0 += 1,
                    (true, false) => votes.1 += 1,
                    _ => {}
                }
            }
        }
    }

    fn assign_gap(&mut self, index: usize) {
        for comment in self.gap(index) {
            let (before, after) = self.neighbours(comment, index);
            let named = describe::prototype(comment.text).and_then(|name| self.called(name));
            if let Some(function) = named {
                self.prototypes.entry(function).or_insert(comment);
                continue;
            }
            let trailing = before.is_some_and(|entry| entry.lines.1 == comment.lines.0);
            if !trailing && !self.is_description(comment, after) {
                continue;
            }
            match self.side(comment, before, after) {
                Some(Side::Before) => {
                    let found = after.map(|entry| self.found.entry(entry.item).or_default());
                    // The last one wins, unless the earlier one is for documentation.
                    found.into_iter().for_each(|found| match found.0 {
                        Some(earlier)
                            if clean::is_documentation(earlier.text)
                                && !clean::is_documentation(comment.text) => {}
                        _ => found.0 = Some(comment),
                    });
                }
                Some(Side::After) => {
                    let found = before.map(|entry| self.found.entry(entry.item).or_default());
                    found.into_iter().for_each(|found| found.1 = found.1.or(Some(comment)));
                }
                None => {}
            }
        }
    }

    fn side(&self, comment: &RawComment<'s>, before: Option<Entry>, after: Option<Entry>) -> Option<Side> {
        if clean::points_back(comment.text) || before.is_some_and(|entry| entry.lines.1 == comment.lines.0) {
            return Some(Side::After);
        }
        if clean::is_documentation(comment.text) {
            return Some(Side::Before);
        }
        match (self.names(comment, before), self.names(comment, after)) {
            (true, false) => return Some(Side::After),
            (false, true) => return Some(Side::Before),
            _ => {}
        }
        let (votes_before, votes_after) = self.votes.get(&comment.file).copied().unwrap_or_default();
        if votes_after > votes_before {
            return before.filter(|entry| comment.lines.0 <= entry.lines.1 + 2).map(|_| Side::After);
        }
        after.filter(|entry| comment.lines.1 + 1 >= entry.lines.0).map(|_| Side::Before)
    }

    /// The function that is called by `name`: itself, or the one that a macro of this name calls.
    fn called(&self, name: &str) -> Option<&'s str> {
        let functions = &self.parser.functions;
        if let Some(function) = functions.iter().find(|function| function.name == name) {
            return Some(function.name);
        }
        let found = self.parser.unit.macros.iter().find(|found| found.name == name)?;
        let called = found.body.first()?.text;
        functions.iter().find(|function| function.name == called).map(|function| function.name)
    }

    fn comments(&self) -> HashMap<usize, Described> {
        let mut chosen: HashMap<usize, &'p RawComment<'s>> = HashMap::new();
        for item in 0..self.parser.items.len() {
            let Some((before, after)) = self.found.get(&item).copied() else { continue };
            let entry = self.entry(item);
            let (votes_before, votes_after) =
                entry.and_then(|entry| self.votes.get(&entry.file)).copied().unwrap_or_default();
            let comment = match (before, after) {
                (Some(before), Some(after)) => {
                    let names = |comment: &RawComment<'_>| self.names(comment, entry);
                    let behind = clean::points_back(after.text)
                        || (names(after) && !names(before) && !clean::is_documentation(before.text))
                        || (names(after) == names(before) && votes_after > votes_before);
                    Some(if behind { after } else { before })
                }
                (before, after) => before.or(after),
            };
            comment.into_iter().for_each(|comment| _ = chosen.insert(item, comment));
        }
        let mut shared = chosen.clone();
        for (&item, &comment) in &chosen {
            self.share(item, comment, &chosen, &mut shared);
        }
        self.described(&shared)
    }

    /// Gives the comment of `item` to the declarations that it stands for too.
    fn share(
        &self,
        item: usize,
        comment: &'p RawComment<'s>,
        chosen: &HashMap<usize, &'p RawComment<'s>>,
        shared: &mut HashMap<usize, &'p RawComment<'s>>,
    ) {
        let Some(mut last) = self.entry(item) else { return };
        let forward = comment.lines.0 < last.lines.0;
        let names_one = self.names(comment, Some(last));
        let group = comment.text.contains("CAPI3REF");
        loop {
            let next = if forward { Some(last.item + 1) } else { last.item.checked_sub(1) };
            let Some(next) = next.and_then(|next| self.entry(next)) else { return };
            let between = self.gap(if forward { next.item } else { last.item });
            let commented = chosen.contains_key(&next.item) || (forward && !between.is_empty());
            if commented || next.file != last.file {
                return;
            }
            let same_line = next.lines.0 == last.lines.1;
            let adjoins = next.lines.0 <= last.lines.1 + 1 && last.lines.0 <= next.lines.1 + 1;
            let unnamed = forward && !names_one && adjoins && !clean::is_documentation(comment.text);
            if !(same_line || group && forward || self.names(comment, Some(next)) || unnamed) {
                return;
            }
            shared.entry(next.item).or_insert(comment);
            last = next;
        }
    }

    fn described(&self, shared: &HashMap<usize, &'p RawComment<'s>>) -> HashMap<usize, Described> {
        let mut of_function: HashMap<usize, &'p RawComment<'s>> = HashMap::new();
        for (item, comment) in shared {
            let functions = self.parser.items.get(*item).map_or(0..0, |item| item.functions.clone());
            functions.for_each(|function| _ = of_function.insert(function, comment));
        }
        for (index, function) in self.parser.functions.iter().enumerate() {
            if let Some(comment) = self.prototypes.get(function.name) {
                of_function.insert(index, comment);
            }
        }
        let mut sharing: HashMap<*const u8, Vec<usize>> = HashMap::new();
        for (function, comment) in &of_function {
            sharing.entry(comment.text.as_ptr()).or_default().push(*function);
        }
        let mut comments = HashMap::new();
        for (function, raw) in of_function {
            let functions = sharing.get(&raw.text.as_ptr()).map_or(&[][..], Vec::as_slice);
            // `__cos` is there for the C library itself, and is not another function for people.
            let reserved = |index: &&usize| {
                self.parser.functions.get(**index).is_some_and(|function| function.name.starts_with("__"))
            };
            let public = functions.iter().filter(|index| !reserved(index)).count();
            let shared_by = if public == 0 { functions.len() } else { public };
            if let Some(declared) = self.parser.functions.get(function)
                && let Some(comment) = describe::comment(raw.text, declared, shared_by)
            {
                comments.insert(function, comment);
            }
        }
        comments
    }
}

fn mentions_any(parser: &Parser<'_>, comment: &RawComment<'_>, entry: Option<Entry>) -> bool {
    let Some(item) = entry.and_then(|entry| parser.items.get(entry.item)) else { return false };
    let functions = parser.functions.get(item.functions.clone()).unwrap_or_default();
    functions.iter().any(|function| mentions(comment.text, function.name))
}

/// Whether `name` stands in `text` as a word.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(word) && !after.is_some_and(word)
    })
}
