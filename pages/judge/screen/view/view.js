// Brings the nodes up to date with the session; only what changed is touched.

import { REASONS } from "../judging/judging_session.js";
import { stepKey } from "../judging/queue.js";
import { t } from "../language/translate.js";
import { endTest, renderOutcome, StatusView, wordPlace, wordPractice } from "./status_view.js";
import { renderChips } from "./pair_view.js";
import { AspectView } from "./aspect_view.js";
import { findRefs } from "./dom.js";
import { nameOf } from "./wording.js";
import { ItemView } from "./item_view.js";
import { readTerms } from "./query_terms.js";
import { StartView } from "./start_view.js";

const UNSEEN = 150; // no press can be meant for an item that came this many milliseconds ago

export class View {
  /** @param {HTMLElement} root @param {Paradata} paradata @param {TextOnly} textOnly @param {KeptPages} pages @param {AbortSignal} signal */
  constructor(root, paradata, textOnly, pages, signal) {
    this.signal = signal; // aborts when the screen is closed
    this.paradata = paradata;
    this.refs = findRefs(root);
    this.item = new ItemView(this.refs, textOnly, pages);
    this.status = new StatusView(this.refs);
    this.start = new StartView(this.refs);
    this.aspects = new AspectView(this.refs);
    this.topic = null; // the one shown last, whatever the assignment
    this.rendered = /** @type {string | null} */ (null); // step key, or the name of a card
    this.cameAt = this.renderedAt = this.paintedAt = -Infinity;
    this.lack = ""; // why the item on the screen cannot be judged now; see ItemView
    this.item.kept.changed = () => this.look();
    this.calledAt = /** @type {number | null} */ (null); // when the key was pressed that is being carried out
    this.reset();
  }

  /** Forget what is rendered, for another assignment. */
  reset() {
    this.rendered = null;
    this.item.frames.clear();
  }

  /** Whether somebody who pressed a key at that time cannot have seen the item on the screen. @param {number} at */
  isUnseen(at) {
    return this.pending || at < this.paintedAt || at - this.cameAt < UNSEEN;
  }

  /**
   * `mode`: feedback (after a practice item), card ("start", "practised" or null), reasons (whether the
   * chips are open), commentFor (an index or null), isReason and asks (what the comment form is about);
   * `day`: today's count, and what the card at the end says besides the counts.
   * @param {JudgingSession} session @param {Mode} mode @param {Day} day
   */
  render(session, mode, day) {
    const { queue } = session;
    const card = queue.current ? mode.card : "finished";
    this.item.renderMode(card);
    if (card) this.aspects.hide();
    if (card) this.renderCard(session, card, day);
    else this.renderStep(session, mode);
    this.renderTally(session, card, day);
    this.status.renderReasons(mode.reasons, queue.label);
    this.renderComment(session, mode);
    renderChips(this.refs, session, card);
  }

  /** Whether what else can be done is shown where a window has no room for it; see styles/folded.css. */
  get isUnfolded() {
    return this.refs.dock.classList.contains("unfolded");
  }

  unfold(isWanted = !this.isUnfolded) {
    this.refs.dock.classList.toggle("unfolded", isWanted);
    this.refs.unfold.setAttribute("aria-expanded", String(isWanted));
  }

  /** @param {JudgingSession} session @param {string | null} card @param {Day} day */
  renderTally(session, card, day) {
    const { queue, data } = session;
    const step = card ? null : queue.current;
    const part = step ? queue.part(queue.position) : null;
    const about = { part, topics: step && !step.practice ? data.pace?.topics : null, today: day?.today };
    this.status.renderProgress(queue.progress(), step, step ? session.pace() : 0, about);
    renderOutcome(this.refs, session);
  }

  /**
   * A card stands in place of the item.
   * @param {JudgingSession} session @param {"start" | "practised" | "finished"} card @param {Day} day
   */
  renderCard(session, card, day) {
    if (card === "finished") this.renderFinished(session, day);
    if (this.rendered === card) return;
    this.rendered = this.refs.root.dataset.step = card;
    clearTimeout(this.readying);
    this.refs.root.dataset.ready = "true";
    this.refs.root.dataset.practice = this.refs.root.dataset.feedback = "false";
    this.pending = false;
    if (card === "start") this.start.render(session);
    if (card === "practised") this.refs.practisedCounts.textContent = wordPractice(session.practised());
    this.status.say(card === "finished" ? t("Finished.") : this.refs[card].querySelector("h2")?.textContent ?? "");
    this.refs[card].focus({ preventScroll: true });
  }

