//! Why a call was refused, or why it failed.

use std::fmt;

use serde_json::{Map, Value, json};

use opendyn_source::nearest::nearest;
use opendyn_source::short::{self, shortened};

use crate::OpenTool;
use crate::record::writable;

/// Why a call failed.
///
/// `Display` is a sentence for the caller, a person or a model. [`ToolError::code`] is the number that OpenTool
/// servers send with it.
///
/// ```
/// use opentool::ToolError;
///
/// let error = ToolError::unknown_function("ad", ["add", "divide"]);
/// assert_eq!(error.to_string(), "unknown function `ad`; did you mean `add`?");
/// assert_eq!((error.code(), error.name()), (405, "unknown_function"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolError {
    /// The tool has no function with this name.
    UnknownFunction {
        /// The requested name.
        name: String,
        /// A function with a similar name.
        suggestion: Option<String>,
    },
    /// The function exists, but cannot be called with JSON.
    NotCallable {
        /// The function's name.
        name: String,
        /// What is missing from the document.
        reason: String,
    },
    /// The operator of the server does not allow this call; nothing was called.
    Forbidden {
        /// The function's name.
        name: String,
        /// Which rule refuses it.
        reason: String,
    },
    /// A person must confirm this call, and did not; nothing was called.
    NotConfirmed {
        /// The function's name.
        name: String,
        /// What the person said, or why nobody was asked.
        reason: String,
    },
    /// The arguments do not match the document; nothing was called.
    InvalidArguments(ArgumentError),
    /// The function was called and failed.
    CallFailed {
        /// The function's own error code, if it has one.
        code: Option<i64>,
        /// What went wrong.
        message: String,
        /// What else the function said, if anything.
        details: Option<Box<CallDetails>>,
    },
    /// The library behind the tool could not be loaded.
    LibraryMissing {
        /// Which paths were tried, and the errors of the system.
        message: String,
    },
    /// The call exceeded its time limit.
    TimedOut {
        /// The limit, in milliseconds.
        limit_ms: u64,
    },
    /// The time limit was over before the call could begin; nothing was called.
    NeverStarted {
        /// The limit, in milliseconds.
        limit_ms: u64,
        /// The function that it waited for.
        behind: String,
    },
    /// The process that ran the call ended before it replied.
    WorkerDied {
        /// The signal or exit status.
        reason: String,
    },
    /// Too many calls are waiting already; nothing was called.
    Busy {
        /// The number of waiting calls.
        waiting: usize,
    },
    /// The tool is shutting down and accepts no more calls; nothing was called.
    Stopping,
}

/// What a failed function says besides its code and a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallDetails {
    /// The name of its code: `BUSY`.
    pub code_name: Option<String>,
    /// The outputs that it filled all the same, by name.
    pub outputs: Map<String, Value>,
    /// What the caller can do now: `x-hints` of the document.
    pub hint: Option<String>,
}

impl CallDetails {
    /// The details of an error that came as JSON.
    #[cfg(feature = "client")]
    pub(crate) fn from_json(code_name: Option<String>, outputs: Option<&Value>) -> Option<Box<Self>> {
        let outputs = outputs.and_then(Value::as_object).cloned().unwrap_or_default();
        (code_name.is_some() || !outputs.is_empty())
            .then(|| Box::new(Self { code_name, outputs, hint: None }))
    }
}

/// What is wrong with the arguments, and where.
///
/// ```
/// use opentool::ToolError;
///
/// let error = ToolError::invalid_arguments("/xs/3", "300 does not fit unsigned char (0 to 255)");
/// assert_eq!(error.to_string(), "invalid arguments: /xs/3: 300 does not fit unsigned char (0 to 255)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// A JSON pointer to the wrong value (`/xs/3`); empty for the arguments as a whole.
    pub pointer: String,
    /// What is wrong with it, and what is expected.
    pub message: String,
}

writable!(ArgumentError {
    pointer "pointer";
    message "message";
});

