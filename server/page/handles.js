// The handles that calls of this page returned. A handle is gone after a successful call that ends it, which the document
// says (`x-ends`). The server may end one for other reasons; then the next call with it says so, and it is shown as lost.

import { button, byId, element, fill } from "./element.js";
import { steps } from "./json.js";

const SHORT = 18;

export class Handles {
  constructor(schemas) {
    this.schemas = schemas;
    this.open = new Map();
    this.listeners = [];
  }

  /** The live handles of a type, the newest first. */
  of(type) {
    return [...this.open.values()].filter((one) => one.type === type && !one.lost).reverse();
  }

  /** Calls `act` after each change, until another form is made. */
  onChange(act) {
    this.listeners.push(act);
  }

  /** Another form is made. */
  forgetListeners() {
    this.listeners = [];
  }

  /** Takes the handles of a reply, and drops those that the call has ended. */
  after(called, given, reply) {
    const name = called.name;
    if (!reply.error) {
      for (const parameter of called.parameters.filter((one) => one["x-ends"])) {
        tokens(given[parameter.name]).forEach((token) => this.open.delete(token));
      }
    }
    const returned = called.return;
    if (returned) {
      const result = reply.error ? reply.error.outputs : reply.result;
      const schema = returned["x-spread"] ? returned.schema : { type: "object", properties: { [returned.name]: returned.schema } };
      this.collect(schema, result, name);
    }
    this.lose(called, given, reply);
    this.show();
  }

  /** Keeps the tokens in a value. */
  collect(schema, value, from) {
    const full = this.schemas.of(schema);
    if (value === null || value === undefined) return;
    const type = full["x-handle"];
    if (type && typeof value === "string") {
      const before = this.open.get(value);
      if (!before || before.lost) this.open.set(value, { token: value, short: short(value), type, from, at: new Date() });
    } else if (Array.isArray(value)) {
      value.forEach((one) => this.collect(full.items ?? {}, one, from));
    } else if (typeof value === "object") {
      for (const [key, one] of Object.entries(value)) {
        for (const shape of [full, ...(full.anyOf ?? [])]) {
          const member = this.schemas.of(shape).properties?.[key];
          if (member) this.collect(member, one, from);
        }
      }
    }
  }

  /** Marks a handle that the server no longer accepts. */
  lose(called, given, reply) {
    const pointer = reply.error?.pointer;
    if (!pointer) return;
    const [first, ...rest] = steps(pointer);
    const value = rest.reduce((inner, step) => inner?.[step], given[first]);
    const handle = typeof value === "string" ? this.open.get(value) : undefined;
    // A live handle of another type is refused at its place too.
    const parameter = called.parameters.find((one) => one.name === first);
    if (handle && parameter && this.typeAt(parameter.schema, rest) === handle.type) {
      handle.lost = reply.error.message.replace(`invalid arguments: ${pointer}: `, "");
    }
  }

  typeAt(schema, rest) {
    const full = this.schemas.of(schema);
    if (rest.length === 0) return full["x-handle"];
    const inner = full.items ?? full.properties?.[rest[0]];
    return inner ? this.typeAt(inner, rest.slice(1)) : undefined;
  }

  /** Shows the list, and tells the forms. */
  show() {
    const all = [...this.open.values()].reverse();
    fill(byId("handles"), all.length === 0 ? element("li", { class: "quiet" }, "None.") : all.map((one) => this.row(one)));
    this.listeners.forEach((act) => act());
  }

  row(one) {
    const forget = button("Forget", () => {
      this.open.delete(one.token);
      this.show();
    }, { class: "plain small", "aria-label": `Forget ${one.type} ${one.short}`, title: "Removes it from this list; the server keeps it" });
    return element("li", { class: one.lost ? "handle lost" : "handle", "data-token": one.token },
      element("div", { class: "row" }, element("strong", {}, one.type), forget),
      element("code", { title: one.token }, one.short),
      element("p", { class: "quiet" }, one.lost ? `lost: ${one.lost}` : `from ${one.from}, ${one.at.toLocaleTimeString()}`));
  }
}

function tokens(value) {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.flatMap(tokens) : [];
}

function short(token) {
  return token.length > SHORT ? `${token.slice(0, SHORT - 6)}…${token.slice(-5)}` : token;
}
