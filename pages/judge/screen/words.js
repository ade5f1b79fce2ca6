// Words with the organiser: a question on the item, answers and announcements, and changed guidelines.

import { t } from "./language/translate.js";
import { makeId } from "./outbox/event_id.js";
import { NoticeFeed } from "./outbox/notice_feed.js";
import { Outbox } from "./outbox/outbox.js";
import { Drafts } from "./storage/drafts.js";
import { isNoted, noteHere } from "./storage/memory.js";
import { WordsView, readableDate } from "./view/words_view.js";

const NEWS_STAND = 12_000; // what comes while keys are pressed quickly is not gone with the next one

export class Words {
  constructor(screen, owner) {
    this.screen = screen;
    this.owner = owner;
    this.view = new WordsView(screen.refs);
    this.drafts = new Drafts(`dissent:asking:${owner}`);
    this.refused = []; // questions that the server did not accept, with the reason
    this.sent = new Map(); // acknowledged, and not yet among what the server tells
    this.news = { text: "", until: 0 };
    const signIn = () => screen.refresh("token");
    this.outbox = new Outbox(`dissent:questions:${owner}`, {
      ack: (event, ack) => this.acknowledge(event, ack),
      change: () => this.render(),
      foreign: () => this.render(),
      signIn,
    });
    this.feed = new NoticeFeed({ change: () => this.follow(), signIn });
  }

  close() {
    this.outbox.close();
    this.feed.close();
  }

  address({ questions, notices, token }) {
    if (!questions || !notices) return;
    this.outbox.address(questions, token);
    this.feed.address(notices, token);
  }

  /** What stands in the line of notices where nothing else does. */
  get line() {
    return performance.now() < this.news.until ? this.news.text : "";
  }

  /** Something else is told than before: what is new is said once in this tab. */
  follow() {
    for (const { id } of [...this.feed.waiting, ...this.feed.notices]) this.sent.delete(id);
    const fresh = this.feed.unread.filter(({ id }) => !isNoted(this.markOf(id)));
    for (const { id } of fresh) noteHere(this.markOf(id));
    this.takeGuidelines();
    this.render();
    if (fresh.length) this.tell(fresh);
  }

  markOf(id) {
    return `dissent:told:${this.owner}:${id}`;
  }

  /** The guidelines in force, also where they changed after the item was handed out. */
  takeGuidelines() {
    const { guidelines } = this.feed;
    const { session, view } = this.screen;
    this.view.renderChange(guidelines);
    if (!guidelines || !session || session.data.guidelines === guidelines.text) return;
    session.data.guidelines = guidelines.text;
    view.item.renderGuidelines(guidelines.text);
  }

  tell(fresh) {
    const { commands, view } = this.screen;
    const changed = fresh.find((one) => one.kind === "guidelines");
    const said = [];
    if (fresh.some((one) => one !== changed)) {
      said.push(t("The organiser wrote to you. To read it, press “Ask” ({key}).", { key: commands.ask.toUpperCase() }));
    }
    if (changed) {
      const facts = { date: readableDate(changed.time, this.screen.root.lang), key: commands.guidelines.toUpperCase() };
      said.push(t("The guidelines changed on {date}. To read them, press “Guidelines” ({key}).", facts));
    }
    this.news = { text: said.join(" "), until: performance.now() + NEWS_STAND };
    view.status.notice(this.news.text);
  }

  /** The key of the item that a question would be about; null where there is none on the screen. */
  get item() {
    const { mode, session } = this.screen;
    return mode.card ? null : session.step;
  }

  /** Open or close the panel. What was not read before is marked, and counts as read from then on. */
  toggle() {
    const { screen, feed } = this;
    const { words, askText } = screen.refs;
    const isOpen = words.open;
    screen.closeDialog();
    if (isOpen) return;
    this.view.fresh = new Set(feed.unread.map(({ id }) => id));
    const told = feed.unread.filter((one) => one.kind !== "guidelines");
    words.showModal();
    this.news.until = 0;
    screen.view.status.notice("");
    this.render();
    if (this.item && !told.length) askText.focus();
    feed.mark(told);
    this.renderUnread();
  }

  /** The guidelines are opened: whoever was to read them has. */
  readGuidelines() {
    this.news.until = 0;
    this.feed.mark(this.feed.unread.filter((one) => one.kind === "guidelines"));
    this.renderUnread();
  }

  draft(text) {
    if (this.item) this.drafts.set(this.item, text);
  }

  /** Note the question on this device and send it; the item stays, and no judgement is given. */
  send() {
    const { session, refs, view } = this.screen;
    const { current: step } = session.queue;
    const text = refs.askText.value.trim();
    if (!this.item || !step) return;
    if (!text) return refs.askText.focus();
    const { topic, document: document_, facet, engine = "", occasion } = step;
    this.outbox.add({
      event_id: makeId(),
      assignment: session.data.assignment,
      ...{ topic, document: document_, facet, engine, occasion, text },
      about: session.describe(step),
    });
    this.drafts.set(this.item, null);
    this.screen.closeDialog();
    this.render();
    view.status.notice(t("Your question goes to the organiser. The answer comes here."));
  }

  acknowledge(event, ack) {
    if (ack.status === "refused") {
      const reason = ack.reason ?? t("no reason given");
      this.refused.push({ ...event, reason });
      this.screen.view.status.notice(t("Your question was not accepted: {reason}", { reason }));
    } else {
      this.sent.set(event.event_id, event);
      this.feed.ask();
    }
    this.render();
  }

  render() {
    if (!this.screen.session) return;
    this.renderUnread();
    if (!this.screen.refs.words.open) return;
    const { session } = this.screen;
    const about = this.item ? session.describe(session.queue.current) : null;
    this.view.render(this.feed, this.pending, this.refused, about, this.item ? (this.drafts.get(this.item) ?? "") : "");
  }

  /** Questions on their way, oldest first. */
  get pending() {
    return [...this.sent.values(), ...this.outbox.events().filter((one) => !this.sent.has(one.event_id))];
  }

  renderUnread() {
    this.screen.root.dataset.asking = this.outbox.size;
    this.view.renderUnread(this.feed.unread.length);
  }
}
