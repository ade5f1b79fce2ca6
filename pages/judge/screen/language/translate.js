// Texts in the language of the screen, by their English form.

import { TEXTS } from "./texts.js";

/** A text with its facts: "{number} of {total}". */
export function t(text, facts = {}) {
  return (TEXTS[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
}

/** One of two texts by a number, which is {n} in both. */
export function tn(n, one, many, facts = {}) {
  return t(n === 1 ? one : many, { n, ...facts });
}
