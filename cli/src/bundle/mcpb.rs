//! An MCP bundle (`.mcpb`): a zip archive with a `manifest.json` of version 0.3, for clients that install servers from
//! files, such as Claude Desktop.

use opentool::OpenTool;
use opentool::export::mcp_tools;
use serde_json::{Value, json};

use super::contents::{COMMAND, Contents};
use super::info::{about, semantic};
use super::zip::{Archive, Mode};
use crate::failure::{Failure, Outcome};

/// The version of the manifest, with which `server.type` can be `binary`.
const MANIFEST: &str = "0.3";
/// The folder of the server in the bundle; its files are named from the root of what is unpacked.
const FOLDER: &str = "server/";
const ROOT: &str = "${__dirname}/";

/// The archive, and what is to be said of it.
pub(crate) fn mcpb(contents: &Contents<'_>, tool: &OpenTool, author: &str) -> Outcome<(Vec<u8>, String)> {
    let manifest = manifest(contents, tool, author)?;
    let mut archive = Archive::default();
    archive.add("manifest.json", Mode::File, format!("{manifest:#}\n").as_bytes())?;
    contents.fill(&mut archive, FOLDER)?;
    Ok((archive.finish()?, contents.told()))
}

fn manifest(contents: &Contents<'_>, tool: &OpenTool, author: &str) -> Outcome<Value> {
    let platform = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        "linux" => "linux",
        other => {
            return Err(Failure::new(format!(
                "MCP bundles are for Linux, macOS and Windows, not for {other}"
            )));
        }
    };
    let tools = mcp_tools(tool).map_err(|error| Failure::fault(error.to_string()))?;
    let tools: Vec<Value> = tools
        .as_array()
        .into_iter()
        .flatten()
        .map(|tool| {
            let mut shown = json!({"name": tool["name"]});
            if let Some(description) = tool["description"].as_str().filter(|text| !text.is_empty()) {
                shown["description"] = description.into();
            }
            shown
        })
        .collect();
    let folder = format!("{ROOT}{FOLDER}");
    Ok(json!({
        "manifest_version": MANIFEST,
        "name": contents.name(),
        "display_name": contents.description.title,
        "version": semantic(contents.description)?,
        "description": about(contents.description),
        "author": { "name": author },
        "server": {
            "type": "binary",
            "entry_point": format!("{FOLDER}{COMMAND}"),
            "mcp_config": {
                "command": format!("{folder}{COMMAND}"),
                "args": contents.arguments("mcp", &folder)?,
                "env": {},
            },
        },
        "tools": tools,
        "compatibility": { "platforms": [platform] },
    }))
}
