//! Manual pages of section 3, for functions that a header does not document: the names of parameters from the
//! synopsis, and the sentences of the description and of the return value.
//!
//! A page counts only if its synopsis includes one of the headers: another library may have a function of the
//! same name.

mod convention;
mod pages;
mod placeholder;
mod synopsis;
mod troff;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use super::comment::description;
use crate::{AttributeSource, Comment, Function, Interface, Place, Types};
use pages::{Page, Pages};
use troff::{ITEM, PARAMETERS, Section};

/// Adds what manual pages say to the functions that no comment describes, or whose parameters have no names.
pub(super) fn apply(interface: &mut Interface, headers: &[PathBuf]) {
    let lacks = |function: &Function| function.lacks_names() || !is_described(function);
    let wanted: Vec<String> =
        interface.functions.iter().filter(|of| lacks(of)).map(|of| of.name.clone()).collect();
    let mut briefs: HashMap<String, usize> = HashMap::new();
    // A page may name the header that declares its functions, which another includes.
    let places = interface.functions.iter().filter_map(|of| of.place.as_ref());
    let files: BTreeSet<PathBuf> = places.map(|place| PathBuf::from(&place.file)).collect();
    let headers: Vec<PathBuf> = headers.iter().cloned().chain(files).collect();
    let pages =
        Pages::read(interface, &headers, |name| wanted.binary_search_by(|of| of.as_str().cmp(name)).is_ok());
    pages.all().for_each(|page| *briefs.entry(named(page).1).or_default() += 1);
    // What several pages say of their function alike says nothing about one: "API function".
    let is_own = |brief: &str| briefs.get(brief).is_none_or(|count| *count < SEVERAL);
    for function in interface.functions.iter_mut().filter(|of| lacks(of)) {
        if let Some(page) = pages.of(&function.name) {
            name_parameters(function, page, &interface.types);
            if !is_described(function) {
                describe(function, page, &is_own);
            }
        }
    }
    convention::apply(interface, &pages);
}

/// So many pages do not describe the same.
const SEVERAL: usize = 3;

/// The functions that a page has in its title, and what it says of them there.
fn named(page: &Page) -> (Vec<String>, String) {
    let names = page.joined("NAME");
    let (listed, brief) = names.split_once(" - ").unwrap_or((&names, ""));
    let listed = listed.split([',', ' ']).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    (listed, brief.trim().trim_end_matches('.').to_owned())
}

fn is_described(function: &Function) -> bool {
    function.comment.as_ref().is_some_and(|comment| !description(comment, &function.name).is_empty())
}

/// Gives parameters without a name the names that they have in the synopsis.
fn name_parameters(function: &mut Function, page: &Page, types: &Types) {
    let synopsis = page.joined("SYNOPSIS");
    let Some((names, prototype)) = synopsis::names(function, &synopsis, types) else { return };
    let lines = page.section("SYNOPSIS").map(|section| section.lines.as_slice()).unwrap_or_default();
    let line = lines.iter().find(|(line, _)| line.contains(&function.name)).map_or(1, |(_, number)| *number);
    let place = Place { file: page.file.clone(), line };
    function.name_parameters(&names, AttributeSource::Documentation, &place, |_| prototype.to_owned());
}

