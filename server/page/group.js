// Controls of values that hold others: an array, an object, an object of one of several shapes. Each has an `element`, `read`,
// and `inner`, which gives the field of a member or element for the errors of the server.

import { button, element } from "./element.js";
import { ABSENT, Field } from "./field.js";
import { KIND, kindOf } from "./schema.js";

/** Structs may hold themselves; then the form ends here. */
const DEEPEST = 12;

/** The control for a schema. */
export function group(of) {
  const context = { ...of.context, depth: (of.context.depth ?? 0) + 1 };
  if (context.depth > DEEPEST) return { element: element("p", { class: "quiet" }, "too deep for a form"), read: () => ABSENT };
  switch (kindOf(of.schema)) {
    case KIND.LIST: return list({ ...of, context });
    case KIND.ONE_OF: return oneOf({ ...of, context });
    default: return members({ ...of, context });
  }
}

function list({ name, schema, context, changed }) {
  let fields = [];
  const items = element("ol", { class: "items" });
  const show = () => {
    items.replaceChildren(...fields.map((field) => element("li", {}, field.element)));
    add.disabled = schema.maxItems !== undefined && fields.length >= schema.maxItems;
  };
  const add = button(`Add to ${name}`, () => {
    changed();
    const remove = button("Remove", () => {
      const at = fields.indexOf(field);
      fields = fields.filter((one) => one !== field);
      changed();
      show();
      (fields[Math.min(at, fields.length - 1)]?.focusable() ?? add).focus();
    }, { class: "plain small", "aria-label": `Remove element ${fields.length} of ${name}` });
    const field = new Field({ name: `${name}[${fields.length}]`, schema: schema.items ?? {}, context, remove });
    fields.push(field);
    show();
    field.focusable()?.focus();
  }, { class: "plain" });
  return {
    element: element("div", {}, items, add),
    read: () => fields.map((field) => field.read()).map((one) => (one === ABSENT ? null : one)),
    inner: (step) => fields[Number(step)],
    fields: () => fields,
  };
}

function members({ schema, context }) {
  const required = new Set(schema.required ?? []);
  const fields = new Map(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, new Field({ name, schema: of, required: required.has(name), context })]));
  return {
    element: element("div", { class: "members" }, [...fields.values()].map((field) => field.element)),
    read: () => object(fields),
    inner: (step) => fields.get(step),
    fields: () => [...fields.values()],
  };
}

function oneOf({ name, schema, context, changed }) {
  const shapes = schema.anyOf.map((shape) => context.schemas.of(shape));
  const label = (shape) => Object.keys(shape.properties ?? {}).join(", ") || "nothing";
  const place = element("div");
  let chosen;
  const choose = () => {
    chosen = members({ schema: shapes[Number(select.value)], context });
    place.replaceChildren(chosen.element);
    changed();
  };
  const select = element("select", { "aria-label": `${name}: which shape`, onchange: choose },
    shapes.map((shape, index) => element("option", { value: index }, label(shape))));
  choose();
  return {
    element: element("div", {}, select, place),
    read: () => chosen.read(),
    inner: (step) => chosen.inner(step),
    fields: () => chosen.fields(),
  };
}

/** The object of some fields, without those that are left out. */
export function object(fields) {
  return Object.fromEntries([...fields].map(([name, field]) => [name, field.read()]).filter(([, one]) => one !== ABSENT));
}
