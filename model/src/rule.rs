//! Every rule for documents, in one table: the stable code, the severity, and
//! a summary. `rule/` has a page for each, with examples.

macro_rules! rules {
    ($($rule:ident $code:literal $severity:ident $summary:literal)*) => {
        opendyn_source::rules! {
            /// A rule for documents. The meaning of [`Rule::code`] never changes.
            pub enum Rule shown Full {$($rule $code $severity $summary)*}
        }

        impl Rule {
            /// The page of the rule in Markdown: the reason, an example that breaks it (the first block of code), and
            /// its correction (the second).
            #[must_use]
            pub fn explanation(self) -> &'static str {
                match self {$(Self::$rule => include_str!(concat!("rule/", $code, ".md")),)*}
            }
        }
    };
}

rules! {
    NotJson "E001" Error "The document is JSON."
    Version "E002" Error "`opendyn` names a supported version of the specification."
    MissingField "E003" Error "Every required field is present."
    WrongJsonType "E004" Error "Every field has the JSON type that the specification requires."
    UnknownCType "E005" Error "A C type is one of the fourteen of the specification."
    UnknownSchemaType "E006" Error "The type of a schema is one of the six of the specification."
    IllegalName "E007" Error "A name consists of allowed characters."
    LongName "E008" Error "A name has at most 64 characters."
    DuplicateName "E009" Error "A name is unique among the functions, among the parameters of one, and among its results."
    RustNameCollision "E010" Error "Different names stay different in Rust."
    TypeMismatch "E011" Error "The JSON type can hold the values of the C type."
    OutputNotPointer "E012" Error "An output is a pointer."
    VoidByValue "E013" Error "`void` is only used through a pointer."
    CallingConvention "E014" Error "The calling convention is `cdecl` or `stdcall`."
    CodeKey "E015" Error "A key of `code` is an integer."
    UnresolvedRef "E016" Error "A `$ref` names a schema of the document."
    RefCycle "E017" Error "A `$ref` does not lead back to itself."
    MissingCType "E018" Error "A schema has a C type."
    NoIdentifier "E019" Error "A name can be turned into a Rust identifier."
    UnknownFunction "E020" Error "An option names a function of the document."
    DuplicateKey "E021" Error "A key occurs once in an object."
    TooDeep "E022" Error "The document does not nest deeper than 64 levels."
    UnknownSpelling "E023" Error "`x-cType` is a known spelling."
    SpellingMismatch "E024" Error "`x-cType` spells a type with the sign and width of `type`."
    LibraryName "E025" Error "`x-library` is the name of a file, without a folder."
    PointerDepth "E026" Error "`x-pointerDepth` is 1 or 2, on a pointer."
    MisusedKey "E027" Error "An extension key applies to the value that it is on."
    UnknownParameter "E028" Error "A key that names a parameter names one of the same function."
    LinkedFunction "E029" Error "A key that names a function names one of the document, with a signature that fits."
    LengthParameter "E030" Error "A length or count is an integer, by value or by pointer."
    UnknownEncoding "E031" Error "`x-encoding` is a known encoding and fits the C type."
    Struct "E032" Error "A struct has members that can be laid out, or a size."
    Layout "E033" Error "`x-size` and `x-align` are a size and an alignment."
    Enumeration "E034" Error "`enum` lists distinct values of its type, and `x-enumNames` one name for each."
    DefaultValue "E035" Error "`default` is a value of its type, on a value that can have one."
    Callback "E036" Error "`x-callback` describes a signature that can be called from C."
    Variadic "E037" Error "`x-variadic` is the number of fixed parameters: at least one, at most all."
    Code "E038" Error "`x-code` is for a returned integer, and `x-success` lists its values for success."
    NotExported "E039" Error "The library exports every function of the document that is not optional."
    Arity "E040" Error "A function has as many parameters as in C."
    ParameterType "E041" Error "A parameter has the same type as in C."
    ReturnType "E042" Error "A function has the same return type as in C."
    StructLayout "E043" Error "A struct has the same size, alignment and members as in C."
    CallbackSignature "E044" Error "A callback has the same signature as in C."
    VariadicMismatch "E045" Error "`...` follows the same number of parameters as in C."
    ConventionMismatch "E046" Error "A function has the same calling convention as in C."
    CheckLibrary "E047" Error "The library that the document is checked against can be read."
    Failure "E048" Error "`x-error` says when a call failed, and where its code and its text are."
    Limits "E049" Error "`minimum` and `maximum` are values of the type, in order, and allow `enum` and `default`."
    Takes "E050" Error "`x-takes` names the handle that frees this one from now on, and a failure that leaves it."
    Lends "E051" Error "`x-lends` names members of a state that a call can be given."
    ArrayItems "E052" Error "`items` of an array of pointers say what the pointers point to."
    Union "E053" Error "`x-union` says which member of a union is used, and callers can use that member."
    LentToAllThreads "E054" Error "With `\"x-threadSafe\": true`, a handle that C lends lives in another."
    Init "E055" Error "`x-init` names functions that can begin and end the library, and that nothing else calls."
    TakesMemory "E056" Error "`x-takes` says what allocates memory that C frees, and what frees it if C does not."
    Cancel "E057" Error "`x-cancel` names a function that ends a running call of a handle."
    SchemaAlias "W001" Warning "The type of a schema is spelled as in the specification."
    MisplacedIsIn "W002" Warning "`isIn` belongs to the parameter."
    MissingBoolean "W003" Warning "`isIn`, `required` and `isPointer` are given."
    UnknownKey "W004" Warning "A key is in the specification or begins with `x-`."
    NumberOnInteger "W005" Warning "A C integer is an `integer` in JSON."
    OptionalOutput "W006" Warning "`required: false` is for inputs."
    NoFunctions "W007" Warning "A document describes at least one function."
    MisplacedKey "W008" Warning "An extension key is in the object that it belongs to."
    DefaultRequired "W009" Warning "`default` is for optional values."
    Todo "W010" Warning "The questions of `x-todo` are answered."
    Sign "W011" Warning "An integer behind a pointer has the same sign as in C."
    Portable "W012" Warning "A type has the same width as in C on other targets too."
    SameBytes "W013" Warning "A value has the same meaning in C, not only the same size."
    DroppedReturn "W014" Warning "The return value is described."
    ConstOutput "W015" Warning "C can write to an output."
    MistypedKey "W016" Warning "An extension key is spelled correctly."
    UnexplainedInteger "W017" Warning "No unexplained integer is beside a buffer of constant size."
    UnknownEnd "W019" Warning "The end of a state is known."
    UnusedUnion "W021" Warning "The document says which member of a union is used."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;

    #[test]
    fn codes_are_unique_and_begin_with_the_severity() {
        let codes: std::collections::BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.code()).collect();
        assert_eq!(codes.len(), Rule::ALL.len());
        for rule in Rule::ALL {
            let letter = if rule.severity() == Severity::Error { 'E' } else { 'W' };
            assert!(rule.code().starts_with(letter), "{}", rule.code());
        }
    }
}
