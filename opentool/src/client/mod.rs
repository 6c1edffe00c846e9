//! A client of OpenTool servers, blocking.
//!
//! [`Client`] speaks the protocol, and [`RemoteTool`] makes a server a [`Tool`](crate::Tool) like
//! any other. What is sent and read is in `protocol`, events in `stream`, HTTP in `transport`.

mod builder;
mod error;
mod protocol;
mod remote;
mod stream;
mod transport;

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ureq::Agent;

use crate::{FunctionCall, OpenTool, ToolReturn};

pub use builder::{ClientBuilder, InvalidSetting};
pub use error::{ClientError, NoAccess};
pub use remote::RemoteTool;
pub use stream::{StreamEvent, StreamEvents};

/// The version of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Such as `1.0.0`.
    pub version: String,
}

/// What a server answered when it was asked for its document.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The document, if there is one.
    pub document: Option<OpenTool>,
    /// Why there is none, if the server said so. Servers of the SDKs answer with an exception, as an
    /// object of `code` and `message`.
    pub message: Option<String>,
}

/// A connection to one OpenTool server.
///
/// A client can be shared between threads, and keeps connections open for the next request.
///
/// ```no_run
/// use opentool::client::Client;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::builder("http://127.0.0.1:17001").api_key("secret").build()?;
/// println!("{}", client.version()?.version);
/// println!("{}", client.call_json("add", r#"{"a":2,"b":3}"#)?);
/// # Ok(())
/// # }
/// ```
pub struct Client {
    agent: Agent,
    /// Without a limit to how long a reply may take in all.
    streaming: Agent,
    base_url: String,
    authorization: Option<String>,
    timeout: Duration,
    response_limit: u64,
    retries: u32,
    calls: AtomicU64,
}

impl Client {
    /// A client with the settings that [`ClientBuilder`] starts with.
    ///
    /// # Errors
    ///
    /// [`InvalidSetting`] if it is no URL of a server.
    pub fn new(base_url: &str) -> Result<Self, InvalidSetting> {
        Self::builder(base_url).build()
    }

    /// A client to be set up. `base_url` is `http://…` or `https://…`; without a path it is
    /// taken to end in `/opentool`.
    pub fn builder(base_url: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(base_url.into())
    }

    /// Where the server is.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The version of the server.
    ///
    /// # Errors
    ///
    /// [`ClientError`] as for [`Client::call`].
    pub fn version(&self) -> Result<Version, ClientError> {
        let (status, body) = self.get("version")?;
        protocol::object(protocol::plain(status, &body)?).map_err(ClientError::not_open_tool)
    }

    /// Calls a function.
    ///
    /// It is sent once. If the connection breaks or the time is up, the call may have happened.
    ///
    /// # Errors
    ///
    /// [`ClientError::Call`] if the server refused it or the function failed, the others if there
    /// was no reply that says so.
    pub fn call(&self, call: &FunctionCall) -> Result<ToolReturn, ClientError> {
        let arguments = Value::Object(call.arguments.clone()).to_string();
        let (status, body) = self.post("call", &protocol::request(&call.name, &arguments, &call.id)?)?;
        let result = protocol::members(protocol::result(status, &body, &call.id)?)?;
        Ok(ToolReturn { id: call.id.clone(), result })
    }

    /// Calls `name` with the JSON object in `arguments`, and returns one. Both are passed on as
    /// they are written.
    ///
    /// # Errors
    ///
    /// As for [`Client::call`].
    pub fn call_json(&self, name: &str, arguments: &str) -> Result<String, ClientError> {
        let id = self.next_id();
        let (status, body) = self.post("call", &protocol::request(name, arguments, &id)?)?;
        Ok(protocol::result(status, &body, &id)?.to_owned())
    }

    /// Calls a function that answers in parts.
    ///
    /// # Errors
    ///
    /// As for [`Client::call`], for what goes wrong before the first event.
    pub fn stream_call(&self, call: &FunctionCall) -> Result<StreamEvents, ClientError> {
        let arguments = Value::Object(call.arguments.clone()).to_string();
        let request = protocol::request(&call.name, &arguments, &call.id)?;
        let response = self.retried(false, || self.send(&self.streaming, "streamCall", Some(&request)))?;
        StreamEvents::new(response, &call.id, self)
    }

    /// The document that describes the functions, if the server has one.
    ///
    /// # Errors
    ///
    /// [`ClientError`] as for [`Client::call`].
    pub fn load(&self) -> Result<Option<OpenTool>, ClientError> {
        Ok(self.load_or_reason()?.document)
    }

    /// As [`Client::load`], with what the server says if it has no document.
    ///
    /// # Errors
    ///
    /// [`ClientError`] as for [`Client::call`].
    pub fn load_or_reason(&self) -> Result<Loaded, ClientError> {
        let (status, body) = self.get("load")?;
        let text = match protocol::plain(status, &body) {
            Err(ClientError::ResponseNull { .. }) => return Ok(Loaded::default()),
            text => text?,
        };
        if let Ok(members) = protocol::members(text)
            && !members.contains_key("opentool")
        {
            let message = members.get("message").and_then(Value::as_str).map(str::to_owned);
            return Ok(Loaded { document: None, message });
        }
        let document = protocol::object(text).map_err(ClientError::not_open_tool)?;
        Ok(Loaded { document: Some(document), message: None })
    }

    /// Ends the server.
    ///
    /// # Errors
    ///
    /// [`ClientError`] as for [`Client::call`].
    pub fn stop(&self) -> Result<(), ClientError> {
        let (status, body) = self.post("stop", b"")?;
        match protocol::plain(status, &body) {
            Ok(_) | Err(ClientError::ResponseNull { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
