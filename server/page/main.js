// The page of a server: asks for a key where one is required, loads the functions, and shows the one that the address names.

import * as calls from "./call.js";
import { button, byId, element, fill, say } from "./element.js";
import * as functions from "./functions.js";
import { Handles } from "./handles.js";
import * as key from "./key.js";
import { Schemas } from "./schema.js";
import { load, Unauthorized } from "./server.js";

let page = null;

async function open(withKey) {
  const { document: described, data } = await load(withKey);
  if (withKey) key.keep(withKey);
  const schemas = new Schemas(described);
  page = { document: described, data, schemas, handles: new Handles(schemas) };
  const title = described.info?.title ?? "Functions";
  document.title = title;
  byId("title").textContent = title;
  byId("about").textContent = described.info?.version ? `version ${described.info.version}` : "";
  fill(byId("who"), key.isRequired ? [`${data.caller} `, button("Forget the key", () => { key.forget(); location.reload(); }, { class: "plain small" })] : []);
  byId("key").hidden = true;
  byId("page").hidden = false;
  functions.list(described.functions ?? [], data.refused);
  page.handles.show();
  show(false);
}

function show(isMoved = true) {
  const name = functions.named();
  const one = page.document.functions?.find((known) => known.name === name);
  const refused = page.data.refused.find((known) => known.name === name);
  if (one) calls.show(one, page, ask);
  else if (refused) calls.refused(refused);
  else if (name) calls.unknown(name);
  else calls.welcome(page.document);
  functions.mark();
  if (isMoved) {
    byId("main").focus();
    byId("main").scrollIntoView({ block: "nearest" });
  }
}

/** Asks for a key. */
function ask(message = "") {
  key.forget();
  byId("page").hidden = true;
  const place = byId("key");
  const error = element("p", { class: "error", id: "key-error", role: "alert", hidden: message === "" }, message);
  const input = element("input", { type: "password", id: "key-input", autocomplete: "off", required: true, "aria-describedby": "key-error key-about" });
  const submit = element("button", { type: "submit", class: "main" }, "Open");
  const form = element("form", { onsubmit: async (event) => {
    event.preventDefault();
    submit.disabled = true;
    error.hidden = true;
    try {
      await open(input.value.trim());
    } catch (problem) {
      error.textContent = text(problem);
      error.hidden = false;
      input.select();
    }
    submit.disabled = false;
  } },
  element("h2", { id: "key-title" }, "This server requires a key"),
  element("label", { for: "key-input" }, "API key"),
  input,
  element("p", { id: "key-about", class: "quiet" }, "It is kept for this tab alone, and sent to this server alone."),
  error, submit);
  fill(place, form).hidden = false;
  input.focus();
}

function text(problem) {
  if (problem instanceof Unauthorized) return "The server does not accept this key.";
  return `The functions cannot be loaded: ${problem.message}`;
}

async function begin() {
  functions.listen();
  addEventListener("hashchange", () => page && show());
  if (key.isRequired && !key.current()) return ask();
  try {
    await open(key.current());
  } catch (problem) {
    if (problem instanceof Unauthorized) return ask(text(problem));
    fill(byId("key"), element("h2", { id: "key-title" }, "No functions"), element("p", { class: "message bad" }, text(problem))).hidden = false;
    say(text(problem));
  }
}

begin();
