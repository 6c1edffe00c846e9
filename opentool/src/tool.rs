//! [`Tool`], the interface of everything that can be called, and [`MapTool`], which makes a tool from a closure.

use serde_json::{Map, Value};

use crate::{CallContext, Caller, Measure, OpenTool, ToolError};

/// Functions that can be called by name, with JSON.
///
/// Text in, text out is the primary form, so that a call need not build a tree of values. A tool that is easier to
/// write over maps can be a [`MapTool`].
///
/// The trait is synchronous and object-safe.
///
/// ```
/// use opentool::{OpenTool, Tool, ToolError};
///
/// /// Adds one, as text in and text out.
/// struct Next;
///
/// impl Tool for Next {
///     fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
///         if name != "next" {
///             return Err(ToolError::unknown_function(name, ["next"]));
///         }
///         let arguments: opentool::Map<String, opentool::Value> = serde_json::from_slice(arguments)
///             .map_err(|error| ToolError::invalid_arguments("", error.to_string()))?;
///         let of = arguments.get("of").and_then(opentool::Value::as_i64);
///         let of = of.ok_or_else(|| ToolError::invalid_arguments("/of", "expected an integer"))?;
///         out.extend_from_slice(format!(r#"{{"result":{}}}"#, of + 1).as_bytes());
///         Ok(())
///     }
///
///     fn load(&self) -> Option<OpenTool> {
///         None
///     }
/// }
///
/// assert_eq!(Next.call_json("next", r#"{"of":4}"#)?, r#"{"result":5}"#);
/// assert_eq!(Next.call_json("nxt", "{}").unwrap_err().code(), 405);
/// # Ok::<(), ToolError>(())
/// ```
pub trait Tool {
    /// Calls `name` with the JSON object in `arguments` and appends the result, a JSON object, to `out`. On an error,
    /// `out` is unchanged.
    ///
    /// # Errors
    ///
    /// [`ToolError`] says what is wrong, and where.
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError>;

    /// The document that describes the functions, if the tool has one.
    fn load(&self) -> Option<OpenTool>;

    /// Calls `name` with a JSON object and returns a JSON object, both as text.
    ///
    /// # Errors
    ///
    /// [`ToolError`] says what is wrong, and where.
    fn call_json(&self, name: &str, arguments: &str) -> Result<String, ToolError> {
        let mut out = Vec::new();
        self.call_into(name, arguments.as_bytes(), &mut out)?;
        String::from_utf8(out)
            .map_err(|error| ToolError::call_failed(format!("the result is not UTF-8: {error}")))
    }

    /// Calls `name` with a map and returns a map.
    ///
    /// # Errors
    ///
    /// [`ToolError`] says what is wrong, and where.
    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        let arguments = serde_json::to_vec(arguments)
            .map_err(|error| ToolError::invalid_arguments("", error.to_string()))?;
        let mut out = Vec::new();
        self.call_into(name, &arguments, &mut out)?;
        serde_json::from_slice(&out)
            .map_err(|error| ToolError::call_failed(format!("the result is not a JSON object: {error}")))
    }

    /// Like [`Tool::call_into`], for a server: `context` says who calls, and until when. Most tools need not know.
    ///
    /// # Errors
    ///
    /// [`ToolError`] says what is wrong, and where.
    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        let _ = context;
        self.call_into(name, arguments, out)
    }

    /// Whether a running call of `name`, a function of the document, can be ended without ending the tool:
    /// [`CallContext::cancel`] of the call asks it to end, and it then returns soon. Most tools cannot do that.
    fn can_cancel(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// `caller` has left: what it left behind is freed. Most tools have nothing of a caller.
    fn leave(&self, caller: &Caller) {
        let _ = caller;
    }

    /// Tells `note` what the tool counts. Numbers of the same kind are added up. Most tools count nothing.
    fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        let _ = note;
    }
}

