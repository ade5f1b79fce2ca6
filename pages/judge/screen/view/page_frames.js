// The page frames: loaded ahead, kept where they are (a frame that moves in the document loads again).

import { FramedPage, pageIn } from "./framed_page.js";
import { KeptPages } from "./kept_pages.js";

const KEPT_FRAMES = 6;
const STEP = 40; // pixels between the places of a page, as in pages/api/page.py
const HIT = /<mark id="dissent-hit-\d+"/g; // as in pages/api/page.py
const places = /** @type {WeakMap<HTMLIFrameElement, number>} */ (new WeakMap()); // iframe -> the place that it was scrolled to by key
const opening = /** @type {WeakMap<HTMLIFrameElement, Promise<string>>} */ (new WeakMap()); // iframe -> the promise that it can be read
const open = /** @type {WeakMap<HTMLIFrameElement, string>} */ (new WeakMap()); // iframe -> what the server sent of the page that can be read in it
const hits = /** @type {WeakMap<HTMLIFrameElement, { last: number, total: number }>} */ (new WeakMap()); // iframe -> the last marked word that was led to, and how many there are

/** @param {HTMLIFrameElement} node @param {string} name */
function lead(node, name) {
  node.contentWindow?.location.replace(`about:srcdoc#${name}`);
}

/**
 * Scroll a page by a share of its height. Nothing runs in it and nothing of it can be read, but whoever
 * shows it may name a place in it: so the keys stay with the screen.
 * @param {HTMLIFrameElement} node @param {number} share
 */
export function scrollFrame(node, share) {
  if (!node.contentWindow) return false; // its page has not come
  if (open.has(node)) return scrollOpen(node, share);
  const before = places.get(node) ?? 0;
  const steps = Math.max(1, Math.round((Math.abs(share) * node.clientHeight) / STEP)) * Math.sign(share);
  const place = Math.max(0, before + steps);
  if (place === before) return false;
  places.set(node, place);
  lead(node, `dissent-${place}`);
  return true;
}

/** Where a page can be read from here, it is scrolled from wherever it is. @param {HTMLIFrameElement} node @param {number} share */
function scrollOpen(node, share) {
  const view = /** @type {Window} */ (node.contentWindow);
  const before = view.scrollY;
  view.scrollBy({ top: share * node.clientHeight, behavior: "instant" });
  return view.scrollY !== before;
}

export class PageFrames {
  /** @param {HTMLElement} holder @param {KeptPages} [kept] */
  constructor(holder, kept = new KeptPages()) {
    this.holder = holder;
    this.kept = kept;
    this.pages = /** @type {Map<string, FramedPage>} */ (new Map()); // document id -> its page, least recently wanted first
  }

  /** The frame of the page that is shown, if there is one. */
  get shown() {
    return this.current?.frame ?? null;
  }

  /** Have a frame for this document, hidden unless it is already shown. @param {string} id @param {Shown} shown */
  want(id, { frame, title }) {
    let page = this.pages.get(id);
    if (!page) {
      page = new FramedPage(this.kept, String(frame), title);
      this.hide(page, true);
      this.holder.append(page.box);
    }
    this.pages.delete(id);
    this.pages.set(id, page);
    return page.frame;
  }

  /** @param {FramedPage} page @param {boolean} isHidden */
  hide({ box, frame }, isHidden) {
    for (const node of [box, frame]) node.classList.toggle("ahead", isHidden);
    frame.tabIndex = isHidden ? -1 : 0;
    if (isHidden) frame.setAttribute("aria-hidden", "true");
    else frame.removeAttribute("aria-hidden");
  }

  /** Go to the next marked word of the page that is shown; which of how many it is, or null. */
  async nextHit() {
    const node = this.shown;
    if (!node) return null;
    await this.open(node); // so that one can scroll on from the word
    if (pageIn(node).state !== "shown") return null;
    const found = hits.get(node) ?? { last: -1, total: pageIn(node).html.match(HIT)?.length ?? 0 };
    hits.set(node, found);
    if (!found.total || this.shown !== node) return null;
    found.last = (found.last + 1) % found.total;
    lead(node, `dissent-hit-${found.last}`);
    return [found.last + 1, found.total];
  }

  /** Make the page that is shown one that can be read from here: what the server sent of it, or nothing. @param {HTMLIFrameElement} node */
  async open(node) {
    const html = open.get(node);
    if (html !== undefined) return html;
    const coming = opening.get(node) ?? this.reopen(node);
    opening.set(node, coming);
    return coming;
  }

  /** @param {HTMLIFrameElement} node */
  async reopen(node) {
    const html = await pageIn(node).open().catch(() => "");
    if (html && node.contentDocument) {
      open.set(node, html);
      node.contentWindow?.scrollTo({ top: (places.get(node) ?? 0) * STEP, behavior: "instant" });
    }
    opening.delete(node);
    return open.get(node) ?? "";
  }

  /** Show this document's frame only; null shows none. @param {string | null} id */
  show(id) {
    const before = this.current;
    this.current = id === null ? null : this.pages.get(id);
    if (this.current && this.current !== before) this.current.draw();
    this.holder.classList.toggle("showing", id !== null);
    for (const [key, page] of this.pages) this.hide(page, key !== id);
    for (const [key, { box }] of [...this.pages].slice(0, -KEPT_FRAMES)) {
      if (key === id) continue;
      box.remove();
      this.pages.delete(key);
    }
  }

  clear() {
    this.pages.clear();
    this.holder.replaceChildren();
  }
}