/// Adds what a page says about the function: all of it if the page is about this function alone, else the item or
/// the paragraphs about it.
fn describe(function: &mut Function, page: &Page, is_own: &dyn Fn(&str) -> bool) {
    let (listed, brief) = named(page);
    let synopsis = page.joined("SYNOPSIS");
    let declared = synopsis::functions(&synopsis);
    let is_sole = matches!(listed.as_slice(), [only] if *only == function.name) && declared.len() == 1;
    let Some(all) = page.section("DESCRIPTION") else { return };
    let mut lines: Vec<(String, u64)> = Vec::new();
    let mut shared_by = 1;
    if is_sole {
        let number = page.section("NAME").and_then(|of| of.lines.last()).map_or(1, |(_, number)| *number);
        if !brief.is_empty() && is_own(&brief) {
            lines.push((format!("{brief}."), number));
            lines.push((String::new(), number + 1));
        }
        lines.extend(all.lines.iter().map(|(line, number)| (line.replace(ITEM, ""), *number)));
    } else if let Some(own) = item(all, &function.name).or_else(|| paragraphs(all, &function.name, &declared))
    {
        lines.extend(own);
    } else if let Some(own) = of_placeholder(page, all, &function.name, &synopsis) {
        lines.extend(own);
    } else if ["These", "Both"].iter().any(|word| all.joined().starts_with(word)) {
        // What follows is about one of them after the other.
        shared_by = declared.len().max(2);
        let first = all.lines.iter().skip_while(|(line, _)| line.trim().is_empty());
        lines.extend(first.take_while(|(line, _)| !line.trim().is_empty()).cloned());
    }
    let prose: Vec<&str> = lines.iter().map(|(line, _)| line.as_str()).collect();
    let mut comment = Comment { text: prose.join("\n"), shared_by, ..Comment::default() };
    let returned = ["RETURN VALUE", "RETURN VALUES", "RETURNS"].iter().find_map(|title| page.section(title));
    if let Some(returned) = returned.filter(|_| is_sole) {
        let mut begins = true;
        for (line, number) in &returned.lines {
            let is_empty = line.trim().is_empty();
            let line = if begins && !is_empty { format!("@return {line}") } else { line.clone() };
            begins = is_empty;
            lines.push((line, *number));
        }
        comment.returns = Some(returned.joined()).filter(|text| !text.is_empty());
    }
    if is_sole {
        let listed = PARAMETERS.iter().filter_map(|title| page.section(title));
        lines.extend(listed.flat_map(|section| section.lines.iter().cloned()));
    }
    lines.sort_by_key(|(_, number)| *number);
    let first = lines.first().map_or(1, |(_, number)| *number);
    for (line, number) in lines {
        let at = usize::try_from(number - first).unwrap_or(0);
        if comment.lines.len() < at {
            comment.lines.resize(at, String::new());
        }
        comment.lines.push(line);
    }
    comment.place = Some(Place { file: page.file.clone(), line: first });
    if comment.text.chars().any(char::is_alphabetic) {
        function.comment = Some(comment);
    }
}

/// What a page about functions of many types says of one of them.
fn of_placeholder(page: &Page, all: &Section, name: &str, synopsis: &str) -> Option<Vec<(String, u64)>> {
    let word = placeholder::word(page)?;
    let (stands_for, of) = placeholder::stands_for(&word, synopsis, name)?;
    let own = paragraphs(all, stands_for, &synopsis::functions(synopsis))?;
    let about =
        |(line, number): (String, u64)| (placeholder::line_about(&line, &word, synopsis, &of), number);
    Some(own.into_iter().map(about).collect())
}

/// The paragraphs that begin with the function, and with no other: "The magic_close() function closes …".
fn paragraphs(section: &Section, name: &str, declared: &[&str]) -> Option<Vec<(String, u64)>> {
    let is_part = |c: char| !(c.is_alphanumeric() || c == '_');
    let mut own: Vec<(String, u64)> = Vec::new();
    for paragraph in section.lines.split(|(line, _)| line.trim().is_empty()) {
        let begin =
            paragraph.iter().flat_map(|(line, _)| line.split(is_part)).filter(|word| !word.is_empty());
        let named: Vec<&str> = begin.take(4).filter(|word| declared.contains(word)).collect();
        // "Calling it may be faster than the above code" goes on from another paragraph.
        let text: Vec<&str> = paragraph.iter().map(|(line, _)| line.as_str()).collect();
        let refers_back = text.join(" ").split(". ").next().is_some_and(|first| first.contains(" above "));
        if named == [name] && !(own.is_empty() && refers_back) {
            own.extend(paragraph.iter().cloned());
            own.extend(paragraph.last().map(|(_, number)| (String::new(), number + 1)));
        }
    }
    (!own.is_empty()).then_some(own)
}

/// The lines of the item about one function.
fn item(section: &Section, name: &str) -> Option<Vec<(String, u64)>> {
    let begin = section.lines.iter().position(|(line, _)| {
        line.strip_prefix(ITEM).is_some_and(|item| item.trim().trim_end_matches("()") == name)
    })?;
    let rest = section.lines.get(begin + 1..)?;
    let end = rest.iter().position(|(line, _)| line.starts_with(ITEM)).unwrap_or(rest.len());
    let own: Vec<(String, u64)> = rest.get(..end)?.to_vec();
    // Two functions above one text.
    own.iter().any(|(line, _)| !line.trim().is_empty()).then_some(own)
}
