//! What can be wrong with a workflow.

use serde::{Deserialize, Serialize};

/// Something that is wrong with a workflow. The message says what would be right, too.
pub type Finding = opendyn_source::Finding<Rule>;

/// A workflow that cannot run, and everything that is wrong with it.
pub type Invalid = opendyn_source::Report<Rule>;

/// Collects findings while a workflow is read.
pub(super) type Findings = opendyn_source::Findings<Rule>;

opendyn_source::rules! {
    /// The rules that a workflow has to keep.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Rule shown Line {
        Json "json" Error "The text is JSON, and not deeper than 64 levels."
        Version "version" Error "The version of OpenWorkflow is 1."
        MissingField "missing-field" Error "A field that is required is there."
        FieldType "field-type" Error "A field has the JSON type that it should."
        DuplicateKey "duplicate-key" Error "No key stands twice in an object."
        Number "number" Error "A number can be held as it is written."
        NoStart "no-start" Error "There is a step `start`."
        Loop "loop" Error "No step leads back to an earlier one."
        Unreachable "unreachable" Error "Every step can be reached from `start`."
        BadReference "bad-reference" Error "What begins with `#/` is `#/STEP/results` or a place below it."
        UnknownStep "unknown-step" Error "A reference names a step that there is."
        NotRunYet "not-run-yet" Error "A reference names a step that has run by then."
        UnknownFunction "unknown-function" Error "The tool has the function."
        MissingArgument "missing-argument" Error "An argument that the function requires is there."
        UnknownArgument "unknown-argument" Error "The function takes the argument."
        ArgumentType "argument-type" Error "An argument is what the function's schema says."
        UnknownResult "unknown-result" Error "A reference, or `results`, names what the function returns."
        ReferenceType "reference-type" Error "What a reference leads to fits the parameter."
        ResultType "result-type" Error "The default in `results` is of the type that the function returns."
    }
}

impl opendyn_source::object::FieldRule for Rule {
    const MISSING_FIELD: Self = Self::MissingField;
    const WRONG_TYPE: Self = Self::FieldType;
    const DUPLICATE_KEY: Self = Self::DuplicateKey;
}

/// "; did you mean `x`?", or nothing.
pub(super) fn did_you_mean<'c>(name: &str, known: impl IntoIterator<Item = &'c str>) -> String {
    opendyn_source::nearest::nearest(name, known)
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}
