// Paints a step into the nodes of screen.html. Nodes are updated in place; only what changed is touched.

const REASONS = ["page missing", "wrong language", "unreadable"];
const FACET_NAMES = { snippet: "Snippet", page: "Page" };

function button(attributes, ...children) {
  const node = document.createElement("button");
  node.type = "button";
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function element(tag, text, className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  node.className = className;
  return node;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
}

class View {
  constructor(root) {
    this.root = root;
    this.refs = {};
    for (const node of root.querySelectorAll("[data-ref]")) this.refs[node.dataset.ref] = node;
    this.refs.root = root;
    this.refs.activeTime.textContent = ACTIVE_TIME;
    this.frames = new Frames(this.refs.frames);
    this.terms = new Map();
    const buttons = REASONS.map((reason) => button({ "data-reason": reason }, reason));
    this.refs.reasonButtons.replaceChildren(...buttons, button({ "data-reason": "other" }, "other …"));
  }

  /** What belongs to the assignment: guidelines, key names. */
  paintFrame(data, commands) {
    fillParagraphs(this.refs.rules, data.guidelines);
    this.refs.guidelines.hidden = !data.guidelines;
    for (const node of this.root.querySelectorAll("[data-key]")) node.textContent = commands[node.dataset.key];
    for (const [name, key] of Object.entries(commands)) {
      const node = this.refs.actions.querySelector(`[data-command=${name}]`);
      node?.setAttribute("aria-keyshortcuts", key);
    }
  }

  termsOf(query) {
    if (!this.terms.has(query)) this.terms.set(query, queryTerms(query));
    return this.terms.get(query);
  }

  paintTopic(topic, isNew) {
    const { refs } = this;
    const terms = this.termsOf(topic.query);
    refs.query.textContent = topic.query;
    fillParagraphs(refs.description, topic.description, terms);
    fillParagraphs(refs.narrative, topic.narrative, terms);
    refs.need.hidden = !topic.description && !topic.narrative;
    refs.topic.classList.toggle("changed", isNew);
    // A running animation starts anew when its name does.
    refs.topic.dataset.turn = refs.topic.dataset.turn === "a" ? "b" : "a";
  }

  paintItem(step, topic, document_, nextFrames) {
    const { refs } = this;
    const terms = this.termsOf(topic.query);
    const isSnippet = step.facet === "snippet";
    refs.snippet.hidden = !isSnippet;
    refs.page.hidden = isSnippet;
    if (isSnippet) this.paintSnippet(step, document_, terms);
    else this.paintPage(step, document_, terms);
    this.ahead = nextFrames;
  }

  paintSnippet(step, document_, terms) {
    setText(this.refs.snippetUrl, breadcrumb(document_.url));
    fillText(this.refs.snippetTitle, document_.title ?? "", terms);
    fillText(this.refs.snippetText, step.snippet ?? "", terms);
    this.frames.show(null);
  }

  paintPage(step, document_, terms) {
    const { refs } = this;
    setText(refs.pageUrl, breadcrumb(document_.url));
    fillText(refs.pageTitle, document_.title ?? "", terms);
    fillParagraphs(refs.pageText, document_.frame ? "" : document_.text, terms);
    refs.pageMissing.hidden = Boolean(document_.frame || document_.text);
    refs.frameHint.hidden = !document_.frame;
    if (document_.frame) this.frames.want(step.document, document_);
    this.frames.show(document_.frame ? step.document : null);
  }

  /** After the paint: load the frames of what comes next. */
  loadAhead() {
    for (const [id, document_] of this.ahead ?? []) this.frames.want(id, document_);
    this.ahead = null;
  }

  paintLevels(levels, label, facet) {
    const { levels: group } = this.refs;
    group.setAttribute("aria-label", `Level of this ${facet}`);
    while (group.children.length > levels.length) group.lastChild.remove();
    while (group.children.length < levels.length) {
      const mark = element("span", "", "tick");
      group.append(button({}, document.createElement("kbd"), element("b", ""), mark, element("span", "", "meaning")));
    }
    levels.forEach((level, i) => this.paintLevel(group.children[i], level, i, label));
    setText(this.refs.helpLevels, levels.map((level, i) => levelKey(level, i)).join(" "));
  }

  paintLevel(node, level, i, label) {
    const chosen = label?.state === "level" && label.level === level.level;
    const [key, name, tick, meaning] = node.children;
    key.textContent = level.key || String(i + 1);
    name.textContent = level.name;
    tick.textContent = chosen ? "✓ chosen" : "";
    meaning.textContent = level.meaning ?? "";
    node.dataset.level = level.level;
    node.dataset.testid = `level-${level.level}`;
    node.setAttribute("aria-pressed", String(chosen));
    node.setAttribute("aria-keyshortcuts", levelKey(level, i));
  }

  /** What is already known of this step. */
  paintLabel(label, step, { feedback, asked, comment }) {
    const { refs } = this;
    const state = label?.state;
    const words = { "cannot judge": "✓ Cannot judge", later: "Put off", refused: "Not accepted by the server" };
    const again = asked ? "Put off before: judge it now, or leave it" : state === "level" ? "✓ Judged before" : (words[state] ?? "");
    setText(refs.again, feedback ? "" : again);
    refs.practice.hidden = !step.practice;
    refs.laterWord.textContent = asked ? "Leave it" : "Later";
    refs.commentWord.textContent = comment ? "Comment ✓" : "Comment";
    for (const [name, on] of [["cannot", state === "cannot judge"], ["later", state === "later"]]) {
      refs.actions.querySelector(`[data-command=${name}]`).setAttribute("aria-pressed", String(on));
    }
  }

  paintFeedback(practice, label, levels) {
    const { refs } = this;
    refs.feedback.hidden = !practice;
    if (!practice) return;
    const name = (level) => levels.find((one) => one.level === level)?.name ?? level;
    const right = label?.state === "level" && label.level === practice.level;
    refs.verdict.textContent = right ? `✓ Yes: ${name(practice.level)}.` : `✗ We would say: ${name(practice.level)}.`;
    refs.why.textContent = practice.why ?? "";
  }

  paintReasons(label, title) {
    this.refs.reasons.hidden = !label;
    if (!label) return;
    this.refs.reasonItem.textContent = title;
    for (const node of this.refs.reasonButtons.children) {
      node.setAttribute("aria-pressed", String(node.dataset.reason === label.comment));
    }
  }

  paintProgress(progress, step, pace) {
    const { refs } = this;
    const kind = FACET_NAMES[step?.facet] ?? step?.facet;
    const total = progress.possible ? `at most ${progress.total + progress.possible}` : progress.total;
    setText(refs.progress, progress.place ? `${progress.place} of ${total}` : step ? "Practice" : "");
    const topics = progress.topics > 1 ? `Query ${progress.topicNumber} of ${progress.topics}, ` : "";
    setText(refs.topicProgress, progress.topicPlace ? `${topics}item ${progress.topicPlace} of ${progress.topicTotal} in it` : "");
    setText(refs.kind, kind ?? "");
    const left = readableTime(pace.median * progress.open);
    setText(refs.pace, pace.median ? `About ${readableTime(pace.median)} each, ${progress.open ? `${left} left` : "none left"}` : "");
    refs.bar.max = Math.max(1, progress.total);
    refs.bar.value = progress.answered;
  }

  paintSave(outbox) {
    const { save } = this.refs;
    const n = outbox.size;
    const kept = outbox.memoryOnly.size
      ? `, ${outbox.memoryOnly.size} not kept on this device: do not close this page`
      : outbox.state === "unreachable" ? ", kept on this device" : "";
    const where = { unreachable: "Server not reachable, ", "sign in": "Sign in again, ", "not allowed": "Not allowed to judge here, " };
    const text = n ? `${where[outbox.state] ?? ""}${n} waiting${kept}` : "All saved";
    this.root.dataset.waiting = n;
    save.dataset.kind = n ? (outbox.state === "ok" && !outbox.memoryOnly.size ? "waiting" : "trouble") : "saved";
    // While a send is on its way only its outcome is worth reading out.
    save.setAttribute("aria-busy", String(Boolean(outbox.sending) && outbox.state === "ok"));
    if (save.textContent !== text) save.textContent = text;
  }

  paintRefused(refusals) {
    const items = refusals.map(({ what, reason }) => {
      const item = element("li", `Not accepted by the server: ${what}: ${reason}`);
      item.dir = "auto";
      return item;
    });
    this.refs.refused.replaceChildren(...items);
    this.refs.refused.hidden = !items.length;
  }

  paintFinished(progress, summary) {
    const { refs } = this;
    setText(refs.doneTitle, progress.total ? "Finished: thank you" : "There is nothing to judge here now");
    const parts = [`${plural(progress.answered - progress.cannot - progress.refused, "judgement")}`];
    if (progress.cannot) parts.push(`${progress.cannot} cannot judge`);
    if (progress.later) parts.push(`${progress.later} left for later`);
    if (progress.refused) parts.push(`${progress.refused} not accepted`);
    setText(refs.doneCounts, progress.total ? `${parts.join(", ")}.` : "");
    setText(refs.doneTime, summary.seconds ? `Active time in this visit: ${readableTime(summary.seconds)}.` : "");
    setText(refs.doneSaved, summary.waiting ? `${summary.waiting} still waiting to be saved: keep this page open.` : "Everything is saved.");
    setText(refs.reopen, progress.later ? `Go through the ${progress.later} put off` : "");
    refs.report.disabled = summary.waiting > 0;
  }

  /** Switch between the item and the finished screen. */
  paintMode(finished) {
    const { refs } = this;
    for (const node of [refs.work, refs.levels, refs.actions]) node.hidden = finished;
    refs.finished.hidden = !finished;
    if (finished) this.frames.show(null);
  }

  say(text) {
    this.refs.live.textContent = text;
  }

  notice(text) {
    setText(this.refs.notice, text);
  }

  toTop() {
    const { item, topic } = this.refs;
    const top = topic.hidden ? item : topic;
    if (item.getBoundingClientRect().top < 0) top.scrollIntoView({ block: "start" });
  }
}
