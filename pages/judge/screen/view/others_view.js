// The way from the cards to where others differ; there only where the organiser allows it.

/** `address`: where it can be seen; none while there is nothing that may be seen. */
export function renderOthers(root, address) {
  for (const node of root.querySelectorAll("[data-others]")) {
    node.hidden = !address;
    if (address) node.querySelector("a").href = address;
    else node.querySelector("a").removeAttribute("href");
  }
}
