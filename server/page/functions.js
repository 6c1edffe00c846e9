// The list of functions with its search, and of those that cannot be called.

import { byId, element, fill, prose } from "./element.js";

/** How many functions are listed at first. */
const LISTED = 150;

/** The address of a function within the page. */
export function addressOf(name) {
  return `#/${encodeURIComponent(name)}`;
}

/** The name in the address, or null. */
export function named() {
  const match = /^#\/(.+)$/.exec(location.hash);
  try {
    return match && decodeURIComponent(match[1]);
  } catch {
    return null;
  }
}

let known = { functions: [], refused: [] };
/** Whether a person asked for more than the first functions. What arrives later must not take them away. */
let isWhole = false;

/** Shows the lists. */
export function list(functions, refused) {
  known = { functions, refused };
  show();
}

/** Searches while a person types, and lets the keyboard reach the search and the list. Once per page. */
export function listen() {
  const search = byId("search");
  const first = () => byId("functions").querySelector("a");
  search.addEventListener("input", () => {
    isWhole = false;
    show();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") first()?.click();
    if (event.key === "ArrowDown") {
      first()?.focus();
      event.preventDefault();
    }
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select") !== null;
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      search.focus();
      event.preventDefault();
    }
  });
  byId("more").addEventListener("click", () => {
    isWhole = true;
    show();
    byId("functions").children[LISTED]?.querySelector("a").focus();
  });
}

function show() {
  const { functions, refused } = known;
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = best(functions, words);
  const shown = isWhole ? found : found.slice(0, LISTED);
  fill(byId("functions"), shown.map(row));
  byId("found").textContent = words.length > 0 ? `${found.length} of ${functions.length} functions` : plural(functions.length);
  byId("more").hidden = shown.length === found.length;
  byId("more").textContent = `Show all ${found.length}`;
  showRefused(best(refused, words), words.length > 0);
  mark();
}

/** Marks the function that is shown. */
export function mark() {
  const name = named();
  for (const link of document.querySelectorAll(".side a[data-name]")) {
    if (link.dataset.name === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** What has all words, first where they are in the name. */
function best(functions, words) {
  const text = (one) => `${one.name} ${one.description ?? one.reason ?? ""}`.toLowerCase();
  const inName = (one) => words.filter((word) => one.name.toLowerCase().includes(word)).length;
  const found = functions.filter((one) => words.every((word) => text(one).includes(word)));
  return words.length === 0 ? found : found.map((one) => [inName(one), one]).sort((a, b) => b[0] - a[0]).map(([, one]) => one);
}

function row(one) {
  const said = one["x-annotations"] ?? {};
  return element("li", {},
    element("a", { href: addressOf(one.name), "data-name": one.name },
      element("code", {}, one.name),
      said.destructive ? element("span", { class: "badge bad" }, "destructive") : null,
      element("span", { class: "quiet one-line" }, prose(firstSentence(one.description ?? "")))));
}

function showRefused(refused, isOpen) {
  const place = byId("refused");
  place.hidden = refused.length === 0;
  if (isOpen && refused.length <= LISTED) place.open = true;
  fill(place,
    element("summary", {}, `${plural(refused.length)} cannot be called`),
    element("ul", { class: "list" }, refused.slice(0, LISTED * 4).map((one) => element("li", {},
      element("a", { href: addressOf(one.name), "data-name": one.name },
        element("code", {}, one.name),
        element("span", { class: "quiet one-line" }, prose(one.questions?.[0] ?? one.reason)))))));
}

function firstSentence(text) {
  const [first] = text.split(/(?<=[.!?])\s|\n/);
  return first;
}

function plural(count) {
  return count === 1 ? "1 function" : `${count} functions`;
}
