// Why one of two is better: reasons that are chosen before the preference, and go with it.

import { t } from "./language/translate.js";

export class Chips {
  constructor(screen, signal) {
    this.screen = screen;
    screen.root.addEventListener("click", (event) => this.click(event), { signal });
  }

  click(event) {
    const chip = event.target.closest("[data-chip]");
    if (!chip) return;
    if (event.detail) chip.blur();
    this.toggle(Number(chip.dataset.chip));
  }

  /** The command of a key with Shift, where it stands on a chip. */
  find(key) {
    const place = /^shift\+(\d)$/.exec(key)?.[1];
    const { session, mode } = this.screen;
    const offered = session.queue.current?.sides && !mode.card ? session.offered : [];
    return offered[place - 1] ? { name: "chip", level: place - 1 } : undefined;
  }

  toggle(place) {
    const { screen } = this;
    const { session, view } = screen;
    if (!session.queue.current?.sides || !session.offered[place] || screen.dialog) return;
    session.toggleReason(session.offered[place]);
    screen.render();
    const isGiven = session.queue.label?.state === "level";
    if (isGiven) view.status.notice(t("The reasons go with your next choice."));
  }
}
