// The key of the server. It is kept for this tab alone, in `sessionStorage`, and sent in a header: never in an address,
// which histories and logs keep.

const PLACE = "opendyn-key";

/** Whether the server requires one. */
export const isRequired = document.documentElement.dataset.key === "required";

let key = null;

/** The key, or null. */
export function current() {
  key ??= stored();
  return key;
}

/** Keeps a key that the server has accepted. */
export function keep(accepted) {
  key = accepted;
  try {
    sessionStorage.setItem(PLACE, accepted);
  } catch {
    // The browser keeps nothing; then this page alone knows it.
  }
}

/** Forgets the key. */
export function forget() {
  key = null;
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // Nothing was kept.
  }
}

function stored() {
  try {
    return sessionStorage.getItem(PLACE);
  } catch {
    return null;
  }
}
