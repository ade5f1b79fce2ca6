// Words with the organiser: a question on the item, answers and announcements, and changed guidelines.

import { stepKey } from "./judging/queue.js";
import { t } from "./language/translate.js";
import { makeId } from "./outbox/event_id.js";
import { NoticeFeed } from "./outbox/notice_feed.js";
import { Outbox } from "./outbox/outbox.js";
import { Drafts } from "./storage/drafts.js";
import { isNoted, noteHere } from "./storage/memory.js";
import { WordsView, readableDate } from "./view/words_view.js";

const NEWS_STAND = 12_000; // what comes while keys are pressed quickly is not gone with the next one

export class Words {
  /** `signIn`: the right to ask has run out. @param {Visit} visit @param {View} view @param {Dialogs} dialogs @param {() => void} signIn */
  constructor(visit, view, dialogs, signIn) {
    this.visit = visit;
    this.status = view.status;
    this.item = view.item;
    this.refs = view.refs;
    this.dialogs = dialogs;
    this.view = new WordsView(view.refs);
    this.drafts = new Drafts(`dissent:asking:${visit.owner}`);
    this.refused = /** @type {(Question & { reason: string })[]} */ ([]); // questions that the server did not accept
    this.sent = /** @type {Map<string, Question>} */ (new Map()); // acknowledged, and not yet among what the server has
    this.news = { text: "", until: 0 };
    /** @type {Outbox<Question>} */
    this.outbox = new Outbox(`dissent:questions:${visit.owner}`, {
      ack: (event, ack) => this.acknowledge(event, ack),
      change: () => this.render(),
      foreign: () => this.render(),
      signIn,
    });
    this.feed = new NoticeFeed({ change: () => this.follow(), signIn });
    const { signal } = view;
    this.refs.askText.addEventListener("input", () => this.draft(this.refs.askText.value), { signal });
    signal.addEventListener("abort", () => [this.outbox, this.feed].forEach((one) => one.close()));
  }

  /** @param {Assignment} data */
  address({ questions, notices, token }) {
    if (!questions || !notices) return;
    this.outbox.address(questions, token);
    this.feed.address(notices, token);
  }

  /** What stands in the line of notices where nothing else does. */
  get line() {
    return performance.now() < this.news.until ? this.news.text : "";
  }

  /** The server has something else than before: what is new is said once in this tab. */
  follow() {
    for (const { id } of [...this.feed.waiting, ...this.feed.notices]) this.sent.delete(id);
    const fresh = this.feed.unread.filter(({ id }) => !isNoted(this.markOf(id)));
    for (const { id } of fresh) noteHere(this.markOf(id));
    this.takeGuidelines();
    this.render();
    if (fresh.length) this.announce(fresh);
  }

  /** @param {string} id */
  markOf(id) {
    return `dissent:told:${this.visit.owner}:${id}`;
  }

  /** The guidelines in force, also where they changed after the item was handed out. */
  takeGuidelines() {
    const { guidelines } = this.feed;
    const { session } = this.visit;
    this.view.renderChange(guidelines);
    if (!guidelines || session.data.guidelines === guidelines.text) return;
    session.data.guidelines = guidelines.text;
    this.item.renderGuidelines(guidelines.text);
  }

  /** @param {Notice[]} fresh */
  announce(fresh) {
    const { keys } = this.visit;
    const changed = fresh.find((one) => one.kind === "guidelines");
    const lines = [];
    if (fresh.some((one) => one !== changed)) {
      lines.push(t("The organiser wrote to you. To read it, press “Ask” ({key}).", { key: keys.ask.toUpperCase() }));
    }
    if (changed) {
      const facts = { date: readableDate(changed.time, this.refs.root.lang), key: keys.guidelines.toUpperCase() };
      lines.push(t("The guidelines changed on {date}. To read them, press “Guidelines” ({key}).", facts));
    }
    this.news = { text: lines.join(" "), until: performance.now() + NEWS_STAND };
    this.status.notice(this.news.text);
  }

  /** The key of the item that a question would be about; null where there is none on the screen. */
  get about() {
    return this.visit.step ? this.visit.session.step : null;
  }

  /** Open or close the panel. What was not read before is marked, and counts as read from then on. */
  toggle() {
    const { feed } = this;
    const { words, askText } = this.refs;
    const isOpen = words.open;
    this.dialogs.close();
    if (isOpen) return;
    this.view.fresh = new Set(feed.unread.map(({ id }) => id));
    const unread = feed.unread.filter((one) => one.kind !== "guidelines");
    words.showModal();
    this.news.until = 0;
    this.status.notice("");
    this.render();
    if (this.about && !unread.length) askText.focus();
    feed.mark(unread);
    this.renderUnread();
  }

  /** The guidelines are opened or closed; once they are open, whoever was to read them has. */
  toggleGuidelines() {
    this.dialogs.toggle(this.refs.guidelines);
    if (!this.refs.guidelines.open) return;
    this.news.until = 0;
    this.feed.mark(this.feed.unread.filter((one) => one.kind === "guidelines"));
    this.renderUnread();
  }

  /** @param {string} text */
  draft(text) {
    if (this.about) this.drafts.set(this.about, text);
  }

  /** Note the question on this device and send it; the item stays, and no judgement is given. */
  send() {
    const { session, step } = this.visit;
    const { askText } = this.refs;
    const text = askText.value.trim();
    if (!step) return;
    if (!text) return askText.focus();
    const { topic, document: document_, facet, engine = "", occasion } = step;
    this.outbox.add({
      event_id: makeId(),
      assignment: session.data.assignment,
      ...{ topic, document: document_, facet, engine, occasion, text },
      about: session.describe(step),
    });
    this.drafts.set(stepKey(step), null);
    this.dialogs.close();
    this.render();
    this.status.notice(t("Your question goes to the organiser. The answer comes here."));
  }

  /** @param {Question} event @param {Ack} ack */
  acknowledge(event, ack) {
    if (ack.status === "refused") {
      const reason = ack.reason ?? t("no reason given");
      this.refused.push({ ...event, reason });
      this.status.notice(t("Your question was not accepted: {reason}", { reason }));
    } else {
      this.sent.set(event.event_id, event);
      this.feed.ask();
    }
    this.render();
  }

  render() {
    this.renderUnread();
    if (!this.refs.words.open) return;
    const { session, step } = this.visit;
    const draft = this.about && this.drafts.get(this.about);
    this.view.render(this.feed, this.pending, this.refused, step ? session.describe(step) : null, draft ?? "");
  }

  /** Questions on their way, oldest first. */
  get pending() {
    return [...this.sent.values(), ...this.outbox.events().filter((one) => !this.sent.has(one.event_id))];
  }

  renderUnread() {
    this.refs.root.dataset.asking = String(this.outbox.size);
    this.view.renderUnread(this.feed.unread.length);
  }
}
