//! What a client gets in place of a result that is too large: how large it is, how it begins, and how it is read in parts,
//! as a resource or with the tool `read_result`.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResult, ContentBlock, ProtocolVersion, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, Tool,
};
use serde_json::{Map, Value, json};

use super::results::{IDLE, Results, part};
use opendyn_source::short::{self, shortened};
use opentool::{Caller, Function, OpenTool, Schema, SchemaType, ToolError};

/// The tool for clients without resources.
pub(super) const READ: &str = "read_result";
const SCHEME: &str = "result://";
const TYPE: &str = "application/json";
/// How much of a result is shown, in bytes.
const SHOWN: usize = 2000;
/// Schemas inside of each other, beyond which a result counts as large.
const DEPTH: usize = 16;
/// The first revision with links to resources. Revisions are dates.
const LINKS: &str = "2025-06-18";

/// Keeps what is too large.
#[derive(Clone)]
pub(super) struct Large {
    /// The largest result that is shown, in bytes; `None` is without limit.
    limit: Option<usize>,
    results: Arc<Results>,
}

/// Whether clients of this revision know links to resources.
pub(super) fn has_links(version: Option<&ProtocolVersion>) -> bool {
    version.is_some_and(|version| version.as_str() >= LINKS)
}

impl Large {
    pub(super) fn new(limit: Option<usize>) -> Self {
        Self { limit, results: Arc::default() }
    }

    /// Whether there is a limit.
    pub(super) fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    pub(super) fn results(&self) -> &Arc<Results> {
        &self.results
    }

    /// What the client gets in place of a reply: `None` if it may be shown. The client gets a link if it knows them.
    pub(super) fn instead(
        &self,
        by: &Caller,
        function: &str,
        reply: &mut Result<Vec<u8>, ToolError>,
        has_links: bool,
    ) -> Option<CallToolResult> {
        let limit = self.limit?;
        let text = match reply {
            Ok(text) if text.len() > limit => std::mem::take(text),
            // What a function filled although it failed is read in parts too, and its message is short.
            Err(ToolError::CallFailed { details: Some(details), .. }) if !details.outputs.is_empty() => {
                let outputs = Value::Object(details.outputs.clone()).to_string();
                if outputs.len() <= limit {
                    return None;
                }
                details.outputs = Map::new();
                outputs.into_bytes()
            }
            _ => return None,
        };
        let text = match String::from_utf8(text) {
            Ok(text) => text,
            Err(error) => {
                *reply =
                    Err(ToolError::call_failed(format!("the result is not UTF-8: {}", error.utf8_error())));
                return None;
            }
        };
        let (bytes, (begin, next)) = (text.len(), part(&text, 0, SHOWN.min(limit)));
        let begin = begin.to_owned();
        let Some(id) = self.results.keep(by, text) else {
            *reply =
                Err(ToolError::call_failed(format!("the result has {bytes} bytes, and could not be kept")));
            return None;
        };
        let (uri, minutes) = (format!("{SCHEME}{id}"), IDLE.as_secs() / 60);
        let what = if reply.is_ok() { "The result has" } else { "Its outputs have" };
        let message = format!(
            "{what} {bytes} bytes, too many to show at once. Read on with `{READ}` {{\"id\":\"{id}\",\"offset\":{next}}}, or \
             the resource {uri}. It is kept for {minutes} minutes after it was last read. It begins:\n{begin}"
        );
        let kept = ContentBlock::text(message);
        let link = has_links.then(|| {
            let size = u64::try_from(bytes).unwrap_or(u64::MAX);
            let link = Resource::new(&uri, function).with_mime_type(TYPE).with_size(size);
            ContentBlock::resource_link(link)
        });
        Some(match reply {
            Ok(_) => {
                let mut result = CallToolResult::success(std::iter::once(kept).chain(link).collect());
                result.structured_content =
                    Some(json!({"largeResult": {"id": id, "uri": uri, "bytes": bytes}}));
                result
            }
            Err(error) => {
                let message = ContentBlock::text(error.to_string());
                CallToolResult::error([message, kept].into_iter().chain(link).collect())
            }
        })
    }

    /// The tool that reads on.
    pub(super) fn tool() -> Tool {
        let schema = json!({
            "type": "object",
            "properties": {
                "id": {"type": "string"},
                "offset": {"type": "integer", "minimum": 0, "description": "The first byte. Default: 0."},
                "length": {"type": "integer", "minimum": 1, "description": "The number of bytes."}
            },
            "required": ["id"],
            "additionalProperties": false
        });
        let about = "Reads a part of a result that was too large to be shown.";
        let schema = if let Value::Object(schema) = schema { schema } else { Map::new() };
        let mut tool = Tool::new(READ, about, schema);
        tool.annotations = serde_json::from_value(json!({"readOnlyHint": true, "idempotentHint": true})).ok();
        tool
    }