/// Pointers to tools are tools.
macro_rules! tool_behind {
    ($($pointer:ty)*) => {$(
        impl<T: Tool + ?Sized> Tool for $pointer {
            fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
                (**self).call_into(name, arguments, out)
            }

            fn load(&self) -> Option<OpenTool> {
                (**self).load()
            }

            fn call_json(&self, name: &str, arguments: &str) -> Result<String, ToolError> {
                (**self).call_json(name, arguments)
            }

            fn call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
                (**self).call(name, arguments)
            }

            fn call_for(
                &self,
                context: &CallContext,
                name: &str,
                arguments: &[u8],
                out: &mut Vec<u8>,
            ) -> Result<(), ToolError> {
                (**self).call_for(context, name, arguments, out)
            }

            fn can_cancel(&self, name: &str) -> bool {
                (**self).can_cancel(name)
            }

            fn leave(&self, caller: &Caller) {
                (**self).leave(caller);
            }

            fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
                (**self).measure(note);
            }
        }
    )*};
}
tool_behind!(&T Box<T> std::sync::Arc<T>);

/// A tool made from a closure over maps, which takes the name of the function and its arguments and returns the
/// result.
///
/// ```
/// use opentool::{MapTool, Tool};
///
/// let echo = MapTool::new(|_, arguments| Ok(arguments.clone()));
/// assert_eq!(echo.call_json("echo", r#"{"a":1}"#)?, r#"{"a":1}"#);
/// # Ok::<(), opentool::ToolError>(())
/// ```
pub struct MapTool<F> {
    function: F,
    document: Option<OpenTool>,
}

impl<F> MapTool<F>
where
    F: Fn(&str, &Map<String, Value>) -> Result<Map<String, Value>, ToolError>,
{
    /// A tool without a document.
    pub fn new(function: F) -> Self {
        Self { function, document: None }
    }

    /// The same tool, described by `document`.
    #[must_use]
    pub fn described_by(self, document: OpenTool) -> Self {
        Self { document: Some(document), ..self }
    }
}

impl<F> Tool for MapTool<F>
where
    F: Fn(&str, &Map<String, Value>) -> Result<Map<String, Value>, ToolError>,
{
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        let arguments: Map<String, Value> = serde_json::from_slice(arguments)
            .map_err(|error| ToolError::invalid_arguments("", format!("not a JSON object: {error}")))?;
        let result = (self.function)(name, &arguments)?;
        let before = out.len();
        serde_json::to_writer(&mut *out, &result).map_err(|error| {
            out.truncate(before);
            ToolError::call_failed(error.to_string())
        })
    }

    fn load(&self) -> Option<OpenTool> {
        self.document.clone()
    }

    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        (self.function)(name, arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn echo() -> impl Tool {
        MapTool::new(|name, arguments| match name {
            "echo" => Ok(arguments.clone()),
            _ => Err(ToolError::unknown_function(name, ["echo"])),
        })
    }

    #[test]
    fn a_map_tool_answers_text_and_maps_alike() {
        let tool = echo();
        let text = tool.call_json("echo", r#"{"z":1,"a":[true,null]}"#).expect("echo");
        assert_eq!(text, r#"{"z":1,"a":[true,null]}"#);
        let map = tool.call("echo", &Map::from_iter([("a".to_owned(), json!(2))])).expect("echo");
        assert_eq!(Value::Object(map), json!({"a": 2}));
    }

    #[test]
    fn arguments_other_than_an_object_are_refused() {
        let error = echo().call_json("echo", "[1]").expect_err("not an object");
        assert_eq!(error.code(), 400);
        assert!(error.to_string().contains("not a JSON object"), "{error}");
    }

    #[test]
    fn a_tool_is_usable_behind_a_pointer() {
        let boxed: Box<dyn Tool> = Box::new(echo());
        assert_eq!(
            boxed.call_json("ech", "{}").expect_err("unknown").to_string(),
            "unknown function `ech`; did you mean `echo`?"
        );
        let by_value = |tool: &dyn Tool| {
            fn call(tool: impl Tool) -> String {
                tool.call_json("echo", "{}").expect("echo")
            }
            call(tool)
        };
        assert_eq!(by_value(&*boxed), "{}");
        assert_eq!(boxed.load(), None);
    }
}
