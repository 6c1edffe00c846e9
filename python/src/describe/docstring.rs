//! Reads docstrings: the summary, and the parameters in the styles of Google, NumPy and Sphinx. Any text is a valid
//! docstring.

use super::type_text::stated;

/// The contents of a docstring.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Docstring {
    /// The first paragraph, on one line.
    pub(super) summary: String,
    pub(super) parameters: Vec<Documented>,
    pub(super) returns: Option<String>,
}

/// The documentation of a parameter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Documented {
    pub(super) name: String,
    /// The text of the type, with further remarks such as `optional`.
    pub(super) kind: String,
    pub(super) description: String,
    /// The lines below it, with their indentation.
    below: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    Text,
    Parameters,
    Returns,
    Other,
}

const PARAMETERS: &[&str] = &[
    "args",
    "arguments",
    "parameters",
    "params",
    "keys",
    "keyword args",
    "keyword arguments",
    "other parameters",
    "inputs",
    "input",
    "参数",
    "入参",
    "输入",
    "输入参数",
];
const RETURNS: &[&str] = &["returns", "return", "返回", "返回值", "输出"];
const OTHERS: &[&str] = &[
    "raises",
    "yields",
    "examples",
    "example",
    "note",
    "notes",
    "warning",
    "warnings",
    "see also",
    "references",
    "attributes",
    "todo",
    "异常",
    "示例",
    "说明",
    "注意",
];

fn section(title: &str) -> Option<Section> {
    let title = title.trim().to_lowercase();
    let is_one_of = |titles: &[&str]| titles.contains(&title.as_str());
    match () {
        () if is_one_of(PARAMETERS) => Some(Section::Parameters),
        () if is_one_of(RETURNS) => Some(Section::Returns),
        () if is_one_of(OTHERS) => Some(Section::Other),
        () => None,
    }
}

/// Reads a docstring that `inspect.cleandoc` has unindented.
pub(super) fn read(text: &str) -> Docstring {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let first = lines.iter().skip_while(|line| line.is_empty());
    let is_text = |line: &&&str| !line.is_empty() && header(line, None).is_none() && !line.starts_with(':');
    let paragraph: Vec<&str> = first.take_while(is_text).map(|line| line.trim()).collect();
    let mut docstring = Docstring { summary: paragraph.join(" "), ..Docstring::default() };
    let mut returns = Vec::new();
    let (mut current, mut is_numpy, mut margin) = (Section::Text, false, None);
    for (index, line) in lines.iter().enumerate() {
        let is_rule = |line: &str| line.len() >= 3 && line.bytes().all(|byte| byte == b'-' || byte == b'=');
        if let Some(next) = header(line, lines.get(index + 1).copied()) {
            (current, margin) = (next, None);
            is_numpy = lines.get(index + 1).is_some_and(|line| is_rule(line));
            continue;
        }
        if line.starts_with(':') {
            current = Section::Text;
            docstring.field(line, &mut returns);
            continue;
        }
        if line.is_empty() || is_rule(line) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        if indent == 0 && current != Section::Text && !is_numpy {
            current = Section::Text;
        }
        let is_entry = indent <= *margin.get_or_insert(indent);
        match current {
            Section::Parameters if is_entry => docstring.parameters.extend(entry(line, is_numpy)),
            Section::Parameters => docstring.continued(line),
            Section::Returns => returns.push(line.trim()),
            Section::Text if indent > 0 && lines[..index].iter().any(|line| line.starts_with(":param")) => {
                docstring.continued(line);
            }
            Section::Text | Section::Other => {}
        }
    }
    docstring.returns = Some(without_type(&returns)).filter(|text| !text.is_empty());
    docstring
}

/// The description of the result, without its type, which is always a dict.
fn without_type(lines: &[&str]) -> String {
    let Some((first, rest)) = lines.split_first() else { return String::new() };
    let is_type = |text: &str| stated(text).schema.is_some();
    let first = match split_outside(first, &[':', '：']) {
        Some((kind, text)) if is_type(kind) => text.trim(),
        None if is_type(first) && !rest.is_empty() => "",
        _ => first,
    };
    [&[first], rest].concat().join(" ").trim().to_owned()
}

