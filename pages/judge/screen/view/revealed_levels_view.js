// The list of what a machine said, on the card at the end: in no other place, and at no other time.

import { t, tn } from "../language/translate.js";
import { button, element, setText } from "./dom.js";

/**
 * `lines`: key, what, own, called and level in words; null while they are not known yet.
 * @param {Refs} refs @param {RevealedLine[] | null} lines
 */
export function renderRevealed(refs, lines) {
  refs.revealedLevels.hidden = false;
  setText(refs.revealedState, wordState(lines));
  const state = JSON.stringify(lines ?? []);
  if (refs.revealedList.dataset.state === state) return;
  refs.revealedList.dataset.state = state;
  refs.revealedList.replaceChildren(...(lines ?? []).map(renderLine));
}

/** Nothing of it is in the page while items are judged. @param {Refs} refs */
export function clearRevealed(refs) {
  if (refs.revealedLevels.hidden) return;
  refs.revealedLevels.hidden = true;
  delete refs.revealedList.dataset.state;
  refs.revealedList.replaceChildren();
  setText(refs.revealedState, "");
}

/** @param {RevealedLine[] | null} lines */
function wordState(lines) {
  if (!lines) return t("It is told once everything is saved.");
  if (!lines.length) return t("There is nothing more to tell.");
  return tn(lines.length, "Of {n} page. Keep your label, or go back and change it.", "Of {n} pages. Keep your labels, or go back and change them.");
}

/** @param {RevealedLine} line */
function renderLine(line) {
  const item = document.createElement("li");
  const act = (/** @type {string} */ does, /** @type {string} */ words) => button({ "data-key": line.key, "data-does": does, "aria-label": `${words}: ${line.what}` }, words);
  const buttons = element("span", "", "buttons");
  buttons.append(act("keep", t("Keep")), act("change", t("Change")));
  item.append(element("p", t("On “{what}” you said {own}; the machine {called} said {level}.", line)), buttons);
  return item;
}
