// A listed result that is opened: its page over the lists, by key or click, until Esc.

import { t } from "./language/translate.js";
import { setText } from "./view/dom.js";
import { scrollFrame } from "./view/page_frames.js";
import { breadcrumb } from "./view/wording.js";

const SHARES = { arrowdown: 0.12, arrowup: -0.12, pagedown: 0.85, pageup: -0.85, " ": 0.85 };
const SIDES = ["left", "right"];

export class Opened {
  constructor(screen, signal) {
    this.screen = screen;
    this.place = [0, 0]; // side, and place in its list
    screen.root.addEventListener("click", (event) => this.click(event), { signal });
  }

  get isOpen() {
    return this.screen.refs.opened.open;
  }

  /** The two lists on the screen; none where no result of them can be opened. */
  get lists() {
    const { sides } = this.screen.session.queue.current ?? {};
    return sides?.flat().some(({ page }) => page) ? sides : [];
  }

  click(event) {
    const title = event.target.closest("[data-open]");
    if (!title) return;
    const [side, place] = title.dataset.open.split(" ").map(Number);
    title.blur(); // its next space bar is for scrolling
    this.open(side, place);
  }

  /** Open the first result that can be, or close what is open. */
  toggle() {
    if (this.isOpen) return this.close();
    const side = this.screen.refs.pair.dataset.side === "right" ? 1 : 0;
    const place = this.lists[side]?.findIndex(({ page }) => page) ?? -1;
    if (place >= 0) this.open(side, place);
  }

  /** Show a result; one that is not stored says so. */
  open(side, place) {
    const card = this.lists[side]?.[place];
    if (!card || (this.screen.dialog && !this.isOpen)) return;
    const { refs, pages } = this.screen;
    this.place = [side, place];
    const facts = { number: place + 1, total: this.lists[side].length };
    refs.openedWhere.textContent = side ? t("Right, result {number} of {total}", facts) : t("Left, result {number} of {total}", facts);
    setText(refs.openedTitle, card.title || t("untitled"));
    setText(refs.openedUrl, breadcrumb(card.url));
    const isHere = card.page && (pages.has(card.page) || !pages.isAway());
    setText(refs.openedMissing, isHere ? "" : this.missing(card));
    refs.openedFrame.replaceChildren(...(isHere ? [this.frame(card, pages)] : []));
    if (!this.isOpen) refs.opened.showModal();
  }

  missing({ page }) {
    return page ? t("This page is not kept on this device, and the server cannot be reached.") : t("No content of this page is stored.");
  }

  /** The server went, or came back: show what is open from where it is now. */
  renew() {
    if (this.isOpen) this.open(...this.place);
  }

  frame({ page, title }, pages) {
    const node = document.createElement("iframe");
    node.setAttribute("sandbox", "");
    node.referrerPolicy = "no-referrer";
    node.title = title ? t("Page: {title}", { title }) : t("The page to judge");
    pages.show(node, page, pages.has(page)); // that the server is away may not have been noticed yet
    return node;
  }

  close() {
    const { refs } = this.screen;
    refs.openedFrame.replaceChildren();
    this.screen.closeDialog();
  }

  /** What a key does while a result is open: no level is given. */
  find(key) {
    if (key === "escape") return { name: "close" };
    if (key === this.screen.commands.open) return { name: "open" };
    if (key in SHARES || key === "arrowleft" || key === "arrowright" || /^\d$/.test(key)) return { name: "browse", level: key };
    return { name: "nothing" };
  }

  press(key) {
    const [side, place] = this.place;
    if (key in SHARES) {
      const node = this.screen.refs.openedFrame.querySelector("iframe");
      return node && scrollFrame(node, SHARES[key]);
    }
    if (key === "arrowleft" || key === "arrowright") {
      const other = SIDES.indexOf(key.slice("arrow".length));
      return this.open(other, Math.min(place, this.lists[other].length - 1));
    }
    return this.open(side, (Number(key) || 10) - 1);
  }
}
