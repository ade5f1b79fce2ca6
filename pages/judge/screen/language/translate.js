// Texts in the language of the screen, by their English form.

import { TEXTS } from "./texts.js";

/** A text with its facts: "{number} of {total}". @param {string} text @param {object} [facts] */
export function t(text, facts = {}) {
  const known = /** @type {Facts} */ (facts);
  return (TEXTS[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => String(known[name] ?? whole));
}

/**
 * One of two texts by a number, which is {n} in both.
 * @param {number} n @param {string} one @param {string} many @param {object} [facts]
 */
export function tn(n, one, many, facts = {}) {
  return t(n === 1 ? one : many, { n, ...facts });
}
