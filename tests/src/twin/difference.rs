//! Whether two tools gave the same answer.

use std::fmt;

use opendyn::ToolError;

use super::tokens::{normalised, normalised_message, paired};

/// A call that the compiled binding and the interpreter answered differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The function.
    pub function: String,
    /// Its arguments, as text.
    pub arguments: String,
    /// The answer of the compiled binding.
    pub compiled: String,
    /// The answer of the interpreter.
    pub interpreted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, arguments, compiled, interpreted } = self;
        write!(
            f,
            "{function} {arguments:.2000}\n   compiled: {compiled:.2000}\ninterpreted: {interpreted:.2000}"
        )
    }
}

/// The answer to a call: the reply as text, or an error.
pub type Answer = Result<Vec<u8>, ToolError>;

/// The answer of the compiled binding, if the interpreter gave the same one: equal bytes, or errors that are equal in
/// every way that a caller can see.
///
/// # Errors
///
/// The answers differ.
pub fn equal(
    function: &str,
    arguments: &[u8],
    compiled: Answer,
    interpreted: &Answer,
) -> Result<Answer, Difference> {
    let equal = match (&compiled, interpreted) {
        (Ok(compiled), Ok(interpreted)) => {
            normalised(compiled) == normalised(interpreted) && paired(compiled, interpreted)
        }
        (Err(compiled), Err(interpreted)) => seen(compiled) == seen(interpreted),
        _ => false,
    };
    if equal {
        return Ok(compiled);
    }
    let shown = |answer: &Answer| match answer {
        Ok(reply) => String::from_utf8_lossy(reply).into_owned(),
        Err(error) => format!("{error:?}"),
    };
    Err(Difference {
        function: function.to_owned(),
        arguments: String::from_utf8_lossy(arguments).into_owned(),
        compiled: shown(&compiled),
        interpreted: shown(interpreted),
    })
}

/// Everything that a caller can see of an error.
fn seen(error: &ToolError) -> (i64, [String; 3]) {
    let json = serde_json::Value::Object(error.to_json()).to_string();
    let texts = [format!("{error:?}"), error.to_string(), json];
    (error.code(), texts.map(|text| normalised_message(&text)))
}
