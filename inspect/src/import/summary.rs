//! What an import came to, in numbers and in a sentence.

use std::fmt;

/// The numbers.
#[derive(Debug, Default)]
pub struct Summary {
    /// Functions of the document.
    pub imported: usize,
    /// Those with a description.
    pub described: usize,
    /// Those with a question.
    pub questioned: usize,
    /// Questions in all.
    pub questions: usize,
    /// Functions that no document can describe, with the reason.
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
    /// The reasons, each with the functions that it is for.
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