/// The section that starts here: `Args:`, or `Parameters` above a line of dashes.
fn header(line: &str, next: Option<&str>) -> Option<Section> {
    let is_underlined = next.is_none_or(|next| next.len() >= 3 && next.bytes().all(|byte| byte == b'-'));
    match line.strip_suffix([':', '：']) {
        Some(title) => section(title),
        None if is_underlined && !line.starts_with(' ') => section(line),
        None => None,
    }
}

impl Docstring {
    /// A field of Sphinx: `:param str name: what it is`.
    fn field<'l>(&mut self, line: &'l str, returns: &mut Vec<&'l str>) {
        let Some((field, text)) = line[1..].split_once(':') else { return };
        let text = text.trim();
        let mut words = field.split_whitespace();
        match (words.next(), words.next_back()) {
            (Some("param" | "parameter" | "arg" | "argument" | "key" | "keyword"), Some(name)) => {
                let kind = words.collect::<Vec<_>>().join(" ");
                let it = self.named(name);
                it.description = text.to_owned();
                if !kind.is_empty() {
                    it.kind = kind;
                }
            }
            (Some("type"), Some(name)) => self.named(name).kind = text.to_owned(),
            (Some("return" | "returns"), None) => returns.push(text),
            _ => {}
        }
    }

    fn named(&mut self, name: &str) -> &mut Documented {
        let at = self.parameters.iter().position(|it| it.name == name).unwrap_or_else(|| {
            self.parameters.push(Documented { name: name.to_owned(), ..Documented::default() });
            self.parameters.len() - 1
        });
        &mut self.parameters[at]
    }

    fn continued(&mut self, line: &str) {
        if let Some(last) = self.parameters.last_mut() {
            last.below.push(line.to_owned());
            let separator = if last.description.is_empty() { "" } else { " " };
            last.description += separator;
            last.description += line.trim();
        }
    }

    /// The keys of the dict: the parameters, or the lines below the one that is the dict.
    pub(super) fn keys(self, dict: &str) -> Vec<Documented> {
        let below = |it: Documented| -> Vec<Documented> {
            let margin = it.below.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
            let mut inner = Docstring::default();
            for line in &it.below {
                let is_entry = line.len() - line.trim_start().len() == margin;
                match entry(line, false).filter(|_| is_entry) {
                    Some(key) => inner.parameters.push(key),
                    None => inner.continued(line),
                }
            }
            inner.parameters
        };
        self.parameters
            .into_iter()
            .flat_map(|it| if it.name == dict { below(it) } else { vec![it] })
            .collect()
    }
}

/// `name (type, optional): description`, possibly after a `-`; in NumPy's style `name : type`.
fn entry(line: &str, is_numpy: bool) -> Option<Documented> {
    let line = line.trim().trim_start_matches(['-', '*', '•']).trim_start();
    let (before, text) = match split_outside(line, &[':', '：']) {
        Some((before, text)) => (before.trim(), text.trim()),
        None => (line, ""),
    };
    let (name, kind) = match before.find(['(', '（']) {
        Some(open) => (&before[..open], before[open..].trim_matches(['(', ')', '（', '）'])),
        None => (before, ""),
    };
    let name = name.trim().trim_matches(['`', '\'', '"', '*']);
    // This is a sentence, not an entry.
    if name.is_empty()
        || name.contains(char::is_whitespace)
        || (text.is_empty() && !is_numpy && kind.is_empty())
    {
        return None;
    }
    let (kind, description) = if is_numpy { (text, "") } else { (kind, text) };
    Some(Documented {
        name: name.to_owned(),
        kind: kind.to_owned(),
        description: description.to_owned(),
        below: Vec::new(),
    })
}

/// Splits at the first of `separators` outside of brackets.
pub(super) fn split_outside<'t>(text: &'t str, separators: &[char]) -> Option<(&'t str, &'t str)> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' | '（' => depth += 1,
            ')' | ']' | '}' | '）' => depth = depth.saturating_sub(1),
            _ if depth == 0 && separators.contains(&character) => {
                return Some((&text[..at], &text[at + character.len_utf8()..]));
            }
            _ => {}
        }
    }
    None
}
