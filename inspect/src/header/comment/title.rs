//! Comments whose first line names what they describe: a title, a call, or a prototype.

/// The rest of a line that only names what is described: nothing, or a title. `None` for other lines.
pub(super) fn title(line: &str) -> Option<String> {
    if let Some(title) = line.strip_prefix("CAPI3REF:") {
        return Some(format!("{}.", title.trim().trim_end_matches('.')));
    }
    let tags = ["KEYWORDS:", "METHOD:", "CONSTRUCTOR:", "DESTRUCTOR:", "OBJECT:"];
    if tags.iter().any(|tag| line.starts_with(tag)) || line == "DESCRIPTION" || line.starts_with("NAME ") {
        return Some(String::new());
    }
    let (calls, rest) = calls(line.strip_prefix("Name:").map_or(line, str::trim_start));
    if calls.is_empty() {
        return None;
    }
    match rest.strip_prefix(':') {
        Some(text) => Some(Some(text.trim()).filter(|text| !is_version(text)).unwrap_or("").to_owned()),
        None => rest.is_empty().then(String::new),
    }
}

/// Whether a line is the title of a GTK-Doc comment, with its annotations: `make_it: (skip)`.
pub(super) fn is_of_gtk_doc(line: &str, function: &str) -> bool {
    let (name, rest) = line.trim().split_once(':').unwrap_or_default();
    let mut annotations = rest.split_inclusive(')').map(str::trim).filter(|part| !part.is_empty());
    name.trim_end_matches("()") == function
        && annotations.all(|part| part.starts_with('(') && part.ends_with(')') && !part.contains('.'))
}

/// `v1.9.0+`
fn is_version(text: &str) -> bool {
    let digits = text.trim_start_matches('v').trim_end_matches('+');
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The functions that a line begins with, as in `LZ4_a() , LZ4_b() : …`, and the rest of the line.
fn calls(line: &str) -> (Vec<&str>, &str) {
    let mut rest = line;
    let mut found = Vec::new();
    loop {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '*'))).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let Some(after) = after.strip_prefix("()").filter(|_| !name.is_empty()) else { return (found, rest) };
        found.push(name);
        rest = after.trim_start();
        match [",", "+", "/", "&", "and ", "or "].iter().find_map(|sign| rest.strip_prefix(sign)) {
            Some(after) => rest = after.trim_start(),
            // The list continues on the next line.
            None if rest == "and" => return (found, ""),
            None => return (found, rest),
        }
    }
}

/// The functions that the first line of a comment names, wherever the comment is.
pub(super) fn named(raw: &str) -> Vec<&str> {
    let start = raw.trim_start_matches(['/', '*', '!', ' ', '\n', '\r', '\t', '-']);
    let line = start.lines().next().unwrap_or_default().trim();
    if let Some(names) = line.strip_prefix("NAME ").or(line.strip_prefix("Name:")) {
        return calls(names.trim()).0;
    }
    let (names, rest) = calls(line);
    if rest.is_empty() || rest.starts_with(':') { names } else { Vec::new() }
}

/// The function whose prototype a comment begins with, as in zlib's descriptions of macros: `ZEXTERN int
/// ZEXPORT deflateInit OF((z_streamp strm, int level));`.
pub(super) fn prototype(raw: &str) -> Option<&str> {
    let start = raw.trim_start_matches(['/', '*', '!', ' ', '\n', '\r', '\t']);
    let declaration = start.get(..start.find(';')?)?;
    let head = declaration.get(..declaration.find('(')?)?;
    if !declaration.trim_end().ends_with(')')
        || head.contains(['.', ',', ':', '"', '@', '='])
        || head.contains("\n\n")
    {
        return None;
    }
    let mut words: Vec<&str> = head.split([' ', '\n', '*', '\t']).filter(|word| !word.is_empty()).collect();
    // The macro around parameter lists in old headers.
    if matches!(words.last(), Some(&("OF" | "P" | "PARAMS" | "__P" | "Z_ARG"))) {
        words.pop();
    }
    let name = words.pop()?;
    let word = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
    (!words.is_empty() && words.len() <= 5 && words.iter().all(word) && word(&name)).then_some(name)
}

/// The parameter names in the prototype that a comment begins with.
pub(super) fn prototype_parameters(raw: &str) -> Vec<&str> {
    let list = || {
        let start = raw.get(..raw.find(';')?)?;
        let list = start.get(start.find('(')?..)?;
        Some(list.trim_matches(|c: char| matches!(c, '(' | ')') || c.is_whitespace()))
    };
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let name = |parameter: &'_ str| parameter.rfind(|c: char| !word(c)).map_or(0, |end| end + 1);
    let list: &str = list().unwrap_or_default();
    // Inner parentheses belong to callbacks, whose names are elsewhere.
    if list.contains('(') {
        return Vec::new();
    }
    list.split(',')
        .map(str::trim)
        .map(|parameter| parameter.get(name(parameter)..).unwrap_or_default())
        .collect()
}
