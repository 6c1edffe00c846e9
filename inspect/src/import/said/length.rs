//! The words that say that one parameter is the length of another.

use super::plain::Plain;

/// What a documented length counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Unit {
    /// "The size of": bytes, if the elements are bytes.
    Size,
    /// "The number of elements in".
    Elements,
}

/// The text without articles and adjectives that say nothing about a length.
pub(super) fn bare(plain: &Plain) -> Plain {
    const SILENT: [&str; 12] =
        ["the", "a", "an", "byte", "total", "full", "exact", "input", "output", "buffer", "array", "string"];
    plain.split_whitespace().filter(|word| !SILENT.contains(word)).collect()
}

/// What the count counts, if the text says that it is the length of the pointer.
pub(super) fn length(text: &Plain, is_about_count: bool) -> Option<Unit> {
    const SIZES: [&str; 8] = [
        "length of @p",
        "size of @p",
        "length in bytes of @p",
        "size in bytes of @p",
        "number of bytes in @p",
        "number of bytes of @p",
        "number of bytes at @p",
        "length in bytes for @p",
    ];
    const ELEMENTS: [&str; 6] = [
        "number of elements in @p",
        "number of elements of @p",
        "number of items in @p",
        "number of entries in @p",
        "number of values in @p",
        "number of @p",
    ];
    const SIZED: [&str; 9] = [
        "@n bytes at @p",
        "@n bytes of @p",
        "@n bytes from @p",
        "@n bytes in @p",
        "@n bytes starting at @p",
        "@p of length @n",
        "@p of size @n",
        "@p has length @n",
        "@p of @n bytes",
    ];
    const COUNTED: [&str; 3] = ["@n elements of @p", "@p has @n elements", "@p of @n elements"];
    // A description of the count begins with it: in a list of flags, "the number of" may be about anything.
    let head =
        ["param", "arg", "parameter", "in", "@n", "is"].iter().fold(text.trim_start(), |head, word| {
            head.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')).unwrap_or(head)
        });
    let stated = |phrase: &str| {
        is_about_count && head.strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' '))
            || ["@n is", "@n specifies", "@n gives", "@n contains"]
                .iter()
                .any(|start| text.has_row(&[start, phrase]))
    };
    if ELEMENTS.iter().any(|phrase| stated(phrase)) || text.has_any(&COUNTED) {
        return Some(Unit::Elements);
    }
    (SIZES.iter().any(|phrase| stated(phrase)) || text.has_any(&SIZED)).then_some(Unit::Size)
}
