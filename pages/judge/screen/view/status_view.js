// What surrounds the item: progress, pace, the save state, messages, the finished screen.

import { REASONS } from "../judging/judging_session.js";
import { button, element, setParts, setText } from "./dom.js";
import { plural, readableTime } from "./wording.js";

export const FACET_NAMES = {
  snippet: "Snippet",
  page: "Page",
  "snippet pair": "Two snippets",
  "page pair": "Two pages",
  "panel pair": "Two result lists",
};
const TROUBLE = {
  unreachable: "Offline, ",
  full: "No room on the server, ",
  "sign in": "Sign in again, ",
  "not allowed": "Judging is stopped, ",
};

/** How practice went: how many answers are as the organiser set them. */
export function wordPractice(practice) {
  if (!practice?.answered) return "";
  const { answered, told, right } = practice;
  if (!told) return `You answered ${plural(answered, "practice item")}.`;
  return `Practice: ${right} of ${told} as the organiser set ${told === 1 ? "it" : "them"}.`;
}

export class StatusView {
  constructor(refs) {
    this.refs = refs;
    const chips = [...REASONS, "other"].map((reason, i) => this.chip(reason, String(i + 1)));
    refs.reasonButtons.replaceChildren(...chips);
  }

  chip(reason, key) {
    const words = reason === "other" ? "other …" : reason;
    return button({ "data-reason": reason, "aria-keyshortcuts": key }, element("kbd", key), " ", words);
  }

  /** `part`: which of how many snippets of a page this is; `topics`: which of how many topics. */
  renderProgress(progress, step, pace, { part = null, topics = null, today = 0 } = {}) {
    const { refs } = this;
    const name = FACET_NAMES[step?.facet] ?? step?.facet;
    const kind = part ? `${name} ${part[0]} of ${part[1]} of this page` : name;
    const total = progress.possible ? `at most ${progress.total + progress.possible}` : progress.total;
    setText(refs.progress, !step ? "" : progress.place ? `${progress.place} of ${total}` : "Practice");
    const inTopic = `Query ${progress.topicNumber} of ${progress.topics}, item ${progress.topicPlace} of ${progress.topicTotal}`;
    setText(refs.topicProgress, progress.topicPlace && progress.topics > 1 ? inTopic : "");
    setText(refs.kind, kind ?? "");
    const left = readableTime(pace * progress.open);
    setParts(refs.pace, pace ? [["more", `About ${readableTime(pace)} each, `], ["", progress.open ? `${left} left` : "none left"]] : []);
    setParts(refs.topics, this.partsOf(topics));
    setText(refs.today, today ? `${today} today` : "");
    refs.bar.max = Math.max(1, progress.total);
    refs.bar.value = progress.answered;
  }

  partsOf(topics) {
    if (!topics || topics.total < 2) return [];
    const word = topics.what === "part" ? "Part" : "Topic";
    return [["", `${word} ${topics.number} of `], ["more", topics.at_most ? "at most " : ""], ["", topics.total]];
  }

  renderSaveState(outbox, refused) {
    const { save } = this.refs;
    const n = outbox.size;
    const kept = outbox.notKept
      ? `, ${outbox.notKept} not kept on this device: do not close this page`
      : outbox.state === "ok" ? "" : ", kept on this device";
    const text = n ? `${TROUBLE[outbox.state] ?? ""}${n} waiting${kept}` : refused ? "All else saved" : "All saved";
    this.refs.root.dataset.waiting = n;
    save.dataset.kind = n ? (outbox.state === "ok" && !outbox.notKept ? "waiting" : "trouble") : "saved";
    // While a send is on its way only its outcome is worth reading out.
    save.setAttribute("aria-busy", String(Boolean(outbox.sending) && outbox.state === "ok"));
    if (save.textContent !== text) save.textContent = text;
  }

  renderRefused(refusals) {
    const items = refusals.map(({ what, reason }) => {
      const item = element("li", `Not accepted by the server: ${what}: ${reason}`);
      item.dir = "auto";
      return item;
    });
    this.refs.refused.replaceChildren(...items);
    this.refs.refused.hidden = !items.length;
  }

  /** `done`: what else the card says: query, comments, practice, next (query), isWanted, isOver. */
  renderFinished(progress, seconds, waiting, done = {}) {
    const { refs } = this;
    const isLater = progress.later > 0;
    setText(refs.doneTitle, this.wordEnd(progress, done));
    setText(refs.doneQuery, progress.total && !isLater ? (done.query ?? "") : "");
    const next = isLater ? " More comes when these are judged." : "";
    setText(refs.doneCounts, progress.total ? `${this.wordCounts(progress, done.comments)}${next}` : "");
    setText(refs.donePractice, wordPractice(done.practice));
    setText(refs.doneToday, done.isOver && done.today ? `Today you judged ${plural(done.today, "item")}.` : "");
    setText(refs.doneTime, seconds ? `Active time in this visit: ${readableTime(seconds)}.` : "");
    setText(refs.doneSaved, waiting ? `${waiting} still waiting to be saved: keep this page open.` : progress.refused ? "Everything else is saved." : "Everything is saved.");
    setText(refs.reopen, isLater ? `Go through the ${progress.later} put off` : "");
    setText(refs.nextWords, done.next ? `Next: ${done.next}` : done.isWanted ? "Getting what is next …" : "Next");
    refs.next.hidden = isLater || Boolean(done.isOver);
    refs.next.disabled = Boolean(done.isWanted);
    refs.doneOver.hidden = !done.isOver;
    for (const node of [refs.doneBack, refs.review, refs.doneHint]) node.hidden = !progress.total;
  }

  wordEnd(progress, { isOver, practice, what = "topic" }) {
    if (progress.later) return "Almost finished";
    if (isOver && (progress.total || practice?.answered)) return "Finished: thank you";
    if (isOver) return "Nothing to judge now";
    return progress.total ? `This ${what} is done` : "Practice is over";
  }

  wordCounts(progress, comments = 0) {
    const parts = [`${plural(progress.answered - progress.cannot - progress.refused, "judgement")}`];
    if (comments) parts.push(plural(comments, "comment"));
    if (progress.cannot) parts.push(`${progress.cannot} cannot judge`);
    if (progress.later) parts.push(`${progress.later} left for later`);
    if (progress.refused) parts.push(`${progress.refused} not accepted`);
    return `${parts.join(", ")}.`;
  }

  /** The chips over the item; the reason that it has already is marked. */
  renderReasons(isOpen, label) {
    this.refs.reasons.hidden = !isOpen;
    if (!isOpen) return;
    const comment = label?.state === "cannot judge" ? label.comment : "";
    for (const node of this.refs.reasonButtons.children) {
      node.setAttribute("aria-pressed", String(comment !== "" && comment.startsWith(node.dataset.reason)));
    }
  }

  say(text) {
    this.refs.live.textContent = text;
  }

  /** One line that is always there: what appears in it moves nothing. */
  notice(text) {
    if (this.refs.notice.textContent !== text) this.refs.notice.textContent = text;
  }
}
