// How an answer came about, stored with its label: times, by what it was given, what had been in view; and active time. No DOM.

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

// Active time, as the help defines it:
// the time a step was on the screen while its browser tab was visible and had the focus; a stretch
// without any key, pointer, touch or scroll event counts as at most 60 seconds.

const LONGEST_GAP = 60_000;
const INPUT_EVENTS = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"];

export class Clock {
  constructor(now = () => performance.now()) {
    this.now = now;
    this.active = 0;
    this.last = now();
    this.running = true;
  }

  /** An input happened, or the sum is wanted: count the gap since the last one. */
  tick() {
    const now = this.now();
    if (this.running) this.active += Math.min(now - this.last, LONGEST_GAP);
    this.last = now;
  }

  /** @param {boolean} running */
  setRunning(running) {
    this.tick();
    this.running = running;
  }

  /** Milliseconds since the last take or restart. */
  take() {
    this.tick();
    const taken = Math.round(this.active);
    this.active = 0;
    return taken;
  }

  /** Follow the window's input, focus and visibility until the signal aborts. @param {AbortSignal} signal */
  watch(signal) {
    const look = () => this.setRunning(document.visibilityState === "visible" && document.hasFocus());
    for (const type of INPUT_EVENTS) {
      window.addEventListener(type, () => this.tick(), { capture: true, passive: true, signal });
    }
    window.addEventListener("focus", look, { signal });
    // The focus may have gone into a frame of this page, which is known only a moment later.
    window.addEventListener("blur", () => setTimeout(look, 0), { signal });
    document.addEventListener("visibilitychange", look, { signal });
    look();
  }
}
