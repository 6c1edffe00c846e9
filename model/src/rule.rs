//! Every rule that a document can break, in one table: the stable code, the severity, and
//! what the rule says. A page for each, with an example, is in `rule/`.

macro_rules! rules {
    ($($rule:ident $code:literal $severity:ident $summary:literal)*) => {
        opendyn_source::rules! {
            /// A rule that a document can break. [`Rule::code`] never changes its meaning.
            pub enum Rule shown Full {$($rule $code $severity $summary)*}
        }

        impl Rule {
            /// The page of the rule in Markdown: why it is, what breaks it (the first block of code), and
            /// the same mended (the second).
            #[must_use]
            pub fn explanation(self) -> &'static str {
                match self {$(Self::$rule => include_str!(concat!("rule/", $code, ".md")),)*}
            }
        }
    };
}

rules! {
    NotJson "E001" Error "The document is JSON."
    Version "E002" Error "`opendyn` names a version of the specification that is supported."
    MissingField "E003" Error "Every required field is there."
    WrongJsonType "E004" Error "Every field has the JSON type that the specification gives it."
    UnknownCType "E005" Error "A C type is one of the fourteen of the specification."
    UnknownSchemaType "E006" Error "A schema's type is one of the six of the specification."
    IllegalName "E007" Error "A name consists of the characters that are allowed."
    LongName "E008" Error "A name has at most 64 characters."
    DuplicateName "E009" Error "A name stands once: among the functions, among the parameters of one, among its results."
    RustNameCollision "E010" Error "Different names stay different in Rust."
    TypeMismatch "E011" Error "The JSON type can hold what the C type holds."
    OutputNotPointer "E012" Error "An output is a pointer."
    VoidByValue "E013" Error "`void` is only pointed to."
    CallingConvention "E014" Error "The calling convention is `cdecl` or `stdcall`."
    CodeKey "E015" Error "A key of `code` is an integer."
    UnresolvedRef "E016" Error "A `$ref` names a schema of the document."
    RefCycle "E017" Error "A `$ref` does not lead back to itself."
    MissingCType "E018" Error "A schema says which C type it stands for."
    NoIdentifier "E019" Error "A name can be turned into a Rust identifier."
    UnknownFunction "E020" Error "An option names a function of the document."
    DuplicateKey "E021" Error "A key stands once in an object."
    TooDeep "E022" Error "The document does not nest deeper than 64 levels."
    UnknownSpelling "E023" Error "`x-cType` is one of the spellings that are known."
    SpellingMismatch "E024" Error "`x-cType` spells a type of the sign and width of `type`."
    LibraryName "E025" Error "`x-library` is the name of a file, without a folder."
    PointerDepth "E026" Error "`x-pointerDepth` is 1 or 2, on a pointer."
    MisusedKey "E027" Error "An extension key stands on a value that it has a meaning for."
    UnknownParameter "E028" Error "A key that names a parameter names one of the same function."
    LinkedFunction "E029" Error "A key that names a function names one of the document, with a signature that fits."
    LengthParameter "E030" Error "A length or count is an integer, by value or by pointer."
    UnknownEncoding "E031" Error "`x-encoding` is one that is known, and fits the C type."
    Struct "E032" Error "A struct has members that can be laid out, or a size."
    Layout "E033" Error "`x-size` and `x-align` are a size and an alignment."
    Enumeration "E034" Error "`enum` lists distinct values of its type, and `x-enumNames` one name for each."
    DefaultValue "E035" Error "`default` is a value of its type, where a default has a meaning."
    Callback "E036" Error "`x-callback` describes a signature that can be called from C."
    Variadic "E037" Error "`x-variadic` is how many parameters are fixed: at least one, at most all."
    Code "E038" Error "`x-code` is for an integer that is returned, and `x-success` names its good values."
    NotExported "E039" Error "The library exports every function of the document that is not optional."
    Arity "E040" Error "A function has as many parameters as in C."
    ParameterType "E041" Error "A parameter has the type that it has in C."
    ReturnType "E042" Error "A function returns what it returns in C."
    StructLayout "E043" Error "A struct has the size, the alignment and the members that it has in C."
    CallbackSignature "E044" Error "A callback has the signature that C calls it with."
    VariadicMismatch "E045" Error "`...` follows as many parameters as in C, or none does."
    ConventionMismatch "E046" Error "A function is called as in C."
    CheckLibrary "E047" Error "The library that the document is checked against can be read."
    SchemaAlias "W001" Warning "A schema's type is spelled as in the specification."
    MisplacedIsIn "W002" Warning "`isIn` belongs to the parameter."
    MissingBoolean "W003" Warning "`isIn`, `required` and `isPointer` are written down."
    UnknownKey "W004" Warning "A key is one of the specification, or begins with `x-`."
    NumberOnInteger "W005" Warning "A C integer is an `integer` in JSON."
    OptionalOutput "W006" Warning "`required: false` is for inputs."
    NoFunctions "W007" Warning "A document describes at least one function."
    MisplacedKey "W008" Warning "An extension key stands in the object that it belongs to."
    DefaultRequired "W009" Warning "`default` is for values that are not required."
    Todo "W010" Warning "The questions of `x-todo` are answered."
    Sign "W011" Warning "An integer behind a pointer has the sign that it has in C."
    Portable "W012" Warning "A type is as wide as in C on other targets too."
    SameBytes "W013" Warning "A value is in C what the document says, and not only of the same size."
    DroppedReturn "W014" Warning "What C returns is described."
    ConstOutput "W015" Warning "C can write to an output."
    MistypedKey "W016" Warning "An extension key is spelled as it is known."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;

    #[test]
    fn codes_are_unique_and_tell_the_severity() {
        let codes: std::collections::BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.code()).collect();
        assert_eq!(codes.len(), Rule::ALL.len());
        for rule in Rule::ALL {
            let letter = if rule.severity() == Severity::Error { 'E' } else { 'W' };
            assert!(rule.code().starts_with(letter), "{}", rule.code());
        }
    }
}
