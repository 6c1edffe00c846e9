//! What a comment says about a function: prose, its parameters, its return value.

use std::collections::HashMap;

use super::super::parse::Declared;
use super::title::{is_of_gtk_doc, prototype, prototype_parameters, title};
use super::{annotation, clean, markup};
use crate::{Attribute, AttributeSource, Comment, Direction, Function};

/// A comment, with the directions that it gives for parameters.
#[derive(Debug)]
pub(in super::super) struct Described {
    pub(in super::super) comment: Comment,
    /// The parameter names of the prototype that the comment begins with.
    pub(in super::super) names: Vec<String>,
    /// The names of the parameters that the comment describes, in its order.
    pub(in super::super) listed: Vec<String>,
    pub(in super::super) directions: Vec<(String, Direction)>,
    /// The annotations of parameters, and of the return value without a name.
    pub(in super::super) annotations: Vec<(Option<String>, String)>,
}

/// What the current lines describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Function,
    Parameter(usize),
    Returns,
    /// Author and date, which are dropped.
    Nothing,
    /// A note of the developers, which is dropped up to the end of its paragraph.
    Aside,
}

#[derive(Default)]
struct Reader {
    /// Whether the declaration leaves parameters without names, so that any name may be that of a parameter.
    is_unnamed: bool,
    /// Whether the lines are in a list of parameters, as in FreeType: `@input: face :: The face.`
    is_list: bool,
    text: Vec<String>,
    parameters: Vec<(String, Vec<String>)>,
    directions: Vec<(String, Direction)>,
    annotations: Vec<(Option<String>, String)>,
    returns: Vec<String>,
}

/// The texts of lines that several functions share.
pub(super) type Texts = HashMap<Vec<String>, String>;

/// Reads the comment of a function; `None` if it says nothing.
pub(super) fn comment(
    raw: &str,
    of: &Declared<'_>,
    shared_by: usize,
    texts: &mut Texts,
) -> Option<Described> {
    let names: Vec<&str> = match &of.signature {
        Ok(signature) => {
            signature.parameters.iter().filter_map(|parameter| parameter.name.as_deref()).collect()
        }
        Err(_) => Vec::new(),
    };
    let all = clean::lines(raw);
    let mut lines = all.as_slice();
    let mut written = Vec::new();
    // Declarations that are commented out, of other functions.
    let is_code = all.iter().all(|line| line.trim().is_empty() || line.trim_end().ends_with(");"));
    if is_code && prototype(raw).is_some_and(|name| name != of.name) {
        return None;
    }
    if prototype(raw).is_some() {
        written = prototype_parameters(raw).into_iter().map(str::to_owned).collect();
        let end = lines.iter().position(|line| line.contains(';')).map_or(0, |end| end + 1);
        lines = &all[end..];
    }
    let is_unnamed = of.signature.as_ref().is_ok_and(|signature| signature.parameters.len() > names.len());
    let mut reader = Reader { is_unnamed, ..Reader::default() };
    let mut about = About::Function;
    for line in lines {
        if !is_of_gtk_doc(line, of.name) {
            about = reader.line(line, &names, about);
        }
    }
    let finish = |lines: &[String]| markup::plain(&clean::paragraphs(lines));
    let text = match texts.get(&reader.text) {
        Some(text) => text.clone(),
        None => finish(&reader.text),
    };
    if shared_by > 1 {
        texts.insert(std::mem::take(&mut reader.text), text.clone());
    }
    let mut comment = Comment { text, shared_by, ..Comment::default() };
    for (name, lines) in &reader.parameters {
        let text = finish(lines);
        if !text.is_empty() {
            comment.parameters.push((name.clone(), text));
        }
    }
    comment.returns = Some(finish(&reader.returns)).filter(|text| !text.is_empty());
    let empty = !comment.text.chars().any(char::is_alphabetic);
    if empty
        && written.is_empty()
        && comment.parameters.is_empty()
        && comment.returns.is_none()
        && reader.directions.is_empty()
    {
        return None;
    }
    comment.lines = all;
    let listed = reader.parameters.into_iter().map(|(name, _)| name).filter(|name| !name.is_empty());
    Some(Described {
        comment,
        names: written,
        listed: listed.collect(),
        directions: reader.directions,
        annotations: reader.annotations,
    })
}

