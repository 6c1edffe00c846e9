//! The text of a manual page, section by section, without its markup. Code is left out, except in the synopsis.

/// One section.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) title: String,
    /// The lines, each with its number in the page. An empty line ends a paragraph.
    pub(super) lines: Vec<(String, u64)>,
}

impl Section {
    /// The text on one line.
    pub(super) fn joined(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|(line, _)| line.trim()).collect();
        lines.join(" ").trim().to_owned()
    }
}

/// Begins the text about one function in a list of several.
pub(super) const ITEM: char = '\u{1}';

/// The sections that list the parameters.
pub(super) const PARAMETERS: [&str; 2] = ["ARGUMENTS", "PARAMETERS"];

/// The beginning of the text about a parameter: `.IP "const char * name" 12`.
fn labelled(words: &[String]) -> String {
    let declared = words.first().map(|first| plain(first)).unwrap_or_default();
    let name = declared.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    if name.is_empty() { String::new() } else { format!("@param {name}") }
}

/// Reads a page, in the macros of man(7) or mdoc(7).
pub(super) fn sections(page: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut is_code = false;
    // Within `.Fo`.
    let mut is_prototype = false;
    for (line, number) in page.lines().zip(1_u64..) {
        let is_synopsis = sections.last().is_some_and(|section| section.title == "SYNOPSIS");
        let Some(request) = line.strip_prefix(['.', '\'']) else {
            if let Some(section) = sections.last_mut().filter(|_| !is_code || is_synopsis) {
                section.lines.push((plain(line), number));
            }
            continue;
        };
        let mut words = words(request);
        let macro_name = if words.is_empty() { String::new() } else { words.remove(0) };
        if let "SH" | "Sh" = macro_name.as_str() {
            sections.push(Section { title: plain(&words.join(" ")).to_uppercase(), lines: Vec::new() });
            is_code = false;
            continue;
        }
        let is_list = sections.last().is_some_and(|section| PARAMETERS.contains(&section.title.as_str()));
        let text = match macro_name.as_str() {
            "IP" if is_list => labelled(&words),
            "nf" | "EX" | "Bd" => {
                is_code = true;
                continue;
            }
            "fi" | "EE" | "Ed" => {
                is_code = false;
                continue;
            }
            "PP" | "LP" | "P" | "TP" | "IP" | "HP" | "Pp" | "SS" | "Ss" | "sp" | "Bl" | "El" | "br" => {
                String::new()
            }
            "It" if words.first().is_some_and(|word| word == "Fn") => {
                format!("{ITEM}{}", plain(words.get(1).map(String::as_str).unwrap_or_default()))
            }
            "It" => String::new(),
            "In" => format!("#include <{}>", words.concat()),
            "B" | "I" | "SM" | "Nd" | "Dv" | "Ar" | "Vt" | "Va" | "Em" | "Nm" | "Li" | "Ql" | "Ft" | "Cm"
            | "Ev" | "Pa" => marked(&words),
            // The words of these alternate between fonts, without spaces.
            "BR" | "BI" | "IR" | "IB" | "RB" | "RI" => words.concat(),
            "Fa" if is_synopsis || is_prototype => {
                words.iter().map(|word| format!("{word},")).collect::<Vec<_>>().join(" ")
            }
            "Fa" => marked(&words),
            "Fn" if is_synopsis && words.len() > 1 => prototype(&words),
            "Fn" => called(&words),
            "Fo" => {
                is_prototype = true;
                prototype(&words)
            }
            "Xr" => words.first().cloned().unwrap_or_default(),
            "Fc" => {
                is_prototype = false;
                ");".to_owned()
            }
            _ => continue,
        };
        if let Some(section) = sections.last_mut().filter(|_| !is_code || is_synopsis) {
            section.lines.push((plain(&text), number));
        }
    }
    sections
}

/// The text of a macro that marks its arguments.
fn marked(words: &[String]) -> String {
    let text = words.join(" ");
    // `.Dv NULL ,`: punctuation is a word of its own.
    text.replace(" ,", ",").replace(" .", ".").replace(" ;", ";").replace(" )", ")")
}

/// `.Fn name "a" "b" .` in a sentence.
fn called(words: &[String]) -> String {
    let is_mark = |word: &&String| word.chars().all(|c| matches!(c, '.' | ',' | ';' | ':' | ')'));
    let marks = words.iter().rev().take_while(is_mark).count();
    let (words, marks) = words.split_at(words.len() - marks);
    match words {
        [] => marks.concat(),
        [name, parameters @ ..] => format!("{name}({}){}", parameters.join(", "), marks.concat()),
    }
}

