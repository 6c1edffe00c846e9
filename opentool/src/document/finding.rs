//! What can be wrong with a document.

/// Something that is wrong with a document.
pub type Finding = opendyn_source::Finding<Rule>;

/// A document that cannot be used, and everything that is wrong with it.
pub type Invalid = opendyn_source::Report<Rule>;

/// Collects findings while a document is read.
pub(super) type Findings = opendyn_source::Findings<Rule>;

opendyn_source::rules! {
    /// The rules that a document has to keep.
    pub enum Rule shown Brief {
        Json "json" Error "The text is JSON, and not deeper than 64 levels."
        Version "version" Error "The version of OpenTool is 1."
        MissingField "missing-field" Error "A field that the specification requires is there."
        WrongType "wrong-type" Error "A field has the JSON type that the specification says."
        DuplicateKey "duplicate-key" Error "No key stands twice in an object."
        Name "name" Error "A function's name has 1 to 64 letters, digits, `-` and `_`; other names are not empty."
        DuplicateFunction "duplicate-function" Error "No two functions have one name."
        DuplicateParameter "duplicate-parameter" Error "No two parameters of a function have one name."
        UnknownType "unknown-type" Error "A schema has one of the six types."
        UnresolvedReference "unresolved-reference" Error "A `$ref` leads to one of the document's schemas."
        CyclicReference "cyclic-reference" Error "No schema contains itself."
        EnumValue "enum-value" Error "An `enum` has values, and each is of the schema's type."
        UnknownProperty "unknown-property" Error "What `required` lists are properties."
        Spread "spread" Error "A result that is spread is an object."
        MissingRequired "missing-required" Warning "A parameter says whether it is required. Without, it is."
        MissingProperties "missing-properties" Warning "An object says what its properties are. Without, it may have any."
        MissingItems "missing-items" Warning "An array says what its elements are. Without, they may be anything."
    }
}

impl opendyn_source::object::FieldRule for Rule {
    const MISSING_FIELD: Self = Self::MissingField;
    const WRONG_TYPE: Self = Self::WrongType;
    const DUPLICATE_KEY: Self = Self::DuplicateKey;
}
