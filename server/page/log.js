// The calls of this page, the newest first. Nothing of it is kept when the page is closed.

import { byId, element } from "./element.js";
import { write } from "./json.js";
import { milliseconds } from "./reply.js";

/** The number of calls that are kept. */
const KEPT = 100;
/** How much of arguments and replies is kept, in characters. */
const CUT = 2_000;

/** Adds a call, with its reply or with the reason why there is none. */
export function note(name, argumentsText, outcome) {
  const log = byId("log");
  log.querySelector(".none")?.remove();
  const error = outcome.failed ?? outcome.reply.error?.message;
  const said = outcome.failed ?? cut(write(outcome.reply.error ?? outcome.reply.result));
  log.prepend(element("li", {},
    element("details", {},
      element("summary", {},
        element("code", {}, name),
        element("span", { class: error === undefined ? "badge good" : "badge bad" }, error === undefined ? "ok" : "error"),
        element("span", { class: "quiet" }, outcome.took === undefined ? "" : milliseconds(outcome.took))),
      element("pre", { tabindex: "0", "aria-label": "Arguments" }, cut(argumentsText)),
      element("pre", { tabindex: "0", "aria-label": "Reply" }, said))));
  while (log.children.length > KEPT) log.lastElementChild.remove();
}

function cut(text) {
  return text.length > CUT ? `${text.slice(0, CUT)}…` : text;
}
