// The line that tells what a machine said of an item judged before; its place is kept free for it.

import { t } from "../language/translate.js";
import { setText } from "./dom.js";

/** Where a round shows a machine's levels there is room for the line, so that nothing moves when it comes. */
export function reserveTold(refs, isShown, waiting) {
  refs.told.hidden = !isShown && !waiting;
}

/** `told`: what, own, called and level in words; none while there is nothing to tell. */
export function renderTold(refs, told, waiting) {
  if (told) refs.told.hidden = false;
  const line = told ? t("On “{what}” you said {own}; the machine {called} said {level}.", told) : "";
  setText(refs.toldWords, line);
  setText(refs.toldMore, waiting > 1 ? t("{n} more", { n: waiting - 1 }) : "");
  refs.toldButtons.hidden = !told;
}
