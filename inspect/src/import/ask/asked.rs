//! One question at its place in the document.

use super::super::evidence::Evidence;
use super::super::function::Entry;
use super::super::question::{Choice, Question};
use crate::Types;

/// A question about a function or one of its values.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The function, by its name in the document.
    pub function: String,
    /// What identifies it: questions with the same identity are about one fact, and one answer can be given to all.
    pub identity: String,
    /// The question.
    pub text: String,
    /// The question as in `x-todo`: with what else may be the case, and what to write.
    pub details: String,
    /// The possible answers, the likely one first. Without one, the question can only be answered in the document, or
    /// by hand in the file of the answers.
    pub choices: Vec<Choice>,
    /// A sentence of the documentation about it.
    pub because: Option<Evidence>,
    /// The declaration of the function. An answer holds only as long as it is the same.
    pub declaration: String,
    pub(super) at: At,
    /// The index of the function in the document.
    pub(super) index: usize,
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum At {
    Function,
    /// A parameter: its index, and its name in the document.
    Parameter(usize, String),
    Return,
}

impl Asked {
    pub(in super::super) fn new(
        question: &Question,
        function: &str,
        at: At,
        said: Option<Evidence>,
        declaration: &str,
    ) -> Self {
        let mut asked = Self {
            function: function.to_owned(),
            identity: String::new(),
            text: question.headline().to_owned(),
            details: question.text(),
            choices: question.choices().to_vec(),
            because: question.reason().cloned().or(said),
            declaration: declaration.to_owned(),
            at,
            index: 0,
        };
        asked.identity = question.group().map_or_else(|| asked.place(), str::to_owned);
        asked
    }

    /// The same question, about the function at `index` of the document.
    pub(in super::super) fn of(self, index: usize) -> Self {
        Self { index, ..self }
    }

    /// Its place: `compress.dest`, `compress.return`, or `printf` for the function itself.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.at {
            At::Function => self.function.clone(),
            At::Parameter(_, name) => format!("{}.{name}", self.function),
            // No parameter has the name of a C keyword.
            At::Return => format!("{}.return", self.function),
        }
    }

    /// The answer with this label.
    pub(super) fn choice(&self, label: &str) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.label == label)
    }
}

/// The declaration of a function in C, with the names of the parameters in the document.
pub(in super::super) fn declaration(entry: &Entry<'_>, types: &Types) -> String {
    let named = |(parameter, (name, _)): (&crate::Parameter, &(String, bool))| {
        let of = types.spelling(parameter.of);
        let space = if of.ends_with('*') { "" } else { " " };
        let array = match (parameter.array, parameter.is_array) {
            (Some(length), _) => format!("[{length}]"),
            (None, true) => "[]".to_owned(),
            (None, false) => String::new(),
        };
        format!("{of}{space}{name}{array}")
    };
    let parameters = entry.signature.parameters.iter().zip(&entry.parameters).map(named);
    let dots = entry.signature.variadic.then(|| "...".to_owned());
    let parameters: Vec<String> = parameters.chain(dots).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let returns = types.spelling(entry.signature.returns);
    let space = if returns.ends_with('*') { "" } else { " " };
    format!("{returns}{space}{}({parameters})", entry.symbol)
}
