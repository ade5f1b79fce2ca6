// Small pieces for building, changing, moving and scrolling nodes.

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

// Short movements that say what happened; nothing waits for them.

const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @param {HTMLElement} node @param {Keyframe} from @param {number} duration */
function play(node, from, duration) {
  if (!STILL.matches) node.animate([from, {}], { duration, easing: "ease-out" });
}

/** A level was pressed. @param {HTMLElement} node */
export function flash(node) {
  play(node, { boxShadow: "inset 0 0 0 0.35rem var(--st-primary-color)" }, 140);
}

/** Another item has come. @param {HTMLElement} node */
export function slideIn(node) {
  play(node, { opacity: 0.25, transform: "translateX(0.75rem)" }, 140);
}

// What is longer or wider than its place: it takes the focus, and the keys that scroll it are its own.

/** Let those of the nodes be reached by Tab that have something out of sight. @param {HTMLElement[]} nodes */
export function letScroll(nodes) {
  for (const node of nodes) {
    const ways = [];
    if (node.scrollWidth > node.clientWidth + 1) ways.push("across");
    if (node.scrollHeight > node.clientHeight + 1) ways.push("down");
    const isScroller = ways.length > 0 && getComputedStyle(node).overflowX !== "visible";
    node.toggleAttribute("data-scrolls", isScroller);
    if (!isScroller) node.removeAttribute("tabindex");
    else [node.tabIndex, node.dataset.scrolls] = [0, ways.join(" ")];
  }
}

// How far down an item that scrolls here is in view.

/**
 * Of thousand parts of the content's height, those above the lower edge of what scrolls it.
 * @param {Element} content @param {Element} scroller
 */
export function furthestOf(content, scroller) {
  const edge = scroller.getBoundingClientRect().top + scroller.clientHeight;
  const { top, height } = content.getBoundingClientRect();
  return height ? Math.max(0, Math.min(1000, Math.round((1000 * (edge - top)) / height))) : 0;
}
