// The way from the cards to where others differ; there only where the organiser allows it.

/**
 * `address`: where it can be seen; none while there is nothing that may be seen.
 * @param {HTMLElement} root @param {string | undefined} address
 */
export function renderOthers(root, address) {
  for (const node of root.querySelectorAll("[data-others]")) {
    node.hidden = !address;
    const link = node.querySelector("a");
    if (address) link?.setAttribute("href", address);
    else link?.removeAttribute("href");
  }
}
