// Small things this device remembers, drafts among them; without storage they last as long as the page.

/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} value */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Forgotten with the page.
  }
}

/**
 * Keep a <details> open or closed as the assessor left it.
 * @param {HTMLDetailsElement} details @param {string} name @param {boolean} otherwise
 */
export function rememberOpen(details, name, otherwise) {
  const kept = recall(name);
  details.open = kept === null ? otherwise : kept === "open";
  details.ontoggle = () => {
    const state = details.open ? "open" : "closed";
    if (recall(name) !== state) remember(name, state);
  };
}

/** Whether something was noted in this tab, also before a reload. @param {string} name */
export function isNoted(name) {
  try {
    return sessionStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

/** @param {string} name */
export function noteHere(name) {
  try {
    sessionStorage.setItem(name, "1");
  } catch {
    // Forgotten with the page.
  }
}

// Comments begun and not yet part of an event.

export class Drafts {
  /** @param {string} prefix */
  constructor(prefix) {
    this.prefix = `${prefix}:`;
    this.texts = new Map();
  }

  /** @param {string} key */
  get(key) {
    return this.texts.has(key) ? this.texts.get(key) : recall(this.prefix + key);
  }

  /** @param {string} key @param {string | null} text */
  set(key, text) {
    this.texts.set(key, text);
    remember(this.prefix + key, text);
  }

  /** @param {string} key */
  take(key) {
    const text = this.get(key);
    if (text !== null) this.set(key, null);
    return text;
  }
}
