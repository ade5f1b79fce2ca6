// Comments begun and not yet part of an event.

import { recall, remember } from "./memory.js";

export class Drafts {
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
