// The questions that follow the level of an item, as commands meet them.

export class Asking {
  constructor(screen) {
    this.screen = screen;
  }

  get step() {
    const { session, mode } = this.screen;
    return session && !mode.card ? session.queue.current : undefined;
  }

  /** The aspect that is asked now, or null. */
  get aspect() {
    return this.step ? this.screen.session.aspects.current(this.step) : null;
  }

  /** The levels that keys give now. */
  get levels() {
    return this.step ? (this.aspect?.levels ?? this.screen.session.data.scales[this.step.facet]) : [];
  }

  /** Which of the buttons stands for a level, 0 the first; undefined where none does. */
  placeOf(state, level) {
    const place = state === "level" ? this.levels.findIndex((one) => one.level === level) : -1;
    return place < 0 ? undefined : place;
  }

  /**
   * A level was given, or null to leave an aspect out: the level of the item once nothing more is to be
   * asked, and undefined where another question has come up.
   */
  hear(value) {
    const { step, screen } = this;
    const { aspects, queue } = screen.session;
    const { aspect } = this;
    const isMore = aspect ? aspects.say(step, value) : aspects.begin(step, value, queue.label);
    if (isMore) return this.show(value);
    return aspect ? aspects.begun(step).level : value;
  }

  show(value) {
    this.screen.view.item.flash(value);
    this.screen.render();
  }

  leaveOut() {
    if (this.aspect?.may_be_left_out) this.screen.answer("level", null);
  }

  /** One question back within the item; false where its level is asked. */
  back() {
    const { step, screen } = this;
    if (!step || !screen.session.aspects.back(step)) return false;
    screen.setMode();
    screen.render();
    return true;
  }

  /** One question on, where it has an answer; false where none is asked. */
  forward() {
    const { step, aspect, screen } = this;
    const begun = step && screen.session.aspects.begun(step);
    if (!begun) return false;
    const known = aspect ? begun.given[aspect.name] : begun.level;
    if (known === undefined) return false;
    screen.answer("level", known);
    return true;
  }
}
