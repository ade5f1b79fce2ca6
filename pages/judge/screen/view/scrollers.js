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
