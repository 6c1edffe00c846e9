//! The sentences of a comment: where each begins, and what it is about.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::super::comment::is_of_another;
use super::super::evidence::Evidence;
use super::plain::Plain;
use crate::{Comment, Function, Parameter, Place};

/// One sentence.
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) place: Option<Place>,
    pub(super) about: About,
    words: OnceCell<Words>,
}

/// The words of a sentence, which are read once.
struct Words {
    /// See [`Sentence::bare`].
    bare: Plain,
    /// Where each is in the text, without punctuation, and in `bare`.
    places: Vec<(Range<usize>, Range<usize>)>,
}

/// What a sentence is about, by the command or label before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum About {
    Function,
    Parameter(String),
    Returns,
}

impl Sentence {
    pub(super) fn evidence(&self) -> Evidence {
        Evidence::documentation(&self.text, self.place.clone())
    }

    /// Whether it has this letter as a word in capitals; `A` and `I` are English.
    pub(super) fn has_capital(&self, letter: &str) -> bool {
        let capital = letter.to_uppercase();
        !matches!(letter, "a" | "i") && self.text.split_whitespace().any(|word| stripped(word) == capital)
    }

    /// Whether it begins with the name of another function, as in the page of several: "sd_bus_send() queues …".
    pub(super) fn is_of_other(&self, function: &str) -> bool {
        let called = self.text.split_whitespace().take(2).find_map(|word| word.split_once('('));
        called.is_some_and(|(name, rest)| rest.starts_with(')') && name.contains('_') && name != function)
            && !self.names(function)
    }

    /// Whether it is only the name of the function, alone or with the names of its arguments.
    pub(super) fn is_only_name(&self, function: &str) -> bool {
        let text =
            self.text.trim_start_matches("@brief ").trim_start_matches("\\brief ").trim_end_matches('.');
        let Some(rest) = text.strip_prefix(function) else { return false };
        let rest = rest.trim_start_matches(':').trim();
        rest.is_empty() || rest.strip_prefix('(').is_some_and(|rest| rest.find(')') == Some(rest.len() - 1))
    }

    /// Whether it is the declaration of the function, as Doxygen has it: "\fn int open(const char *name)".
    pub(super) fn is_declaration(&self) -> bool {
        self.text.starts_with("\\fn ") || self.text.starts_with("@fn ")
    }

    /// Whether it names a function.
    pub(super) fn names(&self, function: &str) -> bool {
        self.text.split_whitespace().any(|word| stripped(word) == function)
    }

    pub(super) fn new(text: String, place: Option<Place>, about: About) -> Self {
        Self { text, place, about, words: OnceCell::new() }
    }

    fn words(&self) -> &Words {
        self.words.get_or_init(|| Words::read(&self.text))
    }

    /// Its words in lower case, with no names replaced.
    pub(super) fn bare(&self) -> &Plain {
        &self.words().bare
    }

    /// Whether it has the name of a parameter.
    pub(super) fn has_name(&self, name: &str) -> bool {
        let Words { bare, places } = self.words();
        bare.may_have(name) && places.iter().any(|(word, _)| is_name(name, &self.text[word.clone()]))
    }

    /// The words in lower case without punctuation, between single spaces; `names` are replaced.
    pub(super) fn plain(&self, names: &[(&str, &str)]) -> Cow<'_, Plain> {
        let Words { bare, places } = self.words();
        if !names.iter().any(|(name, _)| self.has_name(name)) {
            return Cow::Borrowed(bare);
        }
        let mut plain = Plain::new();
        for (word, shown) in places {
            let (word, shown) = (&self.text[word.clone()], &bare[shown.clone()]);
            match names.iter().find(|(name, _)| is_name(name, word)) {
                Some((_, name)) if shown.starts_with('*') => plain.push(&format!("*{name}")),
                Some((_, name)) => plain.push(name),
                None => plain.push(shown),
            }
        }
        Cow::Owned(plain)
    }
}