/// `.Fn name "int a" "int b"`.
fn prototype(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [name] => format!("{name}("),
        [name, parameters @ ..] => format!("{name}({});", parameters.join(", ")),
    }
}

/// The words of a request, of which some are in quotes.
fn words(request: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = request.trim();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        if word.starts_with("\\\"") {
            break;
        }
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// The text without escapes: `\fBname\fP`, `\-`, `\(co`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut characters = after.chars();
        let length = match characters.next() {
            Some('f') => match after.get(1..2) {
                Some("(") => 4,
                Some("[") => after.find(']').map_or(after.len(), |end| end + 1),
                _ => 2,
            },
            Some('(') => {
                out.push_str(after.get(1..3).map_or("", special));
                3
            }
            Some('[') => {
                let end = after.find(']').unwrap_or(after.len());
                out.push_str(after.get(1..end).map_or("", special));
                end + 1
            }
            Some('*') => {
                let (name, length) = string(after);
                out.push_str(special(name));
                length
            }
            Some('-') => {
                out.push('-');
                1
            }
            Some('e') => {
                out.push('\\');
                1
            }
            Some(' ' | '~') => {
                out.push(' ');
                1
            }
            Some('s') => {
                after.find(|c: char| !(c.is_ascii_digit() || "s+-".contains(c))).unwrap_or(after.len())
            }
            Some('"') => after.len(),
            Some('&' | '|' | '^' | '/' | ',' | '%' | ':' | 'c') => 1,
            Some(other) => {
                out.push(other);
                other.len_utf8()
            }
            None => 0,
        };
        rest = after.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The name of the string after `*`, and how many bytes both take: `*(Aq`.
fn string(after: &str) -> (&str, usize) {
    let rest = after.get(1..).unwrap_or_default();
    let (start, end) = match rest.chars().next() {
        Some('(') => (1, rest.len().min(3)),
        Some('[') => (1, rest.find(']').unwrap_or(rest.len())),
        Some(only) => (0, only.len_utf8()),
        None => (0, 0),
    };
    let closing = usize::from(rest.starts_with('[') && end < rest.len());
    (rest.get(start..end).unwrap_or_default(), 1 + end + closing)
}

/// The text of a special character, or of a string that generators of pages define: `Aq` (DocBook), `L"` (pod2man).
fn special(name: &str) -> &'static str {
    match name {
        "aq" | "Aq" | "oq" | "cq" => "'",
        "dq" | "lq" | "rq" | "L\"" | "R\"" | "C`" | "C'" | "Lq" | "Rq" => "\"",
        "em" | "en" | "mi" | "hy" | "--" => "-",
        ">=" => ">=",
        "<=" => "<=",
        "!=" => "!=",
        "->" => "->",
        "+-" => "+/-",
        "mu" => "x",
        "rs" => "\\",
        "ti" => "~",
        "ha" => "^",
        "PI" => "pi",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_taken_off() {
        for (text, expected) in [
            ("the \\fIhandle\\fP is \\-1", "the handle is -1"),
            ("\\fB\\fCx\\fR a\\&b \\(aqc\\(aq", "x ab 'c'"),
            ("\\s-1NULL\\s0", "NULL"),
            ("ends \\", "ends "),
            ("ü\\fü", "ü"),
            ("the user\\*(Aqs \\*(L\"new\\*(R\" \\*[Aq]x\\*[Aq]\\*p.", "the user's \"new\" 'x'."),
            ("n \\(>= 0, \\[<=] 9\\*(", "n >= 0, <= 9"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }

    #[test]
    fn names_in_a_sentence_have_no_further_marks() {
        let page = ".Sh SYNOPSIS\n.Fn e\n.Fn f \"int a\" \"int b\"\n.Fo g\n.Fa \"int a\"\n.Fc\n.Sh DESCRIPTION\nLike\n.Fn g .\nIf\n.Fa a\nis\n.Dv NULL ,\nit calls\n.Fn g a b ;\nelse nothing.\n";
        let found = sections(page);
        assert_eq!(found[0].joined(), "e() f(int a, int b); g( int a, );");
        assert_eq!(found[1].joined(), "Like g(). If a is NULL, it calls g(a, b); else nothing.");
    }

    #[test]
    fn sections_have_their_lines_and_no_code() {
        let page = ".TH x 3\n.SH \"RETURN VALUE\"\nIt is\n.BR x (3).\n.nf\ncode\n.fi\n.PP\nMore\n";
        let found = sections(page);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].title, "RETURN VALUE");
        let lines: Vec<&str> = found[0].lines.iter().map(|(line, _)| line.as_str()).collect();
        assert_eq!(lines, ["It is", "x(3).", "", "More"]);
        assert_eq!(found[0].lines[3].1, 9);
    }
}
