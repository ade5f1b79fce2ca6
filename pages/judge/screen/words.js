// Words with the organiser: a question on the item, answers and announcements, and changed guidelines.

import { stepKey } from "./judging/queue.js";
import { t } from "./language/translate.js";
import { makeId } from "./outbox/waiting_events.js";
import { NoticeFeed } from "./outbox/notice_feed.js";
import { Outbox } from "./outbox/outbox.js";
import { Drafts, isNoted, noteHere } from "./storage/memory.js";
import { button, element, setText, written } from "./view/dom.js";

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

// The panel with questions and notices, and what tells of it elsewhere on the screen.

/** @param {string} time @param {string} language */
function readableDate(time, language) {
  return new Date(time).toLocaleDateString(language === "en" ? "en-GB" : language, { day: "numeric", month: "long" });
}

class WordsView {
  /** @param {Refs} refs */
  constructor(refs) {
    this.refs = refs;
    this.fresh = new Set(); // ids of what was unread when the panel was opened
  }

  /** How much was not read yet, at the button's corner: it takes no room. @param {number} n */
  renderUnread(n) {
    const { unread, unreadWords } = this.refs;
    if (unread.textContent !== String(n || "")) unread.textContent = String(n || "");
    unread.hidden = !n;
    const words = n ? t("{n} new", { n }) : "";
    for (const node of [unreadWords, ...this.refs.root.querySelectorAll("[data-unread]")]) setText(node, words);
  }

  /** What the guidelines' own panel says of their last change. @param {Guidelines | null} guidelines */
  renderChange(guidelines) {
    const isChange = guidelines && guidelines.number > 1;
    const date = isChange ? readableDate(guidelines.time, this.refs.root.lang) : "";
    const note = guidelines?.note ?? "";
    const words = note ? t("Changed on {date}: {note}", { date, note }) : t("Changed on {date}.", { date });
    setText(this.refs.changed, isChange ? words : "");
  }

  /**
   * `about`: a few words on the item on the screen; null where there is none to ask about.
   * @param {NoticeFeed} feed @param {Question[]} pending @param {(Question & { reason: string })[]} refused @param {string | null} about @param {string} draft
   */
  render(feed, pending, refused, about, draft) {
    const { refs } = this;
    refs.askForm.hidden = about === null;
    refs.askAbout.textContent = about ?? "";
    if (refs.askText.value !== draft) refs.askText.value = draft;
    const notices = [...feed.notices].reverse().map((one) => this.row(one));
    const open = [...feed.waiting].reverse().map((one) => this.question(one, t("Not answered yet")));
    const going = pending.map((one) => this.question({ ...one, question: one.text }, t("On its way"))).reverse();
    const failed = refused.map((one) => this.question({ ...one, question: one.text }, t("Not accepted: {reason}", one))).reverse();
    refs.notices.replaceChildren(...failed, ...going, ...open, ...notices);
    refs.noNotices.hidden = refs.notices.children.length > 0;
  }

  /** @param {Notice} notice */
  row(notice) {
    const row = document.createElement("li");
    /** @type {Record<string, string>} */
    const kinds = { answer: t("Answer to you"), announcement: t("To everybody"), guidelines: t("Guidelines changed") };
    const head = element("p", "", "eyebrow");
    head.append(element("span", kinds[notice.kind] ?? ""), this.date(notice.time));
    if (this.fresh.has(notice.id)) head.append(element("span", t("New"), "badge"));
    row.dataset.kind = notice.kind;
    row.classList.toggle("fresh", this.fresh.has(notice.id));
    row.append(head);
    if (notice.question) row.append(this.quote(notice));
    if (notice.text) row.append(written("p", notice.text, "text"));
    if (notice.kind === "guidelines") row.append(button({ "data-command": "guidelines" }, t("Read them")));
    return row;
  }

  /** @param {{ question: string, about: string, time?: string }} one @param {string} state */
  question(one, state) {
    const row = document.createElement("li");
    const head = element("p", "", "eyebrow");
    head.append(element("span", state), ...(one.time ? [this.date(one.time)] : []));
    row.dataset.kind = "question";
    row.append(head, this.quote(one));
    return row;
  }

  /** @param {{ question: string, about: string }} one */
  quote({ question, about }) {
    const node = element("blockquote", "");
    if (about) node.append(written("cite", about));
    node.append(written("p", question));
    return node;
  }

  /** @param {string} time */
  date(time) {
    const node = element("time", readableDate(time, this.refs.root.lang), "quiet");
    node.dateTime = time;
    return node;
  }
}
