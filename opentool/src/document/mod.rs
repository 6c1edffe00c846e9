//! The OpenTool document: the fields of version 1.0 of the specification, and those that newer documents add.
//!
//! Deserializing checks only the shape; [`OpenTool::parse`] checks every rule and reports what is wrong, with its
//! place. Unknown keys are ignored.

mod check;
mod finding;
mod handles;
mod references;
mod schema;

#[cfg(test)]
mod check_tests;

pub use finding::{Finding, Invalid, Rule};
pub use opendyn_source::Severity;
pub use schema::{Schema, SchemaType};

pub(crate) use references::referred;

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::record::record;

/// A document that describes the functions of a tool.
///
/// ```
/// use opentool::OpenTool;
///
/// let text = r#"{
///     "opentool": "1.0.0",
///     "info": {"title": "calc", "version": "1.0.0"},
///     "functions": [{"name": "add", "description": "The sum.", "parameters": []}]
/// }"#;
/// let document = OpenTool::parse(text).expect("it keeps every rule");
/// assert_eq!(document.function("add").map(|add| add.description.as_str()), Some("The sum."));
///
/// let findings = OpenTool::parse(&text.replace("add", "add it")).unwrap_err().to_string();
/// assert!(findings.contains("add it"), "{findings}");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenTool {
    /// The version of the OpenTool specification that the document follows.
    pub opentool: String,
    /// The title and version of the document.
    pub info: Info,
    /// The server of the tool.
    pub server: Option<ServerUrl>,
    /// The functions that can be called.
    pub functions: Vec<Function>,
    /// Schemas that other schemas refer to as `#/schemas/NAME`.
    pub schemas: IndexMap<String, Schema>,
    /// The functions of the library that cannot be called, for people who could change that: `x-refused`. Servers and
    /// exports do not publish them.
    pub refused: Vec<Refused>,
}

impl OpenTool {
    /// The same document as others read it: with a published version, and without the functions that cannot be called.
    #[must_use]
    pub fn published(&self) -> Self {
        let opentool = self.published_version().to_owned();
        Self { opentool, refused: Vec::new(), ..self.clone() }
    }

    /// The version of the specification to write into the document. The SDK for Dart writes 2.0.0, which is not
    /// published; such documents are read by the same rules.
    #[must_use]
    pub fn published_version(&self) -> &str {
        match (self.opentool.split('.').next(), &self.server) {
            (Some("1"), _) => &self.opentool,
            (_, Some(_)) => "1.1.0",
            (_, None) => "1.0.0",
        }
    }
}

/// What a document describes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The title.
    pub title: String,
    /// What the tool is for.
    pub description: Option<String>,
    /// The version of the document, not of the specification.
    pub version: String,
    /// How the functions are used together, for models: `x-instructions`.
    pub instructions: Option<String>,
    /// What a caller can do after a failure of any function, by the function's own code: `x-hints`.
    pub hints: IndexMap<String, String>,
}

/// Where a tool answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerUrl {
    /// The address, including `/opentool`.
    pub url: String,
    /// What a caller should know about it.
    pub description: Option<String>,
}

/// One function of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The name: 1 to 64 letters, digits, `-` and `_`.
    pub name: String,
    /// What it does, for people and for models.
    pub description: String,
    /// The arguments that it takes.
    pub parameters: Vec<Parameter>,
    /// What it returns; `None` if it returns nothing.
    pub returns: Option<Return>,
    /// The events that it sends while it runs, by name.
    pub stream: Option<IndexMap<String, Return>>,
    /// The effects of a call: `x-annotations`.
    pub annotations: Option<Annotations>,
    /// Whether models are offered it: `x-tool`. `Some(false)` is never, `Some(true)` always, also where models search for
    /// functions; `None` leaves it to the server.
    pub tool: Option<bool>,
    /// What a caller can do after a failure, by the function's own code: `x-hints`.
    pub hints: IndexMap<String, String>,
}

impl Function {
    /// The longest name that a function may have, in bytes.
    pub const MAX_NAME: usize = 64;

    /// Whether models are offered it: unless `x-tool` is false.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.tool != Some(false)
    }

    /// Whether a function may have this name: 1 to 64 of `a-z`, `A-Z`, `0-9`, `-` and `_`.
    #[must_use]
    pub fn is_valid_name(name: &str) -> bool {
        (1..=Self::MAX_NAME).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    }
}

