// A field of the form: label, description, whether it is given at all, and the error of the server. What is between them, the
// control of a value, is made by `value` or `group`.

import { element, fresh, prose } from "./element.js";
import { group } from "./group.js";
import { KIND, kindOf, typeText } from "./schema.js";
import { value } from "./value.js";

/** What a field reads if it is left out. */
export const ABSENT = Symbol("absent");

/** A field for a parameter, a member or an element. `context` has the `schemas` and the `handles`. */
export class Field {
  constructor({ name, schema, required = true, description, context, remove = null }) {
    const full = context.schemas.of(schema);
    const ids = { control: fresh("value"), about: fresh("about"), error: fresh("error") };
    const make = isGroup(full) ? group : value;
    this.error = element("p", { class: "error", id: ids.error, hidden: true });
    this.control = make({ name, schema: full, context, ids, changed: () => this.clear() });
    this.presence = presence(name, required, full["x-nullable"] === true, () => this.show());
    const about = aboutText(description, full);
    const isLabelled = this.control.input !== undefined;
    const label = [element("code", {}, name), required ? null : element("span", { class: "quiet" }, " optional")];
    this.body = element("div", { class: "body" }, this.control.element);
    this.element = element(isLabelled ? "div" : "fieldset", { class: "field", "aria-describedby": isLabelled ? null : `${ids.about} ${ids.error}` },
      isLabelled ? null : element("legend", { class: "spoken" }, name),
      element("div", { class: "head" },
        element(isLabelled ? "label" : "span", { class: "name", for: isLabelled ? ids.control : null, "aria-hidden": isLabelled ? null : "true" }, label),
        element("span", { class: "type" }, typeText(full, context.schemas)),
        this.presence?.element,
        remove,
      ),
      element("p", { class: "about", id: ids.about, hidden: about === "" }, prose(about)),
      this.body,
      this.error,
    );
    this.show();
  }

  /** The JSON value, or `ABSENT`. */
  read() {
    switch (this.presence?.chosen() ?? "value") {
      case "absent": return ABSENT;
      case "null": return null;
      default: return this.control.read(ABSENT);
    }
  }

  /** The field of a wrong value: this one, or the one inside it that the steps lead to. */
  find(steps) {
    const inner = steps.length > 0 ? this.control.inner?.(steps[0]) : undefined;
    return inner ? inner.find(steps.slice(1)) : this;
  }

  /** Shows an error of the server here. */
  fail(message) {
    this.error.replaceChildren(...prose(message));
    this.error.hidden = false;
    this.element.classList.add("wrong");
    this.control.input?.setAttribute("aria-invalid", "true");
    (this.focusable() ?? this.element).focus();
  }

  /** Removes the errors here and inside. */
  clear() {
    this.error.hidden = true;
    this.element.classList.remove("wrong");
    this.control.input?.removeAttribute("aria-invalid");
    this.control.fields?.().forEach((field) => field.clear());
  }

  /** Where a person can change the value. */
  focusable() {
    const isGiven = (this.presence?.chosen() ?? "value") === "value";
    return (isGiven && (this.control.input ?? this.control.element.querySelector("input, select, textarea, button"))) || this.presence?.select;
  }

  show() {
    this.body.hidden = (this.presence?.chosen() ?? "value") !== "value";
    this.clear();
  }
}

/** The descriptions of the parameter and of its schema, which may have a range. What the type says already is left out. */
function aboutText(description, schema) {
  const isSaid = [KIND.HANDLE, KIND.BYTES].includes(kindOf(schema)) || description?.includes(schema.description);
  return [...new Set([description, isSaid && description ? null : schema.description])].filter(Boolean).join(" ");
}

function isGroup(schema) {
  return [KIND.LIST, KIND.MEMBERS, KIND.ONE_OF].includes(kindOf(schema));
}

/** The choice between a value, null and nothing; `null` if there must be a value. */
function presence(name, required, nullable, changed) {
  if (required && !nullable) return null;
  const option = (value, text) => element("option", { value }, text);
  const select = element("select", { class: "presence", "aria-label": `${name}: what is given`, onchange: changed },
    required ? null : option("absent", "left out"),
    option("value", "a value"),
    nullable ? option("null", "null") : null);
  select.value = required ? "value" : "absent";
  return { element: select, select, chosen: () => select.value };
}
