// Small things this device remembers; without storage they last as long as the page.

function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Forgotten with the page.
  }
}

/** Keep a <details> open or closed as the assessor left it. */
function rememberOpen(details, name, otherwise) {
  const kept = recall(name);
  details.open = kept === null ? otherwise : kept === "open";
  details.ontoggle = () => {
    if (details.open !== (recall(name) === "open")) remember(name, details.open ? "open" : "closed");
  };
}

/** Comments begun and not yet part of an event. */
class Drafts {
  constructor(prefix) {
    this.prefix = `${prefix}:`;
    this.texts = new Map();
  }

  get(key) {
    return this.texts.has(key) ? this.texts.get(key) : recall(this.prefix + key);
  }

  set(key, text) {
    this.texts.set(key, text);
    remember(this.prefix + key, text);
  }

  take(key) {
    const text = this.get(key);
    if (text !== null) this.set(key, null);
    return text;
  }
}
