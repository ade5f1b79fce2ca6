// The screen: data in, commands from keys and buttons, painting out.

const MOVING = new Set(["judge", "cannot", "later", "confirm"]);
const REFRESH_PAUSE = 20_000;
const DOUBLE_CLICK = 300;

class Screen {
  constructor(root) {
    this.root = root;
    this.view = new View(root);
    this.clock = new Clock();
    this.spent = [];
    this.refusals = [];
    this.held = [];
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    this.clock.watch(signal);
    keepFocus(root.getRootNode(), signal);
    new Keys(root, (key) => this.find(key), (command) => this.take(command)).watch(signal);
    root.addEventListener("click", (event) => this.click(event), { signal });
    this.view.refs.commentText.addEventListener("input", (event) => this.draft(event.target.value), { signal });
    this.view.refs.commentForm.addEventListener("submit", (event) => event.preventDefault(), { signal });
  }

  close() {
    this.aborter.abort();
    this.outbox?.close();
  }

  /** Take what the page script gave; safe to call again at any time. */
  receive(data, trigger) {
    this.trigger = trigger;
    this.commands = commandKeys(data.scales);
    const owner = `${data.collection}:${data.assessor}`;
    if (owner !== this.owner) this.open(owner);
    if (this.sitting && data.assignment === this.sitting.data.assignment) this.reload(data);
    else this.begin(data, owner);
    this.outbox.address(data.intake, data.token);
    this.view.paintFrame(data, this.commands);
    this.paint();
  }

  open(owner) {
    this.owner = owner;
    this.outbox?.close();
    this.sitting = null;
    this.refusals = [];
    this.outbox = new Outbox(`dissent:outbox:${owner}`, {
      ack: (event, ack) => this.acknowledge(event, ack),
      change: () => this.paintState(),
      foreign: (event) => this.adopt(event),
      signIn: () => this.refresh("token"),
    });
    this.drafts = new Drafts(`dissent:draft:${owner}`);
  }

  begin(data, owner) {
    this.sitting = new Sitting(data, this.outbox, this.drafts, this.clock, this.spent);
    this.view.frames.clear();
    this.painted = this.topic = this.reasonFor = this.commentFor = null;
    this.feedback = this.reported = false;
    const isNew = !data.pace?.judged_before && !this.sitting.queue.labels.some(Boolean);
    rememberOpen(this.view.refs.guidelines, `dissent:guidelines:${owner}`, isNew);
    rememberOpen(this.view.refs.need, `dissent:need:${owner}`, true);
  }

  reload(data) {
    const before = this.content();
    this.sitting.load(data);
    if (this.content() !== before) this.painted = null;
  }

  /** The shown data as text, to see whether a rerun of the page changed it. */
  content() {
    const { queue, data } = this.sitting;
    const step = queue.current;
    if (!step) return "";
    const { title, url, text } = data.documents[step.document];
    return JSON.stringify([stepKey(step), step.snippet, title, url, text, data.topics[step.topic]]);
  }

  get levels() {
    const { queue, data } = this.sitting;
    return queue.current ? data.scales[queue.current.facet] : [];
  }

  find(key) {
    const command = findCommand(key, this.sitting?.queue.current ? this.levels : [], this.commands ?? {});
    const { help } = this.view.refs;
    if (command?.name === "close" && !help.open && this.commentFor === null) return undefined;
    if (command?.name === "confirm" && !this.feedback) return undefined;
    return command;
  }

  /** A press that comes before the new item was on the screen waits for that. */
  take(command) {
    if (this.painting && MOVING.has(command.name)) this.held.push(command);
    else this.run(command);
  }

  click(event) {
    const target = event.target.closest("[data-command], [data-level], [data-reason]");
    if (!target) return;
    const isEcho = event.detail > 1 && performance.now() - this.paintedAt < DOUBLE_CLICK;
    if (isEcho && (target.dataset.level || MOVING.has(target.dataset.command))) return;
    if (target.dataset.reason) this.giveReason(target.dataset.reason);
    else if (target.dataset.level) this.take({ name: "judge", level: Number(target.dataset.level) });
    else this.take({ name: target.dataset.command });
  }

  run({ name, level }) {
    const { help } = this.view.refs;
    if (help.open && name !== "help" && name !== "close") return;
    if (!this.sitting.queue.current && ["judge", "cannot", "later", "comment"].includes(name)) return;
    this.view.notice("");
    COMMANDS[name](this, level);
  }

  answer(state, level) {
    if (this.feedback) return this.proceed();
    const { queue } = this.sitting;
    this.reasonFor = state === "cannot judge" ? queue.position : null;
    this.commentFor = null;
    this.reported = false;
    this.sitting.answer(state, level);
    this.feedback = Boolean(queue.current.practice) && state !== "later";
    if (!this.feedback) this.sitting.move(() => queue.advance());
    this.paint();
  }