impl ToolError {
    /// There is no function `name`. The most similar of the `known` names is suggested, if any is similar.
    pub fn unknown_function<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        Self::UnknownFunction { name: name.to_owned(), suggestion: nearest(name, known).map(str::to_owned) }
    }

    /// The arguments are wrong at `pointer`. Pointer and message are shortened if a caller's names make them very long.
    pub fn invalid_arguments(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::InvalidArguments(ArgumentError {
            pointer: shortened(pointer, short::MESSAGE),
            message: shortened(message, short::MESSAGE),
        })
    }

    /// The function was called and failed.
    pub fn call_failed(message: impl Into<String>) -> Self {
        Self::CallFailed { code: None, message: message.into(), details: None }
    }

    /// The function is not [offered](crate::Function::is_offered) to callers.
    pub fn not_offered(name: &str) -> Self {
        let reason = "its document does not offer it (`x-tool`)";
        Self::NotCallable { name: name.to_owned(), reason: reason.to_owned() }
    }

    /// The function was called and failed with this code of its own.
    pub fn call_failed_with(code: i64, message: impl Into<String>) -> Self {
        Self::CallFailed { code: Some(code), message: message.into(), details: None }
    }

    /// The same failure with the name of its code, and with the outputs that the function filled.
    #[must_use]
    pub fn with_details(mut self, code_name: Option<String>, outputs: Map<String, Value>) -> Self {
        if let Self::CallFailed { details, .. } = &mut self
            && (code_name.is_some() || !outputs.is_empty())
        {
            *details = Some(Box::new(CallDetails { code_name, outputs, hint: None }));
        }
        self
    }

    /// The same failure with what `document` says that a caller of `function` can do about it.
    #[must_use]
    pub fn with_hint(mut self, document: &OpenTool, function: &str) -> Self {
        if let Self::CallFailed { code: Some(code), details, .. } = &mut self
            && let Some(hint) = document.hint(function, *code)
        {
            details.get_or_insert_default().hint = Some(hint.to_owned());
        }
        self
    }

    /// The `error.code` of an OpenTool reply, with the numbers that the public SDKs use.
    ///
    /// | error | code |
    /// |---|---|
    /// | invalid arguments | 400 |
    /// | forbidden, not confirmed | 403 |
    /// | unknown function, not callable | 405 |
    /// | busy | 429 |
    /// | call failed | 500 |
    /// | worker died | 502 |
    /// | library missing, stopping | 503 |
    /// | timed out, never started | 504 |
    pub fn code(&self) -> i64 {
        match self {
            Self::InvalidArguments(_) => 400,
            Self::Forbidden { .. } | Self::NotConfirmed { .. } => 403,
            Self::UnknownFunction { .. } | Self::NotCallable { .. } => 405,
            Self::Busy { .. } => 429,
            Self::CallFailed { .. } => 500,
            Self::WorkerDied { .. } => 502,
            Self::LibraryMissing { .. } | Self::Stopping => 503,
            Self::TimedOut { .. } | Self::NeverStarted { .. } => 504,
        }
    }

    /// Every [`ToolError::name`], in the order of the variants.
    pub const NAMES: [&'static str; 12] = [
        "unknown_function",
        "not_callable",
        "forbidden",
        "not_confirmed",
        "invalid_arguments",
        "call_failed",
        "library_missing",
        "timed_out",
        "never_started",
        "worker_died",
        "busy",
        "stopping",
    ];

    /// A stable name for the kind of error, for logs and metrics: `invalid_arguments`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let index = match self {
            Self::UnknownFunction { .. } => 0,
            Self::NotCallable { .. } => 1,
            Self::Forbidden { .. } => 2,
            Self::NotConfirmed { .. } => 3,
            Self::InvalidArguments(_) => 4,
            Self::CallFailed { .. } => 5,
            Self::LibraryMissing { .. } => 6,
            Self::TimedOut { .. } => 7,
            Self::NeverStarted { .. } => 8,
            Self::WorkerDied { .. } => 9,
            Self::Busy { .. } => 10,
            Self::Stopping => 11,
        };
        Self::NAMES[index]
    }

    /// The error as JSON: `code` and `message`, and if known, the `pointer` to the wrong argument, the function's own
    /// `functionCode`, its `codeName`, the `outputs` that the function filled although it failed, and a `hint`.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("code".to_owned(), json!(self.code()));
        object.insert("message".to_owned(), json!(self.to_string()));
        match self {
            Self::InvalidArguments(error) => {
                object.insert("pointer".to_owned(), json!(error.pointer));
            }
            Self::CallFailed { code, details, .. } => {
                if let Some(code) = code {
                    object.insert("functionCode".to_owned(), json!(code));
                }
                if let Some(CallDetails { code_name, outputs, hint }) = details.as_deref() {
                    if let Some(name) = code_name {
                        object.insert("codeName".to_owned(), json!(name));
                    }
                    if !outputs.is_empty() {
                        object.insert("outputs".to_owned(), Value::Object(outputs.clone()));
                    }
                    if let Some(hint) = hint {
                        object.insert("hint".to_owned(), json!(hint));
                    }
                }
            }
            _ => {}
        }
        object
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFunction { name, suggestion } => {
                write!(f, "unknown function `{}`", shortened(name, short::NAME))?;
                match suggestion {
                    Some(near) => write!(f, "; did you mean `{near}`?"),
                    None => Ok(()),
                }
            }
            Self::NotCallable { name, reason } => write!(f, "`{name}` cannot be called with JSON: {reason}"),
            Self::Forbidden { name, reason } => {
                write!(f, "`{}` is not allowed: {reason}", shortened(name, short::NAME))
            }
            Self::NotConfirmed { name, reason } => {
                write!(f, "`{}` was not called: {reason}", shortened(name, short::NAME))
            }
            Self::InvalidArguments(error) => write!(f, "invalid arguments: {error}"),
            Self::CallFailed { code: Some(code), message, details } => {
                write!(f, "the call failed with code {code}")?;
                if let Some(name) = details.as_ref().and_then(|details| details.code_name.as_ref()) {
                    write!(f, " ({name})")?;
                }
                write!(f, ": {message}")?;
                match details.as_ref().and_then(|details| details.hint.as_ref()) {
                    Some(hint) => write!(f, ". {hint}"),
                    None => Ok(()),
                }
            }
            Self::CallFailed { code: None, message, .. } => write!(f, "the call failed: {message}"),
            Self::LibraryMissing { message } => write!(f, "the library is missing: {message}"),
            Self::TimedOut { limit_ms } => write!(f, "the call did not end within {limit_ms} ms"),
            Self::NeverStarted { limit_ms, behind } => {
                write!(f, "the call never started within {limit_ms} ms: waiting behind `{behind}`")
            }
            Self::WorkerDied { reason } => write!(f, "the process that ran the call ended: {reason}"),
            Self::Busy { waiting } => write!(f, "busy: calls already waiting: {waiting}; try again later"),
            Self::Stopping => write!(f, "the tool is stopping and accepts no more calls"),
        }
    }
}

