//! The rules of a workflow.

use serde::{Deserialize, Serialize};

/// A violation of a rule. The message also says what is expected.
pub type Finding = opendyn_source::Finding<Rule>;

/// All findings of a workflow that cannot run.
pub type Invalid = opendyn_source::Report<Rule>;

/// Collects findings while a workflow is read.
pub(super) type Findings = opendyn_source::Findings<Rule>;

opendyn_source::rules! {
    /// The rules of a workflow.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Rule shown Line {
        Json "json" Error "The text is JSON, nested at most 64 levels deep."
        Version "version" Error "The version of OpenWorkflow is 1."
        MissingField "missing-field" Error "Every required field is present."
        FieldType "field-type" Error "Every field has the required JSON type."
        DuplicateKey "duplicate-key" Error "No key occurs twice in an object."
        Number "number" Error "Every number can be represented exactly as it is written."
        NoStart "no-start" Error "There is a step `start`."
        Loop "loop" Error "No step leads back to an earlier one."
        Unreachable "unreachable" Error "Every step can be reached from `start`."
        BadReference "bad-reference" Error "A string that begins with `#/` is `#/STEP/results` or a path below it."
        UnknownStep "unknown-step" Error "A reference names an existing step."
        NotRunYet "not-run-yet" Error "A reference names a step that runs earlier."
        UnknownFunction "unknown-function" Error "The tool has the function that a step calls."
        MissingArgument "missing-argument" Error "Every required argument is present."
        UnknownArgument "unknown-argument" Error "The function has a parameter for every argument."
        ArgumentType "argument-type" Error "Every argument matches the schema of its parameter."
        UnknownResult "unknown-result" Error "References and `results` name results of the function."
        ReferenceType "reference-type" Error "The value of a reference fits the parameter."
        UnknownInput "unknown-input" Error "A reference to an input names one of `x-inputs`."
        Schema "schema" Error "Every `schema` is one of OpenTool, without `$ref`, and every default of an input fits it."
        OutputType "output-type" Error "Every output has a `schema`, or its type is known without it."
        ResultType "result-type" Error "Every default in `results` has the type of the result."
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
