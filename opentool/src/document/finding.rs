//! The rules of an OpenTool document.

/// A violation of a rule.
pub type Finding = opendyn_source::Finding<Rule>;

/// All findings of a document that cannot be used.
pub type Invalid = opendyn_source::Report<Rule>;

/// Collects findings while a document is read.
pub(super) type Findings = opendyn_source::Findings<Rule>;

opendyn_source::rules! {
    /// The rules of an OpenTool document.
    pub enum Rule shown Brief {
        Json "json" Error "The text is JSON, nested at most 64 levels deep."
        Version "version" Error "The version of OpenTool is 1 or 2."
        MissingField "missing-field" Error "Every required field is present."
        WrongType "wrong-type" Error "Every field has the JSON type that the specification requires."
        DuplicateKey "duplicate-key" Error "No key occurs twice in an object."
        Name "name" Error "The name of a function has 1 to 64 letters, digits, `-` and `_`; other names are not empty."
        DuplicateFunction "duplicate-function" Error "Every function has a different name."
        DuplicateParameter "duplicate-parameter" Error "Every parameter of a function has a different name."
        UnknownType "unknown-type" Error "A schema has one of the six types."
        UnresolvedReference "unresolved-reference" Error "A `$ref` refers to a schema of the document."
        CyclicReference "cyclic-reference" Error "No schema contains itself."
        EnumValue "enum-value" Error "An `enum` has values, each of the type of the schema."
        UnknownProperty "unknown-property" Error "`required` lists only properties."
        Spread "spread" Error "A result with `x-spread` is an object."
        MissingRequired "missing-required" Warning "A parameter has `required`; true is assumed."
        MissingProperties "missing-properties" Warning "An object has `properties`; without them any are allowed."
        MissingItems "missing-items" Warning "An array has `items`; without them any elements are allowed."
    }
}

impl opendyn_source::object::FieldRule for Rule {
    const MISSING_FIELD: Self = Self::MissingField;
    const WRONG_TYPE: Self = Self::WrongType;
    const DUPLICATE_KEY: Self = Self::DuplicateKey;
}
