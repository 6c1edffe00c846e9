// What a schema of the document means for a form.

/** The kinds of fields. */
export const KIND = Object.freeze({
  TRUTH: "truth", CHOICE: "choice", INTEGER: "integer", NUMBER: "number", TEXT: "text", BYTES: "bytes", HANDLE: "handle",
  LIST: "list", MEMBERS: "members", ONE_OF: "one of",
});

/** Schemas of a document, with their references followed. */
export class Schemas {
  constructor(document) {
    this.named = document.schemas ?? {};
  }

  /** The schema itself, with the description of the reference. */
  of(schema) {
    let found = schema;
    for (let hops = 0; found?.$ref && hops < 64; hops += 1) {
      const name = decodeURIComponent(found.$ref.replace(/^#\/schemas\//, "")).replaceAll("~1", "/").replaceAll("~0", "~");
      const target = this.named[name];
      if (!target) return {};
      found = { ...target, description: found.description ?? target.description };
    }
    return found ?? {};
  }
}

/** Which field a schema needs. */
export function kindOf(schema) {
  if (schema["x-handle"]) return KIND.HANDLE;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return KIND.CHOICE;
  if (Array.isArray(schema.anyOf)) return KIND.ONE_OF;
  switch (schema.type) {
    case "boolean": return KIND.TRUTH;
    case "integer": return KIND.INTEGER;
    case "number": return KIND.NUMBER;
    case "string": return schema["x-encoding"] ? KIND.BYTES : KIND.TEXT;
    case "array": return KIND.LIST;
    default: return KIND.MEMBERS;
  }
}

/** The type and its limits, in words for people. */
export function typeText(schema, schemas) {
  const limits = [];
  const { minimum, maximum, maxLength, maxItems } = schema;
  if (minimum !== undefined && maximum !== undefined) limits.push(`${shown(minimum)} to ${shown(maximum)}`);
  else if (minimum !== undefined) limits.push(`at least ${shown(minimum)}`);
  else if (maximum !== undefined) limits.push(`at most ${shown(maximum)}`);
  if (maxLength !== undefined) limits.push(`at most ${maxLength} characters`);
  if (maxItems !== undefined) limits.push(`at most ${maxItems} elements`);
  const text = [noun(schema, schemas), ...limits].join(", ");
  return schema["x-nullable"] ? `${text}, or null` : text;
}

function noun(schema, schemas) {
  switch (kindOf(schema)) {
    case KIND.HANDLE: return `handle: ${schema["x-handle"]}`;
    case KIND.CHOICE: return `one of ${schema.enum.length} values`;
    case KIND.ONE_OF: return `one of ${schema.anyOf.length} shapes`;
    case KIND.BYTES: return `bytes in ${schema["x-encoding"]}`;
    case KIND.LIST: return schema.items ? `array of ${noun(schemas.of(schema.items), schemas)}` : "array";
    case KIND.MEMBERS: return "object";
    case KIND.INTEGER: return schema.format ?? "integer";
    default: return schema.type ?? "value";
  }
}

function shown(number) {
  return number?.text ?? String(number);
}