  proceed() {
    this.feedback = false;
    this.sitting.move(() => this.sitting.queue.advance());
    this.paint();
  }

  go(change, otherwise) {
    this.reasonFor = this.commentFor = null;
    this.feedback = false;
    if (!this.sitting.move(change) && otherwise) this.view.notice(otherwise);
    this.paint();
  }

  undo() {
    this.reasonFor = this.commentFor = null;
    this.feedback = this.reported = false;
    if (!this.sitting.undo()) this.view.notice("There is no judgement of this visit to take back.");
    this.paint();
  }

  giveReason(reason) {
    const { queue } = this.sitting;
    const i = this.reasonIndex();
    if (i === null) return;
    if (reason === "other") return this.openComment(i);
    const own = this.sitting.comment(i);
    this.sitting.amend(i, own ? `${reason}; ${own}` : reason);
    if (i !== queue.position) this.reasonFor = null;
    this.view.notice(`Reason noted: ${reason}.`);
    this.paint();
  }

  /** The step the reason strip is about: the one just marked, or the one on the screen. */
  reasonIndex() {
    const { queue } = this.sitting;
    const i = this.reasonFor ?? queue.position;
    return queue.labels[i]?.state === "cannot judge" && !this.feedback ? i : null;
  }

  openComment(i) {
    this.commentFor = i;
    this.paintComment();
    this.view.refs.commentText.focus();
  }

  draft(text) {
    if (this.commentFor !== null) this.drafts.set(this.sitting.key(this.commentFor), text);
  }

  saveComment() {
    const i = this.commentFor;
    if (i === null) return;
    const text = (this.drafts.get(this.sitting.key(i)) ?? this.sitting.queue.labels[i]?.comment ?? "").trim();
    const done = this.sitting.amend(i, text);
    this.commentFor = this.reasonFor = null;
    this.view.notice(done ? "Comment saved." : "The comment goes with your judgement.");
    this.paint();
  }

  closePanels() {
    if (this.view.refs.help.open) return this.view.refs.help.close();
    const i = this.commentFor;
    this.commentFor = null;
    this.view.notice(i !== null && this.drafts.get(this.sitting.key(i)) ? "The text is kept. It goes with your next judgement of this item." : "");
    this.paint();
  }

  toggleHelp() {
    const { help } = this.view.refs;
    if (help.open) help.close();
    else help.showModal();
  }

  adopt(event) {
    this.sitting.adopt(event);
    this.paint();
  }

  acknowledge(event, ack) {
    const i = this.sitting.settle(event, ack);
    if (ack.status === "refused") {
      this.refusals.push({ what: this.describe(event), reason: ack.reason ?? "no reason given" });
      this.view.paintRefused(this.refusals);
    } else if (ack.status === "stale" && i !== undefined) {
      this.view.notice(`"${this.describe(event)}" was already judged elsewhere; that judgement is kept. Go back to change it.`);
    }
    if (i !== undefined) this.paint();
  }

  /** A few words by which the assessor knows the item. */
  describe(step) {
    const { data, queue } = this.sitting;
    const i = queue.index.get(stepKey(step));
    const text = data.documents[step.document]?.title || queue.steps[i]?.snippet || data.documents[step.document]?.text || step.document;
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  }

  refresh(reason) {
    const now = performance.now();
    if (now - (this.refreshed ?? -Infinity) < REFRESH_PAUSE) return;
    this.refreshed = now;
    this.trigger("refresh", reason);
  }

  /** Tell the page script that this assignment is done, once and only when everything is saved. */
  report() {
    const { queue, data } = this.sitting;
    if (queue.current || this.outbox.size || this.reported) return;
    this.reported = true;
    setTimeout(() => this.trigger("finished", data.assignment), 0);
  }

  reportAgain() {
    this.reported = false;
    this.report();
  }

  paint() {
    const { queue } = this.sitting;
    this.view.paintMode(!queue.current);
    if (queue.current) this.paintStep();
    else this.paintEnd();
    this.paintAround();
    this.paintComment();
    this.paintState();
  }

  paintStep() {
    const { sitting, view } = this;
    const { queue } = sitting;
    const step = queue.current;
    const key = stepKey(step);
    const asked = queue.label?.state === "later" && !queue.fresh().length;
    if (key !== this.painted) this.paintItem(step, key);
    view.paintLevels(this.levels, queue.label, step.facet);
    view.paintLabel(queue.label, step, { feedback: this.feedback, asked, comment: sitting.queue.label?.comment || this.drafts.get(key) });
    view.paintFeedback(this.feedback ? step.practice : null, queue.label, this.levels);
    this.root.dataset.feedback = String(this.feedback);
  }

