//! The two messages that an agent and a client exchange: a call and its result.

use serde_json::{Map, Value};

use crate::record::record;

/// A call that an agent requests.
///
/// ```
/// use opentool::FunctionCall;
///
/// let call: FunctionCall = serde_json::from_str(r#"{"id":"1","name":"add","arguments":{"a":2}}"#)?;
/// assert_eq!(call.arguments["a"], 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionCall {
    /// The reply carries the same id.
    pub id: String,
    /// The function's name.
    pub name: String,
    /// The arguments by name.
    pub arguments: Map<String, Value>,
}

/// The result of a call.
///
/// ```
/// use opentool::{Map, ToolReturn, Value};
///
/// let result = Map::from_iter([("result".to_owned(), Value::from(5))]);
/// let reply = ToolReturn { id: "1".to_owned(), result };
/// assert_eq!(serde_json::to_string(&reply)?, r#"{"id":"1","result":{"result":5}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolReturn {
    /// The id of the call that this answers.
    pub id: String,
    /// The results by their names in the document.
    pub result: Map<String, Value>,
}

record!(FunctionCall {
    id "id";
    name "name";
    arguments "arguments" = Map::new();
});

record!(ToolReturn {
    id "id";
    result "result";
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_without_arguments_has_none() {
        let call: FunctionCall = serde_json::from_str(r#"{"id":"1","name":"now"}"#).expect("a call");
        assert!(call.arguments.is_empty());
    }
}