impl Words {
    fn read(text: &str) -> Self {
        let (mut bare, mut places) = (Plain::new(), Vec::new());
        for raw in text.split_whitespace() {
            let word = stripped(raw);
            // How Doxygen shows the next word says nothing.
            let is_font =
                matches!(raw, "\\p" | "\\c" | "\\a" | "\\e" | "\\em" | "@p" | "@c" | "@a" | "@e" | "@em");
            if word.is_empty() || is_font {
                continue;
            }
            let mut shown = if word.ends_with("NULL") && word.len() <= 6 {
                "null".to_owned()
            } else {
                word.to_lowercase()
            };
            // A name is looked up as it is written.
            bare.mark(word);
            // `*p` is what the parameter points to.
            if is_dereferenced(raw) {
                shown.insert(0, '*');
            }
            let (start, begin) = (word.as_ptr().addr() - text.as_ptr().addr(), bare.len());
            bare.push(&shown);
            places.push((start..start + word.len(), begin..begin + shown.len()));
        }
        Self { bare, places }
    }
}

/// The sentences of the comment of a function, and of those beside its parameters.
pub(super) fn read(function: &Function) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let is_own = |comment: &&Comment| !is_of_another(comment, &function.name);
    if let Some(comment) = function.comment.as_ref().filter(is_own) {
        let parameters = function.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let names: Vec<&str> = parameters.iter().filter_map(|parameter| parameter.name.as_deref()).collect();
        let mut reader = Reader {
            sentences: Vec::new(),
            words: Vec::new(),
            line: 0,
            about: About::Function,
            is_of_callback: false,
        };
        for (index, line) in comment.lines.iter().enumerate() {
            reader.line(line, index, &names);
        }
        reader.finish();
        sentences.extend(reader.sentences.into_iter().map(|(text, line, about)| {
            let place = comment.place.as_ref().map(|place| Place {
                file: place.file.clone(),
                line: place.line + u64::try_from(line).unwrap_or(0),
            });
            Sentence::new(text, place, about)
        }));
    }
    sentences.extend(beside(function));
    sentences
}

struct Reader {
    /// Each with the index of its first line.
    sentences: Vec<(String, usize, About)>,
    words: Vec<String>,
    line: usize,
    about: About,
    /// Whether the labels are those of a callback: "Callback Parameters:".
    is_of_callback: bool,
}

impl Reader {
    fn line(&mut self, line: &str, index: usize, names: &[&str]) {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.finish();
            self.about = About::Function;
            return;
        }
        if let Some(heading) = trimmed.strip_suffix(':').filter(|text| text.split_whitespace().count() <= 3) {
            self.is_of_callback = heading.to_lowercase().starts_with("callback param");
        }
        // In a list of labels, one that is no parameter ends what is said of the parameter before it.
        let is_listed = matches!(self.about, About::Parameter(_));
        let other = || label(trimmed).filter(|_| is_listed).map(About::Parameter);
        if let Some(about) = about(trimmed, names, is_listed).or_else(other) {
            self.finish();
            self.about = match about {
                About::Parameter(name) if self.is_of_callback => About::Parameter(format!("callback {name}")),
                about => about,
            };
        }
        for word in trimmed.split_whitespace() {
            if self.words.is_empty() {
                self.line = index;
            }
            self.words.push(word.to_owned());
            let ends = word.trim_end_matches([')', '"', '\'']).ends_with(['.', '!', '?', ';'])
                && !matches!(word.to_lowercase().as_str(), "e.g." | "i.e." | "etc." | "(e.g." | "(i.e.");
            if ends {
                self.finish();
            }
        }
    }

    fn finish(&mut self) {
        if !self.words.is_empty() {
            let text = std::mem::take(&mut self.words).join(" ");
            self.sentences.push((text, self.line, self.about.clone()));
        }
    }
}

/// The label of a line `name - text`.
fn label(line: &str) -> Option<String> {
    let name: String = line.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let rest = line.get(name.len()..)?;
    (!name.is_empty() && rest.starts_with([' ', '\t']) && rest.trim_start().starts_with("- ")).then_some(name)
}

