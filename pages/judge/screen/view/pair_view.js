// Two things side by side: one snippet, page or list of results on the left, one on the right.

import { t } from "../language/translate.js";
import { button, element, setText, written } from "./dom.js";
import { directionOf, fillParagraphs, fillText } from "./fill_text.js";
import { FramedPage } from "./framed_page.js";
import { KeptPages } from "./kept_pages.js";
import { breadcrumb } from "./wording.js";

const SIDES = /** @type {const} */ (["left", "right"]);
const ENOUGH = 48; // pixels of what is read on a side that say that it is in view

export class PairView {
  /** @param {Refs} refs @param {KeptPages} [kept] */
  constructor(refs, kept = new KeptPages()) {
    this.refs = refs;
    this.kept = kept;
    this.pages = /** @type {FramedPage[]} */ ([]); // those on both sides that are in frames
    this.seen = /** @type {Set<Side>} */ (new Set(SIDES)); // sides that have been in view
  }

  /** Paint both sides of a step; nothing of a pair is left when the step is none. @param {Step} step @param {Terms} terms */
  render({ facet, sides, first }, terms) {
    this.pages = [];
    this.seen = new Set(sides ? [] : SIDES);
    this.refs.pair.hidden = this.refs.sides.hidden = !sides;
    this.refs.openHint.hidden = !sides?.flat().some(({ page }) => page);
    this.turn(first ?? "left");
    SIDES.forEach((side, i) => {
      const cards = (sides?.[i] ?? []).map((card, place) => this.card(card, terms, SIDES[1 - i], `${i} ${place}`));
      this.refs[side].replaceChildren(...cards);
      this.refs[side].classList.toggle("list", facet === "panel pair");
    });
  }

  /** On a phone one side is shown at a time. @param {Side} side */
  turn(side) {
    this.refs.pair.dataset.side = side;
    for (const node of this.refs.sides.children) {
      node.setAttribute("aria-pressed", String(node.dataset.command === side));
    }
    this.renderUnseen();
  }

  get frames() {
    return this.pages.map(({ frame }) => frame);
  }

  /** The side that is shown where one is at a time. */
  get side() {
    return this.refs.pair.dataset.side === "right" ? "right" : "left";
  }

  /** Whether one side is shown at a time here. */
  get isInTurn() {
    return this.refs.sides.getClientRects().length > 0;
  }

  /** Note which sides are in view now, within the scroller, whose rectangle is given. @param {DOMRect} within */
  look(within) {
    for (const side of this.unseen) if (this.isInView(side, within)) this.seen.add(side);
  }

  get unseen() {
    return SIDES.filter((side) => !this.seen.has(side));
  }

  /** @param {Side} side @param {DOMRect} within */
  isInView(side, within) {
    const node = this.refs[side].querySelector(".framed, .extract") ?? this.refs[side];
    const { top, bottom, height } = node.getBoundingClientRect();
    const [from, to] = [Math.max(0, within.top), Math.min(innerHeight, within.bottom)];
    const enough = Math.min(ENOUGH, height, (to - from) / 2);
    if (node.dataset.load && node.dataset.load !== "shown") return false;
    return enough > 0 && Math.min(bottom, to) - Math.max(top, from) >= enough;
  }

  /** Say at its button that a side has not been in view. */
  renderUnseen() {
    const words = { left: [t("Left"), t("Left: not seen yet")], right: [t("Right"), t("Right: not seen yet")] };
    for (const node of this.refs.sides.children) {
      const side = node.dataset.command === "right" ? "right" : "left";
      const isUnseen = !this.seen.has(side) && this.side !== side;
      setText(node, words[side][Number(isUnseen)]);
    }
  }

  /** `at`: side and place, by which a result is opened. @param {Card} card @param {Terms} terms @param {string} other @param {string} at */
  card(card, terms, other, at) {
    const item = document.createElement("li");
    item.className = "card";
    item.dir = directionOf(card.title || card.text || "");
    const title = element("h3", "", "title");
    fillText(title, card.title ?? "", terms);
    title.hidden = !card.title && !card.page;
    if (card.page) this.link(title, card, at);
    const url = element("p", breadcrumb(card.url), "url");
    url.hidden = !card.url;
    item.append(title, url, card.frame ? this.frame(card) : this.prose(card, terms));
    if (card.shared) item.append(element("p", other === "left" ? t("also left, number {n}", { n: card.shared }) : t("also right, number {n}", { n: card.shared }), "shared"));
    return item;
  }

  /**
   * A title that opens its page; by keyboard a key does, so that levels are as near as before.
   * @param {HTMLElement} title @param {Card} card @param {string} at
   */
  link(title, card, at) {
    const opener = button({ "data-open": at, tabindex: "-1" }, ...title.childNodes);
    if (!card.title) opener.textContent = t("untitled");
    title.replaceChildren(opener);
  }

  /** @param {Card} card @param {Terms} terms */
  prose(card, terms) {
    const prose = element("div", "", "extract");
    fillParagraphs(prose, card.text, terms);
    return prose;
  }

  /** @param {Card} card */
  frame({ frame, title }) {
    const page = new FramedPage(this.kept, String(frame), title);
    this.pages.push(page);
    return page.box;
  }
}

// The reasons below the choices: each a button that stays pressed.

/** `card`: what stands in place of the item, if anything. @param {Refs} refs @param {JudgingSession} session @param {string | null} card */
export function renderChips({ whyRow, whyChips }, session, card) {
  const { current } = session.queue;
  const offered = current?.sides && !card ? session.offered : [];
  whyRow.hidden = !offered.length;
  if (!offered.length) return;
  const wordOf = (/** @type {Element} */ chip) => chip.lastElementChild?.textContent ?? "";
  const known = [...whyChips.children].map(wordOf);
  if (known.join("\n") !== offered.join("\n")) {
    whyChips.replaceChildren(...offered.map((reason, i) => chip(reason, i)));
  }
  const chosen = new Set(session.reasonsOf(session.queue.position));
  for (const node of whyChips.children) {
    node.setAttribute("aria-pressed", String(chosen.has(wordOf(node))));
  }
}

/** @param {string} reason @param {number} i */
function chip(reason, i) {
  return button({ "data-chip": i, "aria-keyshortcuts": `Shift+${i + 1}` }, element("kbd", `⇧ ${i + 1}`), " ", written("span", reason));
}
