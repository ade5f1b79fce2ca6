// Brings the nodes up to date with the sitting; only what changed is touched.

class Painter {
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

  /** Forget what is painted, for another assignment. */
  reset() {
    this.painted = null;
    this.item.frames.clear();
  }

  /** `mode`: feedback (after a practice item), reasonFor and commentFor (indices or null). */
  paint(sitting, mode) {
    const { queue } = sitting;
    this.paintEnd(sitting);
    if (queue.current) this.paintStep(sitting, mode);
    const i = mode.reasonFor;
    this.status.paintProgress(queue.progress(), queue.current, queue.current ? sitting.pace() : 0);
    this.status.paintReasons(queue.labels[i], i === null ? "" : sitting.describe(queue.steps[i]));
    this.paintComment(sitting, mode.commentFor);
  }

  paintStep(sitting, { feedback }) {
    const { queue, data } = sitting;
    const { current: step, label } = queue;
    const levels = data.scales[step.facet];
    const asked = label?.state === "later" && !queue.fresh().length;
    if (stepKey(step) !== this.painted) this.paintItem(sitting, step);
    this.item.paintLevels(levels, label, step.facet);
    this.item.paintLabel(label, step, { feedback, asked, note: sitting.note(queue.position) });
    this.paintFeedback(feedback, sitting.right.get(stepKey(step)), label, levels);
    this.refs.root.dataset.feedback = String(feedback);
  }

  paintFeedback(open, right, label, levels) {
    const before = this.refs.feedback.hidden ? "" : this.refs.verdict.textContent;
    this.item.paintFeedback(open, right, label, levels);
    if (open && this.refs.verdict.textContent !== before) this.status.say(this.refs.feedback.firstElementChild.textContent);
  }

  /** Keep the height of the levels for all facets of a sitting; painting follows. */
  reserveLevels({ data, queue }) {
    if (!queue.current) return;
    const facets = [...new Set(queue.steps.map((step) => step.facet))];
    this.item.reserveLevels(data.scales, facets);
  }

  paintItem(sitting, step) {
    const topic = sitting.data.topics[step.topic];
    const isNew = step.topic !== this.topic;
    const isChange = isNew && this.topic !== null;
    if (isNew || this.painted === null) this.item.paintTopic(topic, isChange);
    this.refs.fresh.hidden = !isChange;
    this.item.paintItem(step, topic, sitting.data.documents[step.document]);
    this.topic = step.topic;
    this.painted = this.refs.root.dataset.step = stepKey(step);
    this.status.say(this.announce(sitting, step, isNew ? `New query: ${topic.query}. ` : ""));
    this.awaitPaint(sitting, isNew);
  }

  announce(sitting, step, query) {
    const { place, total, possible } = sitting.queue.progress();
    const where = step.practice ? "Practice" : `${place} of ${possible ? "at most " : ""}${total + possible}`;
    const { label } = sitting.queue;
    const chosen = sitting.data.scales[step.facet].find((level) => label?.state === "level" && level.level === label.level);
    const known = chosen ? ` Judged before: ${chosen.name}.` : "";
    return `${query}${FACET_NAMES[step.facet]} ${where}.${known} ${sitting.describe(step)}`;
  }

  /** Two ways to learn that the browser has shown the item: a tab in the background paints no frames. */
  awaitPaint(sitting, isNew) {
    const key = this.painted;
    this.pending = true;
    this.paintedAt = performance.now();
    const shown = () => {
      if (!this.pending || key !== this.painted) return;
      this.pending = false;
      this.loadAhead(sitting);
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

  paintEnd(sitting) {
    const isEnd = !sitting.queue.current;
    this.item.paintMode(isEnd);
    if (!isEnd) return;
    this.status.paintFinished(sitting.queue.progress(), sitting.total / 1000, sitting.outbox.size);
    if (this.painted === "finished") return;
    this.painted = this.refs.root.dataset.step = "finished";
    this.status.say("Finished.");
  }

  paintComment(sitting, i) {
    const { commentForm, commentText, commentTitle } = this.refs;
    commentForm.hidden = i === null;
    this.refs.dock.classList.toggle("commenting", i !== null);
    if (i !== null) this.refs.reasons.hidden = true;
    if (i === null) return;
    const text = sitting.note(i);
    if (commentText.value !== text) commentText.value = text;
    const isHere = i === sitting.queue.position;
    commentTitle.textContent = `Comment on ${isHere ? "this item" : `"${sitting.describe(sitting.queue.steps[i])}"`}`;
  }
}
