// Small pieces for building and changing nodes.

export function button(attributes, ...children) {
  const node = document.createElement("button");
  node.type = "button";
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function element(tag, text, className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
}

/** Texts one after the other, each in a <span> with a class; where nothing changed nothing is touched. */
export function setParts(node, parts) {
  const text = parts.map(([, words]) => words).join("");
  if (node.textContent !== text) node.replaceChildren(...parts.map(([name, words]) => element("span", words, name)));
  node.hidden = !text;
}

/** The nodes marked data-ref, by that name, and the root itself. */
export function findRefs(root) {
  const refs = { root };
  for (const node of root.querySelectorAll("[data-ref]")) refs[node.dataset.ref] = node;
  return refs;
}
