// The panel with questions and notices, and what tells of it elsewhere on the screen.

import { t } from "../language/translate.js";
import { button, element, setText, written } from "./dom.js";

/** @param {string} time @param {string} language */
export function readableDate(time, language) {
  return new Date(time).toLocaleDateString(language === "en" ? "en-GB" : language, { day: "numeric", month: "long" });
}

export class WordsView {
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
