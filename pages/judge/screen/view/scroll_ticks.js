// Where the query's words are in a long text: ticks along its edge, and jumps from one to the next.

import { element } from "./dom.js";

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
