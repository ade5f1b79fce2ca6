// An answer to the item on the screen: whether it can be given, and what follows.

import { t } from "./language/translate.js";

export class Answers {
  /**
   * `on`: the screen is to be rendered, and the next item to come.
   * @param {Visit} visit @param {View} view @param {Paradata} paradata @param {Asking} asking
   * @param {{ advance: () => void, render: () => void }} on
   */
  constructor(visit, view, paradata, asking, on) {
    this.visit = visit;
    this.view = view;
    this.paradata = paradata;
    this.asking = asking;
    this.on = on;
  }

  /** Why an answer cannot be given now, in words; empty where it can. @param {State} state */
  whyNot(state) {
    const { outbox, isReported } = this.visit.session;
    if (outbox.state === "not allowed") return outbox.reason;
    const isLate = state === "later" && isReported;
    return this.view.whyNot(state) || (isLate ? t("This topic is done: give another level, or leave it as it is.") : "");
  }

  /** @type {Answer} */
  give(state, level, reason) {
    const { visit, view, asking, paradata } = this;
    const { step, session } = visit;
    if (!step) return;
    if (visit.mode.feedback) return this.on.advance();
    const whyNot = this.whyNot(state);
    if (whyNot) return view.status.notice(whyNot);
    paradata.given({ place: asking.placeOf(state, level) });
    const own = state === "level" ? asking.hear(step, level ?? null) : null;
    if (own === undefined) return;
    paradata.saw({ text_only: view.item.isTextOnly || undefined });
    session.answer(state, own, reason, paradata.take());
    if (state === "level") view.item.flash(level ?? null);
    visit.isReported = false;
    visit.noteBegun();
    if (!step.practice || state === "later") return this.on.advance();
    visit.setMode({ feedback: true });
    this.on.render();
  }
}
