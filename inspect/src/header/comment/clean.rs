//! Removes comment markers and ornaments.

/// The lines of a comment, without markers and ornaments, with their indentation.
pub(super) fn lines(raw: &str) -> Vec<String> {
    let block = raw.starts_with("/*");
    // Several blocks of one line each.
    if block && raw.lines().count() > 1 && raw.lines().all(|line| line.trim_start().starts_with("/*")) {
        return raw.lines().flat_map(|line| lines(line.trim())).collect();
    }
    let inner = if block {
        let inner = raw.strip_prefix("/*").unwrap_or(raw);
        inner.strip_suffix("*/").unwrap_or(inner)
    } else {
        raw
    };
    let lines = inner.lines().enumerate().map(|(number, line)| {
        let line = line.trim_end();
        let trimmed = line.trim_start();
        let bare = if !block {
            let bare = trimmed.trim_start_matches('/');
            bare.strip_prefix('!').unwrap_or(bare)
        } else if number == 0 {
            // `/*-` is a mark for programs that indent.
            let bare = trimmed.trim_start_matches(['*', '!']);
            if bare == "-" { "" } else { bare }
        } else if is_list_of_stars(inner) {
            line
        } else {
            // ` * text`, and `** text`. The space after the marker is indentation.
            let bare = trimmed.trim_start_matches('*');
            if bare.len() == trimmed.len() { line } else { bare }
        };
        let bare = bare.strip_prefix('<').filter(|_| number == 0).unwrap_or(bare);
        without_ornaments(bare).to_owned()
    });
    lines.collect()
}

/// Whether the stars are bullets: only some lines have one.
fn is_list_of_stars(inner: &str) -> bool {
    let mut lines = inner.lines().skip(1).map(str::trim_start).filter(|line| !line.is_empty());
    let first_plain = lines.clone().next().is_some_and(|line| !line.starts_with('*'));
    first_plain && lines.any(|line| line.starts_with("* "))
}

/// `---- Title ----` becomes its title; a line of ornaments becomes empty.
fn without_ornaments(line: &str) -> &str {
    let sign = |c: char| matches!(c, '*' | '-' | '=' | '~' | '#' | '+' | '_' | '/' | '<' | '>' | '!');
    let trimmed = line.trim();
    if trimmed.len() >= 2 && trimmed.chars().all(|c| sign(c) || c.is_whitespace()) {
        return "";
    }
    let run = |text: &str| text.chars().take_while(|&c| sign(c)).count();
    let mut line = line;
    if run(trimmed) >= 3 {
        line = trimmed.trim_start_matches(sign);
    }
    let tail = line.trim_end().chars().rev().take_while(|&c| sign(c)).count();
    if tail >= 3 {
        line = line.trim_end().trim_end_matches(sign).trim_end();
    }
    line
}

/// The first word of a comment, without punctuation.
pub(super) fn first_word(raw: &str) -> Option<String> {
    let lines = lines(raw);
    let word = lines.iter().find_map(|line| line.split_whitespace().next())?;
    Some(word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_')).to_owned())
}

/// Whether it is a documentation comment for the declaration after it.
pub(in super::super) fn is_documentation(raw: &str) -> bool {
    let marked = |mark: &str| raw.strip_prefix(mark).is_some_and(|rest| !rest.starts_with(['*', '/', '<']));
    marked("/**") || marked("/*!") || marked("///") || marked("//!")
}

/// Whether it is marked as a comment on the declaration before it.
pub(in super::super) fn points_back(raw: &str) -> bool {
    ["/**<", "/*!<", "///<", "//!<"].iter().any(|mark| raw.starts_with(mark))
}

/// A comment on a member, enumerator, parameter or macro, as one line.
pub(in super::super) fn short(raw: &str) -> Option<String> {
    if is_licence(raw) || is_about_source(raw) {
        return None;
    }
    let text = super::markup::plain(&paragraphs(&lines(raw)));
    let text = text.strip_prefix("@brief ").or(text.strip_prefix("\\brief ")).unwrap_or(&text);
    let text = text.trim().trim_start_matches("- ").trim_start_matches(": ").trim();
    text.chars().any(char::is_alphabetic).then(|| text.to_owned())
}

/// The comment on an enumerator without the number at its beginning: `4 - not built in`. A number alone says
/// nothing.
pub(in super::super) fn without_number(text: &str, value: i128) -> Option<String> {
    let number = value.to_string();
    let Some(rest) = text.strip_prefix(&number) else { return Some(text.to_owned()) };
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == '.') {
        return Some(text.to_owned());
    }
    let rest = rest.trim_start_matches([' ', '-', ':', ',', '.']).trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// Lines as paragraphs: joined, with an empty line between two. List items are on lines of their own, and
/// code is indented by four spaces, as in Markdown.
pub(super) fn paragraphs(lines: &[String]) -> String {
    let mut text = String::new();
    let mut preformatted = false;
    for paragraph in lines.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty()) {
        let code = is_code(paragraph);
        let tag = |line: &&String| line.trim_start().starts_with(['<', '@', '\\']);
        let text_lines = paragraph.iter().filter(|line| !tag(line));
        let margin = text_lines.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        let mut begins = true;
        for line in paragraph {
            let trimmed = line.trim();
            preformatted &= !(trimmed.contains("</pre>") || is_command(trimmed, "endcode"));
            if code || preformatted {
                if !begins {
                    text.push('\n');
                }
                text.push_str("    ");
                text.push_str(line.trim_end().get(margin..).unwrap_or(trimmed));
            } else {
                if !begins {
                    text.push(if is_point(trimmed) || text.ends_with(">\n") { '\n' } else { ' ' });
                }
                // Removes double spaces after a full stop, and columns.
                let words: Vec<&str> = trimmed.split_whitespace().collect();
                text.push_str(&words.join(" "));
            }
            begins = false;
            if trimmed.ends_with("<pre>") || is_command(trimmed, "code") {
                preformatted = true;
            }
        }
    }
    text.trim_end().trim_start_matches('\n').to_owned()
}

