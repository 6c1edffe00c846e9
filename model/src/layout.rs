//! The canonical layout of a document, for `fmt` and for commands that write documents.
//!
//! Keys are in the order of [`crate::keys`], the table that documents are read by. What fits in 100 columns
//! is on one line, except what a reader looks for at the beginning of a line: the document, `info`, each
//! function, each parameter, each schema, each code. Nothing else changes: numbers and strings stay as
//! written, and unknown keys stay after the key that they followed.

use std::fmt;

use opendyn_source::json::{self, Node};
use opendyn_source::span::Span;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::keys::{Place, Shape};

/// The maximum width of a line.
const WIDTH: usize = 100;

/// JSON with scalars as text that is ready to be written.
enum Tree {
    Scalar(String),
    List(Vec<Tree>),
    Object(Vec<Entry>),
}

struct Entry {
    /// The key, without and with quotes.
    key: String,
    quoted: String,
    value: Tree,
}

/// Why a text cannot be formatted.
#[derive(Debug)]
pub enum LayoutError {
    /// It is not JSON, or nests too deep.
    NotJson,
    /// A key occurs twice in an object. JSON readers differ in which of the two they take, so neither can be
    /// dropped.
    DuplicateKey {
        /// The key.
        key: String,
        /// The second occurrence.
        span: Span,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson => f.write_str("the text is not JSON, or nests too deep"),
            Self::DuplicateKey { key, .. } => write!(f, "the key {key:?} occurs twice in an object"),
        }
    }
}

impl std::error::Error for LayoutError {}

/// The text of a document in canonical layout.
///
/// # Errors
///
/// The text is not JSON, or a key occurs twice in an object.
pub fn of_text(source: &str) -> Result<String, LayoutError> {
    let node = json::parse(source).map_err(|_| LayoutError::NotJson)?;
    Ok(write(&from_node(source, &node)?))
}

/// A document as a value, in canonical layout.
#[must_use]
pub fn of_value(document: &Value) -> String {
    write(&from_value(document))
}

/// Any other JSON, by the same rules: on one line if it fits.
#[must_use]
pub fn of_json(value: &Value) -> String {
    let mut out = String::new();
    Printer { out: &mut out }.value(&from_value(value), None, 0, 0);
    out
}

fn from_node(source: &str, node: &Node) -> Result<Tree, LayoutError> {
    let text = |span: Span| source.get(span.start..span.end).unwrap_or_default().to_owned();
    Ok(match &node.value {
        json::Value::Array(elements) => {
            Tree::List(elements.iter().map(|element| from_node(source, element)).collect::<Result<_, _>>()?)
        }
        json::Value::Object(members) => {
            let mut seen = std::collections::HashSet::new();
            let mut tree = Vec::with_capacity(members.len());
            for member in members {
                if !seen.insert(member.key.as_str()) {
                    return Err(LayoutError::DuplicateKey { key: member.key.clone(), span: member.key_span });
                }
                let value = from_node(source, &member.value)?;
                tree.push(Entry { key: member.key.clone(), quoted: text(member.key_span), value });
            }
            Tree::Object(tree)
        }
        _ => Tree::Scalar(text(node.span)),
    })
}

fn from_value(value: &Value) -> Tree {
    match value {
        Value::Array(elements) => Tree::List(elements.iter().map(from_value).collect()),
        Value::Object(members) => Tree::Object(members.iter().map(member).collect()),
        scalar => Tree::Scalar(scalar.to_string()),
    }
}

fn member((key, value): (&String, &Value)) -> Entry {
    Entry { key: key.clone(), quoted: Value::from(key.as_str()).to_string(), value: from_value(value) }
}

fn write(tree: &Tree) -> String {
    let mut out = String::new();
    Printer { out: &mut out }.value(tree, Some(Shape::Object(Place::Document)), 0, 0);
    out.push('\n');
    out
}

struct Printer<'o> {
    out: &'o mut String,
}

