// Pages of HTML as text only, where something lies over them: chosen for an item, and remembered on this device.

import { Drafts } from "./storage/drafts.js";

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
