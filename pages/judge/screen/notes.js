// Comments, and why something cannot be judged.

import { t } from "./language/translate.js";

export class Notes {
  constructor(screen) {
    this.screen = screen;
  }

  /** Open or close the question why the item on the screen cannot be judged; nothing is noted yet. */
  ask() {
    const { screen } = this;
    if (screen.mode.feedback) return screen.proceed();
    screen.setMode({ reasons: !screen.mode.reasons });
    screen.render();
    if (screen.mode.reasons) screen.view.status.say(screen.refs.reasons.textContent);
  }

  /** The answer to the question: the item counts as one that cannot be judged, and the next one comes. */
  giveReason(reason) {
    const { screen } = this;
    if (!screen.mode.reasons) return;
    if (reason === "other") return this.open(screen.session.queue.position, true);
    const own = screen.session.note(screen.session.queue.position, true);
    screen.answer("cannot judge", null, own ? `${reason}; ${own}` : reason);
  }

  /** `isReason`: what is written says why the item cannot be judged. */
  open(i, isReason = false) {
    const { screen } = this;
    screen.setMode({ feedback: screen.mode.feedback, commentFor: i, isReason });
    screen.render();
    screen.refs.commentText.focus();
  }

  draft(text) {
    const { mode, drafts, session } = this.screen;
    if (mode.commentFor !== null) drafts.set(session.key(mode.commentFor), text);
  }

  save() {
    const { screen } = this;
    const { mode, drafts, session } = screen;
    const i = mode.commentFor;
    if (i === null) return;
    const text = session.note(i).trim();
    if (mode.isReason) return this.saveReason(text);
    const isStored = session.amend(i, text);
    if (!isStored) drafts.set(session.key(i), text);
    screen.setMode({ feedback: mode.feedback });
    this.finish(isStored ? t("Comment noted.") : t("The comment goes with your judgement."));
  }

  saveReason(text) {
    const { screen } = this;
    if (text) return screen.answer("cannot judge", null, text);
    screen.view.status.notice(t("Say why in a word or two."));
    screen.refs.commentText.focus();
  }

  /** Esc: ends what holds nothing, and otherwise asks before anything is lost. */
  leave() {
    const { screen } = this;
    const { mode, drafts, session } = screen;
    if (mode.asks) return this.write();
    const draft = drafts.get(session.key(mode.commentFor));
    if (draft === null || draft.trim() === session.stored(mode.commentFor).trim()) return this.discard();
    mode.asks = true;
    screen.render();
    screen.refs.writeOn.focus();
  }

  write() {
    const { screen } = this;
    screen.mode.asks = false;
    screen.render();
    screen.refs.commentText.focus();
  }

  discard() {
    const { mode, drafts, session } = this.screen;
    if (mode.commentFor === null) return;
    drafts.set(session.key(mode.commentFor), null);
    this.end("");
  }

  /** Close and keep what was written for later. */
  close() {
    const { mode, drafts, session } = this.screen;
    const i = mode.commentFor;
    const isKept = i !== null && drafts.get(session.key(i));
    this.end(isKept ? t("The text is kept and goes with your next judgement of the item.") : "");
  }

  end(words) {
    this.screen.setMode({ feedback: this.screen.mode.feedback });
    this.finish(words);
  }

  finish(words) {
    this.screen.render();
    this.screen.view.status.notice(words);
  }
}
