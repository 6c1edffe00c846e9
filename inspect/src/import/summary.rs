//! The result of an import, as numbers and as a sentence.

use std::fmt;

/// The numbers.
#[derive(Debug, Default)]
pub struct Summary {
    /// How many functions the document has.
    pub imported: usize,
    /// How many of them have a description.
    pub described: usize,
    /// How many of them have a question.
    pub questioned: usize,
    /// The total number of questions.
    pub questions: usize,
    /// Functions that a document cannot describe, each with the reason.
    pub omitted: Vec<(String, String)>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { imported, described, questioned, questions, omitted } = self;
        let noun = if *imported == 1 { "function" } else { "functions" };
        write!(f, "{imported} {noun} imported, {described} described, {questioned} with a question")?;
        if *questions > 0 {
            let noun = if *questions == 1 { "question" } else { "questions" };
            write!(f, " ({questions} {noun})")?;
        }
        write!(f, ", {} left out", omitted.len())
    }
}

impl Summary {
    /// The reasons, each with its functions.
    #[must_use]
    pub fn reasons(&self) -> Vec<(&str, Vec<&str>)> {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for (name, reason) in &self.omitted {
            match reasons.iter_mut().find(|(known, _)| known == reason) {
                Some((_, names)) => names.push(name),
                None => reasons.push((reason, vec![name])),
            }
        }
        reasons
    }
}
