// A listed result that is opened: its page over the lists, by key or click, until Esc.

import { t } from "./language/translate.js";
import { closest, setText } from "./view/dom.js";
import { FramedPage } from "./view/framed_page.js";
import { scrollFrame } from "./view/page_frames.js";
import { breadcrumb } from "./view/wording.js";

/** @type {Record<string, number>} */
const SHARES = { arrowdown: 0.12, arrowup: -0.12, pagedown: 0.85, pageup: -0.85, " ": 0.85 };
const SIDES = ["left", "right"];

export class Opened {
  /** @param {Visit} visit @param {View} view @param {Dialogs} dialogs */
  constructor(visit, view, dialogs) {
    this.visit = visit;
    this.refs = view.refs;
    this.item = view.item;
    this.dialogs = dialogs;
    this.place = [0, 0]; // side, and place in its list
    this.page = /** @type {FramedPage | null} */ (null); // what is open, where it has content
    this.asText = /** @type {Set<string>} */ (new Set()); // results that are shown as text only, by the key of their page
    view.refs.root.addEventListener("click", (event) => this.click(event), { signal: view.signal });
  }

  get isOpen() {
    return this.refs.opened.open;
  }

  /** The two lists on the screen; none where no result of them can be opened. */
  get lists() {
    const { sides } = this.visit.session.queue.current ?? {};
    return sides?.flat().some(({ page }) => page) ? sides : [];
  }

  /** @param {MouseEvent} event */
  click(event) {
    const title = closest(event, "[data-open]");
    if (!title) return;
    const [side, place] = String(title.dataset.open).split(" ").map(Number);
    title.blur(); // its next space bar is for scrolling
    this.open(side, place);
  }

  /** Open the first result that can be, or close what is open. */
  toggle() {
    if (this.isOpen) return this.close();
    const { pair } = this.item;
    const side = pair.isInTurn ? SIDES.indexOf(pair.side) : 0;
    const place = this.lists[side]?.findIndex(({ page }) => page) ?? -1;
    if (place >= 0) this.open(side, place);
  }

  /** Show a result; one that is not stored says so. @param {number} side @param {number} place */
  open(side, place) {
    const card = this.lists[side]?.[place];
    if (!card || (this.dialogs.open && !this.isOpen)) return;
    const { refs } = this;
    this.place = [side, place];
    const facts = { number: place + 1, total: this.lists[side].length };
    refs.openedWhere.textContent = side ? t("Right, result {number} of {total}", facts) : t("Left, result {number} of {total}", facts);
    setText(refs.openedTitle, card.title || t("untitled"));
    setText(refs.openedUrl, breadcrumb(card.url));
    setText(refs.openedMissing, card.page ? "" : t("No content of this page is stored."));
    const isText = this.asText.has(this.keyOf(card));
    const address = isText ? card.page_text : card.page;
    this.page = address ? new FramedPage(this.item.kept, address, card.title, false) : null;
    refs.openedFrame.replaceChildren(...(this.page ? [this.page.box] : []));
    refs.openedTextOnly.hidden = !card.page_text;
    refs.openedTextOnly.setAttribute("aria-pressed", String(isText));
    if (!this.isOpen) refs.opened.showModal();
  }

  /** @param {Card} card */
  keyOf({ page = "" }) {
    return this.item.kept.keyOf(page);
  }

  /** Show of a page of HTML its text only, where something lies over it, or the page again. */
  turnText() {
    const [side, place] = this.place;
    const card = this.lists[side][place];
    if (!card?.page_text) return;
    const key = this.keyOf(card);
    if (!this.asText.delete(key)) this.asText.add(key);
    this.open(side, place);
  }

  /** The server went, or came back, or it is tried again: load what did not come. @param {RequestCache} [cache] */
  renew(cache) {
    if (this.isOpen && this.page && this.page.state !== "shown") this.page.load(cache);
  }

  close() {
    this.refs.openedFrame.replaceChildren();
    this.page = null;
    this.dialogs.close();
  }

  /** What a key does while a result is open: no level is given. @param {string} key */
  find(key) {
    if (key === "escape") return { name: "close" };
    if (key === this.visit.keys.open) return { name: "open" };
    if (key === this.visit.keys.textOnly) return { name: "textOnly" };
    if (key in SHARES || key === "arrowleft" || key === "arrowright" || /^\d$/.test(key)) return { name: "browse", level: key };
    return { name: "nothing" };
  }

  /** @param {string} key */
  press(key) {
    const [side, place] = this.place;
    if (key in SHARES) {
      return this.page && scrollFrame(this.page.frame, SHARES[key]);
    }
    if (key === "arrowleft" || key === "arrowright") {
      const other = SIDES.indexOf(key.slice("arrow".length));
      return this.open(other, Math.min(place, this.lists[other].length - 1));
    }
    return this.open(side, (Number(key) || 10) - 1);
  }
}
