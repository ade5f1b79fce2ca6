// Pages at which this browser came to a standstill: the window that starts anew does not show them.
// Nothing stops a browser that has begun to draw a page. So before it begins that is noted, and once the
// window still answers afterwards, or is left in order, the note goes. What is still noted at the next
// start has cost somebody the window.

import { remember } from "../storage/memory.js";

const NOTE = "dissent:drawing:";
const DRAWN = 1_000; // from a page that has come, or is brought to the screen, until it is drawn or never is
const COMING = 10_000; // from asking for a page: one that comes later is noted anew when it has come
const OURS = 5_000; // a younger note may be of a page that another window is drawing now

function readNotes() {
  try {
    return Object.entries(localStorage).filter(([name]) => name.startsWith(NOTE));
  } catch {
    return [];
  }
}

export class Standstills {
  constructor(now = () => Date.now()) {
    this.now = now;
    this.drawing = new Map(); // page key -> what will say that it is drawn
    this.pages = new Set(); // keys of those that are not shown
    for (const [name, at] of readNotes()) {
      if (now() - Number(at) < OURS) continue;
      this.pages.add(name.slice(NOTE.length));
      remember(name, null); // the window after this one tries once more
    }
    addEventListener("pagehide", () => this.endAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.endAll());
  }

  /** @param {string} key */
  has(key) {
    return this.pages.has(key);
  }

  /** It is to be tried once more. @param {string} key */
  forget(key) {
    this.pages.delete(key);
  }

  /** A page is about to be loaded into a frame. @param {HTMLIFrameElement} node @param {string} key */
  load(node, key) {
    this.draw(key, COMING);
    node.addEventListener("load", () => this.draw(key), { once: true });
  }

  /**
   * A page is about to be drawn; whether the window answers after that time is what counts.
   * @param {string} key @param {number} [within]
   */
  draw(key, within = DRAWN) {
    clearTimeout(this.drawing.get(key));
    this.drawing.set(key, setTimeout(() => this.end(key), within));
    remember(NOTE + key, String(this.now()));
  }

  /** @param {string} key */
  end(key) {
    clearTimeout(this.drawing.get(key));
    this.drawing.delete(key);
    remember(NOTE + key, null);
  }

  endAll() {
    for (const key of [...this.drawing.keys()]) this.end(key);
  }
}
