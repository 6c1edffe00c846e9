//! Places in the text of a document.

/// A range of bytes in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A value, and where the document says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// A source, and where its lines begin.
pub(crate) struct Lines<'s> {
    pub(crate) source: &'s str,
    starts: Vec<usize>,
}

impl<'s> Lines<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        let starts =
            std::iter::once(0).chain(source.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
        Self { source, starts }
    }

    /// The line and column of a place, both from 1, columns in characters.
    pub(crate) fn locate(&self, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= at);
        let before = self.source.get(self.starts[line - 1]..at).unwrap_or_default();
        // A byte order mark is not seen, and not counted.
        (line, before.chars().filter(|character| *character != '\u{feff}').count() + 1)
    }
}
