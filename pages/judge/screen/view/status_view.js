// What surrounds the item: progress, pace, the save state, messages, the finished screen.

import { REASONS } from "../judging/judging_session.js";
import { button, element, setText } from "./dom.js";
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

export class StatusView {
  constructor(refs) {
    this.refs = refs;
    const buttons = REASONS.map((reason) => button({ "data-reason": reason }, reason));
    refs.reasonButtons.replaceChildren(...buttons, button({ "data-reason": "other" }, "other …"));
  }

  renderProgress(progress, step, pace) {
    const { refs } = this;
    const kind = FACET_NAMES[step?.facet] ?? step?.facet;
    const total = progress.possible ? `at most ${progress.total + progress.possible}` : progress.total;
    setText(refs.progress, progress.place ? `${progress.place} of ${total}` : step ? "Practice" : "");
    const inTopic = `Query ${progress.topicNumber} of ${progress.topics}, item ${progress.topicPlace} of ${progress.topicTotal}`;
    setText(refs.topicProgress, progress.topicPlace && progress.topics > 1 ? inTopic : "");
    setText(refs.kind, kind ?? "");
    const left = readableTime(pace * progress.open);
    setText(refs.pace, pace ? `About ${readableTime(pace)} each, ${progress.open ? `${left} left` : "none left"}` : "");
    refs.bar.max = Math.max(1, progress.total);
    refs.bar.value = progress.answered;
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

  renderFinished(progress, seconds, waiting) {
    const { refs } = this;
    const title = progress.later ? "Almost finished" : "Finished: thank you";
    setText(refs.doneTitle, progress.total ? title : "There is nothing to judge here now");
    const parts = [`${plural(progress.answered - progress.cannot - progress.refused, "judgement")}`];
    if (progress.cannot) parts.push(`${progress.cannot} cannot judge`);
    if (progress.later) parts.push(`${progress.later} left for later`);
    if (progress.refused) parts.push(`${progress.refused} not accepted`);
    const next = progress.later ? " More comes when these are judged." : "";
    setText(refs.doneCounts, progress.total ? `${parts.join(", ")}.${next}` : "");
    setText(refs.doneTime, seconds ? `Active time in this visit: ${readableTime(seconds)}.` : "");
    setText(refs.doneSaved, waiting ? `${waiting} still waiting to be saved: keep this page open.` : progress.refused ? "Everything else is saved." : "Everything is saved.");
    setText(refs.reopen, progress.later ? `Go through the ${progress.later} put off` : "");
    refs.report.disabled = waiting > 0;
    refs.report.hidden = progress.later > 0;
  }

  renderReasons(label, title) {
    this.refs.reasons.hidden = !label;
    if (!label) return;
    this.refs.reasonItem.textContent = title;
    for (const node of this.refs.reasonButtons.children) {
      node.setAttribute("aria-pressed", String(node.dataset.reason === label.comment));
    }
  }

  say(text) {
    this.refs.live.textContent = text;
  }

  notice(text) {
    setText(this.refs.notice, text);
  }
}
