// An item of one's own history, looked at again: the way back, and what became of its label.

import { t } from "../language/translate.js";
import { setText } from "./dom.js";

/** The ways back to the history are there for items that came from it. @param {Refs} refs @param {Assignment} data */
export function renderAgain({ root }, { again }) {
  for (const node of root.querySelectorAll("[data-command=history]")) node.hidden = !again;
}

/**
 * The way back stands in place of the item's number; afterwards it is said what was done.
 * @param {Refs} refs @param {JudgingSession} session
 */
export function renderOutcome(refs, session) {
  refs.toHistory.hidden = !session.data.again || !session.queue.current;
  if (!session.data.again) return;
  setText(refs.progress, "");
  setText(refs.today, "");
  if (session.queue.current) return;
  setText(refs.doneTitle, session.isChanged ? t("Your new judgement counts") : t("Your judgement stays as it was"));
  setText(refs.doneCounts, "");
  refs.review.hidden = true;
}
