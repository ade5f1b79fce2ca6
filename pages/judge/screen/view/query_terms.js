// Where a text has the words of a query: which ones these are the server says, see pages/shared/highlight.py.

import { element } from "./dom.js";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** What is looked for; nothing where the server did not say. @param {Matching} [matching] */
export function readTerms({ words, parts } = { words: [], parts: [] }) {
  return { words: new Set(words), parts };
}

/** Start and end of every hit in the text, in order. @param {string} text @param {Terms} terms */
export function findHits(text, terms) {
  const hits = /** @type {Span[]} */ ([]);
  if (!terms.words.size && !terms.parts.length) return hits;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (terms.words.has(word)) hits.push([index, index + word.length]);
    else if (terms.parts.length) hits.push(...findParts(word, index, terms.parts));
  }
  return hits;
}

/**
 * Scripts written without spaces: a term is looked for anywhere inside a run of letters.
 * @param {string} word @param {number} offset @param {string[]} parts
 */
function findParts(word, offset, parts) {
  const lower = word.toLowerCase();
  const hits = /** @type {Span[]} */ ([]);
  for (let at = 0; at < lower.length; at += 1) {
    const part = parts.find((one) => lower.startsWith(one, at));
    if (!part) continue;
    hits.push([offset + at, offset + at + part.length]);
    at += part.length - 1;
  }
  return hits;
}

// Where the query's words are in a long text: ticks along its edge, and jumps from one to the next.

const MOST_TICKS = 200;

export class ScrollTicks {
  /** @param {HTMLElement} item @param {HTMLElement} holder */
  constructor(item, holder) {
    this.item = item;
    this.holder = holder;
    this.current = /** @type {HTMLElement | null} */ (null);
  }

  /** Draw the ticks of the item that is shown in this scroller, if it is longer than what is seen of it. @param {Element} scroller */
  draw(scroller) {
    this.current?.classList.remove("found");
    this.current = null;
    const { scrollHeight, clientHeight } = scroller;
    const isLong = scrollHeight > clientHeight * 1.2;
    const top = scroller.getBoundingClientRect().top - scroller.scrollTop;
    const hits = isLong ? this.hits().slice(0, MOST_TICKS) : [];
    const places = new Set(hits.map((mark) => Math.round((100 * (mark.getBoundingClientRect().top - top)) / scrollHeight)));
    this.holder.replaceChildren(
      ...[...places].map((place) => {
        const tick = element("i", "");
        tick.style.top = `${Math.min(99, place)}%`;
        return tick;
      }),
    );
  }

  hits() {
    return [...this.item.querySelectorAll("mark")].filter((mark) => mark.getClientRects().length);
  }

  /** Go to the hit after the last one, and from the last to the first; which of how many it is, or null. */
  next() {
    const hits = this.hits();
    if (!hits.length) return null;
    const place = (hits.findIndex((one) => one === this.current) + 1) % hits.length;
    this.current?.classList.remove("found");
    this.current = hits[place];
    this.current.classList.add("found");
    this.current.scrollIntoView({ block: "center" });
    return [place + 1, hits.length];
  }
}
