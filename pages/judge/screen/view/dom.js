// Small pieces for building and changing nodes.

/** @param {Record<string, string | number>} attributes @param {...(string | Node)} children */
export function button(attributes, ...children) {
  const node = document.createElement("button");
  node.type = "button";
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} text @param {string} [className] */
export function element(tag, text, className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

/**
 * What a person wrote: in no language that is known, and only ever text.
 * @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} text @param {string} [className]
 */
export function written(tag, text, className = "") {
  const node = element(tag, text, className);
  node.dir = "auto";
  node.lang = "";
  return node;
}

/** @param {HTMLElement} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
}

/**
 * Texts one after the other, each in a <span> with a class; where nothing changed nothing is touched.
 * @param {HTMLElement} node @param {[string, string][]} parts
 */
export function setParts(node, parts) {
  const text = parts.map(([, words]) => words).join("");
  if (node.textContent !== text) node.replaceChildren(...parts.map(([name, words]) => element("span", words, name)));
  node.hidden = !text;
}

/** The nodes marked data-ref, by that name, and the root itself. @param {HTMLElement} root */
export function findRefs(root) {
  const nodes = [...root.querySelectorAll("[data-ref]")].map((node) => [node.dataset.ref, node]);
  return /** @type {Refs} */ ({ root, ...Object.fromEntries(nodes) });
}

/** The node around what an event is about. @param {Event} event @param {string} selector */
export function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}
