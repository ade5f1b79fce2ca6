// What is longer or wider than its place: it takes the focus, and the keys that scroll it are its own.

const KEYS = {
  across: new Set(["arrowleft", "arrowright"]),
  down: new Set(["arrowup", "arrowdown", "pageup", "pagedown", " "]),
};

/** Let those of the nodes be reached by Tab that have something out of sight. */
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

/** Whether a key scrolls what has the focus. */
export function scrollsHere(event) {
  const ways = event.composedPath()[0]?.dataset?.scrolls ?? "";
  return !event.shiftKey && ways.split(" ").some((way) => KEYS[way]?.has(event.key.toLowerCase()));
}
