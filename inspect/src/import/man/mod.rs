//! Manual pages of section 3, for functions that a header does not document: the names of parameters from the
//! synopsis, and the sentences of the description and of the return value.
//!
//! A page counts only if its synopsis includes one of the headers: another library may have a function of the
//! same name.

mod troff;

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use super::comment::description;
use crate::{Comment, Function, Interface, Place};
use troff::{ITEM, Section};

/// No page is as large as this.
const LARGEST: u64 = 4 << 20;

/// Adds what manual pages say to the functions that no comment describes.
pub(super) fn apply(interface: &mut Interface, headers: &[PathBuf]) {
    let folders = folders();
    for function in &mut interface.functions {
        let is_described =
            function.comment.as_ref().is_some_and(|comment| !description(comment, &function.name).is_empty());
        if !is_described
            && let Some((file, text)) = folders.iter().find_map(|folder| page(folder, &function.name))
        {
            describe(function, &file, &text, headers);
        }
    }
}

/// Where the pages of section 3 are.
fn folders() -> Vec<PathBuf> {
    let path = std::env::var("MANPATH").unwrap_or_default();
    let named = path.split(':').filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let usual = ["/usr/share/man", "/usr/local/share/man", "/opt/homebrew/share/man"].map(PathBuf::from);
    named.chain(usual).map(|folder| folder.join("man3")).filter(|folder| folder.is_dir()).collect()
}

/// The file and the text of a page.
fn page(folder: &Path, name: &str) -> Option<(String, String)> {
    let (mut file, mut text) = read(folder, name)?;
    // `.so man3/other.3`: the page of several functions is under one of their names.
    if let Some(other) = text.lines().next().and_then(|line| line.strip_prefix(".so ")) {
        let other = other.trim().rsplit('/').next()?.split(".3").next()?.to_owned();
        (file, text) = read(folder, &other)?;
    }
    Some((file, text))
}

fn read(folder: &Path, name: &str) -> Option<(String, String)> {
    ["3.gz", "3", "3ssl.gz", "3posix.gz"].iter().find_map(|ending| {
        let path = folder.join(format!("{name}.{ending}"));
        let file = std::fs::File::open(&path).ok()?;
        let mut bytes = Vec::new();
        match ending.ends_with("gz") {
            true => GzDecoder::new(file).take(LARGEST).read_to_end(&mut bytes).ok()?,
            false => file.take(LARGEST).read_to_end(&mut bytes).ok()?,
        };
        Some((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()))
    })
}

/// Adds what a page says.
fn describe(function: &mut Function, file: &str, text: &str, headers: &[PathBuf]) {
    let sections = troff::sections(text);
    let section = |title: &str| sections.iter().find(|section| section.title == title);
    let Some(synopsis) = section("SYNOPSIS").map(joined) else { return };
    if !includes(&synopsis, headers) {
        return;
    }
    name_parameters(function, &synopsis);
    let Some(names) = section("NAME").map(joined) else { return };
    let (listed, brief) = names.split_once(" - ").unwrap_or((&names, ""));
    let count = listed.split([',', ' ']).filter(|name| !name.is_empty()).count();
    let mut lines: Vec<(String, u64)> = Vec::new();
    let own = section("DESCRIPTION").and_then(|section| item(section, &function.name));
    let is_own = count <= 1 || own.is_some();
    match (own, section("DESCRIPTION")) {
        (Some(own), _) => lines.extend(own),
        (None, Some(all)) => {
            let brief = brief.trim().trim_end_matches('.');
            let number =
                section("NAME").and_then(|section| section.lines.last()).map_or(1, |(_, number)| *number);
            if !brief.is_empty() && is_own {
                lines.push((format!("{brief}."), number));
                lines.push((String::new(), number + 1));
            }
            lines.extend(all.lines.iter().map(|(line, number)| (line.replace(ITEM, ""), *number)));
        }
        (None, None) => {}
    }
    let prose: Vec<&str> = lines.iter().map(|(line, _)| line.as_str()).collect();
    let mut comment =
        Comment { text: prose.join("\n"), shared_by: if is_own { 1 } else { count }, ..Comment::default() };
    let returned = ["RETURN VALUE", "RETURN VALUES", "RETURNS"].iter().find_map(|title| section(title));
    if let Some(returned) = returned.filter(|_| is_own) {
        let mut begins = true;
        for (line, number) in &returned.lines {
            let is_empty = line.trim().is_empty();
            let line = if begins && !is_empty { format!("@return {line}") } else { line.clone() };
            begins = is_empty;
            lines.push((line, *number));
        }
        comment.returns = Some(joined(returned)).filter(|text| !text.is_empty());
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
    comment.place = Some(Place { file: file.to_owned(), line: first });
    if comment.text.chars().any(char::is_alphabetic) {
        function.comment = Some(comment);
    }
}

/// The text of a section on one line.
fn joined(section: &Section) -> String {
    let lines: Vec<&str> = section.lines.iter().map(|(line, _)| line.trim()).collect();
    lines.join(" ").trim().to_owned()
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

/// Whether a synopsis includes one of the headers.
fn includes(synopsis: &str, headers: &[PathBuf]) -> bool {
    synopsis.match_indices("#include").any(|(at, _)| {
        let rest = synopsis.get(at..).unwrap_or_default();
        let name = rest.split(['<', '>', '"']).nth(1).unwrap_or_default();
        !name.is_empty() && headers.iter().any(|header| header.ends_with(name))
    })
}

/// Gives parameters without a name the names that they have in the synopsis.
fn name_parameters(function: &mut Function, synopsis: &str) {
    let Ok(signature) = &mut function.signature else { return };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let found = synopsis.match_indices(function.name.as_str()).find_map(|(at, name)| {
        let before = synopsis.get(..at)?.chars().next_back();
        let rest = synopsis.get(at + name.len()..)?.trim_start();
        let inner = rest.strip_prefix('(')?.split_once(')')?.0;
        before.is_none_or(|before| !is_word(before)).then_some(inner)
    });
    let Some(inner) = found else { return };
    let names: Vec<&str> = inner
        .split(',')
        .map(str::trim)
        .filter(|parameter| !parameter.is_empty() && *parameter != "void")
        .map(|parameter| {
            let parameter = parameter.split('[').next().unwrap_or_default().trim_end();
            let start = parameter.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
            // `size_t` alone, and `struct archive *`, are types.
            let is_name = start > 0 && start < parameter.len() && parameter.get(..start).is_some_and(is_type);
            if is_name { parameter.get(start..).unwrap_or_default() } else { "" }
        })
        .collect();
    if names.len() != signature.parameters.len() {
        return;
    }
    for (parameter, name) in signature.parameters.iter_mut().zip(names) {
        if parameter.name.is_none() && !name.is_empty() {
            parameter.name = Some(name.to_owned());
        }
    }
}

/// Whether the text before a name is a type by itself: not only `const`, `struct` or `unsigned`.
fn is_type(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    text.contains('*')
        || words
            .last()
            .is_some_and(|last| !matches!(*last, "const" | "struct" | "enum" | "union" | "unsigned"))
            && !words.iter().all(|word| matches!(*word, "const" | "struct" | "enum" | "union"))
            && !matches!(words.as_slice(), [.., "struct" | "enum" | "union"])
}
