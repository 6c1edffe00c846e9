//! Places in the text of a document.

/// A range of bytes in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

/// A value, and where the document says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// A source, and where its lines begin.
pub struct Lines<'s> {
    /// The whole text.
    pub source: &'s str,
    starts: Vec<usize>,
}

impl<'s> Lines<'s> {
    /// Finds the lines.
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
        // A byte order mark is not seen, and not counted.
        (line, before.chars().filter(|character| *character != '\u{feff}').count() + 1)
    }
}
