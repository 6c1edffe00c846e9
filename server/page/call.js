// One function: what it does, the form of its arguments, the call and its reply. Or why it cannot be called.

import { byId, element, fill, prose, say } from "./element.js";
import { Field } from "./field.js";
import { object } from "./group.js";
import { steps, write } from "./json.js";
import * as log from "./log.js";
import * as replies from "./reply.js";
import { same } from "./same.js";
import { call, Unauthorized } from "./server.js";

/** Shows a function and its form. `page` has the document, its `schemas`, the `handles` and the `data`. */
export function show(of, page, unauthorized) {
  page.handles.forgetListeners();
  const context = { schemas: page.schemas, handles: page.handles };
  const fields = new Map(of.parameters.map((parameter) => [parameter.name, new Field({ ...parameter, required: parameter.required ?? true, context })]));
  const place = element("section", { class: "reply", "aria-label": "Reply" });
  const other = same(of.name, page.document.info.title, page.data.mcp);
  const problem = element("p", { class: "error", role: "alert", hidden: true });
  const submit = element("button", { type: "submit", class: "main" }, "Call");
  const refresh = () => other.update(write(object(fields)));
  // A click may add or remove an element, which the button itself does first.
  const form = element("form", { novalidate: true, autocomplete: "off", "aria-label": `Arguments of ${of.name}`, oninput: refresh, onchange: refresh, onclick: () => setTimeout(refresh) },
    [...fields.values()].map((field) => field.element),
    fields.size === 0 ? element("p", { class: "quiet" }, "It takes no arguments.") : null,
    problem,
    element("div", { class: "row" }, submit, element("span", { class: "quiet hint" }, "or Ctrl+Enter")));

  const make = async () => {
    const given = object(fields);
    const text = write(given);
    const abort = new AbortController();
    fields.forEach((field) => field.clear());
    problem.hidden = true;
    submit.disabled = true;
    other.update(text);
    replies.running(place, () => abort.abort());
    try {
      const outcome = await call(of.name, text, abort.signal);
      replies.show(place, outcome);
      log.note(of.name, text, outcome);
      page.handles.after(of, given, outcome.reply);
      refresh();
      // The reply itself may be long: it is read where it stands.
      if (outcome.reply.error) fail(outcome.reply.error, fields, problem);
      else say(`${of.name} replied`);
    } catch (error) {
      if (error instanceof Unauthorized) return unauthorized(error.message);
      const message = abort.signal.aborted ? "The call was cancelled." : `The call did not arrive: ${error.message}.`;
      replies.failed(place, message);
      log.note(of.name, text, { failed: message });
    } finally {
      submit.disabled = false;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    make();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });

  fill(byId("main"), heading(of.name, badges(of)), paragraphs(of.description), form, place, other.element);
  refresh();
}

/** Shows an error where its value is given. */
function fail(error, fields, problem) {
  const [first, ...rest] = steps(error.pointer ?? "");
  const field = fields.get(first);
  if (field) {
    field.find(rest).fail(error.message.replace(`invalid arguments: ${error.pointer}: `, ""));
  } else if (error.code === 400) {
    problem.replaceChildren(...prose(error.message));
    problem.hidden = false;
  }
  say(`error ${error.code}: ${error.message}`);
}

/** Shows why a function cannot be called. */
export function refused(one) {
  const isRule = one.by === "server";
  fill(byId("main"),
    heading(one.name, [element("span", { class: "badge bad" }, isRule ? "refused by a rule" : "cannot be called")]),
    element("p", { class: "message" }, isRule ? "This server refuses it: " : "It cannot be called with JSON: ", prose(one.reason), "."),
    one.questions?.length > 0
      ? [element("h3", {}, one.questions.length === 1 ? "The question to answer" : "The questions to answer"), element("ul", { class: "questions" }, one.questions.map((question) => element("li", {}, prose(question))))]
      : null,
    isRule ? null : element("p", { class: "quiet" }, "Write the answer into the document, where ", element("code", {}, "x-todo"), " is, or run ", element("code", {}, "opendyn import --ask"), ". ", element("code", {}, "opendyn check"), " shows the place."));
}

/** Shows what there is before a function is chosen. */
export function welcome(document) {
  fill(byId("main"),
    element("h2", {}, document.info?.title ?? "Functions"),
    paragraphs(document.info?.description ?? "Choose a function to see its arguments and to call it."),
    document.info?.["x-instructions"] ? [element("h3", {}, "How the functions belong together"), paragraphs(document.info["x-instructions"])] : null);
}

export function unknown(name) {
  fill(byId("main"), element("h2", {}, "No such function"), element("p", {}, "There is no function ", element("code", {}, name), " that you can call."));
}

function heading(name, marks) {
  return element("div", { class: "row" }, element("h2", {}, element("code", {}, name)), marks);
}

function badges(of) {
  const said = of["x-annotations"] ?? {};
  return [
    said.readOnly ? element("span", { class: "badge good" }, "read-only") : null,
    said.destructive ? element("span", { class: "badge bad" }, "destructive") : null,
    said.idempotent ? element("span", { class: "badge" }, "idempotent") : null,
  ];
}

function paragraphs(text) {
  return element("div", { class: "prose" }, text.split(/\n{2,}/).map((paragraph) => element("p", {}, prose(paragraph))));
}
