// Brings the nodes up to date with the session; only what changed is touched.

import { REASONS } from "../judging/judging_session.js";
import { stepKey } from "../judging/queue.js";
import { t } from "../language/translate.js";
import { tellAgain } from "./again_view.js";
import { renderChips } from "./chips_view.js";
import { AspectView } from "./aspect_view.js";
import { findRefs } from "./dom.js";
import { nameOf } from "./facets.js";
import { ItemView } from "./item_view.js";
import { StartView } from "./start_view.js";
import { endTest } from "./test_view.js";
import { StatusView, wordPlace, wordPractice } from "./status_view.js";

const UNSEEN = 150; // no press can be meant for an item that came this many milliseconds ago

export class View {
  constructor(root, paradata) {
    this.paradata = paradata;
    this.refs = findRefs(root);
    this.item = new ItemView(this.refs);
    this.status = new StatusView(this.refs);
    this.start = new StartView(this.refs);
    this.aspects = new AspectView(this.refs);
    this.topic = null; // the one shown last, whatever the assignment
    this.cameAt = this.renderedAt = this.paintedAt = -Infinity;
    this.lack = ""; // why the item on the screen cannot be judged now; see ItemView
    this.item.kept.changed = () => this.look();
    this.calledAt = null; // when the key was pressed that is being carried out
    this.reset();
  }

  /** Forget what is rendered, for another assignment. */
  reset() {
    this.rendered = null;
    this.item.frames.clear();
  }

  /** Whether somebody who pressed a key at that time cannot have seen the item on the screen. */
  isUnseen(at) {
    return this.pending || at < this.paintedAt || at - this.cameAt < UNSEEN;
  }