  /** @param {JudgingSession} session @param {Day} day */
  renderFinished(session, day) {
    const { queue, data } = session;
    const comments = queue.labels.filter((label) => label?.comment && !REASONS.includes(label.comment)).length;
    const query = data.topics[queue.steps.at(-1)?.topic ?? ""]?.query ?? "";
    const done = { query, comments, what: data.pace?.topics?.what, practice: session.practised(), today: day?.today, ...day?.end };
    const seconds = (day?.spent ?? session.total) / 1000;
    this.status.renderFinished(queue.progress(), seconds, session.outbox.size, done);
    endTest(this.refs, session);
    renderOutcome(this.refs, session);
  }

  /** @param {JudgingSession} session @param {Mode} mode */
  renderStep(session, { feedback }) {
    const { queue, data } = session;
    const { label } = queue;
    const step = /** @type {Step} */ (queue.current);
    const aspect = session.aspects.current(step);
    const levels = aspect?.levels ?? data.scales[step.facet];
    const isNew = stepKey(step) !== this.rendered;
    const asked = label?.state === "later" && !queue.fresh().length;
    if (isNew) this.renderItem(session, step);
    this.item.renderLevels(levels, session.aspects.chosen(step, label), step.facet, aspect);
    this.renderQuestion(session, step, isNew);
    this.item.renderLabel(label, step, { feedback, asked, note: session.note(queue.position) });
    this.renderFeedback(feedback, session.right.get(stepKey(step)), label, levels);
    this.refs.root.dataset.feedback = String(feedback);
    this.refs.root.dataset.practice = String(Boolean(step.practice));
  }

  /**
   * Another question about the same item is new, too: it is read out, and has to be seen first.
   * @param {JudgingSession} session @param {Step} step @param {boolean} isNew
   */
  renderQuestion(session, step, isNew) {
    const { live, leave } = this.refs;
    const words = this.aspects.render(session, step, stepKey(step), leave.firstElementChild?.textContent ?? "");
    if (!words) return;
    this.status.say(isNew ? `${live.textContent} ${words}` : words);
    if (isNew) return;
    this.item.letScroll();
    this.awaitSight();
  }

  awaitSight(from = this.calledAt) {
    this.renderedAt = performance.now();
    this.cameAt = from ?? this.renderedAt;
    this.awaitReady();
  }

  /** From then on what is on the screen can have been seen, unless it has not come. */
  awaitReady() {
    clearTimeout(this.readying);
    this.refs.root.dataset.ready = "false";
    const open = () => this.signal.aborted || this.pending || this.isMissing || (this.refs.root.dataset.ready = "true");
    this.readying = setTimeout(open, this.cameAt + UNSEEN - performance.now());
  }

  /** Whether something of the item has not come. */
  get isMissing() {
    return ["loading", "failed"].includes(this.lack);
  }

  /**
   * See what keeps the item from being judged; once nothing does, it has to be seen first. How much of it has
   * been in view is noted; of what scrolls in a frame nobody knows.
   */
  look() {
    if (this.pending || this.refs.work.hidden) return;
    const { furthest } = this.item;
    if (furthest !== undefined) this.paradata.saw({ furthest });
    const before = this.lack;
    const [unseen] = this.item.pair.unseen;
    this.lack = this.item.findLack();
    if (unseen !== this.item.pair.unseen[0]) this.item.pair.renderUnseen();
    if (this.lack !== before) this.renderLack(before);
  }

  /** @param {string} before */
  renderLack(before) {
    const { root, levels } = this.refs;
    root.dataset.lack = this.lack;
    for (const node of levels.children) node.toggleAttribute("data-shut", Boolean(this.lack));
    if (this.lack) this.status.say(`${before ? "" : this.refs.live.textContent} ${this.wordLack()}`);
    if (this.isMissing) root.dataset.ready = "false";
    else if (before) this.arrive(before);
    if (!this.lack) this.noteShown();
  }

  /** What was missing has come, or come into view. @param {string} before */
  arrive(before) {
    if (["loading", "failed"].includes(before)) this.status.say(t("The page is there."));
    this.paintedAt = performance.now();
    this.awaitSight(this.paintedAt);
  }

  /** The whole item has been on the screen. */
  noteShown() {
    const isPair = !this.refs.pair.hidden;
    this.paradata.shown();
    if (isPair) this.paradata.saw({ both_sides: true });
  }

  wordLack() {
    const words = /** @type {Record<string, string>} */ ({
      loading: t("The page is loading, so there is nothing to judge yet."),
      failed: t("The page could not be loaded. Try again, or say that it cannot be judged."),
      left: t("Look at both sides first: the left one has not been in view."),
      right: t("Look at both sides first: the right one has not been in view."),
    });
    return words[this.lack] ?? "";
  }

