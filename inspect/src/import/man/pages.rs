//! Finds the manual pages of functions: by the function's name, or among the pages of its library.
//!
//! A file's name only finds a page. What counts is its synopsis, which must include one of the headers.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use super::super::names::words;
use super::troff::{self, Section};
use super::{named, placeholder, synopsis};
use crate::Interface;

/// No page is as large as this.
const LARGEST: u64 = 4 << 20;

/// How many pages of the library are read, beyond those that have the name of a function.
const MOST: usize = 400;

/// A page that documents functions of the headers.
pub(super) struct Page {
    pub(super) file: String,
    pub(super) sections: Vec<Section>,
}

impl Page {
    pub(super) fn section(&self, title: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.title == title)
    }

    /// The text of a section on one line.
    pub(super) fn joined(&self, title: &str) -> String {
        self.section(title).map(Section::joined).unwrap_or_default()
    }
}

/// The pages, by the functions in their synopses.
pub(super) struct Pages {
    pages: Vec<Page>,
    of: HashMap<String, usize>,
}

impl Pages {
    /// Reads the pages of the functions that `is_wanted` chooses.
    pub(super) fn read(interface: &Interface, headers: &[PathBuf], is_wanted: impl Fn(&str) -> bool) -> Self {
        let files = files();
        let mut pages = Self { pages: Vec::new(), of: HashMap::new() };
        let wanted = || interface.functions.iter().map(|of| of.name.as_str()).filter(|name| is_wanted(name));
        for name in wanted() {
            if let Some(path) = files.get(name).filter(|_| !pages.of.contains_key(name)) {
                pages.add(path, headers, &files);
            }
        }
        let lacking: Vec<&str> = wanted().filter(|name| !pages.of.contains_key(*name)).collect();
        if !lacking.is_empty() {
            let prefixes = prefixes(&lacking, headers);
            let mut likely: Vec<&PathBuf> = files
                .iter()
                .filter(|(name, _)| {
                    let name = name.to_lowercase();
                    let name = name.strip_prefix("lib").unwrap_or(&name);
                    prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
                })
                .map(|(_, path)| path)
                .collect();
            likely.sort();
            likely.into_iter().take(MOST).for_each(|path| pages.add(path, headers, &files));
        }
        pages
    }

    /// All pages.
    pub(super) fn all(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter()
    }

    /// The page of a function.
    pub(super) fn of(&self, function: &str) -> Option<&Page> {
        self.pages.get(*self.of.get(function)?)
    }

    fn add(&mut self, path: &Path, headers: &[PathBuf], files: &HashMap<String, PathBuf>) {
        let Some((file, text)) = text(path, files) else { return };
        if self.pages.iter().any(|page| page.file == file) {
            return;
        }
        let page = Page { file, sections: troff::sections(&text) };
        let synopsis = page.joined("SYNOPSIS");
        if synopsis::includes(&synopsis, headers) {
            for name in synopsis::functions(&synopsis) {
                self.of.entry(name.to_owned()).or_insert(self.pages.len());
            }
            if placeholder::word(&page).is_some() {
                for name in named(&page).0 {
                    self.of.entry(name).or_insert(self.pages.len());
                }
            }
            self.pages.push(page);
        }
    }
}

/// What the names of a library's pages begin with: the first word of several of its functions, or the name of a
/// header.
fn prefixes(functions: &[&str], headers: &[PathBuf]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in functions {
        if let Some(first) = words(name).into_iter().next() {
            *counts.entry(first).or_default() += 1;
        }
    }
    let common = counts.into_iter().filter(|(_, count)| *count >= 3).map(|(word, _)| word);
    let stems = headers.iter().filter_map(|header| Some(header.file_stem()?.to_str()?.to_lowercase()));
    common.chain(stems).filter(|prefix| prefix.len() > 1).collect()
}

/// The files of section 3, by the names of their pages.
fn files() -> HashMap<String, PathBuf> {
    let path = std::env::var("MANPATH").unwrap_or_default();
    let named = path.split(':').filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let usual = ["/usr/share/man", "/usr/local/share/man", "/opt/homebrew/share/man"].map(PathBuf::from);
    let mut files: HashMap<String, PathBuf> = HashMap::new();
    for folder in named.chain(usual).map(|folder| folder.join("man3")) {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        // `x.3` before `x.3posix`, in the same order everywhere.
        entries.sort();
        for path in entries {
            if let Some(name) = path.file_name().and_then(|name| name.to_str()).and_then(page_name) {
                files.entry(name.to_owned()).or_insert(path);
            }
        }
    }
    files
}

/// `pcap_open` of `pcap_open.3pcap.gz`.
fn page_name(file: &str) -> Option<&str> {
    let (name, section) = file.strip_suffix(".gz").unwrap_or(file).rsplit_once('.')?;
    section.starts_with('3').then_some(name)
}

/// The file and the text of a page.
fn text(path: &Path, files: &HashMap<String, PathBuf>) -> Option<(String, String)> {
    let text = content(path)?;
    // `.so man3/other.3`: the page of several functions is under one of their names.
    if let Some(other) = text.lines().next().and_then(|line| line.strip_prefix(".so ")) {
        let file = other.trim().rsplit('/').next()?;
        let path = files.get(page_name(file).unwrap_or(file))?;
        return Some((path.display().to_string(), content(path)?));
    }
    // A link to it is the same page.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    Some((path.display().to_string(), text))
}

pub(super) fn content(path: &Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    let mut bytes = Vec::new();
    match path.extension().is_some_and(|ending| ending == "gz") {
        true => GzDecoder::new(file).take(LARGEST).read_to_end(&mut bytes).ok()?,
        false => file.take(LARGEST).read_to_end(&mut bytes).ok()?,
    };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
