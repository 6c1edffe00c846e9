//! Places in the text of a document.

/// A range of bytes in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// A value and its place in the document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

/// A source text and the start of each line.
pub struct Lines<'s> {
    /// The whole text.
    pub source: &'s str,
    starts: Vec<usize>,
}

impl<'s> Lines<'s> {
    /// Finds the start of each line.
    #[must_use]
    pub fn new(source: &'s str) -> Self {
        let starts =
            std::iter::once(0).chain(source.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
        Self { source, starts }
    }

    /// The line and column of a place, both from 1, columns in characters.
    #[must_use]
    pub fn locate(&self, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= at);
        let before = self.source.get(self.starts[line - 1]..at).unwrap_or_default();
        // A byte order mark is invisible and not counted.
        (line, before.chars().filter(|character| *character != '\u{feff}').count() + 1)
    }
}
