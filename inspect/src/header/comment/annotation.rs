//! The annotations of GTK-Doc: `@items: (array length=n) (nullable): the items`.

use crate::{AttributeKind, Count, Direction, Transfer};

/// What the annotations of the value at `position` state, each with its text. 0 is the return value.
pub(super) fn statements(
    annotations: &str,
    position: usize,
    names: &[Option<&str>],
) -> Vec<(AttributeKind, String)> {
    let mut found = Vec::new();
    for part in annotations.split(['(', ')']).map(str::trim).filter(|part| !part.is_empty()) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let kinds = match words.as_slice() {
            ["nullable"] | ["allow-none"] => vec![AttributeKind::Nullable(position)],
            ["not", "nullable"] | ["not-nullable"] if position == 0 => vec![AttributeKind::ReturnsNonnull],
            ["not", "nullable"] | ["not-nullable"] => vec![AttributeKind::Nonnull(vec![position])],
            ["optional"] => vec![AttributeKind::Nullable(position)],
            ["transfer", "none"] => vec![AttributeKind::Transfer(position, Transfer::None)],
            ["transfer", "container"] => vec![AttributeKind::Transfer(position, Transfer::Container)],
            ["transfer", "full"] => vec![AttributeKind::Transfer(position, Transfer::Full)],
            ["out", ..] => vec![access(Direction::Out, position)],
            ["inout", ..] => vec![access(Direction::InOut, position)],
            ["array", options @ ..] => length(options, position, names).into_iter().collect(),
            ["scope", "call"] => {
                vec![AttributeKind::CalledDuring { callback: position, user_data: None, handed_back: None }]
            }
            _ => Vec::new(),
        };
        found.extend(kinds.into_iter().map(|kind| (kind, format!("({part})"))));
    }
    let is_out = annotations.contains("(out") || annotations.contains("(inout");
    let is_array = annotations.contains("(array");
    if is_out && !is_array && position > 0 {
        found.push((AttributeKind::One(position), annotations.trim().to_owned()));
    }
    // `(nullable)` is about what C leaves there, `(optional)` about the pointer.
    for (kind, text) in &mut found {
        if *kind == AttributeKind::Nullable(position) && is_out && text == "(nullable)" {
            *kind = AttributeKind::GivesNull(position);
        }
    }
    found
}

fn access(direction: Direction, pointer: usize) -> AttributeKind {
    AttributeKind::Access { direction, pointer, size: None }
}

/// `length=n`, `fixed-size=4`, `zero-terminated=1`.
fn length(options: &[&str], pointer: usize, names: &[Option<&str>]) -> Option<AttributeKind> {
    let option = |name: &str| options.iter().find_map(|option| option.strip_prefix(name)?.strip_prefix('='));
    let count = if let Some(name) = option("length") {
        Count::Parameter(names.iter().position(|known| *known == Some(name))? + 1)
    } else if let Some(size) = option("fixed-size") {
        Count::Constant(size.parse().ok()?)
    } else if option("zero-terminated") == Some("1") || options.contains(&"zero-terminated") {
        Count::Terminated
    } else {
        return None;
    };
    Some(AttributeKind::Length { pointer, count, is_bytes: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_statements() {
        let of = |text: &str| -> Vec<AttributeKind> {
            statements(text, 1, &[Some("items"), Some("n")]).into_iter().map(|(kind, _)| kind).collect()
        };
        assert_eq!(
            of("(array length=n) (nullable)"),
            [
                AttributeKind::Length { pointer: 1, count: Count::Parameter(2), is_bytes: false },
                AttributeKind::Nullable(1)
            ]
        );
        assert_eq!(
            of("(out) (nullable) (transfer full)"),
            [
                access(Direction::Out, 1),
                AttributeKind::GivesNull(1),
                AttributeKind::Transfer(1, Transfer::Full),
                AttributeKind::One(1)
            ]
        );
        assert_eq!(of("(array length=other)"), []);
        assert_eq!(of("(element-type utf8) (skip)"), []);
    }
}