impl Reader {
    /// Takes a line, and returns what the next one describes by default.
    fn line(&mut self, line: &str, names: &[&str], about: About) -> About {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.put(about, String::new());
            // A new paragraph describes the function again, except within a list item.
            let goes_on = about == About::Nothing || self.is_list;
            return if goes_on { about } else { About::Function };
        }
        if self.is_list
            && let Some((name, rest)) = trimmed.split_once("::")
            && names.contains(&name.trim())
        {
            return self.parameter(name.trim(), rest.trim());
        }
        if ["XXX ", "FIXME", "TODO"].iter().any(|mark| trimmed.starts_with(mark)) {
            return About::Aside;
        }
        if let Some(command) = trimmed.strip_prefix(['@', '\\']) {
            return self.command(command, trimmed, names, about);
        }
        if let Some(rest) = title(trimmed) {
            if !rest.is_empty() {
                self.put(About::Function, rest);
                self.put(About::Function, String::new());
            }
            return About::Function;
        }
        if let Some(rest) = ["Desc:", "Description:"].iter().find_map(|label| trimmed.strip_prefix(label)) {
            self.put(About::Function, rest.to_owned());
            return About::Function;
        }
        if matches!(trimmed, "Parameters:" | "Arguments:" | "Params:") {
            return About::Function;
        }
        // What a callback is called with is not what the function is called with.
        if trimmed.ends_with(':') && trimmed.to_lowercase().starts_with("callback param") {
            return About::Aside;
        }
        let about = if is_note(trimmed) && about != About::Function {
            self.put(About::Function, String::new());
            About::Function
        } else {
            about
        };
        if let Some((name, rest)) =
            labelled(trimmed.trim_start_matches('*')).filter(|_| about != About::Aside)
        {
            if names.contains(&name) {
                return self.parameter(name, rest);
            }
            if matches!(name, "return" | "returns" | "Return" | "Returns" | "RETURNS") {
                let (annotations, text) = annotated(rest);
                if !annotations.is_empty() {
                    self.annotations.push((None, annotations.to_owned()));
                }
                self.put(About::Returns, text.to_owned());
                return About::Returns;
            }
            // In a list of names, another name ends what is said of the parameter before it.
            if matches!(about, About::Parameter(_)) && trimmed.contains(" - ") {
                return About::Aside;
            }
        }
        if about == About::Aside && !trimmed.is_empty() {
            return About::Aside;
        }
        let about = if matches!(about, About::Nothing | About::Aside) { About::Function } else { about };
        self.put(about, line.to_owned());
        about
    }

    fn command(&mut self, command: &str, line: &str, names: &[&str], about: About) -> About {
        let end = command.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(command.len());
        let (word, rest) = command.split_at(end);
        let rest = rest.trim_start();
        let sentence = rest.trim_start_matches([':', ' ']);
        self.is_list = false;
        match word {
            "input" | "output" | "inout" if sentence.is_empty() => {
                self.is_list = true;
                About::Nothing
            }
            "function" if sentence.is_empty() => About::Aside,
            "description" if rest.starts_with(':') => {
                self.put(About::Function, sentence.to_owned());
                About::Function
            }
            "param" | "arg" | "parameter" => {
                let (direction, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                    Some((direction, rest)) => (direction_of(direction), rest.trim_start()),
                    None => (None, rest),
                };
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                let (name, text) = rest.split_at(end);
                if let Some(direction) = direction {
                    self.directions.push((name.to_owned(), direction));
                }
                self.parameter(name, text.trim_start_matches([':', '-', ' ', '\t']))
            }
            "return" | "returns" | "result" | "retval" => {
                let text = if word == "retval" {
                    let (value, text) = sentence.split_once(char::is_whitespace).unwrap_or((sentence, ""));
                    format!("- {value}: {}", text.trim())
                } else {
                    let (annotations, text) = annotated(sentence);
                    if !annotations.is_empty() {
                        self.annotations.push((None, annotations.to_owned()));
                    }
                    text.to_owned()
                };
                self.put(About::Returns, text);
                About::Returns
            }
            "brief" | "short" | "details" | "par" | "remark" | "remarks" => {
                self.put(About::Function, String::new());
                self.put(About::Function, sentence.to_owned());
                About::Function
            }
            "note" | "warning" | "attention" | "deprecated" | "since" | "see" | "sa" | "pre" | "post" => {
                let label = match word {
                    "see" | "sa" => "See also",
                    "since" => "Since",
                    "note" => "Note",
                    "deprecated" => "Deprecated",
                    "pre" => "Before the call",
                    "post" => "After the call",
                    _ => "Warning",
                };
                self.put(About::Function, String::new());
                self.put(About::Function, format!("{label}: {sentence}"));
                About::Function
            }
            "ingroup" | "defgroup" | "addtogroup" | "name" | "fn" | "def" | "file" | "author" | "authors"
            | "version" | "date" | "copyright" | "internal" | "relates" | "memberof" | "class" | "struct"
            | "copydoc" | "callgraph" | "weakgroup" | "nosubgrouping" => About::Nothing,
            "todo" | "bug" => About::Aside,
            // `@name: text`, as in GTK-Doc and the Linux kernel.
            _ if (names.contains(&word) || self.is_unnamed && !word.is_empty()) && rest.starts_with(':') => {
                let (annotations, text) = annotated(sentence);
                if !annotations.is_empty() {
                    self.annotations.push((Some(word.to_owned()), annotations.to_owned()));
                }
                let direction = annotations.split(['(', ')', ' ']).find_map(direction_of);
                direction
                    .into_iter()
                    .for_each(|direction| self.directions.push((word.to_owned(), direction)));
                self.parameter(word, text)
            }
            // `@width the width`, for `@param width the width`.
            // What follows another command is not about the parameter before it.
            _ if matches!(about, About::Parameter(_) | About::Aside) && !is_inline(word) => {
                match names.contains(&word) {
                    true => self.parameter(word, rest),
                    false => About::Aside,
                }
            }
            _ => {
                let about =
                    if matches!(about, About::Nothing | About::Aside) { About::Function } else { about };
                self.put(about, line.to_owned());
                about
            }
        }
    }

    fn parameter(&mut self, name: &str, text: &str) -> About {
        self.parameters.push((name.to_owned(), vec![text.to_owned()]));
        About::Parameter(self.parameters.len() - 1)
    }

    fn put(&mut self, about: About, line: String) {
        match about {
            About::Function => self.text.push(line),
            About::Parameter(index) => {
                self.parameters.get_mut(index).into_iter().for_each(|(_, lines)| lines.push(line.clone()));
            }
            About::Returns => self.returns.push(line),
            About::Nothing | About::Aside => {}
        }
    }
}

