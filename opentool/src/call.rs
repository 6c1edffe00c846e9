//! The two messages that an agent and a client exchange.

use serde_json::{Map, Value};

use crate::record::record;

/// A call that an agent wants made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionCall {
    /// Ties the reply to the call.
    pub id: String,
    /// The function's name.
    pub name: String,
    /// What to pass.
    pub arguments: Map<String, Value>,
}

/// What a call gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolReturn {
    /// The id of the call that this answers.
    pub id: String,
    /// The result, keyed by the names in the document.
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