/// Hints about the effects of a call; `None` if the document does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The call changes nothing.
    pub read_only: Option<bool>,
    /// The call cannot be undone.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
}

/// A function that cannot be called with JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// The name.
    pub name: String,
    /// What its document does not say.
    pub reason: String,
    /// The open questions about it: `x-todo`.
    pub questions: Vec<String>,
}

/// One argument of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameter {
    /// The key in the arguments.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// The shape of the value.
    pub schema: Schema,
    /// Whether a call must have it.
    pub required: bool,
    /// Whether the handle is gone after a call that succeeds: `x-ends`.
    pub ends: bool,
}

/// What a function returns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Return {
    /// The key in the result, unless `spread` is set.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// The shape of the value.
    pub schema: Schema,
    /// Whether the result is this object itself, with several values by name, instead of an object that contains it
    /// under `name`: `x-spread`.
    pub spread: bool,
}

impl OpenTool {
    /// Reads and checks a document.
    ///
    /// ```
    /// let error = opentool::OpenTool::parse("{\n  \"opentool\": \"1.0.0\",\n  \"functions\": []\n}")
    ///     .expect_err("without `info`");
    /// assert_eq!((error.findings[0].line, error.findings[0].column), (Some(1), Some(1)));
    /// assert_eq!(error.findings[0].message, "the document has no `info`");
    /// ```
    ///
    /// # Errors
    ///
    /// All errors of the document, and its warnings.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        Self::parse_with_warnings(text).map(|(document, _)| document)
    }

    /// Reads and checks a document, and returns its warnings with it.
    ///
    /// # Errors
    ///
    /// The same as for [`OpenTool::parse`].
    pub fn parse_with_warnings(text: &str) -> Result<(Self, Vec<Finding>), Invalid> {
        let Invalid { mut findings } = check::check(text).into_warnings()?;
        match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(document) => Ok((document, findings)),
            // Refused by serde, but by none of the rules.
            Err(error) => {
                let place = (error.line().max(1), error.column().max(1));
                let full = error.to_string();
                let message = full.split(" at line ").next().unwrap_or(&full);
                let help = "write it as the OpenTool specification says";
                findings.push(Finding::at(Rule::WrongType, place, message, help));
                Err(Invalid { findings })
            }
        }
    }

    /// The document as text, indented by two spaces, with the fields in order.
    #[must_use]
    pub fn to_string_pretty(&self) -> String {
        // Every key is a string, so this cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// What a caller can do after a failure of a function with this code of its own, if the document says so.
    #[must_use]
    pub fn hint(&self, function: &str, code: i64) -> Option<&str> {
        let code = code.to_string();
        let own = self.function(function).and_then(|function| function.hints.get(&code));
        own.or_else(|| self.info.hints.get(&code)).map(String::as_str)
    }

    /// The names of the functions that models are not [offered](Function::is_offered).
    #[must_use]
    pub fn hidden(&self) -> HashSet<String> {
        let hidden = self.functions.iter().filter(|function| !function.is_offered());
        hidden.map(|function| function.name.clone()).collect()
    }

    /// The function with this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

record!(OpenTool {
    opentool "opentool";
    info "info";
    server "server" = None, if Option::is_some;
    functions "functions";
    schemas "schemas" = IndexMap::new(), if |schemas: &IndexMap<_, _>| !schemas.is_empty();
    refused "x-refused" = Vec::new(), if |refused: &Vec<_>| !refused.is_empty();
});

record!(Refused {
    name "name";
    reason "reason";
    questions "questions" = Vec::new(), if |questions: &Vec<_>| !questions.is_empty();
});

record!(Info {
    title "title";
    description "description" = None, if Option::is_some;
    version "version";
    instructions "x-instructions" = None, if Option::is_some;
    hints "x-hints" = IndexMap::new(), if |hints: &IndexMap<_, _>| !hints.is_empty();
});

record!(ServerUrl {
    url "url";
    description "description" = None, if Option::is_some;
});

record!(Function {
    name "name";
    description "description";
    parameters "parameters";
    returns "return" = None;
    stream "stream" = None, if Option::is_some;
    annotations "x-annotations" = None, if Option::is_some;
    tool "x-tool" = None, if Option::is_some;
    hints "x-hints" = IndexMap::new(), if |hints: &IndexMap<_, _>| !hints.is_empty();
});

record!(Annotations {
    read_only "readOnly" = None, if Option::is_some;
    destructive "destructive" = None, if Option::is_some;
    idempotent "idempotent" = None, if Option::is_some;
});

record!(Parameter {
    name "name";
    description "description" = None, if Option::is_some;
    schema "schema";
    required "required" = true;
    ends "x-ends" = false, if |ends: &bool| *ends;
});

record!(Return {
    name "name";
    description "description" = None, if Option::is_some;
    schema "schema";
    spread "x-spread" = false, if |spread: &bool| *spread;
});

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r##"{"opentool":"1.1.0","info":{"title":"t","version":"1.0.0"},"server":{"url":"http://127.0.0.1:17001/opentool"},"functions":[{"name":"f","description":"d","parameters":[{"name":"z","schema":{"type":"integer","format":"int64"},"required":true},{"name":"a","description":"list","schema":{"type":"array","items":{"type":"number"}},"required":false}],"return":{"name":"r","schema":{"type":"object","properties":{"z":{"type":"string","x-nullable":true},"a":{"type":"boolean"}},"required":["z"]}},"stream":{"progress":{"name":"p","schema":{"$ref":"#/schemas/Z","description":"how far"}}},"x-annotations":{"readOnly":true}}],"schemas":{"Z":{"type":"number"},"A":{"type":"string","enum":["b","a"]}}}"##;

    #[test]
    fn a_document_is_written_as_it_was_read() {
        let document = OpenTool::parse(DOCUMENT).expect("a valid document");
        assert_eq!(document.functions[0].parameters[1].schema.kind, SchemaType::Array);
        let written = serde_json::to_string(&document).expect("no map with keys that are not text");
        assert_eq!(written, DOCUMENT);
        assert_eq!(OpenTool::parse(&document.to_string_pretty()), Ok(document));
    }

    #[test]
    fn null_is_the_same_as_absent() {
        let text = r#"{"opentool":"1.0.0","info":{"title":"t","description":null,"version":"1"},"server":null,"functions":[{"name":"f","description":"d","parameters":[{"name":"a","description":null,"schema":{"type":"string","enum":null,"items":null,"properties":null,"required":null},"required":null}],"return":null,"stream":null}],"schemas":null}"#;
        let document = OpenTool::parse(text).expect("a valid document");
        assert!(document.functions[0].parameters[0].required);
        assert_eq!(document.functions[0].returns, None);
    }

    #[test]
    fn unknown_keys_are_ignored() {
        let text = r#"{"opentool":"1.0.0","x-a":1,"info":{"title":"t","version":"1","license":{}},"functions":[],"tags":["a"]}"#;
        assert_eq!(OpenTool::parse(text).map(|document| document.info.title), Ok("t".to_owned()));
    }

    #[test]
    fn a_missing_return_is_none() {
        let function: Function =
            serde_json::from_str(r#"{"name":"f","description":"d","parameters":[]}"#).expect("a function");
        assert_eq!(function.returns, None);
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert!(OpenTool::parse(&format!("\u{feff}{DOCUMENT}")).is_ok());
    }

    #[test]
    fn what_cannot_be_called_is_kept_and_not_published() {
        let text = r#"{"opentool":"1.0.0","info":{"title":"t","version":"1"},"functions":[],"x-refused":[{"name":"f","reason":"no length","questions":["How long?"]},{"name":"g","reason":"no meaning"}]}"#;
        let document = OpenTool::parse(text).expect("a valid document");
        assert_eq!(document.refused[0].questions, ["How long?"]);
        assert_eq!(serde_json::to_string(&document).expect("JSON"), text);
        let published = serde_json::to_string(&document.published()).expect("JSON");
        assert!(!published.contains("x-refused"), "{published}");
    }

    #[test]
    fn documents_are_written_with_a_published_version() {
        let server = Some(ServerUrl { url: "http://127.0.0.1/opentool".to_owned(), description: None });
        for (version, server, written) in
            [("1", None, "1"), ("1.1.0", None, "1.1.0"), ("2.0.0", None, "1.0.0"), ("2.0.0", server, "1.1.0")]
        {
            let document = OpenTool { opentool: version.to_owned(), server, ..OpenTool::default() };
            assert_eq!(document.published_version(), written);
        }
    }
}
