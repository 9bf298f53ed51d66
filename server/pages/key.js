// The key of this tab: kept in sessionStorage, which the browser drops with the tab, and sent to this origin alone.

const NAME = "titledex-key";

export function load() {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

export function save(key) {
  try {
    if (key) sessionStorage.setItem(NAME, key);
    else sessionStorage.removeItem(NAME);
  } catch {
    // a browser that keeps nothing: the key is asked for again
  }
}

/** What is wrong with a key's text before it is sent, or "" where nothing is. */
export function fault(key) {
  return /^[\x21-\x7e]+$/.test(key) ? "" : "A key has letters, digits and underscores only: copy it again.";
}
