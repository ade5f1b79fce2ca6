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

// The questions that follow the level of an item, as commands meet them.

export class Asking {
  /**
   * `on`: an answer that is complete, a level that was given, and something else to be shown.
   * @param {Visit} visit @param {{ answer: Answer, flash: (level: number | null) => void, render: () => void }} on
   */
  constructor(visit, on) {
    this.visit = visit;
    this.on = on;
  }

  get aspects() {
    return this.visit.session.aspects;
  }

  /** The aspect that is asked now, or null. */
  get aspect() {
    const { step } = this.visit;
    return step ? this.aspects.current(step) : null;
  }

  /** The levels that keys give now. */
  get levels() {
    const { step, session } = this.visit;
    return step ? (this.aspect?.levels ?? session.data.scales[step.facet]) : [];
  }

  /** Which of the buttons stands for a level, 0 the first; undefined where none does. @param {State} state @param {number | null} [level] */
  placeOf(state, level) {
    const place = state === "level" ? this.levels.findIndex((one) => one.level === level) : -1;
    return place < 0 ? undefined : place;
  }

  /**
   * A level was given, or null to leave an aspect out: the level of the item once nothing more is to be
   * asked, and undefined where another question has come up.
   * @param {Step} step @param {number | null} value
   */
  hear(step, value) {
    const { aspects, aspect } = this;
    if (!aspect && value === null) return undefined;
    const isMore = aspect ? aspects.say(step, value) : aspects.begin(step, Number(value), this.visit.session.queue.label);
    if (!isMore) return aspect ? aspects.begun(step)?.level : value;
    this.on.flash(value);
    this.on.render();
    return undefined;
  }

  leaveOut() {
    if (this.aspect?.may_be_left_out) this.on.answer("level", null);
  }

  /** One question back within the item; false where its level is asked. */
  back() {
    const { step } = this.visit;
    if (!step || !this.aspects.back(step)) return false;
    this.visit.setMode();
    this.on.render();
    return true;
  }

  /** One question on, where it has an answer; false where none is asked. */
  forward() {
    const { aspect } = this;
    const { step } = this.visit;
    const begun = step && this.aspects.begun(step);
    if (!begun) return false;
    const known = aspect ? begun.given[aspect.name] : begun.level;
    if (known === undefined) return false;
    this.on.answer("level", known);
    return true;
  }
}
