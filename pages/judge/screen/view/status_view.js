// What surrounds the item: progress, pace, the save state, messages, the finished screen and the ways from it.

import { REASONS } from "../judging/judging_session.js";
import { t, tn } from "../language/translate.js";
import { button, element, setParts, setText } from "./dom.js";
import { nameOf, readableTime } from "./wording.js";

/** What is called a reason; it is stored as it stands, in English. @param {string} reason */
function wordReason(reason) {
  const words = /** @type {Record<string, string>} */ ({
    "page missing": t("page missing"),
    "wrong language": t("wrong language"),
    unreadable: t("unreadable"),
    other: t("other …"),
  });
  return words[reason] ?? reason;
}

/** Which of how many items this is. @param {number} place @param {number} total @param {number} possible */
export function wordPlace(place, total, possible) {
  return possible
    ? t("{place} of at most {total}", { place, total: total + possible })
    : t("{place} of {total}", { place, total });
}

/** How practice went: how many answers are as the organiser set them. @param {Practised | undefined} practice */
export function wordPractice(practice) {
  if (!practice?.answered) return "";
  const { answered, known, right } = practice;
  if (!known) return tn(answered, "You answered {n} practice item.", "You answered {n} practice items.");
  return tn(known, "Practice: {right} of {n} as the organiser set it.", "Practice: {right} of {n} as the organiser set them.", { right });
}

export class StatusView {
  /** @param {Refs} refs */
  constructor(refs) {
    this.refs = refs;
    const chips = [...REASONS, "other"].map((reason, i) => this.chip(reason, String(i + 1)));
    refs.reasonButtons.replaceChildren(...chips);
  }

  /** @param {string} reason @param {string} key */
  chip(reason, key) {
    return button({ "data-reason": reason, "aria-keyshortcuts": key }, element("kbd", key), " ", wordReason(reason));
  }

  /**
   * `part`: which of how many snippets of a page this is; `topics`: which of how many topics.
   * @param {Progress} progress @param {Step | null | undefined} step @param {number} pace @param {{ part?: number[] | null, topics?: Topics | null, today?: number }} [about]
   */
  renderProgress(progress, step, pace, { part = null, topics = null, today = 0 } = {}) {
    const { refs } = this;
    const { place, total, possible, topicNumber, topics: queries, topicPlace, topicTotal } = progress;
    setText(refs.progress, !step ? "" : place ? wordPlace(place, total, possible) : t("Practice"));
    const inTopic = t("Query {number} of {queries}, item {place} of {total}", {
      number: topicNumber, queries, place: topicPlace, total: topicTotal,
    });
    setText(refs.topicProgress, topicPlace && queries > 1 ? inTopic : "");
    setText(refs.kind, part ? t("Snippet {number} of {total} of this page", { number: part[0], total: part[1] }) : nameOf(step?.facet) ?? "");
    const left = progress.open ? t("{time} left", { time: readableTime(pace * progress.open) }) : t("none left");
    setParts(refs.pace, pace && refs.root.dataset.paced !== "false" ? [["more", t("About {time} each, ", { time: readableTime(pace) })], ["", left]] : []);
    setParts(refs.topics, this.partsOf(topics));
    setText(refs.today, today ? t("{n} today", { n: today }) : "");
    refs.bar.max = Math.max(1, progress.total);
    refs.bar.value = progress.answered;
  }

  /** @param {Topics | null | undefined} topics @returns {[string, string][]} */
  partsOf(topics) {
    if (!topics || topics.total < 2) return [];
    const { number, total } = topics;
    const where = topics.what === "part" ? t("Part {number} of", { number }) : t("Topic {number} of", { number });
    return [["", `${where} `], ["more", topics.at_most ? `${t("at most")} ` : ""], ["", String(total)]];
  }

  /** @param {Outbox<LabelEvent>} outbox @param {number} refused */
  renderSaveState(outbox, refused) {
    const { save } = this.refs;
    const n = outbox.size;
    const text = n ? this.wordWaiting(outbox, n) : refused ? t("All else saved") : t("All saved");
    this.refs.root.dataset.waiting = String(n);
    save.dataset.kind = n ? (outbox.state === "ok" && !outbox.notKept ? "waiting" : "trouble") : "saved";
    // While a send is on its way only its outcome is worth reading out.
    save.setAttribute("aria-busy", String(Boolean(outbox.sending) && outbox.state === "ok"));
    if (save.textContent !== text) save.textContent = text;
  }

  /** @param {Outbox<LabelEvent>} outbox @param {number} n */
  wordWaiting({ state, notKept }, n) {
    const troubles = /** @type {Record<string, string>} */ ({
      unreachable: t("Offline"),
      full: t("No room on the server"),
      "sign in": t("Sign in again"),
      "not allowed": t("Judging is stopped"),
    });
    const kept = notKept ? t("{n} not kept on this device: do not close this page", { n: notKept }) : "";
    const isKept = state !== "ok" && !notKept;
    const waiting = isKept ? tn(n, "1 label waits on this device", "{n} labels wait on this device") : t("{n} waiting", { n });
    return [troubles[state], waiting, kept].filter(Boolean).join(", ");
  }

