// How an answer came about, stored with its label: times, by what it was given, what had been in view. No DOM.

const LONGEST = 24 * 3600 * 1000; // as in core/assessment/intake/event_fields.py

export class Paradata {
  wholeAt = /** @type {number | null} */ (null);
  facts = /** @type {Seen} */ ({});
  press = /** @type {Press} */ ({});

  constructor(now = () => performance.now()) {
    this.now = now;
  }

  /** A new item was rendered: nothing is known of it yet. */
  begin() {
    this.wholeAt = null;
    this.facts = {};
    this.press = {};
  }

  /** The whole of what is judged is on the screen now; only the first time counts. */
  shown() {
    this.wholeAt ??= this.now();
  }

  /** What has come true of the item; of what had been in view, the most. @param {Seen} facts */
  saw(facts) {
    const furthest = Math.max(this.facts.furthest ?? 0, facts.furthest ?? 0);
    this.facts = { ...this.facts, ...facts, ...("furthest" in facts && { furthest }) };
  }

  /** Just before an answer: {by, place, x, y}; without `by` it is more of the same press. @param {Press} press */
  given(press) {
    this.press = "by" in press ? press : { ...this.press, ...press };
  }

  /** What goes into the event of an answer; facts of the item stay, as it may be answered again. */
  take() {
    const { by, place, x, y } = this.press;
    this.press = {};
    const known = { ...this.facts, shown_ms: this.shownFor(), given_by: by, place, x, y };
    return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  }

  shownFor() {
    return this.wholeAt === null ? undefined : Math.min(LONGEST, Math.max(0, Math.round(this.now() - this.wholeAt)));
  }
}
