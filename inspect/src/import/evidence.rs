//! The rule of evidence: what a document states about a function is stated by C itself or by the documentation,
//! in words that leave one reading. A name alone is never evidence.
//!
//! [`super::described::Described`] takes no fact without an [`Evidence`], and only the functions here make one:
//! none of them takes a name.

use std::fmt;

use crate::{Attribute, AttributeSource, Function, Place};

/// What proves a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    kind: EvidenceKind,
    text: String,
    place: Option<Place>,
}

/// The kind of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceKind {
    /// The type in a header.
    Type,
    /// `const`, `_Nullable` or `_Nonnull`.
    Qualifier,
    /// An attribute of the declaration.
    Attribute,
    /// A type or a name in the debug info.
    DebugInfo,
    /// A sentence of the documentation.
    Documentation,
    /// A statement in a GIR file.
    Gir,
    /// What the machine code of the library does.
    Code,
    /// A person's answer to a question.
    Answer,
}

/// One fact of an imported document, with what proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The function, by its name in the document.
    pub function: String,
    /// The parameter or return value; `None` for the function itself.
    pub value: Option<String>,
    /// What the document states: `x-length: "n"`.
    pub what: String,
    /// What proves it.
    pub evidence: Evidence,
}

impl Evidence {
    /// What the types of a function say, by themselves.
    pub(super) fn of_type(text: impl Into<String>, function: &Function, is_debug_info: bool) -> Self {
        let kind = if is_debug_info { EvidenceKind::DebugInfo } else { EvidenceKind::Type };
        Self { kind, text: text.into(), place: function.place.clone() }
    }

    /// What a qualifier says.
    pub(super) fn qualifier(text: impl Into<String>, function: &Function) -> Self {
        Self { kind: EvidenceKind::Qualifier, text: text.into(), place: function.place.clone() }
    }

    /// What an attribute says.
    pub(super) fn attribute(attribute: &Attribute) -> Self {
        let kind = match attribute.source {
            AttributeSource::Declaration => EvidenceKind::Attribute,
            AttributeSource::Documentation => EvidenceKind::Documentation,
            AttributeSource::Gir => EvidenceKind::Gir,
            AttributeSource::DebugInfo => EvidenceKind::DebugInfo,
        };
        Self { kind, text: format!("`{}`", attribute.text), place: Some(attribute.place.clone()) }
    }

    /// What a sentence of the documentation says.
    pub(super) fn documentation(sentence: &str, place: Option<Place>) -> Self {
        Self { kind: EvidenceKind::Documentation, text: format!("\"{}\"", sentence.trim()), place }
    }

    /// What the machine code of the library does.
    pub(super) fn code(text: impl Into<String>) -> Self {
        Self { kind: EvidenceKind::Code, text: text.into(), place: None }
    }

    /// What a person answered.
    pub(super) fn answer(label: &str) -> Self {
        Self { kind: EvidenceKind::Answer, text: format!("\"{label}\""), place: None }
    }

    /// The kind of the proof.
    #[must_use]
    pub fn kind(&self) -> EvidenceKind {
        self.kind
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            EvidenceKind::Type => "type",
            EvidenceKind::Qualifier => "qualifier",
            EvidenceKind::Attribute => "attribute",
            EvidenceKind::DebugInfo => "debug info",
            EvidenceKind::Documentation => "documentation",
            EvidenceKind::Gir => "GIR",
            EvidenceKind::Code => "code",
            EvidenceKind::Answer => "answer",
        };
        // One line each, whatever the documentation has.
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        write!(f, "{kind}: {text}")?;
        match &self.place {
            Some(place) => write!(f, " ({}:{})", place.file, place.line),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.as_deref().map(|value| format!(".{value}")).unwrap_or_default();
        write!(f, "{}{value}\t{}\t{}", self.function, self.what, self.evidence)
    }
}
