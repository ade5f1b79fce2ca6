// Brings the nodes up to date with the session; only what changed is touched.

import { ACTIVE_TIME } from "../judging/clock.js";
import { stepKey } from "../judging/queue.js";
import { findRefs } from "./dom.js";
import { ItemView } from "./item_view.js";
import { FACET_NAMES, StatusView } from "./status_view.js";

export class View {
  /** `shown()` is called once a new item is really on the screen. */
  constructor(root, shown) {
    this.refs = findRefs(root);
    this.item = new ItemView(this.refs);
    this.status = new StatusView(this.refs);
    this.shown = shown;
    this.refs.activeTime.textContent = ACTIVE_TIME;
    this.topic = null; // the one shown last, whatever the assignment
    this.reset();
  }

  /** Forget what is rendered, for another assignment. */
  reset() {
    this.rendered = null;
    this.item.frames.clear();
  }

  /** `mode`: feedback (after a practice item), reasonFor and commentFor (indices or null). */
  render(session, mode) {
    const { queue } = session;
    this.renderEnd(session);
    if (queue.current) this.renderStep(session, mode);
    const i = mode.reasonFor;
    this.status.renderProgress(queue.progress(), queue.current, queue.current ? session.pace() : 0);
    this.status.renderReasons(queue.labels[i], i === null ? "" : session.describe(queue.steps[i]));
    this.renderComment(session, mode.commentFor);
  }

  renderStep(session, { feedback }) {
    const { queue, data } = session;
    const { current: step, label } = queue;
    const levels = data.scales[step.facet];
    const asked = label?.state === "later" && !queue.fresh().length;
    if (stepKey(step) !== this.rendered) this.renderItem(session, step);
    this.item.renderLevels(levels, label, step.facet);
    this.item.renderLabel(label, step, { feedback, asked, note: session.note(queue.position) });
    this.renderFeedback(feedback, session.right.get(stepKey(step)), label, levels);
    this.refs.root.dataset.feedback = String(feedback);
  }

  renderFeedback(open, right, label, levels) {
    const before = this.refs.feedback.hidden ? "" : this.refs.verdict.textContent;
    this.item.renderFeedback(open, right, label, levels);
    if (open && this.refs.verdict.textContent !== before) this.status.say(this.refs.feedback.firstElementChild.textContent);
  }

  /** Keep the height of the levels for all facets of a session; the caller renders again. */
  reserveLevels({ data, queue }) {
    if (!queue.current) return;
    const facets = [...new Set(queue.steps.map((step) => step.facet))];
    this.item.reserveLevels(data.scales, facets);
  }

  renderItem(session, step) {
    const topic = session.data.topics[step.topic];
    const isNew = step.topic !== this.topic;
    const isChange = isNew && this.topic !== null;
    if (isNew || this.rendered === null) this.item.renderTopic(topic, isChange);
    this.refs.fresh.hidden = !isChange;
    this.item.renderItem(step, topic, session.data.documents[step.document]);
    this.topic = step.topic;
    this.rendered = this.refs.root.dataset.step = stepKey(step);
    this.status.say(this.announce(session, step, isNew ? `New query: ${topic.query}. ` : ""));
    this.awaitPaint(session, isNew);
  }

  announce(session, step, query) {
    const { place, total, possible } = session.queue.progress();
    const where = step.practice ? "Practice" : `${place} of ${possible ? "at most " : ""}${total + possible}`;
    const { label } = session.queue;
    const chosen = session.data.scales[step.facet].find((level) => label?.state === "level" && level.level === label.level);
    const known = chosen ? ` Judged before: ${chosen.name}.` : "";
    return `${query}${FACET_NAMES[step.facet]} ${where}.${known} ${session.describe(step)}`;
  }

  /** Two ways to learn that the browser has shown the item: a tab in the background paints no frames. */
  awaitPaint(session, isNew) {
    const key = this.rendered;
    this.pending = true;
    this.renderedAt = performance.now();
    const shown = () => {
      if (!this.pending || key !== this.rendered) return;
      this.pending = false;
      this.loadAhead(session);
      this.shown();
    };
    requestAnimationFrame(() => {
      this.item.bringIntoView(isNew);
      setTimeout(shown, 0);
    });
    setTimeout(shown, 100);
  }

  /** Load the frames of what comes next. */
  loadAhead({ queue, data }) {
    for (const i of queue.upcoming(2)) {
      const { facet, document: id } = queue.steps[i];
      if (facet === "page" && data.documents[id].frame) this.item.frames.want(id, data.documents[id]);
    }
  }

  renderEnd(session) {
    const isEnd = !session.queue.current;
    this.item.renderMode(isEnd);
    if (!isEnd) return;
    this.status.renderFinished(session.queue.progress(), session.total / 1000, session.outbox.size);
    if (this.rendered === "finished") return;
    this.rendered = this.refs.root.dataset.step = "finished";
    this.status.say("Finished.");
  }

  renderComment(session, i) {
    const { commentForm, commentText, commentTitle } = this.refs;
    commentForm.hidden = i === null;
    this.refs.dock.classList.toggle("commenting", i !== null);
    if (i !== null) this.refs.reasons.hidden = true;
    if (i === null) return;
    const text = session.note(i);
    if (commentText.value !== text) commentText.value = text;
    const isHere = i === session.queue.position;
    commentTitle.textContent = `Comment on ${isHere ? "this item" : `"${session.describe(session.queue.steps[i])}"`}`;
  }
}