impl std::error::Error for ToolError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::InvalidArguments(error) => Some(error),
            Self::UnknownFunction { .. }
            | Self::NotCallable { .. }
            | Self::Forbidden { .. }
            | Self::NotConfirmed { .. }
            | Self::CallFailed { .. }
            | Self::LibraryMissing { .. }
            | Self::TimedOut { .. }
            | Self::NeverStarted { .. }
            | Self::WorkerDied { .. }
            | Self::Busy { .. }
            | Self::Stopping => None,
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.pointer, self.message)
        }
    }
}

impl std::error::Error for ArgumentError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_function_suggests_its_neighbour() {
        let error = ToolError::unknown_function("ad", ["sub", "add"]);
        assert_eq!(error.to_string(), "unknown function `ad`; did you mean `add`?");
        assert_eq!(error.code(), 405);
    }

    #[test]
    fn a_name_of_a_megabyte_is_refused_at_once_in_a_short_message() {
        let known: Vec<String> = (0..100).map(|number| format!("function_number_{number}")).collect();
        let begin = std::time::Instant::now();
        let error = ToolError::unknown_function(&"é".repeat(1 << 19), known.iter().map(String::as_str));
        let message = error.to_string();
        assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
        assert!(message.len() < 400 && message.starts_with("unknown function `éé"), "{message:.500}");
    }

    #[test]
    fn a_pointer_of_a_megabyte_is_cut() {
        let error = ToolError::invalid_arguments(format!("/{}", "x".repeat(1 << 20)), "unknown argument");
        let json = Value::Object(error.to_json()).to_string();
        assert!(json.len() < 4096 && json.contains("unknown argument"), "{json:.500}");
    }

    #[test]
    fn the_argument_that_is_wrong_is_the_source_of_the_error() {
        use std::error::Error;
        let argument = ArgumentError { pointer: "/a".to_owned(), message: "too large".to_owned() };
        let error = ToolError::InvalidArguments(argument.clone());
        assert_eq!(error.source().and_then(|source| source.downcast_ref()), Some(&argument));
        assert!(ToolError::Stopping.source().is_none());
    }

    #[test]
    fn an_error_has_the_name_of_its_variant() {
        assert_eq!(ToolError::unknown_function("f", []).name(), "unknown_function");
        assert_eq!(ToolError::call_failed("no").name(), "call_failed");
        assert_eq!(ToolError::TimedOut { limit_ms: 1 }.name(), "timed_out");
        assert_eq!(ToolError::Stopping.name(), "stopping");
        let forbidden = ToolError::Forbidden { name: "f".to_owned(), reason: "`--deny f`".to_owned() };
        assert_eq!((forbidden.name(), forbidden.code()), ("forbidden", 403));
        assert_eq!(forbidden.to_string(), "`f` is not allowed: `--deny f`");
    }

    #[test]
    fn json_carries_the_pointer() {
        let error = ToolError::invalid_arguments("/xs/3", "300 does not fit unsigned char (0 to 255)");
        assert_eq!(
            Value::Object(error.to_json()).to_string(),
            r#"{"code":400,"message":"invalid arguments: /xs/3: 300 does not fit unsigned char (0 to 255)","pointer":"/xs/3"}"#
        );
    }

    #[test]
    fn json_carries_the_functions_own_code() {
        let error = ToolError::call_failed_with(-5, "buffer too small");
        assert_eq!(error.to_json()["functionCode"], json!(-5));
        assert_eq!(error.to_json()["code"], json!(500));
    }

    #[test]
    fn json_carries_the_name_of_the_code_and_the_outputs() {
        let outputs = Map::from_iter([("row".to_owned(), json!(3))]);
        let error = ToolError::call_failed_with(5, "locked").with_details(Some("BUSY".to_owned()), outputs);
        assert_eq!(
            Value::Object(error.to_json()).to_string(),
            r#"{"code":500,"message":"the call failed with code 5 (BUSY): locked","functionCode":5,"codeName":"BUSY","outputs":{"row":3}}"#
        );
        let plain = ToolError::call_failed_with(5, "locked");
        assert_eq!(plain.clone().with_details(None, Map::new()), plain);
    }
}
