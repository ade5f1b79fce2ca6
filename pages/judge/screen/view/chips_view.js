// The reasons below the choices: each a button that stays pressed.

import { button, element } from "./dom.js";

/** `card`: what stands in place of the item, if anything. */
export function renderChips({ whyRow, whyChips }, session, card) {
  const { current } = session.queue;
  const offered = current?.sides && !card ? session.offered : [];
  whyRow.hidden = !offered.length;
  if (!offered.length) return;
  const known = [...whyChips.children].map((one) => one.lastElementChild.textContent);
  if (known.join("\n") !== offered.join("\n")) {
    whyChips.replaceChildren(...offered.map((reason, i) => chip(reason, i)));
  }
  const chosen = new Set(session.reasonsOf(session.queue.position));
  for (const node of whyChips.children) {
    node.setAttribute("aria-pressed", String(chosen.has(node.lastElementChild.textContent)));
  }
}

function chip(reason, i) {
  const words = element("span", reason);
  words.dir = "auto";
  words.lang = "";
  return button({ "data-chip": i, "aria-keyshortcuts": `Shift+${i + 1}` }, element("kbd", `⇧ ${i + 1}`), " ", words);
}
