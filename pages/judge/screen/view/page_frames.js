// The page frames: loaded ahead, kept where they are (a frame that moves in the document loads again).

import { t } from "../language/translate.js";
import { KeptPages } from "./kept_pages.js";

const KEPT_FRAMES = 6;
const STEP = 40; // pixels between the places of a page, as in pages/api/page.py
const HIT = /<mark id="dissent-hit-\d+"/g; // as in pages/api/page.py
const places = new WeakMap(); // iframe -> the place that it was scrolled to by key
const opening = new WeakMap(); // iframe -> the promise that it can be read
const open = new WeakMap(); // iframe -> what the server sent of the page that can be read in it
const hits = new WeakMap(); // iframe -> the last marked word that was led to, and how many there are

function lead(node, name) {
  const page = node.srcdoc ? "about:srcdoc" : node.src;
  node.contentWindow.location.replace(`${page.split("#")[0]}#${name}`);
}

/**
 * Scroll a page by a share of its height. Nothing runs in it and nothing of it can be read, but whoever
 * shows it may name a place in it: so the keys stay with the screen.
 */
export function scrollFrame(node, share) {
  if (open.has(node)) return scrollOpen(node, share);
  const before = places.get(node) ?? 0;
  const steps = Math.max(1, Math.round((Math.abs(share) * node.clientHeight) / STEP)) * Math.sign(share);
  const place = Math.max(0, before + steps);
  if (place === before) return false;
  places.set(node, place);
  lead(node, `dissent-${place}`);
  return true;
}

/** Where a page can be read from here, it is scrolled from wherever it is. */
function scrollOpen(node, share) {
  const { contentWindow: view } = node;
  const before = view.scrollY;
  view.scrollBy({ top: share * node.clientHeight, behavior: "instant" });
  return view.scrollY !== before;
}

export class PageFrames {
  constructor(holder, pages = new KeptPages()) {
    this.holder = holder;
    this.pages = pages;
    this.frames = new Map(); // document id -> iframe, least recently wanted first
    this.asked = new WeakMap(); // iframe -> when it began to load
  }

  /** Have a frame for this document, hidden unless it is already shown. */
  want(id, { frame, title }) {
    let node = this.frames.get(id);
    if (!node) {
      node = document.createElement("iframe");
      node.setAttribute("sandbox", "");
      node.referrerPolicy = "no-referrer";
      node.className = "ahead";
      node.tabIndex = -1;
      node.setAttribute("aria-hidden", "true");
      node.title = title ? t("Page: {title}", { title }) : t("The page to judge");
      this.load(node, frame);
      this.holder.append(node);
    }
    this.frames.delete(id);
    this.frames.set(id, node);
    return node;
  }

  /** Go to the next marked word of the page that is shown; which of how many it is, or null. */
  async nextHit() {
    const node = this.shown;
    await this.open(node); // so that one can scroll on from the word
    if (!hits.has(node)) hits.set(node, { last: -1, total: await this.countHits(node) });
    const found = hits.get(node);
    if (!found?.total || this.shown !== node) return null;
    found.last = (found.last + 1) % found.total;
    lead(node, `dissent-hit-${found.last}`);
    return [found.last + 1, found.total];
  }

  /** What a frame shows cannot be read, but the same text can be asked for again. */
  async countHits(node) {
    const text = await this.pages.textOf(this.pages.addressOf(node));
    return text.match(HIT)?.length ?? 0;
  }

  /** Make the page that is shown one that can be read from here: what the server sent of it, or nothing. */
  async open(node) {
    if (open.has(node)) return open.get(node);
    opening.set(node, opening.get(node) ?? this.reopen(node));
    return opening.get(node);
  }

  async reopen(node) {
    const html = await this.pages.open(node).catch(() => "");
    if (html && node.contentDocument) {
      open.set(node, html);
      node.contentWindow.scrollTo({ top: (places.get(node) ?? 0) * STEP, behavior: "instant" });
    }
    opening.delete(node);
    return open.get(node) ?? "";
  }

  load(node, address) {
    places.delete(node);
    open.delete(node);
    hits.delete(node);
    this.asked.set(node, performance.now());
    this.pages.show(node, address);
  }

  /** Load again what was asked for since then: the server was away. */
  renew(since) {
    for (const node of this.frames.values()) {
      if (this.asked.get(node) >= since && !node.srcdoc) this.load(node, this.pages.addressOf(node));
    }
  }

  /** The server is away since then: show from here what was asked of it. */
  fallBack(since) {
    for (const node of this.frames.values()) {
      const address = this.pages.addressOf(node);
      if (this.asked.get(node) >= since && this.pages.has(address)) this.load(node, address);
    }
  }

  /** Show this document's frame only; null shows none. */
  show(id) {
    const before = this.shown;
    this.shown = id === null ? null : this.frames.get(id);
    if (this.shown && this.shown !== before) this.pages.draw(this.shown);
    this.holder.classList.toggle("showing", id !== null);
    for (const [key, node] of this.frames) {
      const shown = key === id;
      node.classList.toggle("ahead", !shown);
      node.tabIndex = shown ? 0 : -1;
      if (shown) node.removeAttribute("aria-hidden");
      else node.setAttribute("aria-hidden", "true");
    }
    for (const [key, node] of [...this.frames].slice(0, -KEPT_FRAMES)) {
      if (key === id) continue;
      node.remove();
      this.frames.delete(key);
    }
  }

  clear() {
    this.frames.clear();
    this.holder.replaceChildren();
  }
}
