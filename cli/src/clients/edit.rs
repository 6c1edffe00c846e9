//! One entry of a JSON file, added or taken out as text: order, layout and everything else in the file stay as they are.
//!
//! A file with comments or trailing commas is not JSON, and is refused: nothing here could tell what a comment is about.

use std::fmt;

use opendyn_source::json::{self, Member, Node, Value};
use opendyn_source::span::Lines;
use serde::Serialize;

/// Why a text is not changed.
#[derive(Debug, PartialEq)]
pub(super) enum Unfit {
    /// It is not JSON: the line, and what is wrong there.
    NotJson(usize, String),
    /// What should be an object is something else, or is there twice.
    Shape(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(line, message) => {
                write!(f, "line {line} is not plain JSON ({message}), and comments would be lost")
            }
            Self::Shape(message) => f.write_str(message),
        }
    }
}

/// The text with the entry: a new one is the last of its section. Unchanged if it has this entry, however it is laid out.
pub(super) fn with(
    text: &str,
    section: &str,
    name: &str,
    entry: &serde_json::Value,
) -> Result<String, Unfit> {
    let layout = Layout::of(text);
    let is_it =
        |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok_and(|there| there == *entry);
    let entry = |depth: &str| layout.value(entry, depth);
    if is_empty(text) {
        let (one, two) = (layout.unit.clone(), layout.unit.repeat(2));
        let newline = layout.newline;
        let (section, name) = (quoted(section), quoted(name));
        let entry = entry(&two);
        return Ok(format!(
            "{{{newline}{one}{section}: {{{newline}{two}{name}: {entry}{newline}{one}}}{newline}}}{newline}"
        ));
    }
    let root = parsed(text)?;
    let members = object(&root, "the file")?;
    let Some(servers) = only(members, section)? else {
        let one = layout.depth_in(text, members, 1);
        let two = format!("{one}{}", layout.unit);
        let newline = layout.newline;
        let name = quoted(name);
        let value = format!("{{{newline}{two}{name}: {}{newline}{one}}}", entry(&two));
        return Ok(layout.insert(text, &root, members, 1, section, &value));
    };
    let entries = object(&servers.value, &format!("`{section}`"))?;
    match only(entries, name)? {
        Some(present) => {
            let span = present.value.span;
            if is_it(&text[span.start..span.end]) {
                return Ok(text.to_owned());
            }
            let depth = layout.depth_in(text, entries, 2);
            Ok(format!("{}{}{}", &text[..span.start], entry(&depth), &text[span.end..]))
        }
        None => {
            let depth = layout.depth_in(text, entries, 2);
            Ok(layout.insert(text, &servers.value, entries, 2, name, &entry(&depth)))
        }
    }
}

/// The entry with this name, if there is one.
pub(super) fn present(text: &str, section: &str, name: &str) -> Result<Option<serde_json::Value>, Unfit> {
    if is_empty(text) {
        return Ok(None);
    }
    let root = parsed(text)?;
    let Some(servers) = only(object(&root, "the file")?, section)? else { return Ok(None) };
    let entry = only(object(&servers.value, &format!("`{section}`"))?, name)?;
    let of = |entry: &Member| &text[entry.value.span.start..entry.value.span.end];
    Ok(entry.and_then(|entry| serde_json::from_str(of(entry)).ok()))
}

/// The text without the entry; unchanged if there is none.
pub(super) fn without(text: &str, section: &str, name: &str) -> Result<String, Unfit> {
    if is_empty(text) {
        return Ok(text.to_owned());
    }
    let root = parsed(text)?;
    let Some(servers) = only(object(&root, "the file")?, section)? else { return Ok(text.to_owned()) };
    let entries = object(&servers.value, &format!("`{section}`"))?;
    if only(entries, name)?.is_none() {
        return Ok(text.to_owned());
    }
    let Some(index) = entries.iter().position(|entry| entry.key == name) else { return Ok(text.to_owned()) };
    let (start, end) =
        match (index.checked_sub(1).and_then(|before| entries.get(before)), entries.get(index + 1)) {
            (_, Some(next)) => (entries[index].key_span.start, next.key_span.start),
            (Some(before), None) => (before.value.span.end, entries[index].value.span.end),
            // The only one: what is left is `{}`.
            (None, None) => (servers.value.span.start + 1, servers.value.span.end - 1),
        };
    Ok(format!("{}{}", &text[..start], &text[end..]))
}

/// Some clients begin with an empty file.
fn is_empty(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

fn parsed(text: &str) -> Result<Node, Unfit> {
    json::parse(text).map_err(|failure| match failure {
        json::Failure::Syntax { at, message } => Unfit::NotJson(Lines::new(text).locate(at).0, message),
        json::Failure::TooDeep { .. } => Unfit::Shape("it is nested too deep".to_owned()),
    })
}

fn object<'n>(node: &'n Node, what: &str) -> Result<&'n [Member], Unfit> {
    match &node.value {
        Value::Object(members) => Ok(members),
        other => Err(Unfit::Shape(format!("{what} is {}, not an object", other.noun()))),
    }
}