/// Whether a command of Doxygen shows the words after it, within a text that goes on.
fn is_inline(word: &str) -> bool {
    const INLINE: [&str; 29] = [
        "a",
        "anchor",
        "b",
        "c",
        "cite",
        "code",
        "copybrief",
        "copydetails",
        "e",
        "em",
        "emoji",
        "endcode",
        "enditemize",
        "endlink",
        "endverbatim",
        "f",
        "htmlonly",
        "image",
        "item",
        "latexonly",
        "li",
        "link",
        "n",
        "p",
        "ref",
        "snippet",
        "subpage",
        "verbatim",
        "",
    ];
    INLINE.contains(&word)
}

/// `Note 1 : …` ends the description of a parameter or return value.
fn is_note(line: &str) -> bool {
    let rest = ["Note", "note", "NOTE", "Warning", "WARNING"].iter().find_map(|word| line.strip_prefix(word));
    rest.is_some_and(|rest| {
        rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').starts_with(':')
    })
}

fn direction_of(text: &str) -> Option<Direction> {
    match text.replace(' ', "").as_str() {
        "in" => Some(Direction::In),
        "out" => Some(Direction::Out),
        "in,out" | "inout" | "out,in" => Some(Direction::InOut),
        _ => None,
    }
}

/// `(out) (transfer full): text` in GTK-Doc: the annotations, and the text.
fn annotated(text: &str) -> (&str, &str) {
    match text.split_once("):") {
        Some((annotations, rest)) if text.starts_with('(') && !annotations.contains(['.', ';']) => {
            (annotations, rest.trim_start())
        }
        _ => ("", text),
    }
}

/// `srcSize : the size`: a name and its description.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let text = rest.strip_prefix(':').or_else(|| rest.strip_prefix("- "))?;
    // `name::other` and `http://…` are not labels.
    let label = !name.is_empty()
        && (text.is_empty() || text.starts_with(char::is_whitespace) || rest.starts_with('-'));
    label.then(|| (name, text.trim()))
}

/// Assigns to each parameter what the comment of its function says about it.
pub(in super::super) fn describe(function: &mut Function, described: Described) {
    let Described { comment, names, listed, directions, annotations } = described;
    let place = comment.place.clone();
    let is_own = comment.shared_by <= 1;
    if let Some(place) = place.as_ref().filter(|_| function.lacks_names()) {
        let source = AttributeSource::Documentation;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let prototype = format!("{}({})", function.name, names.join(", "));
        function.name_parameters(&names, source, place, |_| prototype.clone());
        // As many as there are, in the order of the declaration. The comment of several functions may list those of
        // another.
        let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
        if is_own {
            let all = listed.join(", ");
            function.name_parameters(&listed, source, place, |_| format!("parameters in order: {all}"));
        }
    }
    function.comment = Some(comment);
    let Ok(signature) = &mut function.signature else { return };
    for parameter in &mut signature.parameters {
        let Some(name) = &parameter.name else { continue };
        let said = function
            .comment
            .as_ref()
            .and_then(|comment| comment.parameters.iter().find(|(of, _)| of == name));
        if let Some((_, text)) = said {
            parameter.comment = Some(text.clone());
        }
        parameter.direction = directions.iter().find(|(of, _)| of == name).map(|(_, direction)| *direction);
    }
    let Some(place) = place.filter(|_| is_own) else { return };
    let names: Vec<Option<&str>> =
        signature.parameters.iter().map(|parameter| parameter.name.as_deref()).collect();
    for (of, text) in annotations {
        let position = match &of {
            Some(of) => names.iter().position(|name| *name == Some(of)).map(|index| index + 1),
            None => Some(0),
        };
        let Some(position) = position else { continue };
        for (of, text) in annotation::statements(&format!("{text})"), position, &names) {
            let source = AttributeSource::Documentation;
            function.attributes.push(Attribute { of, text, place: place.clone(), source });
        }
    }
}
