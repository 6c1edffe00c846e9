//! `info` of the document.

use std::path::Path;

use opendyn_model::rust_name;
use serde_json::json;

use super::draft::omitted;
use super::function::write_todo;
use super::names::Names;
use super::question::Question;
use super::scalar::Object;
use super::summary::Summary;
use crate::{Convention, Exports, Format, Interface};

/// What is known about the library as a whole.
#[derive(Default)]
pub(super) struct Information {
    /// The title that the user asked for.
    title: Option<String>,
    /// The name from the first header, which is usually better (`zlib.h`, `libz.so.1`), or from the library.
    stem: String,
    /// Its version, if the file name has it.
    version: Option<String>,
    /// `x-library`
    library: Option<(Format, String)>,
}

impl Information {
    pub(super) fn new(title: Option<String>) -> Self {
        Self { title, ..Self::default() }
    }

    /// Names the library after a header.
    pub(super) fn call_after(&mut self, header: &Path) {
        self.stem = stem(&header.display().to_string());
    }

    /// Adds what the library's file says. `file` is its name without symbolic links.
    pub(super) fn learn(&mut self, exports: &Exports, given: &str, file: &str) {
        let own = exports.soname.as_deref().and_then(|name| name.rsplit('/').next()).unwrap_or(given);
        if self.stem.is_empty() {
            self.stem = stem(own);
        }
        self.version = version(file);
        self.library = Some((exports.format, own.to_owned()));
    }

    pub(super) fn write(
        &self,
        interface: &Interface,
        convention: Convention,
        title: &str,
        summary: &Summary,
        errors: Option<Question>,
    ) -> Object {
        let mut info = Object::new();
        let mut questions = Vec::new();
        info.insert("title".to_owned(), title.into());
        info.insert("description".to_owned(), format!("Functions of {}.", self.name()).into());
        questions.push(Question::open("What is the library for? Write it as \"description\"."));
        let version = self.version.clone().or_else(|| version_of_constants(interface, &self.stem));
        if version.is_none() {
            questions
                .push(Question::open("Which version of the library is described? Write it as \"version\"."));
        }
        info.insert("version".to_owned(), version.unwrap_or_else(|| "0".to_owned()).into());
        let convention = if convention == Convention::Stdcall { "stdcall" } else { "cdecl" };
        info.insert("callingConvention".to_owned(), convention.into());
        match &self.library {
            Some((format, name)) => {
                let system = match format {
                    Format::Elf => "linux",
                    Format::Pe => "windows",
                    Format::MachO => "macos",
                };
                info.insert("x-library".to_owned(), json!({ system: name }));
            }
            None => questions.push(Question::open(
                "In which file is the library? Write it as \"x-library\", such as { \"linux\": \"libz.so.1\" }.",
            )),
        }
        let undescribed = summary.imported - summary.described;
        if undescribed > 0 {
            questions.push(Question::open(format!(
                "What do the functions do whose \"description\" is empty? There are {undescribed}; models choose \
                 functions by their description."
            )));
        }
        questions.extend(errors);
        if let Some(reasons) = omitted(summary) {
            info.insert("x-omitted".to_owned(), reasons);
        }
        write_todo(&mut info, &questions, false);
        info
    }

    fn name(&self) -> &str {
        match &self.library {
            Some((_, name)) => name,
            None => &self.stem,
        }
    }

    /// A title whose Rust struct does not clash with a type of the document: the wanted title, or one that is
    /// close to it.
    pub(super) fn title(&self, types: &Names, functions: &[&str]) -> String {
        let wanted = self.title.as_deref().unwrap_or(&self.stem);
        let is_free = |title: &String| {
            rust_name::of_title(title).is_some_and(|ident| {
                let is_of_results = |function: &&str| {
                    rust_name::of_type(&format!("{function}_outputs")).as_ref() == Some(&ident)
                };
                // The codes of the library have a type too.
                !types.has(title)
                    && !types.has(&format!("{ident}Code"))
                    && !functions.iter().any(is_of_results)
            })
        };
        let bare = wanted.trim();
        let near = [wanted.to_owned(), format!("{bare} library"), format!("library {bare}")];
        let near = near.into_iter().filter(|_| !bare.is_empty());
        let numbered = (1..).map(|number| match number {
            1 => "library".to_owned(),
            number => format!("library {number}"),
        });
        near.chain(numbered).find(is_free).unwrap_or_default()
    }

    /// The title that the user asked for, if `title` differs.
    pub(super) fn refused<'i>(&'i self, title: &str) -> Option<&'i str> {
        self.title.as_deref().filter(|wanted| *wanted != title)
    }
}

/// `z` from `libz.so.1`, `zlib` from `zlib.h`.
pub(super) fn stem(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let name = name.split_once(".so").map_or(name, |(name, _)| name);
    let name = [".dll", ".dylib", ".h", ".hpp"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let name = name.strip_prefix("lib").filter(|rest| !rest.is_empty()).unwrap_or(name);
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    name.trim_matches('-').to_owned()
}

/// `1.2.13` from `libz.so.1.2.13`; a single number is the version of the ABI, not of the library.
fn version(file: &str) -> Option<String> {
    let version = file.split_once(".so.")?.1;
    let is_version = version.contains('.')
        && version.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    is_version.then(|| version.to_owned())
}

/// A version from macros such as `LZ4_VERSION_MAJOR`.
fn version_of_constants(interface: &Interface, stem: &str) -> Option<String> {
    let stem = stem.to_ascii_uppercase().replace('-', "_");
    let parts: Option<Vec<String>> = [&["MAJOR"][..], &["MINOR"], &["RELEASE", "PATCH", "REVISION"]]
        .iter()
        .map(|part| {
            interface.constants.iter().find_map(|constant| {
                let rest = constant.name.strip_prefix(&stem)?;
                part.iter()
                    .any(|part| rest == format!("_VERSION_{part}") || rest == format!("_{part}"))
                    .then(|| constant.value.to_string())
            })
        })
        .collect();
    parts.map(|parts| parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_called_after_its_file() {
        for (file, expected) in [
            ("/usr/lib/libz.so.1.2.13", "z"),
            ("libsqlite3.so.0", "sqlite3"),
            ("zlib1.dll", "zlib1"),
            ("libz.1.dylib", "z-1"),
            ("zlib.h", "zlib"),
            ("lib.h", "lib"),
        ] {
            assert_eq!(stem(file), expected, "{file}");
        }
    }

    #[test]
    fn a_version_has_at_least_two_numbers() {
        assert_eq!(version("libz.so.1.2.13").as_deref(), Some("1.2.13"));
        assert_eq!(version("libz.so.1"), None);
        assert_eq!(version("libz.so"), None);
    }
}
