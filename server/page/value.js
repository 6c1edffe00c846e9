// Controls of single values: a truth, one of several values, a number, text, bytes, a handle. Each has an `element`, the
// `input` that the label belongs to, and `read`, which gives the JSON value. The server judges values; here nothing is refused.

import { element } from "./element.js";
import { Digits } from "./json.js";
import { KIND, kindOf } from "./schema.js";

/** The largest file that is read. A server takes less by default, and says so. */
const LARGEST = 64 * 1024 * 1024;

/** The control for a schema. */
export function value(of) {
  switch (kindOf(of.schema)) {
    case KIND.TRUTH: return truth(of);
    case KIND.CHOICE: return choice(of);
    case KIND.INTEGER:
    case KIND.NUMBER: return number(of);
    case KIND.BYTES: return bytes(of);
    case KIND.HANDLE: return handle(of);
    default: return text(of);
  }
}

function attributes({ ids, changed }) {
  return { id: ids.control, "aria-describedby": `${ids.about} ${ids.error}`, oninput: changed };
}

function truth(of) {
  const input = element("input", { type: "checkbox", ...attributes(of) });
  const said = element("span", { class: "quiet", "aria-hidden": "true" }, "false");
  input.addEventListener("change", () => { said.textContent = String(input.checked); });
  return { element: element("div", { class: "row" }, input, said), input, read: () => input.checked };
}

function choice(of) {
  const input = element("select", attributes(of),
    of.schema.enum.map((one, index) => element("option", { value: index }, typeof one === "string" ? one : JSON.stringify(one))));
  return { element: input, input, read: () => of.schema.enum[Number(input.value)] };
}

/** What is no number is sent as text, and the server says what it expects. */
function number(of) {
  const isInteger = kindOf(of.schema) === KIND.INTEGER;
  const input = element("input", { type: "text", inputmode: isInteger ? "numeric" : "decimal", autocomplete: "off", spellcheck: "false", class: "number", ...attributes(of) });
  return { element: input, input, read: (absent) => numberOf(input.value.trim(), absent) };
}

function numberOf(written, absent) {
  if (written === "") return absent;
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(written)) return new Digits(written);
  return written;
}

function text(of) {
  const input = element("textarea", { rows: 1, spellcheck: "false", autocapitalize: "off", ...attributes(of) });
  return { element: input, input, read: () => input.value };
}

function bytes(of) {
  const encoding = of.schema["x-encoding"];
  const input = element("textarea", { rows: 1, spellcheck: "false", autocapitalize: "off", class: "bytes", ...attributes(of) });
  const said = element("span", { class: "quiet", role: "status" });
  const file = element("input", { type: "file", class: "spoken", "aria-label": `${of.name}: bytes from a file`, onchange: async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    if (chosen.size > LARGEST) {
      said.textContent = `${chosen.name} is larger than ${LARGEST >> 20} MiB`;
      return;
    }
    const data = new Uint8Array(await chosen.arrayBuffer());
    input.value = encoding === "hex" ? hex(data) : base64(data);
    said.textContent = `${chosen.name}, ${data.length} bytes`;
    of.changed();
  } });
  const choose = element("label", { class: "file" }, "From a file", file);
  return { element: element("div", {}, input, element("div", { class: "row" }, choose, said)), input, read: () => input.value };
}

function hex(data) {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function base64(data) {
  const parts = [];
  // A call takes only so many arguments.
  for (let at = 0; at < data.length; at += 0x6000) parts.push(btoa(String.fromCharCode(...data.subarray(at, at + 0x6000))));
  return parts.join("");
}

/** One of the live handles of this type, or a token that is typed. */
function handle(of) {
  const type = of.schema["x-handle"];
  const { handles } = of.context;
  const typed = element("input", { type: "text", autocomplete: "off", spellcheck: "false", "aria-label": `${of.name}: token`, oninput: of.changed });
  const input = element("select", { ...attributes(of), onchange: () => show() });
  const show = () => { typed.hidden = input.value !== ""; };
  const list = () => {
    const before = input.value;
    const live = handles.of(type);
    input.replaceChildren(
      ...live.map((one) => element("option", { value: one.token }, `${one.short}, from ${one.from}`)),
      element("option", { value: "" }, live.length > 0 ? "another token…" : `no open ${type}; type a token…`));
    input.value = live.some((one) => one.token === before) ? before : live[0]?.token ?? "";
    show();
  };
  handles.onChange(list);
  list();
  return { element: element("div", { class: "row wide" }, input, typed), input, read: (absent) => input.value || typed.value.trim() || absent };
}