    /// A part of a result, for the tool.
    pub(super) fn read(
        &self,
        by: &Caller,
        arguments: &Map<String, Value>,
    ) -> Result<CallToolResult, ToolError> {
        let number = |key: &str, least: usize| match arguments.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(given) => match given.as_u64().and_then(|given| usize::try_from(given).ok()) {
                Some(given) if given >= least => Ok(Some(given)),
                _ => Err(ToolError::invalid_arguments(
                    format!("/{key}"),
                    format!("expected an integer from {least} on"),
                )),
            },
        };
        if let Some(unknown) =
            arguments.keys().find(|key| !matches!(key.as_str(), "id" | "offset" | "length"))
        {
            let message = format!("unknown argument; `{READ}` takes `id`, `offset` and `length`");
            return Err(ToolError::invalid_arguments(format!("/{unknown}"), message));
        }
        let Some(Value::String(id)) = arguments.get("id") else {
            return Err(ToolError::invalid_arguments("/id", "expected the id of a result"));
        };
        let (offset, length) = (number("offset", 0)?.unwrap_or(0), number("length", 1)?);
        // What would be too large again is cut.
        let most = self.limit.unwrap_or(usize::MAX);
        let length = length.unwrap_or(most).min(most);
        let text = self.results.get(by, id.strip_prefix(SCHEME).unwrap_or(id)).ok_or_else(|| {
            let id = shortened(id.clone(), short::NAME);
            ToolError::invalid_arguments(
                "/id",
                format!("there is no result {id:?}, or it was forgotten: call again"),
            )
        })?;
        let (shown, next) = part(&text, offset, length);
        let rest = match text.len() - next {
            0 => "This is the end.".to_owned(),
            rest => format!("{rest} more bytes: go on at offset {next}."),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(shown), ContentBlock::text(rest)]))
    }

    /// How a part of a result is read.
    pub(super) fn template() -> ResourceTemplate {
        ResourceTemplate::new(format!("{SCHEME}{{id}}{{?offset,length}}"), "result")
            .with_description("A result that was too large to be shown, or some bytes of it.")
            .with_mime_type(TYPE)
    }

    /// A result, or a part of it: `result://ID?offset=0&length=1000`.
    pub(super) fn resource(&self, by: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let none = || {
            let message =
                format!("there is no resource {:?}, or it was forgotten", shortened(uri, short::NAME));
            ErrorData::resource_not_found(message, None)
        };
        let (id, query) = match uri.strip_prefix(SCHEME).ok_or_else(none)?.split_once('?') {
            Some((id, query)) => (id, query),
            None => (uri.strip_prefix(SCHEME).ok_or_else(none)?, ""),
        };
        let (mut offset, mut length) = (0, usize::MAX);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let number =
                pair.split_once('=').and_then(|(key, value)| Some((key, value.parse::<usize>().ok()?)));
            match number {
                Some(("offset", given)) => offset = given,
                Some(("length", given)) => length = given,
                _ => {
                    let message =
                        format!("{:?}: expected offset=N or length=N", shortened(pair, short::NAME));
                    return Err(ErrorData::invalid_params(message, None));
                }
            }
        }
        let text = self.results.get(by, id).ok_or_else(none)?;
        let (shown, _) = part(&text, offset, length);
        let contents = ResourceContents::text(shown, uri).with_mime_type(TYPE);
        Ok(ReadResourceResult::new(vec![contents]))
    }
}

/// Whether a result of the function can be of any size: it has a text or a list without an end.
pub(super) fn may_be_large(function: &Function, document: &OpenTool) -> bool {
    function.returns.as_ref().is_some_and(|returned| has_no_end(&returned.schema, document, DEPTH))
}

