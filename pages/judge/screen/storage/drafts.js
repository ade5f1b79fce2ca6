// Comments begun and not yet part of an event.

import { recall, remember } from "./memory.js";

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
