// How what is read is set, and what of it is in sight.

import { t } from "./language/translate.js";

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
