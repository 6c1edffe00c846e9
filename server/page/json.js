// JSON with every digit. A 64-bit integer does not fit a number of JavaScript, so integers beyond 2^53 are kept as text:
// values are read into `Digits`, and written as they were.

/** A number as it is written. */
export class Digits {
  constructor(text) {
    this.text = text;
  }
}

/** Reads JSON. Numbers that would lose digits are `Digits`, in browsers that show a reviver what was written. */
export function read(text) {
  return JSON.parse(text, (key, value, context) => {
    const source = context?.source;
    if (typeof value === "number" && source !== undefined && loses(value, source)) return new Digits(source);
    return value;
  });
}

function loses(value, source) {
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value);
}

/** Writes JSON on one line, or indented by two spaces per level. */
export function write(value, isIndented = false, depth = 0) {
  if (value instanceof Digits) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((one) => write(one, isIndented, depth + 1))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${isIndented ? " " : ""}${write(one, isIndented, depth + 1)}`);
  if (parts.length === 0) return open + close;
  if (!isIndented) return open + parts.join(",") + close;
  const isFlat = Array.isArray(value) && parts.length < 24 && parts.join(", ").length < 72 && !parts.some((part) => part.includes("\n"));
  if (isFlat) return open + parts.join(", ") + close;
  const line = `\n${"  ".repeat(depth + 1)}`;
  return open + line + parts.join(`,${line}`) + `\n${"  ".repeat(depth)}` + close;
}

/** The steps of a JSON pointer. */
export function steps(pointer) {
  return pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** One more step of a JSON pointer. */
export function below(pointer, step) {
  return `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