impl Printer<'_> {
    /// Writes a value. `before` columns of the line are in use, and a comma may follow.
    fn value(&mut self, tree: &Tree, shape: Option<Shape>, indent: usize, before: usize) {
        let shape = shape.and_then(|shape| narrow(shape, tree));
        if !is_spread(tree, shape) {
            let line = inline(tree, shape);
            if before + line.width() < WIDTH {
                self.out.push_str(&line);
                return;
            }
        }
        match tree {
            Tree::Scalar(text) => self.out.push_str(text),
            Tree::List(elements) if elements.iter().all(|element| matches!(element, Tree::Scalar(_))) => {
                self.fill(elements, indent);
            }
            Tree::List(elements) => {
                let of = element_shape(shape);
                self.block('[', ']', indent, elements.iter(), |printer, element| {
                    printer.value(element, of, indent + 2, indent + 2);
                });
            }
            Tree::Object(members) => {
                let ordered = order(members, shape);
                self.block('{', '}', indent, ordered.into_iter(), |printer, member| {
                    printer.out.push_str(&member.quoted);
                    printer.out.push_str(": ");
                    let before = indent + 2 + member.quoted.width() + 2;
                    printer.value(&member.value, member_shape(shape, &member.key), indent + 2, before);
                });
            }
        }
    }

    /// One item per line.
    fn block<T>(
        &mut self,
        open: char,
        close: char,
        indent: usize,
        items: impl Iterator<Item = T>,
        mut item: impl FnMut(&mut Self, T),
    ) {
        self.out.push(open);
        let mut first = true;
        for each in items {
            if !std::mem::take(&mut first) {
                self.out.push(',');
            }
            self.line(indent + 2);
            item(self, each);
        }
        self.line(indent);
        self.out.push(close);
    }

    /// As many scalars per line as fit, so that a long `enum` does not take one line per value.
    fn fill(&mut self, elements: &[Tree], indent: usize) {
        self.out.push('[');
        let mut column = WIDTH;
        for (index, element) in elements.iter().enumerate() {
            let text = inline(element, None);
            if index > 0 {
                self.out.push(',');
            }
            if column + 2 + text.width() < WIDTH {
                self.out.push(' ');
                column += 2 + text.width();
            } else {
                self.line(indent + 2);
                column = indent + 2 + text.width();
            }
            self.out.push_str(&text);
        }
        self.line(indent);
        self.out.push(']');
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }
}

fn inline(tree: &Tree, shape: Option<Shape>) -> String {
    let shape = shape.and_then(|shape| narrow(shape, tree));
    match tree {
        Tree::Scalar(text) => text.clone(),
        Tree::List(elements) => {
            let of = element_shape(shape);
            let elements: Vec<String> = elements.iter().map(|element| inline(element, of)).collect();
            format!("[{}]", elements.join(", "))
        }
        Tree::Object(members) if members.is_empty() => "{}".to_owned(),
        Tree::Object(members) => {
            let text = |member: &Entry| {
                format!("{}: {}", member.quoted, inline(&member.value, member_shape(shape, &member.key)))
            };
            let members: Vec<String> = order(members, shape).into_iter().map(text).collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

/// The part of a shape that `tree` can have: `x-length` is a string or an object, `return` an object or null.
fn narrow(shape: Shape, tree: &Tree) -> Option<Shape> {
    let fits = match (shape, tree) {
        (Shape::Either(one, other), _) => return narrow(*one, tree).or_else(|| narrow(*other, tree)),
        (Shape::OrNull(of), _) => return narrow(*of, tree),
        (Shape::Object(_) | Shape::Map(_), Tree::Object(_)) | (Shape::List(_), Tree::List(_)) => true,
        _ => false,
    };
    fits.then_some(shape)
}

fn element_shape(shape: Option<Shape>) -> Option<Shape> {
    match shape {
        Some(Shape::List(of)) => Some(*of),
        _ => None,
    }
}

fn member_shape(shape: Option<Shape>, key: &str) -> Option<Shape> {
    match shape {
        Some(Shape::Map(of)) => Some(*of),
        Some(Shape::Object(place)) => {
            place.keys().iter().find(|known| known.name == key).map(|known| known.shape)
        }
        _ => None,
    }
}

/// Whether it takes several lines even if it fits on one.
fn is_spread(tree: &Tree, shape: Option<Shape>) -> bool {
    let is_empty = match tree {
        Tree::Scalar(_) => true,
        Tree::List(elements) => elements.is_empty(),
        Tree::Object(members) => members.is_empty(),
    };
    let spread = match shape {
        Some(Shape::Object(place)) => matches!(place, Place::Document | Place::Info | Place::Function),
        Some(Shape::List(Shape::Object(place))) => matches!(place, Place::Function | Place::Parameter),
        Some(Shape::Map(_)) => true,
        _ => false,
    };
    spread && !is_empty
}

/// The members in the order of the table. An unknown key stays after the key that it followed, because it
/// probably belongs there.
fn order(members: &[Entry], shape: Option<Shape>) -> Vec<&Entry> {
    let Some(Shape::Object(place)) = shape else { return members.iter().collect() };
    let mut rank = 0;
    let mut ranked: Vec<(usize, &Entry)> = members
        .iter()
        .map(|member| {
            if let Some(known) = place.keys().iter().position(|known| known.name == member.key) {
                rank = known + 1;
            }
            (rank, member)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, member)| member).collect()
}

#[cfg(test)]
mod tests;
