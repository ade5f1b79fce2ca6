// Comments, and why something cannot be judged.

export class Notes {
  constructor(screen) {
    this.screen = screen;
  }

  /** The step the reason strip is about: the one just marked, or the one on the screen. */
  reasonIndex() {
    const { mode, session } = this.screen;
    const { queue } = session;
    const about = [mode.reasonFor, queue.position].find((i) => queue.labels[i]?.state === "cannot judge");
    return mode.feedback ? null : (about ?? null);
  }

  giveReason(reason) {
    const { screen } = this;
    const i = this.reasonIndex();
    if (i === null) return;
    if (reason === "other") return this.open(i);
    const own = screen.session.comment(i);
    screen.session.amend(i, own ? `${reason}; ${own}` : reason);
    screen.setMode();
    this.finish(`Reason noted: ${reason}.`);
  }

  open(i) {
    const { screen } = this;
    screen.mode.commentFor = i;
    screen.render();
    screen.refs.commentText.focus();
  }

  draft(text) {
    const { mode, drafts, session } = this.screen;
    if (mode.commentFor !== null) drafts.set(session.key(mode.commentFor), text);
  }

  save() {
    const { mode, drafts, session } = this.screen;
    const i = mode.commentFor;
    if (i === null) return;
    const text = session.note(i).trim();
    const isStored = session.amend(i, text);
    if (!isStored) drafts.set(session.key(i), text);
    this.screen.setMode({ feedback: mode.feedback });
    this.finish(isStored ? "Comment noted." : "The comment goes with your judgement.");
  }

  close() {
    const { mode, drafts, session } = this.screen;
    const i = mode.commentFor;
    mode.commentFor = null;
    const isKept = i !== null && drafts.get(session.key(i));
    this.finish(isKept ? "The text is kept and goes with your next judgement of the item." : "");
  }

  finish(words) {
    this.screen.view.status.notice(words);
    this.screen.render();
  }
}
