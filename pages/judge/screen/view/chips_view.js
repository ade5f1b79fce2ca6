// The reasons below the choices: each a button that stays pressed.

import { button, element, written } from "./dom.js";

/** `card`: what stands in place of the item, if anything. @param {Refs} refs @param {JudgingSession} session @param {string | null} card */
export function renderChips({ whyRow, whyChips }, session, card) {
  const { current } = session.queue;
  const offered = current?.sides && !card ? session.offered : [];
  whyRow.hidden = !offered.length;
  if (!offered.length) return;
  const wordOf = (/** @type {Element} */ chip) => chip.lastElementChild?.textContent ?? "";
  const known = [...whyChips.children].map(wordOf);
  if (known.join("\n") !== offered.join("\n")) {
    whyChips.replaceChildren(...offered.map((reason, i) => chip(reason, i)));
  }
  const chosen = new Set(session.reasonsOf(session.queue.position));
  for (const node of whyChips.children) {
    node.setAttribute("aria-pressed", String(chosen.has(wordOf(node))));
  }
}

/** @param {string} reason @param {number} i */
function chip(reason, i) {
  return button({ "data-chip": i, "aria-keyshortcuts": `Shift+${i + 1}` }, element("kbd", `⇧ ${i + 1}`), " ", written("span", reason));
}