  /**
   * `mode`: feedback (after a practice item), card ("start", "practised" or null), reasons (whether the
   * chips are open), commentFor (an index or null), isReason and asks (what the comment form is about);
   * `day`: today's count, and what the card at the end says besides the counts.
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

  renderTally(session, card, day) {
    const { queue, data } = session;
    const step = card ? null : queue.current;
    const part = step ? queue.part(queue.position) : null;
    const about = { part, topics: step && !step.practice ? data.pace?.topics : null, today: day?.today };
    this.status.renderProgress(queue.progress(), step, step ? session.pace() : 0, about);
    tellAgain(this.refs, session);
  }

  /** A card stands in place of the item. */
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
    this.status.say(card === "finished" ? t("Finished.") : this.refs[card].querySelector("h2").textContent);
    this.refs[card].focus({ preventScroll: true });
  }

  renderFinished(session, day) {
    const { queue, data } = session;
    const comments = queue.labels.filter((label) => label?.comment && !REASONS.includes(label.comment)).length;
    const query = data.topics[queue.steps.at(-1)?.topic]?.query ?? "";
    const done = { query, comments, what: data.pace?.topics?.what, practice: session.practised(), today: day?.today, ...day?.end };
    const seconds = (day?.spent ?? session.total) / 1000;
    this.status.renderFinished(queue.progress(), seconds, session.outbox.size, done);
    endTest(this.refs, session);
    tellAgain(this.refs, session);
  }

  renderStep(session, { feedback }) {
    const { queue, data } = session;
    const { current: step, label } = queue;
    const aspect = session.aspects.current(step);
    const levels = aspect?.levels ?? data.scales[step.facet];
    const isNew = stepKey(step) !== this.rendered;
    const asked = label?.state === "later" && !queue.fresh().length;
    if (isNew) this.renderItem(session, step);
    this.item.renderLevels(levels, session.aspects.shown(step, label), step.facet, aspect);
    this.renderQuestion(session, step, isNew);
    this.item.renderLabel(label, step, { feedback, asked, note: session.note(queue.position) });
    this.renderFeedback(feedback, session.right.get(stepKey(step)), label, levels);
    this.refs.root.dataset.feedback = String(feedback);
    this.refs.root.dataset.practice = String(Boolean(step.practice));
  }

  /** Another question about the same item is new, too: it is read out, and has to be seen first. */
  renderQuestion(session, step, isNew) {
    const { live, leave } = this.refs;
    const words = this.aspects.render(session, step, stepKey(step), leave.firstElementChild.textContent);
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
    const tell = () => this.pending || this.isMissing || (this.refs.root.dataset.ready = "true");
    this.readying = setTimeout(tell, this.cameAt + UNSEEN - performance.now());
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

  renderLack(before) {
    const { root, levels } = this.refs;
    root.dataset.lack = this.lack;
    for (const node of levels.children) node.toggleAttribute("data-shut", Boolean(this.lack));
    if (this.lack) this.status.say(`${before ? "" : this.refs.live.textContent} ${this.wordLack()}`);
    if (this.isMissing) root.dataset.ready = "false";
    else if (before) this.arrive(before);
    if (!this.lack) this.tellShown();
  }

  /** What was missing has come, or come into view. */
  arrive(before) {
    if (["loading", "failed"].includes(before)) this.status.say(t("The page is there."));
    this.paintedAt = performance.now();
    this.awaitSight(this.paintedAt);
  }

  /** The whole item has been on the screen. */
  tellShown() {
    const isPair = !this.refs.pair.hidden;
    this.paradata.shown();
    if (isPair) this.paradata.saw({ both_sides: true });
  }

  wordLack() {
    const words = {
      loading: t("The page is loading, so there is nothing to judge yet."),
      failed: t("The page could not be loaded. Try again, or say that it cannot be judged."),
      left: t("Look at both sides first: the left one has not been in view."),
      right: t("Look at both sides first: the right one has not been in view."),
    };
    return words[this.lack] ?? "";
  }

  /** Why an answer cannot be given to what is on the screen; empty where it can. */
  whyNot(state) {
    const isOpen = !this.lack || state === "later" || (state === "cannot judge" && this.lack !== "loading");
    return isOpen ? "" : `${this.wordLack()} ${t("Nothing was noted.")}`;
  }

  renderFeedback(open, right, label, levels) {
    const before = this.refs.feedback.hidden ? "" : this.refs.verdict.textContent;
    this.item.renderFeedback(open, right, label, levels);
    if (open && this.refs.verdict.textContent !== before) this.status.say(this.refs.feedback.firstElementChild.textContent);
  }

  /** Keep the height of the levels for all facets of a session; the caller renders again. */
  reserveLevels({ data, queue, aspects }) {
    if (!queue.current || this.refs.levels.hidden) return;
    const facets = [...new Set(queue.steps.map((step) => step.facet))];
    this.item.reserveLevels(data.scales, facets, aspects.all);
    this.aspects.reserve(aspects, data.scales);
  }

  renderItem(session, step) {
    const topic = session.data.topics[step.topic];
    const isNew = step.topic !== this.topic;
    const isChange = isNew && this.topic !== null;
    if (isNew || this.rendered === null) this.item.renderTopic(topic, isChange);
    this.refs.fresh.hidden = !isChange;
    this.pending = true;
    this.item.renderItem(step, topic, session.data.documents[step.document]);
    this.topic = step.topic;
    this.rendered = this.refs.root.dataset.step = stepKey(step);
    this.status.say(this.announce(session, step, isNew ? `${t("New query: {query}.", { query: topic.query })} ` : ""));
    this.awaitPaint(session, isNew);
  }

  announce(session, step, query) {
    const { place, total, possible } = session.queue.progress();
    const where = step.practice ? t("Practice") : wordPlace(place, total, possible);
    const { label } = session.queue;
    const chosen = session.data.scales[step.facet].find((level) => label?.state === "level" && level.level === label.level);
    const known = chosen ? ` ${t("Judged before: {name}.", { name: chosen.name })}` : "";
    return `${query}${nameOf(step.facet)} ${where}.${known} ${session.describe(step)}`;
  }

  /** Two ways to learn that the browser has shown the item: a tab in the background paints no frames. */
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
      if (!this.pending || key !== this.rendered) return;
      this.pending = false;
      this.paintedAt = performance.now();
      this.lack = "";
      root.dataset.lack = "";
      this.awaitReady();
      this.look();
      if (!this.lack) this.tellShown();
      this.tellSides();
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

  tellSides() {
    const { pair } = this.item;
    if (pair.unseen.length) this.paradata.saw({ both_sides: false });
    if (pair.isInTurn) this.paradata.saw({ first_side: pair.side });
  }

  /** Load the frames of what comes next. */
  loadAhead({ queue, data }) {
    for (const i of queue.upcoming(2)) {
      const { facet, document: id } = queue.steps[i];
      if (facet === "page" && data.documents[id].frame) this.item.frames.want(id, data.documents[id]);
    }
  }

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
