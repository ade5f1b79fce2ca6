// Why one of two is better: reasons that are chosen before the preference, and go with it.

import { t } from "./language/translate.js";
import { closest } from "./view/dom.js";

export class Chips {
  /** @param {Visit} visit @param {View} view @param {Dialogs} dialogs @param {() => void} render */
  constructor(visit, view, dialogs, render) {
    this.visit = visit;
    this.view = view;
    this.dialogs = dialogs;
    this.render = render;
    view.refs.root.addEventListener("click", (event) => this.click(event), { signal: view.signal });
  }

  /** What can be chosen of now. */
  get offered() {
    return this.visit.step?.sides ? this.visit.session.offered : [];
  }

  /** @param {MouseEvent} event */
  click(event) {
    const chip = closest(event, "[data-chip]");
    if (!chip) return;
    if (event.detail) chip.blur();
    this.toggle(Number(chip.dataset.chip));
  }

  /** The command of a key with Shift, where it stands on a chip. @param {string} key */
  find(key) {
    const place = Number(/^shift\+(\d)$/.exec(key)?.[1]) - 1;
    return this.offered[place] ? { name: "chip", level: place } : undefined;
  }

  /** @param {number} place */
  toggle(place) {
    const { session } = this.visit;
    const reason = this.offered[place];
    if (!reason || this.dialogs.open) return;
    session.toggleReason(reason);
    this.render();
    const isGiven = session.queue.label?.state === "level";
    if (isGiven) this.view.status.notice(t("The reasons go with your next choice."));
  }
}