  /** @param {{ what: string, reason: string }[]} refusals */
  renderRefused(refusals) {
    const items = refusals.map(({ what, reason }) => {
      const item = element("li", t("Not accepted by the server: {what}: {reason}", { what, reason }));
      item.dir = "auto";
      return item;
    });
    this.refs.refused.replaceChildren(...items);
    this.refs.refused.hidden = !items.length;
  }

  /**
   * `done`: what else the card says: query, comments, practice, next (query), isWanted, isOver.
   * @param {Progress} progress @param {number} seconds @param {number} waiting @param {Done} [done]
   */
  renderFinished(progress, seconds, waiting, done = {}) {
    const { refs } = this;
    const isLater = progress.later > 0;
    setText(refs.doneTitle, this.wordEnd(progress, done));
    setText(refs.doneQuery, progress.total && !isLater ? (done.query ?? "") : "");
    const next = isLater ? ` ${t("More comes when these are judged.")}` : "";
    setText(refs.doneCounts, progress.total ? `${this.wordCounts(progress, done.comments)}${next}` : "");
    setText(refs.donePractice, wordPractice(done.practice));
    setText(refs.doneToday, done.isOver && done.today ? tn(done.today, "Today you judged {n} item.", "Today you judged {n} items.") : "");
    setText(refs.doneTime, seconds ? t("Active time in this visit: {time}.", { time: readableTime(seconds) }) : "");
    setText(refs.doneSaved, this.wordSaved(waiting, progress));
    setText(refs.reopen, isLater ? t("Go through the {n} put off", { n: progress.later }) : "");
    setText(refs.nextWords, done.next ? t("Next: {query}", { query: done.next }) : done.isWanted ? t("Getting what is next …") : t("Next"));
    refs.next.hidden = isLater || Boolean(done.isOver);
    refs.next.disabled = Boolean(done.isWanted);
    refs.doneOver.hidden = !done.isOver;
    for (const node of [refs.doneBack, refs.review, refs.doneHint]) node.hidden = !progress.total;
  }

  /** @param {Progress} progress @param {Done} done */
  wordEnd(progress, { isOver, practice, what = "topic" }) {
    if (progress.later) return t("Almost finished");
    if (isOver && (progress.total || practice?.answered)) return t("Finished: thank you");
    if (isOver) return t("Nothing to judge now");
    if (!progress.total) return t("Practice is over");
    return what === "part" ? t("This part is done") : t("This topic is done");
  }

  /** @param {number} waiting @param {Progress} progress */
  wordSaved(waiting, { refused }) {
    if (waiting) return t("{n} still waiting to be saved: keep this page open.", { n: waiting });
    return refused ? t("Everything else is saved.") : t("Everything is saved.");
  }

  /** @param {Progress} progress @param {number} [comments] */
  wordCounts(progress, comments = 0) {
    const parts = [tn(progress.answered - progress.cannot - progress.refused, "{n} judgement", "{n} judgements")];
    if (comments) parts.push(tn(comments, "{n} comment", "{n} comments"));
    if (progress.cannot) parts.push(t("{n} cannot judge", { n: progress.cannot }));
    if (progress.later) parts.push(t("{n} left for later", { n: progress.later }));
    if (progress.refused) parts.push(t("{n} not accepted", { n: progress.refused }));
    return `${parts.join(", ")}.`;
  }

  /** The chips over the item; the reason that it has already is marked. @param {boolean} isOpen @param {Label | null} label */
  renderReasons(isOpen, label) {
    this.refs.reasons.hidden = !isOpen;
    if (!isOpen) return;
    const comment = label?.state === "cannot judge" ? label.comment : "";
    for (const node of this.refs.reasonButtons.children) {
      node.setAttribute("aria-pressed", String(comment !== "" && comment.startsWith(String(node.dataset.reason))));
    }
  }

  /** @param {string} text */
  say(text) {
    this.refs.live.textContent = text;
  }

  /** One line that is always there: what appears in it moves nothing. @param {string} text */
  notice(text) {
    if (this.refs.notice.textContent !== text) this.refs.notice.textContent = text;
  }
}

// An item of one's own history, looked at again: the way back, and what became of its label.

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

// A qualifying test: what it asks for before it begins, and what is said at its end.

/** How many have to be right, and which attempt this is; nothing without a test. @param {Assignment["test"]} test */
export function wordRules(test) {
  if (!test) return "";
  const rules = [t("To pass, {needed} of {items} have to be right.", test)];
  if (test.within) rules.push(t("One level off counts as right."));
  if (test.attempts > 1) rules.push(t("This is attempt {attempt} of {attempts}.", test));
  return rules.join(" ");
}

/** The result comes from the server: the card says no other one meanwhile. @param {Refs} refs @param {JudgingSession} session */
export function endTest(refs, { data, queue }) {
  if (!data.test || queue.current) return;
  setText(refs.doneTitle, t("The test is over"));
  setText(refs.donePractice, "");
}

// The way from the cards to where others differ; there only where the organiser allows it.

/**
 * `address`: where it can be seen; none while there is nothing that may be seen.
 * @param {HTMLElement} root @param {string | undefined} address
 */
export function renderOthers(root, address) {
  for (const node of root.querySelectorAll("[data-others]")) {
    node.hidden = !address;
    const link = node.querySelector("a");
    if (address) link?.setAttribute("href", address);
    else link?.removeAttribute("href");
  }
}
