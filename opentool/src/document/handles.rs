//! Where a document has handles. Servers keep those of one caller apart from those of another.

use super::{Function, OpenTool, Return, Schema};

impl OpenTool {
    /// Whether a function takes or returns a handle.
    #[must_use]
    pub fn has_handles(&self) -> bool {
        let takes = |function: &Function| function.parameters.iter().any(|one| one.schema.has_handle());
        let sends = |function: &Function| function.stream.iter().flatten().any(|(_, event)| is_handle(event));
        self.schemas.values().any(Schema::has_handle)
            || self.functions.iter().any(|one| one.returns_handle() || takes(one) || sends(one))
    }
}

impl Function {
    /// Whether a call can return a handle. Schemas that the result refers to are not looked at.
    #[must_use]
    pub fn returns_handle(&self) -> bool {
        self.returns.as_ref().is_some_and(is_handle)
    }
}

fn is_handle(value: &Return) -> bool {
    value.schema.has_handle()
}

impl Schema {
    fn has_handle(&self) -> bool {
        self.handle.is_some()
            || self.items.as_ref().is_some_and(|items| items.has_handle())
            || self.properties.iter().flatten().any(|(_, member)| member.has_handle())
            || self.any_of.iter().flatten().any(Self::has_handle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn document(parameter: &Value, returned: &Value, shared: &Value) -> OpenTool {
        serde_json::from_value(json!({
            "opentool": "1.0.0", "info": {"title": "t", "version": "1"},
            "functions": [{
                "name": "f", "description": "d", "parameters": [{"name": "p", "schema": parameter}],
                "return": {"name": "r", "schema": returned}
            }],
            "schemas": {"S": shared}
        }))
        .expect("a document")
    }

    #[test]
    fn a_handle_is_found_wherever_it_is() {
        let (number, token) = (json!({"type": "number"}), json!({"type": "string", "x-handle": "db"}));
        assert!(!document(&number, &number, &number).has_handles());
        let list = json!({"type": "array", "items": token});
        let object = json!({"type": "object", "properties": {"x-handle": number, "a": list}});
        let one_of = json!({"type": "object", "anyOf": [object]});
        for with in [&token, &list, &object, &one_of] {
            assert!(document(with, &number, &number).has_handles(), "{with}");
            assert!(document(&number, with, &number).has_handles(), "{with}");
            assert!(document(&number, &number, with).has_handles(), "{with}");
            assert!(!document(with, &number, &number).functions[0].returns_handle(), "{with}");
            assert!(document(&number, with, &number).functions[0].returns_handle(), "{with}");
        }
        let named = json!({"type": "object", "properties": {"x-handle": number}});
        assert!(!document(&named, &number, &number).has_handles(), "a member has that name");
    }
}
