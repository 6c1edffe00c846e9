// The same call in other ways: with curl, in Rust, and the configuration of an MCP client. The key itself is never shown:
// the texts name the variable in which the command finds it.

import { copyButton, element } from "./element.js";
import * as key from "./key.js";
import { write } from "./json.js";
import { request } from "./server.js";

const VARIABLE = "OPENDYN_API_KEY";

/** The three texts. `update` gives them the arguments of the form. */
export function same(name, title, mcp) {
  const curl = part("curl", "The same call with curl");
  const rust = part("Rust", "The same call in Rust",
    element("p", { class: "about" }, "A binding of ", element("code", {}, "opendyn!"), " takes the same ", element("code", {}, "call_json"), " without a server, and also has a typed method for this function."));
  const client = part("MCP configuration", "All functions for an MCP client");
  client.code.textContent = mcp ? configuration(title, mcp) : "This server does not speak MCP.";
  return {
    element: element("section", { "aria-label": "The same call in other ways" },
      curl.element, rust.element, client.element),
    update(argumentsText) {
      curl.code.textContent = curlText(name, argumentsText);
      rust.code.textContent = rustText(name, argumentsText);
    },
  };
}

function part(what, heading, note = null) {
  const code = element("code");
  const pre = element("pre", { tabindex: "0", "aria-label": heading }, code);
  return { code, element: element("details", { class: "same" }, element("summary", {}, heading), element("div", { class: "with-copy" }, pre, copyButton(what, () => code.textContent, () => pre)), note) };
}

export function curlText(name, argumentsText) {
  const header = key.isRequired ? ` \\\n  -H "Authorization: Bearer $${VARIABLE}"` : "";
  const body = request(name, argumentsText, 1).replaceAll("'", "'\\''");
  return `curl -s ${location.origin}/opentool/call${header} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}

export function rustText(name, argumentsText) {
  const withKey = key.isRequired ? `.api_key(std::env::var("${VARIABLE}")?)` : "";
  return `use opendyn::opentool::Tool;
use opendyn::opentool::client::{Client, RemoteTool};

let client = Client::builder("${location.origin}")${withKey}.build()?;
let tool = RemoteTool::connect(client)?;
let reply = tool.call_json("${name}", ${raw(argumentsText)})?;`;
}

/** A raw string of Rust. */
function raw(text) {
  let hashes = "#";
  while (text.includes(`"${hashes}`)) hashes += "#";
  return `r${hashes}"${text}"${hashes}`;
}

function configuration(title, route) {
  const entry = { type: "http", url: location.origin + route };
  if (key.isRequired) entry.headers = { Authorization: `Bearer \${${VARIABLE}}` };
  return write({ mcpServers: { [title]: entry } }, true);
}
