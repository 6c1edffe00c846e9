// The reply to a call, or why there is none. A long one is cut, so that a megabyte does not stop the browser.

import { button, copyButton, element, fill, prose } from "./element.js";
import { write } from "./json.js";

/** How much of a reply is shown at first, in characters. */
const CUT = 20_000;

/** Shows the outcome of a call in `place`. */
export function show(place, { reply, text, took }) {
  const error = reply.error;
  const json = write(error ?? reply.result, true);
  const code = element("code");
  const pre = element("pre", { tabindex: "0", "aria-label": "Reply as JSON" }, code);
  const rest = element("p", { class: "row" });
  const fillTo = (length) => {
    code.textContent = json.slice(0, length);
    fill(rest, json.length > length
      ? [element("span", { class: "quiet" }, `The first ${size(length)} of ${size(json.length)}.`), button("Show all", () => fillTo(json.length), { class: "plain small" })]
      : []);
  };
  fillTo(CUT);
  fill(place,
    element("div", { class: "row" },
      element("h3", {}, "Reply"),
      element("span", { class: error ? "badge bad" : "badge good" }, error ? `error ${error.code}` : "ok"),
      element("span", { class: "quiet" }, `${milliseconds(took)}, ${size(text.length)}`),
      copyButton("reply", () => json, () => pre)),
    error ? [element("p", { class: "message bad" }, prose(error.message)), error.hint && !error.message.includes(error.hint) ? element("p", {}, prose(error.hint)) : null] : null,
    pre, rest);
}

/** Shows why there is no reply. */
export function failed(place, message) {
  fill(place, element("h3", {}, "No reply"), element("p", { class: "message bad" }, prose(message)));
}

/** Shows that a call runs. */
export function running(place, cancel) {
  fill(place, element("div", { class: "row" }, element("h3", {}, "Calling…"), button("Cancel", cancel, { class: "plain" })));
}

export function milliseconds(took) {
  return took < 10 ? `${took.toFixed(1)} ms` : `${Math.round(took)} ms`;
}

function size(length) {
  if (length < 1000) return `${length} characters`;
  return length < 1_000_000 ? `${(length / 1000).toFixed(1)} KB` : `${(length / 1_000_000).toFixed(1)} MB`;
}
