// How what is read is set, as text only or as it is, and what of it is in sight.

import { t } from "./language/translate.js";
import { Drafts, recall, remember } from "./storage/memory.js";

export class Texts {
  /** @param {Visit} visit @param {View} view @param {Reading} reading @param {() => void} render */
  constructor(visit, view, reading, render) {
    this.visit = visit;
    this.view = view;
    this.reading = reading;
    this.render = render;
  }

  /** @param {number} by */
  resize(by) {
    this.reading.resize(by);
    this.view.item.letScroll();
  }

  widen() {
    this.reading.widen();
    this.view.item.letScroll();
  }

  /** Show the pace, or do not. */
  pace() {
    this.reading.pace();
    this.render();
  }

  /** Show of a page of HTML its text only, or the page again. */
  turnText() {
    const { view } = this;
    const { step, session } = this.visit;
    if (!step) return;
    const document_ = session.data.documents[step.document];
    if (!view.item.textOnly.isOffered(step, document_)) return view.status.notice(t("This is shown as text already."));
    view.item.textOnly.turn(step, document_);
    view.rendered = null;
    this.render();
  }

  async nextHit() {
    const { item, status } = this.view;
    const found = item.frames.shown ? await item.frames.nextHit() : item.ticks.next();
    status.notice(
      found ? t("Word of the query: {number} of {total}.", { number: found[0], total: found[1] }) : t("No word of the query is in this text."),
    );
  }

  /** On a phone one side is shown at a time; one that was not seen yet is shown from its beginning. @param {Side} side */
  turn(side) {
    const { view } = this;
    const { pair } = view.item;
    pair.turn(side);
    if (pair.unseen.includes(side)) view.item.bringIntoView(false);
    view.look();
  }
}

// How texts are set, and whether one's pace is shown, as this device remembers it.

const NAME = "dissent:reading";
const PACE = "dissent:pace";
const SIZES = [0.875, 1, 1.125, 1.25, 1.5, 1.75, 2];
const WIDTHS = ["30rem", "38rem", "52rem", "none"];
const [PLAIN_SIZE, PLAIN_WIDTH] = [1, 1]; // places in the lists above

export class Reading {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const [size, width] = (recall(NAME) ?? `${PLAIN_SIZE} ${PLAIN_WIDTH}`).split(" ").map(Number);
    this.size = SIZES[size] ? size : PLAIN_SIZE;
    this.width = WIDTHS[width] ? width : PLAIN_WIDTH;
    this.isPaced = recall(PACE) !== "off";
    this.apply();
  }

  /** Show the pace, or do not: nobody has to be quick. */
  pace() {
    this.isPaced = !this.isPaced;
    remember(PACE, this.isPaced ? "on" : "off");
    this.apply();
  }

  /** @param {number} by */
  resize(by) {
    this.size = Math.max(0, Math.min(SIZES.length - 1, this.size + by));
    this.keep();
  }

  widen() {
    this.width = (this.width + 1) % WIDTHS.length;
    this.keep();
  }

  keep() {
    remember(NAME, `${this.size} ${this.width}`);
    this.apply();
  }

  apply() {
    this.root.style.setProperty("--text-size", `${SIZES[this.size]}rem`);
    this.root.style.setProperty("--page-zoom", String(SIZES[this.size]));
    this.root.style.setProperty("--measure", WIDTHS[this.width]);
    this.root.dataset.paced = String(this.isPaced);
    this.root.querySelector("[data-ref=paceShown]")?.setAttribute("aria-pressed", String(this.isPaced));
  }
}

// Pages of HTML as text only, where something lies over them: chosen for an item, and remembered on this device.

/** @template {Shown | undefined} S @param {S} document_ */
function asText(document_) {
  return document_?.text_frame ? { ...document_, frame: document_.text_frame } : document_;
}

export class TextOnly {
  /** @param {string} owner */
  constructor(owner) {
    this.chosen = new Drafts(`dissent:text-only:${owner}`);
  }

  /** @param {Step} step */
  key({ topic, document: id }) {
    return `${topic} ${id}`;
  }

  /** Whether something of an item is HTML, of which the text can be shown alone. @param {Step} step @param {Shown | undefined} document_ */
  isOffered(step, document_) {
    const shown = step.sides?.flat() ?? (step.facet === "page" ? [document_] : []);
    return shown.some((one) => one?.text_frame);
  }

  /** @param {Step} step @param {Shown | undefined} document_ */
  isChosen(step, document_) {
    return this.isOffered(step, document_) && this.chosen.get(this.key(step)) !== null;
  }

  /** @param {Step} step @param {Shown | undefined} document_ */
  turn(step, document_) {
    this.chosen.set(this.key(step), this.isChosen(step, document_) ? null : "1");
  }

  /**
   * An item as it is to be shown: its step, its document, and what names the frame of that.
   * @param {Step} step @param {Shown | undefined} document_ @returns {[Step, Shown | undefined, string]}
   */
  view(step, document_) {
    if (!this.isChosen(step, document_)) return [step, document_, step.document];
    const [left, right] = step.sides ?? [];
    return [left && right ? { ...step, sides: [left.map(asText), right.map(asText)] } : step, asText(document_), `${step.document} text`];
  }
}
