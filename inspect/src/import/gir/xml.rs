//! A reader of XML for GIR files: elements with their attributes, and text, each with its line. What GIR files do
//! not have is not read: document types with entities of their own, and namespaces other than by their prefix.

use std::borrow::Cow;

/// A part of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event<'s> {
    Start(Element<'s>),
    End,
    Text(Cow<'s, str>, u64),
}

/// A start tag. A tag that ends itself is followed by [`Event::End`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element<'s> {
    pub(super) name: &'s str,
    attributes: &'s str,
    pub(super) line: u64,
}

impl<'s> Element<'s> {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<Cow<'s, str>> {
        let mut rest = self.attributes;
        loop {
            let (key, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let (value, after) = after.get(1..)?.split_once(quote)?;
            if key.trim() == name {
                return Some(unescaped(value));
            }
            rest = after;
        }
    }

    /// Whether an attribute is `1`.
    pub(super) fn is(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(|value| value == "1")
    }
}

/// Reads a document from its beginning.
pub(super) struct Reader<'s> {
    rest: &'s str,
    line: u64,
    /// Whether the last start tag ended itself.
    ends: bool,
}

impl<'s> Reader<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self { rest: text, line: 1, ends: false }
    }

    fn take(&mut self, length: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.line += u64::try_from(taken.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(0);
        self.rest = rest;
        taken
    }

    /// Takes everything up to and including `end`.
    fn take_through(&mut self, end: &str) -> &'s str {
        let length = self.rest.find(end).map_or(self.rest.len(), |at| at + end.len());
        self.take(length)
    }

    fn tag(&mut self) -> Option<Event<'s>> {
        let line = self.line;
        let inner = self.take_through(">").strip_prefix('<')?.strip_suffix('>')?;
        if inner.starts_with('/') {
            return Some(Event::End);
        }
        let (inner, ends) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
        self.ends = ends;
        let end = inner.find(char::is_whitespace).unwrap_or(inner.len());
        let (name, attributes) = inner.split_at(end);
        Some(Event::Start(Element { name, attributes, line }))
    }
}

impl<'s> Iterator for Reader<'s> {
    type Item = Event<'s>;

    fn next(&mut self) -> Option<Event<'s>> {
        if std::mem::take(&mut self.ends) {
            return Some(Event::End);
        }
        while !self.rest.is_empty() {
            if self.rest.starts_with("<?") {
                self.take_through("?>");
            } else if self.rest.starts_with("<!--") {
                self.take_through("-->");
            } else if let Some(text) = self.rest.strip_prefix("<![CDATA[") {
                let line = self.line;
                let length = text.find("]]>").unwrap_or(text.len());
                self.take_through("]]>");
                return Some(Event::Text(Cow::Borrowed(text.get(..length).unwrap_or_default()), line));
            } else if self.rest.starts_with("<!") {
                self.take_through(">");
            } else if self.rest.starts_with('<') {
                return self.tag();
            } else {
                let line = self.line;
                let length = self.rest.find('<').unwrap_or(self.rest.len());
                let text = self.take(length);
                if !text.trim().is_empty() {
                    return Some(Event::Text(unescaped(text), line));
                }
            }
        }
        None
    }
}

/// The text with its entities replaced.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let found = after.split_once(';').and_then(|(entity, after)| Some((character(entity)?, after)));
        rest = match found {
            Some((character, after)) => {
                out.push(character);
                after
            }
            None => {
                out.push('&');
                after
            }
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = entity.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_text_and_lines_are_read() {
        let text = "<?xml version='1.0'?>\n<!-- a <b> -->\n<a x='1'\n   y=\"&lt;&#65;\"><b/>t &amp; u</a>";
        let events: Vec<Event<'_>> = Reader::new(text).collect();
        assert_eq!(events.len(), 5, "{events:?}");
        let Event::Start(a) = &events[0] else { panic!("{events:?}") };
        assert_eq!((a.name, a.line, a.is("x")), ("a", 3, true));
        assert_eq!(a.attribute("y").as_deref(), Some("<A"));
        assert_eq!(a.attribute("z"), None);
        assert!(matches!(&events[1], Event::Start(b) if b.name == "b"));
        assert_eq!(events[2], Event::End);
        assert_eq!(events[3], Event::Text("t & u".into(), 4));
        assert_eq!(events[4], Event::End);
    }

    #[test]
    fn broken_text_ends_without_a_panic() {
        for text in ["<", "<a", "<a b", "<a b='", "&", "<!--", "<![CDATA[x", "a &#99999999; b", "</"] {
            for event in Reader::new(text) {
                if let Event::Start(element) = event {
                    _ = element.attribute("b");
                }
            }
        }
    }
}
