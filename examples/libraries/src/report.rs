//! What a job found out, and calls with JSON.

use std::error::Error;

use opendyn::{Tool, ToolError};
use serde_json::Value;

/// The result of a job.
pub type Done = Result<Report, Box<dyn Error>>;

/// What a job found out. It is the same for typed calls and for calls with JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The facts, in order.
    pub facts: Vec<String>,
    /// The failures that the job provoked, with the library's own texts.
    pub failures: Vec<String>,
}

impl Report {
    /// Adds a fact.
    pub fn fact(&mut self, fact: impl Into<String>) {
        self.facts.push(fact.into());
    }

    /// Adds the text of a call that must fail.
    ///
    /// # Errors
    ///
    /// The call succeeded.
    pub fn failure<T, E: ToString>(&mut self, result: Result<T, E>) -> Result<(), Box<dyn Error>> {
        let Err(error) = result else { return Err("the call succeeded".into()) };
        // JSON callers are told that it is the call that failed.
        let text = error.to_string();
        let text = text.trim_start_matches("the call failed with ").trim_start_matches("the call failed: ");
        self.failures.push(text.trim_end().to_owned());
        Ok(())
    }
}

/// The reply of a call with JSON.
///
/// # Errors
///
/// The call was refused, or it failed.
pub fn call(tool: &dyn Tool, function: &str, arguments: &Value) -> Result<Value, ToolError> {
    let reply = tool.call_json(function, &arguments.to_string())?;
    serde_json::from_str(&reply).map_err(|error| ToolError::call_failed(error.to_string()))
}

/// The bytes that a reply has in base64 under `name`.
///
/// # Errors
///
/// There are none.
pub fn bytes(reply: &Value, name: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let text = reply[name].as_str().ok_or_else(|| format!("no `{name}` in {reply}"))?;
    Ok(data_encoding::BASE64.decode(text.as_bytes())?)
}

/// The text that a reply has under `name`.
///
/// # Errors
///
/// There is none.
pub fn text<'r>(reply: &'r Value, name: &str) -> Result<&'r str, Box<dyn Error>> {
    reply[name].as_str().ok_or_else(|| format!("no `{name}` in {reply}").into())
}
