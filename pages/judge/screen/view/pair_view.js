// Two things side by side: one snippet, page or list of results on the left, one on the right.

import { t } from "../language/translate.js";
import { button, element } from "./dom.js";
import { directionOf, fillParagraphs, fillText } from "./fill_text.js";
import { KeptPages } from "./kept_pages.js";
import { breadcrumb } from "./wording.js";

const SIDES = ["left", "right"];

export class PairView {
  constructor(refs, pages = new KeptPages()) {
    this.refs = refs;
    this.pages = pages;
  }

  /** Paint both sides of a step; nothing of a pair is left when the step is none. */
  render({ facet, sides }, terms) {
    this.refs.pair.hidden = this.refs.sides.hidden = !sides;
    this.refs.openHint.hidden = !sides?.flat().some(({ page }) => page);
    this.turn("left");
    SIDES.forEach((side, i) => {
      const cards = (sides?.[i] ?? []).map((card, place) => this.card(card, terms, SIDES[1 - i], `${i} ${place}`));
      this.refs[side].replaceChildren(...cards);
      this.refs[side].classList.toggle("list", facet === "panel pair");
    });
  }

  /** On a phone one side is shown at a time. */
  turn(side) {
    this.refs.pair.dataset.side = side;
    for (const node of this.refs.sides.children) {
      node.setAttribute("aria-pressed", String(node.dataset.command === side));
    }
  }

  /** The pages on both sides that are in frames. */
  get frames() {
    return [...this.refs.pair.querySelectorAll("iframe")];
  }

  /** `at`: side and place, by which a result is opened. */
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

  /** A title that opens its page; by keyboard a key does, so that levels are as near as before. */
  link(title, card, at) {
    const opener = button({ "data-open": at, tabindex: "-1" }, ...title.childNodes);
    if (!card.title) opener.textContent = t("untitled");
    title.replaceChildren(opener);
  }

  prose(card, terms) {
    const prose = element("div", "", "extract");
    fillParagraphs(prose, card.text, terms);
    return prose;
  }

  frame({ frame, title }) {
    const node = document.createElement("iframe");
    node.setAttribute("sandbox", "");
    node.referrerPolicy = "no-referrer";
    node.title = title ? t("Page: {title}", { title }) : t("The page to judge");
    this.pages.show(node, frame);
    return node;
  }
}
