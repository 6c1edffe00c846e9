//! One comment for several declarations.

use std::collections::{HashMap, HashSet};

use super::super::files::FileId;
use super::super::lex::RawComment;
use super::assign::Assigner;
use super::describe::Described;
use super::{clean, describe};
use crate::Place;

/// A line above this many functions that names none of them is the heading of a section.
const SECTION: usize = 6;

/// A file with fewer functions shows no habit.
const MANY: usize = 8;

/// Comments by the index of the item that they describe.
pub(super) type Comments<'p, 's> = HashMap<usize, &'p RawComment<'s>>;

impl<'p, 's> Assigner<'p, 's> {
    /// The comments of items, including items that share the comment of another.
    pub(super) fn shared(&self, chosen: &Comments<'p, 's>) -> Comments<'p, 's> {
        let mut shared = chosen.clone();
        for (&item, &comment) in chosen {
            let group = self.group(item, comment, chosen);
            if self.is_heading(comment, &group) {
                shared.remove(&item);
            } else {
                group.into_iter().for_each(|item| _ = shared.entry(item).or_insert(comment));
            }
        }
        shared
    }

    /// The items that the comment of `item` describes, including `item`.
    fn group(&self, item: usize, comment: &RawComment<'s>, chosen: &Comments<'p, 's>) -> Vec<usize> {
        let mut group = vec![item];
        let Some(mut last) = self.entry(item) else { return group };
        let forward = comment.lines.0 < last.lines.0;
        let names_one = self.names(comment, Some(last));
        // A description of a type does not describe the functions below it.
        let is_function = self.parser.items.get(item).is_some_and(|item| !item.functions.is_empty());
        // A section of SQLite's header describes everything after it.
        let section = comment.text.contains("CAPI3REF");
        let spreads = forward && is_function && !names_one && !clean::is_documentation(comment.text);
        let tells_one = self.told(comment, Some(last)) > 0;
        loop {
            let next = if forward { Some(last.item + 1) } else { last.item.checked_sub(1) };
            let Some(next) = next.and_then(|next| self.entry(next)) else { return group };
            let commented = chosen.contains_key(&next.item) || (forward && !self.gap(next.item).is_empty());
            if commented || next.file != last.file {
                return group;
            }
            let same_line = next.lines.0 == last.lines.1;
            let adjoins = next.lines.0 <= last.lines.1 + 1 && last.lines.0 <= next.lines.1 + 1;
            // The comment of a type, or a documentation comment, mentions functions that have their own.
            let is_of_functions = is_function && !clean::is_documentation(comment.text);
            let named = is_of_functions && self.names(comment, Some(next));
            // If it names parameters of one function, it describes another only if that has them too.
            let fits = !tells_one || self.told(comment, Some(next)) > 0;
            if !(same_line || section && forward || named || spreads && adjoins && fits) {
                return group;
            }
            group.push(next.item);
            last = next;
        }
    }

    fn is_heading(&self, comment: &RawComment<'s>, group: &[usize]) -> bool {
        let functions = group.iter().filter_map(|item| self.parser.items.get(*item));
        let functions =
            functions.flat_map(|item| self.parser.functions.get(item.functions.clone())).flatten();
        let public = functions.filter(|function| !function.name.starts_with("__")).count();
        let named = group.iter().any(|item| self.names(comment, self.entry(*item)));
        public > SECTION && !named && comment.lines.0 == comment.lines.1
    }

    /// Whether a few words above several functions may be the heading of a section: they name neither the function
    /// nor, in a sentence, its parameters, and no comment is between it and the next functions. In a file that leaves
    /// most functions without a comment, that is so for documentation comments too, and one more function is enough.
    ///
    /// Such a comment stays with the function as one that it shares with others: what it says gives rise to doubt, but
    /// describes and proves nothing.
    fn is_section(&self, comment: &RawComment<'s>, item: usize, sparse: &HashSet<FileId>) -> bool {
        let Some(entry) = self.entry(item) else { return false };
        let is_sparse = sparse.contains(&entry.file);
        let is_above = comment.lines.0 < entry.lines.0;
        let tells = clean::is_sentence(comment.text) && self.told(comment, Some(entry)) > 0;
        if !is_above
            || tells
            || self.names(comment, Some(entry))
            || clean::is_documentation(comment.text) && !is_sparse
        {
            return false;
        }
        let mut followers = 0;
        for next in item + 1.. {
            let Some(of) = self.entry(next).filter(|of| of.file == entry.file) else { break };
            if !self.gap(next).is_empty() {
                break;
            }
            // A macro of the C library declares several on one line.
            let is_public = self.functions(Some(of)).iter().any(|function| !function.name.starts_with("__"));
            followers += usize::from(is_public && of.lines.0 > entry.lines.1);
        }
        followers >= if is_sparse { 1 } else { 2 } && clean::is_short_title(comment.text)
    }

    /// The files with many functions, and comments above fewer than a third of them.
    fn sparse(&self, chosen: &Comments<'p, 's>) -> HashSet<FileId> {
        let mut counts: HashMap<FileId, (usize, usize)> = HashMap::new();
        for item in 0..self.parser.items.len() {
            if let Some(entry) = self.entry(item).filter(|entry| !self.functions(Some(*entry)).is_empty()) {
                let count = counts.entry(entry.file).or_default();
                count.0 += 1;
                count.1 += usize::from(chosen.contains_key(&item));
            }
        }
        counts
            .into_iter()
            .filter(|(_, (all, some))| *all > MANY && some * 3 < *all)
            .map(|(file, _)| file)
            .collect()
    }

    /// The descriptions of functions, from the comments of their items.
    pub(super) fn describe(&self, of_items: &Comments<'p, 's>) -> HashMap<usize, Described> {
        let sparse = self.sparse(of_items);
        let sections: HashSet<*const u8> = of_items
            .iter()
            .filter(|(item, comment)| self.is_section(comment, **item, &sparse))
            .map(|(_, comment)| comment.text.as_ptr())
            .collect();
        let mut of_functions: Comments<'p, 's> = HashMap::new();
        for (item, comment) in of_items {
            let functions = self.parser.items.get(*item).map_or(0..0, |item| item.functions.clone());
            functions.for_each(|function| _ = of_functions.insert(function, comment));
        }
        for (index, function) in self.parser.functions.iter().enumerate() {
            if let Some(comment) = self.named.get(function.name) {
                of_functions.insert(index, comment);
            }
        }
        // `__cos` is internal to the C library, and does not count as another function. A function that is
        // declared twice counts once.
        let mut sharing: HashMap<*const u8, Vec<&str>> = HashMap::new();
        for (function, comment) in &of_functions {
            let name = self.parser.functions.get(*function).map_or("", |function| function.name);
            let names = sharing.entry(comment.text.as_ptr()).or_default();
            if !name.starts_with("__") && !names.contains(&name) {
                names.push(name);
            }
        }
        let mut texts = describe::Texts::new();
        let described = of_functions.into_iter().filter_map(|(function, raw)| {
            let least = if sections.contains(&raw.text.as_ptr()) { 2 } else { 1 };
            let shared_by = sharing.get(&raw.text.as_ptr()).map_or(1, Vec::len).max(least);
            let of = self.parser.functions.get(function)?;
            let mut described = describe::comment(raw.text, of, shared_by, &mut texts)?;
            let file = self.parser.unit.files.name(raw.file).to_owned();
            described.comment.place = Some(Place { file, line: u64::from(raw.lines.0) });
            Some((function, described))
        });
        described.collect()
    }
}
