//! Every rule that a script can break, in one table: the stable code, the severity, and what the
//! rule says. What is told of a break is in `validate.py`.

opendyn_source::rules! {
    /// A rule that a script can break. [`Rule::code`] never changes its meaning.
    pub enum Rule shown Full {
        Syntax "P001" Error "The script is Python that the interpreter reads."
        Encoding "P002" Error "The file is text, in UTF-8 or in the encoding that it declares."
        Unreadable "P003" Error "Python can read the script: it is not too long, does not nest too deep, and takes no long time."
        FromImport "P004" Error "Only whole modules are imported: `import x`, never `from x import y`, wherever it stands."
        NoFunction "P005" Error "There is a public function, defined by `def`; names that begin with `_` are private."
        SeveralFunctions "P006" Error "There is one public function and no other."
        Parameters "P007" Error "The function has one parameter, which takes the dict of the arguments."
        AsyncFunction "P008" Error "The function is not `async`."
        Generator "P009" Error "The function has no `yield` of its own."
        NotCallable "P010" Error "The function's name stays the function's: nothing else is assigned to it."
        PublicClass "P101" Warning "Classes are private."
        UnknownCallable "P102" Warning "The function is what is written: no decorator replaces it, and no call."
        DefinedTwice "P103" Warning "The function is defined once."
        ParameterType "P104" Warning "Where the parameter is annotated, it is as a dict."
        ReturnType "P105" Warning "Where the result is annotated, it is as a dict."
        Result "P106" Warning "A result is a dict of `success`, `message` and `data`, as far as that can be told."
        ToolName "P107" Warning "The function's name is one that a tool can have: 1 to 64 of A to Z, a to z, 0 to 9 and `_`."
    }
}

impl Rule {
    pub(super) fn of_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.code() == code)
    }
}
