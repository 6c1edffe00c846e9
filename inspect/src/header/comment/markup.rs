//! Markup in comments: HTML, inline Doxygen commands, the marks in SQLite's documentation.

/// The text without markup.
pub(super) fn plain(text: &str) -> String {
    let text = if text.contains('<') || text.contains('&') { without_html(text) } else { text.to_owned() };
    let text = if text.contains('^') || text.contains('[') { without_marks(&text) } else { text };
    let text = if text.contains(['@', '\\']) { without_commands(&text) } else { text };
    // Removed markup leaves gaps.
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim_end) {
        if !line.is_empty() || (!out.is_empty() && !out.ends_with("\n\n")) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// `^(…)^` around statements that SQLite tests, `[links]`, and `[[anchors]]`.
fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['^', '[']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if let Some(anchor) = from.strip_prefix("[[").and_then(|anchor| anchor.split_once("]]")) {
            rest = anchor.1.trim_start();
            continue;
        }
        if let Some(marked) = from.strip_prefix('^') {
            // `B ^ E` is an operator.
            let is_sign = marked.starts_with(char::is_whitespace);
            let begins = !is_sign
                && (before.is_empty()
                    || before.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | ')')));
            let closes = before.ends_with(')');
            if closes && from.starts_with('^') && out.ends_with(')') && open_before(&out) {
                out.pop();
                rest = marked;
            } else if begins {
                rest = marked.strip_prefix('(').inspect(|_| out.push('\u{1}')).unwrap_or(marked);
            } else {
                out.push('^');
                rest = marked;
            }
            continue;
        }
        // A link is a name, a call, or `name | text`; `[32]` and `[in]` are not links.
        let inner = from.get(1..).and_then(|inner| inner.split_once(']'));
        match inner {
            Some((link, after)) if is_link(link, before) => {
                let shown = link.rsplit('|').next().unwrap_or(link).trim();
                out.push_str(shown);
                rest = after;
            }
            _ => {
                out.push('[');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out.replace('\u{1}', "")
}

/// Whether a `^(` is still open in `out`; closes it.
fn open_before(out: &str) -> bool {
    out.contains('\u{1}')
}

fn is_link(link: &str, before: &str) -> bool {
    let begins = link.starts_with(|c: char| c.is_ascii_alphabetic());
    let index = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ']' | ')'));
    begins && !index && link.len() > 3 && !link.contains(['[', '\n', ';', '='])
}

/// HTML tags and entities as plain text.
fn without_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let tag = from.get(1..).and_then(|inner| inner.split_once('>'));
        let Some((replacement, after)) = tag.and_then(|(tag, after)| Some((replacement(tag)?, after))) else {
            out.push('<');
            rest = from.get(1..).unwrap_or_default();
            continue;
        };
        // List items and paragraphs begin on lines of their own; a paragraph at the beginning of an item is
        // the item.
        if out.ends_with("\n- ") && replacement.trim().is_empty() {
            rest = after.trim_start();
        } else if replacement.starts_with('\n') {
            out.truncate(out.trim_end_matches([' ', '\t']).len());
            let there = out.chars().rev().take_while(|&c| c == '\n').count().min(2);
            let wanted = replacement.chars().take_while(|&c| c == '\n').count();
            (there..wanted).for_each(|_| out.push('\n'));
            out.push_str(replacement.trim_start_matches('\n'));
            // Text in `<pre>` keeps its indentation.
            let after = after.trim_start_matches('\n');
            rest = if after.starts_with("    ") { after } else { after.trim_start_matches([' ', '\n']) };
        } else {
            out.push_str(replacement);
            rest = after;
        }
    }
    out.push_str(rest);
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&le;", "≤"),
        ("&ge;", "≥"),
        ("&quot;", "\""),
        ("&nbsp;", " "),
        ("&#91;", "["),
        ("&#93;", "]"),
        ("&rarr;", "→"),
        ("&amp;", "&"),
    ] {
        if out.contains(entity) {
            out = out.replace(entity, sign);
        }
    }
    out.trim_end().trim_start_matches('\n').to_owned()
}

fn replacement(tag: &str) -> Option<&'static str> {
    // `a < b` is not a tag.
    if !tag.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/') || tag.contains('<') {
        return None;
    }
    let name: String = tag.split([' ', '\n', '/']).find(|word| !word.is_empty())?.to_ascii_lowercase();
    let closes = tag.starts_with('/');
    Some(match (name.as_str(), closes) {
        ("p" | "h1" | "h2" | "h3" | "h4", _) => "\n\n",
        ("li" | "dt", false) | ("tr", false) => "\n- ",
        ("dd", false) => ": ",
        ("td" | "th", false) => " ",
        ("br", _) | ("ul" | "ol" | "dl" | "table" | "blockquote" | "pre", _) => "\n",
        ("li" | "dt" | "dd" | "tr" | "td" | "th", true) => "",
        (
            "b" | "i" | "em" | "tt" | "code" | "u" | "strong" | "sup" | "a" | "span" | "var" | "center"
            | "tbody",
            _,
        ) => "",
        _ => return None,
    })
}

/// `@c word` and `\p word` become the word.
fn without_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['@', '\\']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let inner = from.get(1..).unwrap_or_default();
        let length = inner.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(inner.len());
        let (word, after) = inner.split_at(length);
        let free =
            before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | '"'));
        let inline = matches!(
            word,
            "c" | "p"
                | "a"
                | "e"
                | "b"
                | "em"
                | "ref"
                | "link"
                | "endlink"
                | "li"
                | "code"
                | "endcode"
                | "brief"
                | "n"
        );
        if free && inline && (after.is_empty() || after.starts_with(char::is_whitespace)) {
            rest = after.strip_prefix(' ').unwrap_or(after);
        } else if free && is_reference(inner) {
            rest = inner;
        } else {
            out.push_str(from.get(..1).unwrap_or_default());
            rest = inner;
        }
    }
    out.push_str(rest);
    out
}

/// Whether a text begins with a name that `@` refers to, as in FreeType: `@FT_Open_Face`.
fn is_reference(text: &str) -> bool {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let name = text.get(..end).unwrap_or_default();
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.contains('_')
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn markup_is_taken_off() {
        for (text, expected) in [
            ("^The [sqlite3_open()] call", "The sqlite3_open() call"),
            ("^(It returns [SQLITE_OK].)^ Then more", "It returns SQLITE_OK. Then more"),
            ("a [sqlite3_stmt | statement] of k[32] and 2^31", "a statement of k[32] and 2^31"),
            ("[[ANCHOR]] text", "text"),
            ("one <ul><li> a <li> b </ul>", "one\n- a\n- b"),
            ("two <li> <p> a", "two\n- a"),
            ("if a < b and <b>c</b> &gt; d", "if a < b and c > d"),
            ("see @FT_Open_Face, not @other_name", "see FT_Open_Face, not @other_name"),
            ("the @c length of \\p data, mail me@c here", "the length of data, mail me@c here"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
}
