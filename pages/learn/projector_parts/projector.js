// The projector's keys, its clock, and the way into the full screen.

/** @type {Record<string, string>} */
const KEYS = {
  " ": "next",
  ArrowRight: "next",
  PageDown: "next",
  ArrowLeft: "back",
  PageUp: "back",
  d: "discuss",
  f: "full",
  Escape: "leave",
};
const WRITING = "input, textarea, select, [contenteditable=true], [role=slider]";
const mounted = new WeakMap();

/**
 * What the page script gives: when the time is over, its own time, and words.
 * @typedef {{ until: number | null, now: number, words: { full: string, leave: string, left: string, over: string } }} Given
 */

class Projector {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.clock = /** @type {HTMLElement} */ (root.querySelector(".clock"));
    this.full = /** @type {HTMLElement} */ (root.querySelector(".full"));
    this.ends = /** @type {number | null} */ (null);
    this.words = { full: "", leave: "", left: "", over: "" };
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.press(event);
    this.onFull = () => this.tellFull();
    this.full.addEventListener("click", () => this.toggle());
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("fullscreenchange", this.onFull);
    this.ticking = setInterval(() => this.tick(), 250);
    this.tellFull();
  }

  /** @param {Given} given */
  receive({ until, now, words }) {
    this.words = words;
    this.clock.setAttribute("aria-label", words.left);
    this.tellFull();
    this.full.hidden = false; // not before it has a name
    this.ends = until ? Date.now() + until - now : null;
    this.tick();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const name = KEYS[event.key];
    const on = event.composedPath()[0];
    if (!name || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (on instanceof Element && on.closest(WRITING)) return;
    if (event.key === " " && on instanceof Element && on.closest("button, a, summary")) return;
    event.preventDefault();
    if (name === "full") this.toggle();
    else document.querySelector(`.st-key-projector-${name} button:not(:disabled)`)?.click();
  }

  async toggle() {
    this.full.blur();
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen().catch(() => undefined);
  }

  tellFull() {
    const isFull = Boolean(document.fullscreenElement);
    this.full.textContent = isFull ? this.words.leave : this.words.full;
    this.full.setAttribute("aria-pressed", String(isFull));
  }

  tick() {
    this.clock.hidden = this.ends === null;
    if (this.ends === null) return;
    const left = Math.max(0, Math.ceil((this.ends - Date.now()) / 1000));
    const shown = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : this.words.over;
    if (this.clock.textContent !== shown) this.clock.textContent = shown;
    this.clock.classList.toggle("over", left === 0);
  }

  close() {
    clearInterval(this.ticking);
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("fullscreenchange", this.onFull);
  }
}

/** @param {{ data?: Given, parentElement: HTMLElement }} mounting */
export default function mount({ data, parentElement }) {
  const root = parentElement.querySelector(".projector-part");
  if (!root || !data) return undefined;
  let held = mounted.get(parentElement);
  if (held?.root !== root) {
    held?.close();
    held = new Projector(root);
    mounted.set(parentElement, held);
  }
  held.receive(data);
  return () => {
    held.close();
    mounted.delete(parentElement);
  };
}