fn has_no_end(schema: &Schema, document: &OpenTool, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    let inside = |schema: &Schema| has_no_end(schema, document, depth);
    if let Some(reference) = &schema.reference {
        let name = Schema::referred(reference);
        return name.and_then(|name| document.schemas.get(&name)).is_none_or(inside);
    }
    if let Some(forms) = &schema.any_of {
        return forms.iter().any(inside);
    }
    if schema.handle.is_some() || schema.values.is_some() {
        return false;
    }
    match schema.kind {
        SchemaType::Boolean | SchemaType::Integer | SchemaType::Number => false,
        SchemaType::String => schema.max_length.is_none() && schema.format.is_none(),
        SchemaType::Array => schema.max_items.is_none() || schema.items.as_deref().is_none_or(inside),
        SchemaType::Object => schema.properties.as_ref().is_none_or(|members| members.values().any(inside)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn large() -> (Large, Caller) {
        (Large::new(Some(100)), Caller::new("one"))
    }

    fn texts(result: &CallToolResult) -> Vec<&str> {
        result.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str())).collect()
    }

    fn object(value: Value) -> Map<String, Value> {
        let Value::Object(object) = value else { panic!("an object") };
        object
    }

    #[test]
    fn a_result_within_the_limit_is_shown() {
        let (large, by) = large();
        let mut reply = Ok(vec![b' '; 100]);
        assert!(large.instead(&by, "f", &mut reply, true).is_none());
        assert_eq!(reply.expect("it is left").len(), 100);
        assert!(Large::new(None).instead(&by, "f", &mut Ok(vec![b' '; 1 << 20]), true).is_none());
    }

    #[test]
    fn a_larger_one_is_read_in_parts_by_its_caller() {
        let (large, by) = large();
        let text = json!({"text": "é".repeat(500)}).to_string();
        let result = large.instead(&by, "f", &mut Ok(text.clone().into_bytes()), true).expect("too large");
        let id = result.structured_content.as_ref().expect("structure")["largeResult"]["id"].clone();
        let id = id.as_str().expect("an id");
        assert!(texts(&result)[0].contains("has 1011 bytes") && texts(&result)[0].ends_with(&text[..99]));
        assert_eq!(result.content.len(), 2, "the link");
        let (mut read, mut offset) = (String::new(), 0);
        while offset < text.len() {
            let part = large.read(&by, &object(json!({"id": id, "offset": offset, "length": 1000})));
            let part = part.expect("a part");
            assert!(texts(&part)[0].len() <= 100);
            offset += texts(&part)[0].len();
            read.push_str(texts(&part)[0]);
            assert_eq!(texts(&part)[1] == "This is the end.", offset == text.len());
        }
        assert_eq!(read, text);
        let other = large.read(&Caller::new("two"), &object(json!({"id": id}))).expect_err("of another");
        assert!(other.to_string().contains("there is no result"), "{other}");
        for wrong in [
            json!({}),
            json!({"id": id, "offset": -1}),
            json!({"id": id, "length": 0}),
            json!({"id": id, "a": 1}),
        ] {
            assert!(large.read(&by, &object(wrong.clone())).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_resource_is_read_whole_or_in_ranges() {
        let (large, by) = large();
        let text = json!({"text": "x".repeat(500)}).to_string();
        let reply = &mut Ok(text.clone().into_bytes());
        let result = large.instead(&by, "f", reply, false).expect("too large");
        assert_eq!(result.content.len(), 1, "a client that does not know links");
        let uri = result.structured_content.as_ref().expect("structure")["largeResult"]["uri"].clone();
        let uri = uri.as_str().expect("a resource");
        let read = |query: &str| {
            let read = large.resource(&by, &format!("{uri}{query}")).map_err(|error| error.code.0)?;
            match read.contents.as_slice() {
                [ResourceContents::TextResourceContents { text, .. }] => Ok(text.clone()),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(read("").as_deref(), Ok(text.as_str()));
        assert_eq!(read("?offset=9&length=3").as_deref(), Ok("xxx"));
        assert_eq!((read("?length=x"), read("0")), (Err(-32602), Err(-32002)));
        assert!(large.resource(&Caller::new("two"), uri).is_err());
        assert!(large.resource(&by, "file:///etc/passwd").is_err());
    }

    #[test]
    fn outputs_of_a_failure_are_read_in_parts_too() {
        let (large, by) = large();
        let outputs = object(json!({"rows": "x".repeat(500)}));
        let error = ToolError::call_failed_with(5, "come back").with_details(None, outputs);
        let result = large.instead(&by, "f", &mut Err(error), true).expect("too large");
        assert_eq!(result.is_error, Some(true));
        assert!(
            texts(&result)[0].contains("come back")
                && texts(&result)[1].contains("Its outputs have 511 bytes")
        );
    }

    #[test]
    fn what_has_an_end_is_never_too_large() {
        for (schema, is_it) in [
            (json!({"type": "object", "properties": {"a": {"type": "integer"}}}), false),
            (json!({"type": "object", "properties": {"a": {"type": "string", "x-handle": "db"}}}), false),
            (json!({"type": "string"}), true),
            (
                json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}),
                true,
            ),
            (
                json!({"type": "string", "anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}]}),
                false,
            ),
            (json!({"$ref": "#/schemas/Small"}), false),
            (json!({"$ref": "#/schemas/Round"}), true),
        ] {
            let document = json!({
                "opentool": "1.0.0", "info": {"title": "t", "version": "1"},
                "functions": [{"name": "f", "description": "d", "parameters": [], "return": {"name": "r", "schema": schema}}],
                "schemas": {
                    "Small": {"type": "boolean"},
                    "Round": {"type": "object", "properties": {"again": {"$ref": "#/schemas/Round"}}}
                }
            });
            let document: OpenTool = serde_json::from_value(document).expect("a document");
            assert_eq!(may_be_large(&document.functions[0], &document), is_it, "{schema}");
        }
    }
}
