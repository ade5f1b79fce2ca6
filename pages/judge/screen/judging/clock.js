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
