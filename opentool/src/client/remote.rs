//! A server as a tool.

use super::error::{ClientError, NoAccess};
use super::{Client, Loaded};
use crate::{OpenTool, Tool, ToolError};

/// The tool behind an OpenTool server. It can be a member of a [`ToolSet`](crate::ToolSet), like any [`Tool`].
///
/// ```no_run
/// use opentool::Tool;
/// use opentool::client::{Client, RemoteTool};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::builder("http://127.0.0.1:17001").api_key("secret").build()?;
/// let remote = RemoteTool::connect(client)?;
/// println!("{}", remote.call_json("add", r#"{"a":2,"b":3}"#)?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RemoteTool {
    client: Client,
    document: Option<OpenTool>,
    no_document: Option<String>,
}

impl RemoteTool {
    /// Loads the document of the server once.
    ///
    /// # Errors
    ///
    /// [`ClientError`] if the server sends no valid reply.
    pub fn connect(client: Client) -> Result<Self, ClientError> {
        let Loaded { document, message } = client.load_or_reason()?;
        Ok(Self { client, document, no_document: message })
    }

    /// A tool with a known document. No request is sent.
    #[must_use]
    pub fn with_document(client: Client, document: OpenTool) -> Self {
        Self { client, document: Some(document), no_document: None }
    }

    /// Why the server has no document, if it said so.
    #[must_use]
    pub fn no_document(&self) -> Option<&str> {
        self.no_document.as_deref()
    }

    /// The client that sends the calls.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The error of the server as an error of the tool.
    fn error(&self, function: &str, error: ClientError) -> ToolError {
        let (code, message, pointer, function_code, details) = match error {
            ClientError::Call { code, message, pointer, function_code, details } => {
                (code, message, pointer, function_code, details)
            }
            ClientError::NoAccess(NoAccess::TimedOut { limit_ms }) => {
                return ToolError::TimedOut { limit_ms };
            }
            other => return ToolError::call_failed(format!("{}: {other}", self.client.base_url())),
        };
        // Our server sends the text of `ToolError`, whose beginning `ToolError` will add again.
        let bare = |kind: &str| message.strip_prefix(kind).unwrap_or(&message).to_owned();
        match code {
            Some(400) => {
                let pointer = pointer.unwrap_or_default();
                let bare = bare("invalid arguments: ");
                let place = format!("{pointer}: ");
                ToolError::invalid_arguments(pointer, bare.strip_prefix(&place).unwrap_or(&bare))
            }
            Some(403) if message.starts_with(&format!("`{function}` was not called: ")) => {
                ToolError::NotConfirmed {
                    name: function.to_owned(),
                    reason: bare(&format!("`{function}` was not called: ")),
                }
            }
            Some(403) => ToolError::Forbidden {
                name: function.to_owned(),
                reason: bare(&format!("`{function}` is not allowed: ")),
            },
            // -32601 is the code of JSON-RPC for an unknown method.
            Some(405 | -32601) => match &self.document {
                Some(document) if !document.functions.iter().any(|known| known.name == function) => {
                    let known = document.functions.iter().map(|known| known.name.as_str());
                    ToolError::unknown_function(function, known)
                }
                _ => ToolError::NotCallable {
                    name: function.to_owned(),
                    reason: bare(&format!("`{function}` cannot be called with JSON: ")),
                },
            },
            Some(502) => ToolError::WorkerDied { reason: bare("the process that ran the call ended: ") },
            Some(503) => ToolError::LibraryMissing { message: bare("the library is missing: ") },
            _ => {
                let name = details.as_ref().and_then(|details| details.code_name.as_ref());
                let kind = match (function_code, name) {
                    (Some(code), Some(name)) => format!("the call failed with code {code} ({name}): "),
                    (Some(code), None) => format!("the call failed with code {code}: "),
                    (None, _) => "the call failed: ".to_owned(),
                };
                ToolError::CallFailed { code: function_code, message: bare(&kind), details }
            }
        }
    }
}

impl Tool for RemoteTool {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        let arguments = std::str::from_utf8(arguments)
            .map_err(|error| ToolError::invalid_arguments("", format!("not UTF-8: {error}")))?;
        let result = self.client.call_json(name, arguments).map_err(|error| self.error(name, error))?;
        out.extend_from_slice(result.as_bytes());
        Ok(())
    }

    fn load(&self) -> Option<OpenTool> {
        self.document.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error as our server sends it.
    fn sent(error: &ToolError) -> ClientError {
        let json = error.to_json();
        let text = |key: &str| json.get(key).and_then(crate::Value::as_str).map(str::to_owned);
        ClientError::Call {
            code: Some(error.code()),
            message: error.to_string(),
            pointer: text("pointer"),
            function_code: json.get("functionCode").and_then(crate::Value::as_i64),
            details: crate::CallDetails::from_json(text("codeName"), json.get("outputs")),
        }
    }

    #[test]
    fn an_error_of_a_remote_tool_is_the_error_of_the_tool() {
        let client = Client::new("http://127.0.0.1:1").expect("a URL");
        let mut document = OpenTool::default();
        document.functions.push(crate::Function { name: "add".to_owned(), ..Default::default() });
        let remote = RemoteTool::with_document(client, document);
        for error in [
            ToolError::invalid_arguments("/xs/3", "300 does not fit unsigned char (0 to 255)"),
            ToolError::invalid_arguments("", "not a JSON object"),
            ToolError::NotCallable { name: "add".to_owned(), reason: "it takes a callback".to_owned() },
            ToolError::call_failed_with(-5, "no space"),
            ToolError::call_failed_with(5, "locked").with_details(
                Some("BUSY".to_owned()),
                crate::Map::from_iter([("row".to_owned(), crate::Value::from(3))]),
            ),
            ToolError::call_failed("no space"),
            ToolError::LibraryMissing { message: "libcalc.so".to_owned() },
            ToolError::WorkerDied { reason: "signal 11".to_owned() },
        ] {
            assert_eq!(remote.error("add", sent(&error)), error);
        }
        let unknown = ToolError::unknown_function("ad", ["add"]);
        assert_eq!(remote.error("ad", sent(&unknown)), unknown);
        let slow = NoAccess::TimedOut { limit_ms: 100 };
        assert_eq!(remote.error("add", ClientError::NoAccess(slow)), ToolError::TimedOut { limit_ms: 100 });
    }
}
