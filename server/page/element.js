// Elements of the page. Text is always set as text: nothing that the server says is read as HTML.

let last = 0;

/** A new id, for labels and descriptions. */
export function fresh(name) {
  last += 1;
  return `${name}-${last}`;
}

/**
 * An element with attributes and children. A function as the value of `onclick` and the like is a listener; null, undefined and
 * false leave the attribute out.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Replaces what an element holds. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

export function byId(id) {
  return document.getElementById(id);
}

/** A button that does something. */
export function button(text, act, attributes = {}) {
  return element("button", { type: "button", onclick: act, ...attributes }, text);
}

/** Text in which `code` between backquotes is shown as code. */
export function prose(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}

/** Says something to people who do not see the page. */
export function say(text) {
  byId("said").textContent = text;
}

/** A button that copies text. The page may not be allowed to; then it selects the text. */
export function copyButton(what, text, selectable) {
  const made = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text());
      say(`${what} copied`);
      made.textContent = "Copied";
      setTimeout(() => { made.textContent = "Copy"; }, 1500);
    } catch {
      getSelection().selectAllChildren(selectable());
      say(`${what} selected`);
    }
  }, { class: "plain small", "aria-label": `Copy ${what}` });
  return made;
}
