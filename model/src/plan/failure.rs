//! How a function reports a failure: when, with which code and text.

use crate::plan::{AskArg, Encoding};

/// What a [`Step::Fail`](crate::plan::Step::Fail) does.
#[derive(Clone, Debug, PartialEq)]
pub struct Fail {
    /// When the call failed.
    pub when: When,
    /// Where its code is.
    pub code: CodeSource,
    /// Where its text is.
    pub text: TextSource,
    /// The indices of the outcomes that are in the error: outputs that are scalars or strings.
    pub outputs: Vec<usize>,
}

/// When a call failed.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// The return value is none of these codes for success.
    Unlisted(Vec<i64>),
    /// The return value is negative.
    Negative,
    /// The return value is NULL.
    Null,
    /// The return value is 0.
    Zero,
    /// The return value is not 0.
    Nonzero,
    /// The return value is this one.
    Value(i128),
    /// What this call returns is not 0. If an argument is a NULL that the library does not expect, nothing is called,
    /// and the call did not fail.
    Call(Asked),
}

/// Where the code of a failure is.
#[derive(Clone, Debug, PartialEq)]
pub enum CodeSource {
    /// It has none.
    None,
    /// The return value.
    Returned,
    /// What [`Step::Errno`](crate::plan::Step::Errno) found.
    System(System),
    /// What this call returns; none if an argument is NULL.
    Call(Asked),
}

/// Where the text of a failure is. A NULL is no text.
#[derive(Clone, Debug, PartialEq)]
pub enum TextSource {
    /// In the document, by the code.
    Document,
    /// The text of the system for the code.
    System(System),
    /// What this call returns.
    Call {
        /// The call.
        asked: Asked,
        /// The encoding of the text.
        encoding: Encoding,
        /// The number of units, if the text need not end with NUL.
        units: Option<u64>,
    },
    /// A member of the struct that this call returns a pointer to.
    Member {
        /// The call.
        asked: Asked,
        /// The index of the record.
        record: usize,
        /// The index of the member.
        field: usize,
        /// The encoding of the text.
        encoding: Encoding,
    },
    /// What C left in the output of the parameter at this index.
    Output(usize, Encoding),
}

/// Whose error a function leaves behind. On systems other than Windows they are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// `errno` of the C runtime.
    Errno,
    /// `GetLastError` of Windows.
    LastError,
}

/// A call of another function of the binding.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Its index.
    pub function: usize,
    /// Its arguments.
    pub args: Vec<AskArg>,
    /// The index of the function that frees what it returns.
    pub free: Option<usize>,
}

impl TextSource {
    /// The index of the function that frees what is asked for the text.
    pub(super) fn frees(&self) -> Option<usize> {
        match self {
            Self::Call { asked, .. } | Self::Member { asked, .. } => asked.free,
            Self::Document | Self::System(_) | Self::Output(..) => None,
        }
    }
}

impl Fail {
    /// The codes for success, if the return value is the code and the document has its text: `x-code` alone.
    #[must_use]
    pub fn code_alone(&self) -> Option<&[i64]> {
        match self {
            Self {
                when: When::Unlisted(successes),
                code: CodeSource::Returned,
                text: TextSource::Document,
                outputs,
            } if outputs.is_empty() => Some(successes),
            _ => None,
        }
    }

    /// How it is said in a list of errors.
    pub(super) fn error(&self) -> String {
        if self.code_alone().is_some() {
            return "C returned an error code.".to_owned();
        }
        let when = match &self.when {
            When::Unlisted(_) => "C returned an error code",
            When::Negative => "C returned a negative value",
            When::Null => "C returned NULL",
            When::Zero => "C returned 0",
            When::Nonzero => "C returned a value other than 0",
            When::Value(value) => return format!("C returned {value}{}.", self.told()),
            When::Call(_) => "C reported a failure",
        };
        format!("{when}{}.", self.told())
    }

    fn told(&self) -> &'static str {
        match (&self.code, &self.text) {
            (CodeSource::None, TextSource::Document) => "",
            (CodeSource::None, _) => "; the error has the text of the library",
            (_, TextSource::Document) => "; the error has the code",
            (_, TextSource::System(_)) => "; the error has the code and the text of the system",
            (_, _) => "; the error has the code and the text of the library",
        }
    }
}
