//! A blocking client for OpenTool servers.
//!
//! [`Client`] speaks the protocol, and [`RemoteTool`] makes a server a [`Tool`](crate::Tool). Messages are in
//! `protocol`, events in `stream`, HTTP in `transport`.

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
    /// A version such as `1.0.0`.
    pub version: String,
}

/// The reply of a server to a request for its document.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The document, if the server has one.
    pub document: Option<OpenTool>,
    /// Why there is no document, if the server said so. Servers of the SDKs reply with an exception, an object with
    /// `code` and `message`.
    pub message: Option<String>,
}

/// A connection to one OpenTool server.
///
/// A client can be shared between threads and keeps connections open for the next request.
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
    /// The agent for streams, which have no limit on their total duration.
    streaming: Agent,
    base_url: String,
    authorization: Option<String>,
    timeout: Duration,
    response_limit: u64,
    retries: u32,
    calls: AtomicU64,
}

impl Client {
    /// A client with the default settings of [`ClientBuilder`].
    ///
    /// # Errors
    ///
    /// [`InvalidSetting`] if `base_url` is not the URL of a server.
    pub fn new(base_url: &str) -> Result<Self, InvalidSetting> {
        Self::builder(base_url).build()
    }

    /// The settings of a new client. `base_url` is `http://…` or `https://…`; if it has no path, `/opentool` is added.
    pub fn builder(base_url: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(base_url.into())
    }

    /// The URL of the server.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The version of the server.
    ///
    /// # Errors
    ///
    /// The same as for [`Client::call`].
    pub fn version(&self) -> Result<Version, ClientError> {
        let (status, body) = self.get("version")?;
        protocol::object(protocol::plain(status, &body)?).map_err(ClientError::not_open_tool)
    }

    /// Calls a function.
    ///
    /// The call is sent once. If the connection breaks or the time limit is exceeded, it may have been executed.
    ///
    /// # Errors
    ///
    /// [`ClientError::Call`] if the server refused the call or the function failed; the other variants if there was no
    /// valid reply.
    pub fn call(&self, call: &FunctionCall) -> Result<ToolReturn, ClientError> {
        let arguments = Value::Object(call.arguments.clone()).to_string();
        let (status, body) = self.post("call", &protocol::request(&call.name, &arguments, &call.id)?)?;
        let result = protocol::members(protocol::result(status, &body, &call.id)?)?;
        Ok(ToolReturn { id: call.id.clone(), result })
    }

    /// Calls `name` with the JSON object in `arguments` and returns a JSON object. The text of both is not changed.
    ///
    /// # Errors
    ///
    /// The same as for [`Client::call`].
    pub fn call_json(&self, name: &str, arguments: &str) -> Result<String, ClientError> {
        let id = self.next_id();
        let (status, body) = self.post("call", &protocol::request(name, arguments, &id)?)?;
        Ok(protocol::result(status, &body, &id)?.to_owned())
    }

    /// Calls a function that replies with a stream of events.
    ///
    /// # Errors
    ///
    /// The same as for [`Client::call`], for failures before the first event.
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
    /// The same as for [`Client::call`].
    pub fn load(&self) -> Result<Option<OpenTool>, ClientError> {
        Ok(self.load_or_reason()?.document)
    }

    /// Like [`Client::load`], with the reason that the server gives if it has no document.
    ///
    /// # Errors
    ///
    /// The same as for [`Client::call`].
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

    /// Stops the server.
    ///
    /// # Errors
    ///
    /// The same as for [`Client::call`].
    pub fn stop(&self) -> Result<(), ClientError> {
        let (status, body) = self.post("stop", b"")?;
        match protocol::plain(status, &body) {
            Ok(_) | Err(ClientError::ResponseNull { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
