//! The functions of a document for `tools/list`, in pages.

use std::sync::Arc;

use rmcp::model::Tool;

use super::large::may_be_large;
use opentool::OpenTool;
use opentool::export::{ExportError, mcp_tools};

/// The number of functions per page. It is large because some clients read only the first page.
pub(super) const PAGE: usize = 256;

/// All functions of `document`. If large results are not shown, the schema of one that may be large promises nothing: clients
/// compare replies with it.
pub(super) fn tools(document: &OpenTool, is_limited: bool) -> Result<Vec<Tool>, ExportError> {
    // The type reads every key of the export, so nothing is lost.
    let mut tools: Vec<Tool> = serde_json::from_value(mcp_tools(document)?).unwrap_or_default();
    if is_limited {
        for tool in &mut tools {
            let function = document.function(&tool.name);
            if let Some(schema) = &mut tool.output_schema
                && function.is_some_and(|function| may_be_large(function, document))
            {
                Arc::make_mut(schema).remove("required");
            }
        }
    }
    Ok(tools)
}

/// The tools of the page at a cursor, and the next cursor. `None` if the cursor is not valid.
pub(super) fn page(tools: &[Tool], cursor: Option<&str>) -> Option<(Vec<Tool>, Option<String>)> {
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor.parse().ok().filter(|start| start % PAGE == 0)?,
    };
    let rest = tools.get(start..).filter(|rest| start == 0 || !rest.is_empty())?;
    let next = (rest.len() > PAGE).then(|| (start + PAGE).to_string());
    Some((rest[..rest.len().min(PAGE)].to_vec(), next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    fn tool(name: &str) -> Tool {
        Tool::new(name.to_owned(), "", Map::new())
    }

    #[test]
    fn every_function_is_listed_as_it_is_exported() {
        let document = serde_json::from_value(json!({
            "opentool": "1.0.0", "info": {"title": "t", "version": "1"}, "functions": [{
                "name": "square_root", "description": "The square root.",
                "parameters": [{"name": "x", "schema": {"type": "number"}}],
                "return": {"name": "root", "schema": {"type": "number", "x-nullable": true}},
                "x-annotations": {"readOnly": true, "destructive": false, "idempotent": true}
            }]
        }));
        let document = document.expect("a document");
        let listed = serde_json::to_value(tools(&document, false).expect("exported")).expect("JSON");
        assert_eq!(listed, mcp_tools(&document).expect("exported"));
        assert_ne!(listed, json!([]));
    }

    #[test]
    fn the_pages_are_the_list() {
        let tools: Vec<Tool> = (0..2 * PAGE + 1).map(|number| tool(&format!("f{number}"))).collect();
        let (mut listed, mut cursor) = page(&tools, None).expect("the first page");
        while let Some(next) = cursor {
            let (more, behind) = page(&tools, Some(&next)).expect("a page that was promised");
            (listed, cursor) = ([listed, more].concat(), behind);
        }
        assert_eq!(listed, tools);
        assert_eq!(page(&tools[..PAGE], None), Some((tools[..PAGE].to_vec(), None)));
        assert_eq!(page(&[], None), Some((Vec::new(), None)));
    }

    #[test]
    fn an_invalid_cursor_is_refused() {
        let tools = vec![tool("f"); PAGE];
        for cursor in ["", "x", "1", "-256", "256", "99999999999999999999"] {
            assert_eq!(page(&tools, Some(cursor)), None, "{cursor}");
        }
    }
}
