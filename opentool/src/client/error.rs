//! The five errors of the OpenTool protocol.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::CallDetails;

/// Why a request to an OpenTool server failed.
///
/// It serializes as the protocol requires, as an object with `code` and `message`. `Display` adds further details.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientError {
    /// The server sent an empty reply.
    ResponseNull {
        /// The HTTP status, which is the `code`.
        status: u16,
    },
    /// The server sent neither a result nor an error.
    ErrorNull {
        /// The HTTP status, which is the `code`.
        status: u16,
    },
    /// The server did not accept the API key.
    Unauthorized,
    /// There is no OpenTool server, or its reply cannot be understood.
    NoAccess(NoAccess),
    /// The server refused the call, or the function failed.
    Call {
        /// The `error.code` of the reply, from JSON-RPC or from the tool.
        code: Option<i64>,
        /// The `error.message` of the reply.
        message: String,
        /// A JSON pointer to the wrong argument, if the server sent it.
        pointer: Option<String>,
        /// The function's own error code, if the server sent it.
        function_code: Option<i64>,
        /// What else the function said, if the server sent it.
        details: Option<Box<CallDetails>>,
    },
}

/// Why a server cannot be reached or understood.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoAccess {
    /// There is no connection; the request was not sent.
    NotConnected {
        /// The message of the system.
        reason: String,
    },
    /// The reply took too long. The call may have been executed.
    TimedOut {
        /// The limit, in milliseconds.
        limit_ms: u64,
    },
    /// The connection broke, or its certificate is not trusted. The call may have been executed.
    Broken {
        /// The message of the system.
        reason: String,
    },
    /// The server replied with an HTTP error status.
    Status {
        /// The status.
        status: u16,
        /// The beginning of the page.
        page: String,
    },
    /// The reply exceeds the size limit of the client.
    TooLong {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The reply does not follow the OpenTool protocol.
    NotOpenTool {
        /// What is wrong with it.
        reason: String,
    },
}

impl ClientError {
    #[cfg(test)]
    pub(super) fn call(code: i64, message: impl Into<String>) -> Self {
        Self::Call {
            code: Some(code),
            message: message.into(),
            pointer: None,
            function_code: None,
            details: None,
        }
    }

    pub(super) fn not_open_tool(reason: impl fmt::Display) -> Self {
        Self::NoAccess(NoAccess::NotOpenTool { reason: reason.to_string() })
    }

    /// The code of the error in the protocol; for a call, the code that the server sent.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        match self {
            Self::ResponseNull { status } | Self::ErrorNull { status } => Some((*status).into()),
            Self::Unauthorized => Some(401),
            Self::NoAccess(_) => Some(404),
            Self::Call { code, .. } => *code,
        }
    }

    /// The text of the error in the protocol; for a call, the text that the server sent.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::ResponseNull { .. } => "Response is null",
            Self::ErrorNull { .. } => "Error is null",
            Self::Unauthorized => "Please check API Key is VALID or NOT",
            Self::NoAccess(_) => "Please check OpenTool Server is RUNNING or NOT",
            Self::Call { message, .. } => message,
        }
    }
}

impl Serialize for ClientError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let code = self.code();
        let mut object = serializer.serialize_struct("ClientError", 1 + usize::from(code.is_some()))?;
        match code {
            Some(code) => object.serialize_field("code", &code)?,
            None => object.skip_field("code")?,
        }
        object.serialize_field("message", self.message())?;
        object.end()
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAccess(reason) => write!(f, "{} ({reason})", self.message()),
            Self::Call { code: Some(code), message, .. } => {
                write!(f, "the server answered with error {code}: {message}")
            }
            Self::Call { code: None, message, .. } => {
                write!(f, "the server answered with an error: {message}")
            }
            _ => f.write_str(self.message()),
        }
    }
}

impl fmt::Display for NoAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotConnected { reason } => write!(f, "no connection: {reason}"),
            Self::TimedOut { limit_ms } => write!(f, "no reply within {limit_ms} ms"),
            Self::Broken { reason } => write!(f, "the connection broke: {reason}"),
            Self::Status { status, page } if page.is_empty() => write!(f, "HTTP status {status}"),
            Self::Status { status, page } => write!(f, "HTTP status {status}: {page}"),
            Self::TooLong { limit } => write!(f, "the reply is longer than {limit} bytes"),
            Self::NotOpenTool { reason } => write!(f, "not a reply of an OpenTool server: {reason}"),
        }
    }
}

impl std::error::Error for ClientError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_serialize_as_the_protocol_says() {
        let refused = NoAccess::NotConnected { reason: "refused".to_owned() };
        for (error, json) in [
            (ClientError::ResponseNull { status: 200 }, r#"{"code":200,"message":"Response is null"}"#),
            (ClientError::ErrorNull { status: 200 }, r#"{"code":200,"message":"Error is null"}"#),
            (ClientError::Unauthorized, r#"{"code":401,"message":"Please check API Key is VALID or NOT"}"#),
            (
                ClientError::NoAccess(refused),
                r#"{"code":404,"message":"Please check OpenTool Server is RUNNING or NOT"}"#,
            ),
            (ClientError::call(-32601, "no such method"), r#"{"code":-32601,"message":"no such method"}"#),
            (
                ClientError::Call {
                    code: None,
                    message: "no".to_owned(),
                    pointer: None,
                    function_code: None,
                    details: None,
                },
                r#"{"message":"no"}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&error).expect("it serializes"), json);
        }
    }
}