  paintItem(step, key) {
    const { sitting, view } = this;
    const { data, queue } = sitting;
    const topic = data.topics[step.topic];
    const ahead = queue.upcoming(2).map((i) => queue.steps[i]).filter((one) => one.facet === "page" && data.documents[one.document].frame);
    const isNew = step.topic !== this.topic;
    if (isNew || this.painted === null) view.paintTopic(topic, isNew && this.topic !== null);
    view.refs.fresh.hidden = !(isNew && this.topic !== null);
    view.paintItem(step, topic, data.documents[step.document], ahead.map((one) => [one.document, data.documents[one.document]]));
    this.topic = step.topic;
    this.painted = key;
    this.root.dataset.step = key;
    view.say(this.announcement(step, isNew));
    view.toTop();
    this.awaitPaint();
  }

  announcement(step, isNew) {
    const { queue, data } = this.sitting;
    const progress = queue.progress();
    const place = step.practice ? "Practice." : `${progress.place} of ${progress.total}.`;
    const query = isNew ? `New query: ${data.topics[step.topic].query}. ` : "";
    return `${query}${FACET_NAMES[step.facet]} ${place} ${this.describe(step)}`;
  }

  /** Hold further judgements until the browser has shown the item. */
  awaitPaint() {
    this.painting = true;
    this.paintedAt = performance.now();
    const shown = () => {
      if (!this.painting) return;
      this.painting = false;
      const command = this.held.shift();
      if (command) this.run(command);
      if (!this.held.length) this.view.loadAhead();
    };
    requestAnimationFrame(() => setTimeout(shown, 0));
    setTimeout(shown, 100); // a tab in the background paints no frames
  }

  paintEnd() {
    const { queue, total } = this.sitting;
    this.view.paintFinished(queue.progress(), { seconds: total / 1000, waiting: this.outbox.size });
    if (this.painted === "finished") return;
    this.painted = this.root.dataset.step = "finished";
    this.topic = null;
    this.view.say("Finished.");
  }

  paintAround() {
    const { queue } = this.sitting;
    const i = this.reasonIndex();
    this.view.paintProgress(queue.progress(), queue.current, { median: this.sitting.pace() });
    this.view.paintReasons(i === null ? null : queue.labels[i], i === null ? "" : this.describe(queue.steps[i]));
  }

  paintComment() {
    const { commentForm, commentText, commentTitle } = this.view.refs;
    const i = this.commentFor;
    commentForm.hidden = i === null;
    if (i === null) return;
    const text = this.drafts.get(this.sitting.key(i)) ?? this.sitting.queue.labels[i]?.comment ?? "";
    if (commentText.value !== text) commentText.value = text;
    const here = i === this.sitting.queue.position;
    commentTitle.textContent = here ? "Comment on this item" : `Comment on "${this.describe(this.sitting.queue.steps[i])}"`;
  }

  paintState() {
    if (!this.sitting) return;
    this.view.paintSave(this.outbox);
    if (this.sitting.queue.current) return;
    this.paintEnd();
    this.report();
  }
}

const COMMANDS = {
  judge: (screen, level) => screen.answer("level", level),
  cannot: (screen) => screen.answer("cannot judge"),
  later: (screen) => screen.answer("later"),
  confirm: (screen) => screen.feedback && screen.proceed(),
  back: (screen) => screen.go(() => screen.sitting.queue.back(), "This is the first item."),
  forward: (screen) =>
    screen.feedback
      ? screen.proceed()
      : screen.go(() => screen.sitting.queue.forward(), "This item is not judged yet. To put it off, use Later."),
  undo: (screen) => screen.undo(),
  reopen: (screen) => screen.go(() => (screen.sitting.queue.reopen(), true)),
  report: (screen) => screen.reportAgain(),
  comment: (screen) => screen.openComment(screen.sitting.queue.position),
  save: (screen) => screen.saveComment(),
  close: (screen) => screen.closePanels(),
  reason: (screen) => screen.view.refs.reasonButtons.firstChild.focus(),
  guidelines: (screen) => (screen.view.refs.guidelines.open = !screen.view.refs.guidelines.open),
  help: (screen) => screen.toggleHelp(),
};

const mounted = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".judge");
  if (!root || !data) return undefined;
  let screen = mounted.get(parentElement);
  if (screen?.root !== root) {
    screen?.close();
    screen = new Screen(root);
    mounted.set(parentElement, screen);
  }
  screen.receive(data, setTriggerValue);
  return () => {
    screen.close();
    mounted.delete(parentElement);
  };
}