  /** Why an answer cannot be given to what is on the screen; empty where it can. @param {State} state */
  whyNot(state) {
    const isOpen = !this.lack || state === "later" || (state === "cannot judge" && this.lack !== "loading");
    return isOpen ? "" : `${this.wordLack()} ${t("Nothing was noted.")}`;
  }

  /** @param {boolean} open @param {Right | undefined} right @param {Label | null} label @param {Level[]} levels */
  renderFeedback(open, right, label, levels) {
    const before = this.refs.feedback.hidden ? "" : this.refs.verdict.textContent;
    this.item.renderFeedback(open, right, label, levels);
    if (open && this.refs.verdict.textContent !== before) this.status.say(this.refs.feedback.firstElementChild?.textContent ?? "");
  }

  /** Keep the height of the levels for all facets of a session; the caller renders again. @param {JudgingSession} session */
  reserveLevels({ data, queue, aspects }) {
    if (!queue.current || this.refs.levels.hidden) return;
    const facets = [...new Set(queue.steps.map((step) => step.facet))];
    this.item.reserveLevels(data.scales, facets, aspects.all);
    this.aspects.reserve(aspects, data.scales);
  }

  /** @param {JudgingSession} session @param {Step} step */
  renderItem(session, step) {
    const topic = session.data.topics[step.topic];
    const terms = readTerms(session.data.terms?.[step.topic]);
    const isNew = step.topic !== this.topic;
    const isChange = isNew && this.topic !== null;
    if (isNew || this.rendered === null) this.item.renderTopic(topic, terms, isChange);
    this.refs.fresh.hidden = !isChange;
    this.pending = true;
    this.item.renderItem(step, terms, session.data.documents[step.document]);
    this.topic = step.topic;
    this.rendered = this.refs.root.dataset.step = stepKey(step);
    this.status.say(this.announce(session, step, isNew ? `${t("New query: {query}.", { query: topic.query })} ` : ""));
    this.awaitPaint(session, isNew);
  }

  /** @param {JudgingSession} session @param {Step} step @param {string} query */
  announce(session, step, query) {
    const { place, total, possible } = session.queue.progress();
    const where = step.practice ? t("Practice") : wordPlace(place, total, possible);
    const { label } = session.queue;
    const chosen = session.data.scales[step.facet].find((level) => label?.state === "level" && level.level === label.level);
    const known = chosen ? ` ${t("Judged before: {name}.", { name: chosen.name })}` : "";
    return `${query}${nameOf(step.facet)} ${where}.${known} ${session.describe(step)}`;
  }

  /**
   * Two ways to learn that the browser has shown the item: a tab in the background paints no frames.
   * @param {JudgingSession} session @param {boolean} isNew
   */
  awaitPaint(session, isNew) {
    const key = this.rendered;
    const { root } = this.refs;
    this.pending = true;
    this.paradata.begin();
    this.renderedAt = performance.now();
    this.cameAt = this.calledAt ?? this.renderedAt;
    root.dataset.ready = "false";
    this.item.slideIn();
    const shown = () => {
      if (this.signal.aborted || !this.pending || key !== this.rendered) return;
      this.pending = false;
      this.paintedAt = performance.now();
      this.lack = "";
      root.dataset.lack = "";
      this.awaitReady();
      this.look();
      if (!this.lack) this.noteShown();
      this.noteSides();
      this.item.letScroll();
      this.loadAhead(session);
      this.item.ticks.draw(this.item.scroller);
    };
    requestAnimationFrame(() => {
      this.item.bringIntoView(isNew);
      setTimeout(shown, 0);
    });
    setTimeout(shown, 100);
  }

  noteSides() {
    const { pair } = this.item;
    if (pair.unseen.length) this.paradata.saw({ both_sides: false });
    if (pair.isInTurn) this.paradata.saw({ first_side: pair.side });
  }

  /** Load the frames of what comes next. @param {JudgingSession} session */
  loadAhead({ queue, data }) {
    for (const i of queue.upcoming(2)) {
      const { facet, document: id } = queue.steps[i];
      const shown = data.documents[id];
      if (facet === "page" && shown?.frame) this.item.frames.want(id, shown);
    }
  }

  /** @param {JudgingSession} session @param {Mode} mode */
  renderComment(session, { commentFor: i, isReason, asks }) {
    const { commentForm, commentText, commentTitle, writing, asking } = this.refs;
    commentForm.hidden = i === null;
    this.refs.dock.classList.toggle("commenting", i !== null);
    if (i === null) return;
    const text = session.note(i);
    if (commentText.value !== text) commentText.value = text;
    commentTitle.textContent = isReason ? t("Why can it not be judged?") : t("Comment on this item");
    [writing.hidden, asking.hidden] = [asks, !asks];
  }
}