/// What the lines from here on are about, if this one begins with a command or a label.
fn about(line: &str, names: &[&str], is_listed: bool) -> Option<About> {
    let word =
        |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    if let Some(command) = line.strip_prefix(['@', '\\']) {
        let name = word(command);
        let rest = command.get(name.len()..).unwrap_or_default().trim_start();
        return Some(match name.as_str() {
            "param" | "arg" | "parameter" => {
                let rest = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                    Some((_, rest)) => rest.trim_start(),
                    None => rest,
                };
                About::Parameter(word(rest))
            }
            "return" | "returns" | "result" | "retval" => About::Returns,
            "p" | "c" | "a" | "ref" | "em" | "b" => return None,
            name if names.contains(&name) && rest.starts_with(':') => About::Parameter(name.to_owned()),
            // `@width the width` after `@param height the height`
            name if is_listed && names.contains(&name) && !is_command(name) => {
                About::Parameter(name.to_owned())
            }
            _ => About::Function,
        });
    }
    let line = line.trim_start_matches(['*', '-', ' ']);
    let name = word(line);
    let rest = line.get(name.len()..).unwrap_or_default().trim_start();
    if names.contains(&name.as_str()) && (rest.starts_with(": ") || rest.starts_with("- ")) {
        return Some(About::Parameter(name));
    }
    (rest.starts_with(':')
        && matches!(name.as_str(), "Return" | "Returns" | "return" | "returns" | "RETURNS"))
    .then_some(About::Returns)
}

/// Whether a word that some parameters have as their name is a command of Doxygen too: `@file`, not `@width`.
fn is_command(name: &str) -> bool {
    const COMMANDS: [&str; 46] = [
        "addtogroup",
        "attention",
        "author",
        "brief",
        "bug",
        "class",
        "code",
        "cond",
        "copydoc",
        "copyright",
        "date",
        "def",
        "deprecated",
        "details",
        "dir",
        "else",
        "enum",
        "example",
        "exception",
        "extends",
        "file",
        "fn",
        "if",
        "image",
        "include",
        "internal",
        "line",
        "link",
        "mainpage",
        "msg",
        "n",
        "name",
        "note",
        "page",
        "par",
        "post",
        "pre",
        "private",
        "remark",
        "section",
        "since",
        "struct",
        "test",
        "todo",
        "version",
        "warning",
    ];
    COMMANDS.contains(&name)
}

/// Comments beside the parameters themselves.
fn beside(function: &Function) -> Vec<Sentence> {
    let Ok(signature) = &function.signature else { return Vec::new() };
    let said = |parameter: &Parameter| {
        let (name, text) = (parameter.name.clone()?, parameter.comment.clone()?);
        let about = About::Parameter(name);
        Some(Sentence::new(text, function.place.clone(), about))
    };
    signature.parameters.iter().filter_map(said).collect()
}

/// Whether a word is the name of a parameter, also in the capitals of GNU's comments; `A` and `I` are English.
fn is_name(name: &str, word: &str) -> bool {
    let is_upper = || match name.is_ascii() {
        true => {
            word.len() == name.len()
                && name.bytes().zip(word.bytes()).all(|(name, word)| name.to_ascii_uppercase() == word)
        }
        false => word == name.to_uppercase(),
    };
    name == word || !matches!(word, "A" | "I") && is_upper()
}

/// Whether a word is `*name`, and not the emphasis `*name*`.
fn is_dereferenced(word: &str) -> bool {
    let marks = |c: char| matches!(c, '(' | ')' | '"' | '\'' | '`' | ',' | '.' | ';' | ':');
    let word = word.trim_matches(marks);
    word.starts_with('*') && !word.ends_with('*')
}

/// A word without the punctuation and markup around it.
pub(super) fn stripped(word: &str) -> &str {
    let word = word.trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
    let end = word.find(['(', '[']).filter(|end| *end > 0).unwrap_or(word.len());
    word.get(..end).unwrap_or(word).trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'))
}
