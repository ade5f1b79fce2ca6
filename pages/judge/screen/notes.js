// Comments, why something cannot be judged, and why one of two is better.

import { t } from "./language/translate.js";
import { closest } from "./view/dom.js";

export class Notes {
  /** @param {Visit} visit @param {View} view @param {{ answer: Answer, render: () => void }} on */
  constructor(visit, view, on) {
    this.visit = visit;
    this.view = view;
    this.on = on;
    const { signal } = view;
    view.refs.commentText.addEventListener("input", () => this.draft(view.refs.commentText.value), { signal });
  }

  /** Open or close the question why the item on the screen cannot be judged; nothing is noted yet. */
  ask() {
    this.visit.setMode({ reasons: !this.visit.mode.reasons });
    this.on.render();
    if (this.visit.mode.reasons) this.view.status.say(this.view.refs.reasons.textContent);
  }

  /** The answer to the question: the item counts as one that cannot be judged, and the next one comes. @param {string} reason */
  giveReason(reason) {
    const { mode, session } = this.visit;
    if (!mode.reasons) return;
    if (reason === "other") return this.open(session.queue.position, true);
    const own = session.note(session.queue.position, true);
    this.on.answer("cannot judge", null, own ? `${reason}; ${own}` : reason);
  }

  /** `isReason`: what is written says why the item cannot be judged. @param {number} i @param {boolean} [isReason] */
  open(i, isReason = false) {
    this.visit.setMode({ feedback: this.visit.mode.feedback, commentFor: i, isReason });
    this.render();
  }

  /** Show the form, and let it be written in. */
  render() {
    this.on.render();
    this.view.refs.commentText.focus();
  }

  /** @param {string} text */
  draft(text) {
    const { mode, session } = this.visit;
    if (mode.commentFor !== null) session.drafts.set(session.key(mode.commentFor), text);
  }

  save() {
    const { mode, session } = this.visit;
    const i = mode.commentFor;
    if (i === null) return;
    const text = session.note(i).trim();
    if (mode.isReason) return this.saveReason(text);
    const isStored = session.amend(i, text);
    if (!isStored) session.drafts.set(session.key(i), text);
    this.end(isStored ? t("Comment noted.") : t("The comment goes with your judgement."));
  }

  /** @param {string} text */
  saveReason(text) {
    if (text) return this.on.answer("cannot judge", null, text);
    this.view.status.notice(t("Say why in a word or two."));
    this.view.refs.commentText.focus();
  }

  /** Esc: ends what holds nothing, and otherwise asks before anything is lost. */
  leave() {
    const { mode, session } = this.visit;
    if (mode.commentFor === null) return;
    if (mode.asks) return this.write();
    const draft = session.drafts.get(session.key(mode.commentFor));
    if (draft === null || draft.trim() === session.stored(mode.commentFor).trim()) return this.discard();
    mode.asks = true;
    this.on.render();
    this.view.refs.writeOn.focus();
  }

  write() {
    this.visit.mode.asks = false;
    this.render();
  }

  discard() {
    const { mode, session } = this.visit;
    if (mode.commentFor === null) return;
    session.drafts.set(session.key(mode.commentFor), null);
    this.end("");
  }

  /** Close and keep what was written for later. */
  close() {
    const { mode, session } = this.visit;
    const isKept = mode.commentFor !== null && session.drafts.get(session.key(mode.commentFor));
    this.end(isKept ? t("The text is kept and goes with your next judgement of the item.") : "");
  }

  /** @param {string} words */
  end(words) {
    this.visit.setMode({ feedback: this.visit.mode.feedback });
    this.on.render();
    this.view.status.notice(words);
  }
}

// Why one of two is better: reasons that are chosen before the preference, and go with it.

export class Chips {
  /** @param {Visit} visit @param {View} view @param {Dialogs} dialogs @param {() => void} render */
  constructor(visit, view, dialogs, render) {
    this.visit = visit;
    this.view = view;
    this.dialogs = dialogs;
    this.render = render;
    view.refs.root.addEventListener("click", (event) => this.click(event), { signal: view.signal });
  }

  /** What can be chosen of now. */
  get offered() {
    return this.visit.step?.sides ? this.visit.session.offered : [];
  }

  /** @param {MouseEvent} event */
  click(event) {
    const chip = closest(event, "[data-chip]");
    if (!chip) return;
    if (event.detail) chip.blur();
    this.toggle(Number(chip.dataset.chip));
  }

  /** The command of a key with Shift, where it stands on a chip. @param {string} key */
  find(key) {
    const place = Number(/^shift\+(\d)$/.exec(key)?.[1]) - 1;
    return this.offered[place] ? { name: "chip", level: place } : undefined;
  }

  /** @param {number} place */
  toggle(place) {
    const { session } = this.visit;
    const reason = this.offered[place];
    if (!reason || this.dialogs.open) return;
    session.toggleReason(reason);
    this.render();
    const isGiven = session.queue.label?.state === "level";
    if (isGiven) this.view.status.notice(t("The reasons go with your next choice."));
  }
}
