//! The table of the rules for scripts: code, severity and summary. The messages are in `validate.py`.

opendyn_source::rules! {
    /// A rule for scripts. The meaning of a [`Rule::code`] never changes.
    pub enum Rule shown Full {
        Syntax "P001" Error "The interpreter can parse the script."
        Encoding "P002" Error "The file is text in UTF-8, or in the encoding that it declares."
        Unreadable "P003" Error "Python can read the script: it is not too long, not nested too deep, and does not take too long."
        FromImport "P004" Error "Only whole modules are imported: `import x`, never `from x import y`, anywhere in the script."
        NoFunction "P005" Error "There is a public function, defined by `def`; names that begin with `_` are private."
        SeveralFunctions "P006" Error "There is exactly one public function."
        Parameters "P007" Error "The function has one parameter, which takes the dict of the arguments."
        AsyncFunction "P008" Error "The function is not `async`."
        Generator "P009" Error "The function is not a generator."
        NotCallable "P010" Error "The name of the function is not assigned to anything else."
        PublicClass "P101" Warning "Classes are private."
        UnknownCallable "P102" Warning "The function is not replaced by a decorator or a call."
        DefinedTwice "P103" Warning "The function is defined once."
        ParameterType "P104" Warning "If the parameter is annotated, it is a dict."
        ReturnType "P105" Warning "If the result is annotated, it is a dict."
        Result "P106" Warning "Every result is a dict with `success`, `message` and `data`, as far as the source shows it."
        ToolName "P107" Warning "The name of the function is valid for a tool: 1 to 64 of A to Z, a to z, 0 to 9 and `_`."
    }
}

impl Rule {
    pub(super) fn of_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.code() == code)
    }
}