fn is_command(line: &str, name: &str) -> bool {
    line.strip_prefix(['@', '\\']).is_some_and(|rest| rest.starts_with(name))
}

/// Whether the lines are an example in C or SQL.
fn is_code(lines: &[String]) -> bool {
    let is_code = |line: &String| {
        let line = line.trim();
        let ends = line.ends_with([';', '{', '}']) && !is_point(line);
        ends && (line.contains(['(', '=', '{', '}']) || line.ends_with(';')) || line.starts_with("#include")
    };
    let code = lines.iter().filter(|line| is_code(line)).count();
    lines.last().is_some_and(is_code) && code * 2 > lines.len()
}

/// Whether a line begins a list item.
pub(super) fn is_point(line: &str) -> bool {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - numbered.len();
    ["- ", "* ", "+ ", "o ", "<li>"].iter().any(|sign| line.starts_with(sign))
        || ((1..=2).contains(&digits) && (numbered.starts_with(". ") || numbered.starts_with(") ")))
}

/// Whether it is the licence of the file.
pub(super) fn is_licence(raw: &str) -> bool {
    let lower = raw.to_ascii_lowercase();
    [
        "copyright",
        "spdx-license",
        "permission is hereby granted",
        "redistribution and use",
        "all rights reserved",
        "without warranty",
        "disclaims copyright",
        "licensed under",
    ]
    .iter()
    .any(|words| lower.contains(words))
}

/// Whether it is about the source: for tools, or for its developers.
pub(super) fn is_about_source(raw: &str) -> bool {
    let text = raw.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '@' | '\\' | '_'));
    let conditional = ["#if", "#endif", "#else", "#pragma"];
    let marks = [
        "@file",
        "\\file",
        "@defgroup",
        "\\defgroup",
        "@addtogroup",
        "\\addtogroup",
        "@mainpage",
        "@{",
        "@}",
        "\\{",
        "\\}",
    ];
    let begins = [
        "clang-format",
        "NOLINT",
        "INDENT-O",
        "TODO",
        "FIXME",
        "XXX",
        "lint",
        "LINT",
        "coverity",
        "cppcheck",
        "end of ",
        "End of ",
        "@cond",
        "\\cond",
        "@endcond",
        "\\endcond",
    ];
    // The name after an `#endif`: `_STDIO_H`, `__cplusplus`.
    let is_word = !text.contains(char::is_whitespace) && text.contains('_') && !text.contains('(');
    let guard = is_word
        && (!text.chars().any(char::is_lowercase)
            || ["_h", "_H", "_INCLUDED"].iter().any(|ending| text.ends_with(ending))
            || text.starts_with("__"));
    conditional.iter().any(|word| raw.contains(word))
        || marks.iter().any(|mark| raw.contains(mark))
        || begins.iter().any(|word| text.starts_with(word))
        || guard
}

/// Whether it is the heading of a section: a line or two between ornaments, or a few words without a full
/// stop.
pub(super) fn is_heading(raw: &str, apart: bool) -> bool {
    let lines: Vec<String> = lines(raw).into_iter().filter(|line| !line.trim().is_empty()).collect();
    let ornate = raw.lines().any(|line| {
        let signs = line.trim().trim_start_matches('/').trim_end_matches('/');
        signs.len() >= 8 && signs.chars().all(|c| matches!(c, '*' | '-' | '=' | '~' | '#' | '+' | ' '))
    }) || raw.contains("----")
        || raw.contains("====")
        || raw.contains("****");
    let Some(last) = lines.last().map(|line| line.trim_end()) else { return true };
    let sentence = last.ends_with(['.', '!', ')']);
    if lines.len() <= 2 && ornate && !sentence {
        return true;
    }
    // A documentation comment is a description, however short.
    if is_documentation(raw) || points_back(raw) {
        return false;
    }
    let few = lines.len() == 1 && last.split_whitespace().count() <= 3 && !sentence;
    let loud = lines.iter().all(|line| !line.chars().any(char::is_lowercase));
    loud || few || last.ends_with(':') || (lines.len() == 1 && apart && !sentence)
}

/// Whether it ends as a sentence.
pub(super) fn is_sentence(raw: &str) -> bool {
    let lines = lines(raw);
    lines.iter().rev().find(|line| !line.trim().is_empty()).is_some_and(|line| line.trim_end().ends_with('.'))
}

/// Whether it is a few words that may be the title of what follows, and do not say what one function does: "Context
/// handling.", not "Returns the length".
pub(super) fn is_short_title(raw: &str) -> bool {
    const SAYS: [&str; 18] = [
        "return",
        "returns",
        "get",
        "gets",
        "set",
        "sets",
        "free",
        "frees",
        "check",
        "checks",
        "test",
        "tests",
        "compute",
        "computes",
        "convert",
        "converts",
        "initialize",
        "initializes",
    ];
    let lines = lines(raw);
    let text = lines.join(" ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    let is_several = words.get(1).is_some_and(|word| matches!(*word, "and" | "or" | "/" | "&"));
    let is_shared = matches!(first.as_str(), "these" | "both");
    words.len() <= 8 && !is_shared && (is_several || !SAYS.contains(&first.as_str()))
}