/// The member with this key. Which of two a client takes, nobody knows.
fn only<'n>(members: &'n [Member], key: &str) -> Result<Option<&'n Member>, Unfit> {
    let mut found = members.iter().filter(|member| member.key == key);
    match (found.next(), found.next()) {
        (_, Some(_)) => Err(Unfit::Shape(format!("it has `{key}` twice"))),
        (found, None) => Ok(found),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// How the file is laid out.
struct Layout {
    /// One level of indentation.
    unit: String,
    newline: &'static str,
}

impl Layout {
    fn of(text: &str) -> Self {
        let indented = |line: &str| {
            let space = line.len() - line.trim_start_matches([' ', '\t']).len();
            (space > 0 && line[space..].starts_with('"')).then(|| line[..space].to_owned())
        };
        let unit = text.lines().find_map(indented).unwrap_or_else(|| "  ".to_owned());
        Self { unit, newline: if text.contains("\r\n") { "\r\n" } else { "\n" } }
    }

    /// The indentation of the members of an object: that of its last one, if it has a line of its own.
    fn depth_in(&self, text: &str, members: &[Member], level: usize) -> String {
        let of_last = members.last().and_then(|last| {
            let before = &text[..last.key_span.start];
            let line = &before[before.rfind('\n')? + 1..];
            line.chars().all(|character| matches!(character, ' ' | '\t')).then(|| line.to_owned())
        });
        of_last.unwrap_or_else(|| self.unit.repeat(level))
    }

    /// A value on several lines, indented like a member at this depth.
    fn value(&self, value: &serde_json::Value, depth: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(self.unit.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        // Into memory, a value can always be written, and is UTF-8.
        let _ = value.serialize(&mut serializer);
        let text = String::from_utf8(bytes).unwrap_or_default();
        text.replace('\n', &format!("{}{depth}", self.newline))
    }

    /// The text with one more member, the last of the object.
    fn insert(
        &self,
        text: &str,
        of: &Node,
        members: &[Member],
        level: usize,
        key: &str,
        value: &str,
    ) -> String {
        let newline = self.newline;
        let depth = self.depth_in(text, members, level);
        let member = format!("{newline}{depth}{}: {value}", quoted(key));
        match members.last() {
            Some(last) => {
                let at = last.value.span.end;
                format!("{},{member}{}", &text[..at], &text[at..])
            }
            None => {
                let outer = self.unit.repeat(level - 1);
                let (start, end) = (of.span.start + 1, of.span.end - 1);
                format!("{}{member}{newline}{outer}{}", &text[..start], &text[end..])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const OTHERS: &str =
        "{\n\t\"b\": 1.0,\n\t\"mcpServers\": {\n\t\t\"x\": {\"command\":  \"x\"}\n\t},\n\t\"a\": [ ]\n}";

    fn entry() -> serde_json::Value {
        json!({"command": "/bin/o", "args": ["mcp"]})
    }

    fn both(text: &str) -> (String, String) {
        let added = with(text, "mcpServers", "z", &entry()).expect("it fits");
        let value: serde_json::Value =
            serde_json::from_str(added.trim_start_matches('\u{feff}')).expect("JSON");
        assert_eq!(value["mcpServers"]["z"], entry());
        let removed = without(&added, "mcpServers", "z").expect("it fits");
        (added, removed)
    }

    #[test]
    fn everything_else_stays_as_it_is_written() {
        let (added, removed) = both(OTHERS);
        let expected = "{\n\t\"b\": 1.0,\n\t\"mcpServers\": {\n\t\t\"x\": {\"command\":  \"x\"},\n\t\t\"z\": {\n\
                        \t\t\t\"command\": \"/bin/o\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t]\n\t\t}\n\t},\n\t\"a\": [ ]\n}";
        assert_eq!(added, expected);
        assert_eq!(removed, OTHERS);
    }

    #[test]
    fn what_is_missing_is_made() {
        for (text, left) in [
            ("", "{\n  \"mcpServers\": {}\n}\n"),
            ("{}", "{\n  \"mcpServers\": {}\n}"),
            (
                "\u{feff}{\r\n    \"a\": 1\r\n}\r\n",
                "\u{feff}{\r\n    \"a\": 1,\r\n    \"mcpServers\": {}\r\n}\r\n",
            ),
            ("{\"mcpServers\": {}}", "{\"mcpServers\": {}}"),
        ] {
            let (added, removed) = both(text);
            assert_eq!(removed, left, "{added}");
            assert_eq!(text.contains("\r\n"), added.contains("\r\n"));
            assert_eq!(added.matches('\n').count() == added.matches("\r\n").count(), text.contains("\r\n"));
        }
    }

    #[test]
    fn an_entry_is_replaced_where_it_stands_and_its_neighbours_stay() {
        let three = "{\"mcpServers\": {\"z\": 1, \"y\": 2, \"x\": 3}}";
        let (added, removed) = both(three);
        assert!(added.ends_with(", \"y\": 2, \"x\": 3}}"), "{added}");
        assert_eq!(removed, "{\"mcpServers\": {\"y\": 2, \"x\": 3}}");
        assert_eq!(
            with(&added, "mcpServers", "z", &entry()),
            Ok(added.clone()),
            "a second time changes nothing"
        );
        assert_eq!(without(&removed, "mcpServers", "z"), Ok(removed.clone()));
        assert_eq!(without("", "mcpServers", "z"), Ok(String::new()));
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        for (text, why) in [
            ("{\n  // mine\n  \"servers\": {}\n}", "line 2 is not plain JSON"),
            ("{\"mcpServers\": {},}", "line 1 is not plain JSON"),
            ("[]", "the file is an array"),
            ("{\"mcpServers\": []}", "`mcpServers` is an array"),
            ("{\"mcpServers\": {}, \"mcpServers\": {}}", "`mcpServers` twice"),
            ("{\"mcpServers\": {\"z\": 1, \"z\": 2}}", "`z` twice"),
        ] {
            let added = with(text, "mcpServers", "z", &entry()).expect_err("it is refused").to_string();
            let removed = without(text, "mcpServers", "z").expect_err("it is refused").to_string();
            assert!(added.contains(why) && removed == added, "{added} {removed}");
        }
    }
}
