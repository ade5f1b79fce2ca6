// The screen: data in, commands from keys and buttons, painting out.

const JUDGING = new Set(["judge", "cannot", "later", "confirm"]);
const REFRESH_PAUSE = 20_000;
const DOUBLE_CLICK = 300;
const TWO_COLUMNS = 56 * 16; // as in layout.css
const UNNOTICED = 5_000; // a server may be gone this long before a send shows it

class Screen {
  constructor(root) {
    this.root = root;
    this.painter = new Painter(root, () => this.releaseHeld());
    this.refs = this.painter.refs;
    this.clock = new Clock();
    this.spent = [];
    this.notes = new Notes(this);
    this.held = []; // judgements pressed before their item was on the screen
    this.aborter = new AbortController();
    this.listen(this.aborter.signal);
  }

  listen(signal) {
    this.clock.watch(signal);
    fillHeight(this.root, () => this.resize(), signal);
    keepFocus(this.root.getRootNode(), signal);
    closeNotices(signal);
    new Keys(this.root, (key) => this.find(key), (command) => this.take(command)).watch(signal);
    this.root.addEventListener("click", (event) => this.click(event), { signal });
    this.refs.commentText.addEventListener("input", (event) => this.notes.draft(event.target.value), { signal });
  }

  /** The room has changed; within the same width the levels keep their height. */
  resize() {
    const width = this.root.clientWidth;
    if (!this.sitting || width === this.width) return;
    this.width = width;
    this.painter.reserveLevels(this.sitting);
    this.paint();
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
    if (data.assignment === this.sitting?.data.assignment) this.reload(data);
    else this.begin(data);
    this.outbox.address(data.intake, data.token);
    this.painter.item.paintFrame(data, this.commands);
    this.width = null;
    this.resize();
  }

  open(owner) {
    this.owner = owner;
    this.outbox?.close();
    this.sitting = null;
    this.refusals = [];
    this.outbox = new Outbox(`dissent:outbox:${owner}`, {
      ack: (event, ack) => this.acknowledge(event, ack),
      change: () => this.follow(),
      foreign: (event) => {
        this.sitting.adopt(event);
        this.paint();
      },
      signIn: () => this.refresh("token"),
    });
    this.drafts = new Drafts(`dissent:draft:${owner}`);
  }

  /** The outbox changed; frames that failed while the server was away are loaded again. */
  follow() {
    const { state, reason } = this.outbox;
    if (state === "not allowed") this.painter.status.notice(reason);
    if (state === "unreachable") this.away ??= performance.now() - UNNOTICED;
    else if (state === "ok" && this.away) {
      this.painter.item.frames.renew(this.away);
      this.away = null;
    }
    this.paintSave();
  }

  begin(data) {
    this.sitting = new Sitting(data, this.outbox, this.drafts, this.clock, this.spent);
    this.painter.reset();
    this.reported = false;
    this.setMode();
    const isNew = !data.pace?.judged_before && !this.sitting.queue.labels.some(Boolean);
    rememberOpen(this.refs.guidelines, `dissent:guidelines:${this.owner}`, isNew && this.root.clientWidth >= TWO_COLUMNS);
    rememberOpen(this.refs.need, `dissent:need:${this.owner}`, true);
  }

  reload(data) {
    const [before, step] = [this.sitting.content(), this.sitting.step];
    this.sitting.load(data);
    if (this.sitting.content() !== before) this.painter.painted = null;
    // An answered practice item is not handed out again: its feedback ends with it.
    if (this.sitting.step !== step) this.setMode();
  }

  /** Feedback is open after a practice item; the two indices say what a reason or a comment is for. */
  setMode(mode = {}) {
    this.mode = { feedback: false, reasonFor: null, commentFor: null, ...mode };
  }

  find(key) {
    const { queue, data } = this.sitting;
    const { current } = queue;
    const command = findCommand(key, current ? data.scales[current.facet] : [], this.commands, Boolean(current?.sides));
    if (command?.name === "close" && !this.refs.help.open && this.mode.commentFor === null) return undefined;
    if (command?.name === "confirm" && !this.mode.feedback) return undefined;
    if (SCROLLING.has(command?.name) && this.refs.help.open) return undefined;
    return command;
  }

  take(command) {
    if (this.painter.pending && JUDGING.has(command.name)) this.held.push(command);
    else this.run(command);
  }

  releaseHeld() {
    const command = this.held.shift();
    if (!command) return;
    this.run(command);
    if (!this.painter.pending) this.releaseHeld();
  }

  click(event) {
    const target = event.target.closest("[data-command], [data-level], [data-reason]");
    if (!target) return;
    const { command, level, reason } = target.dataset;
    // After a click the space bar is for scrolling, not for pressing the same level again.
    if (event.detail) target.blur();
    // The second half of a double click is not meant for the next item.
    const isEcho = event.detail > 1 && performance.now() - this.painter.paintedAt < DOUBLE_CLICK;
    if (isEcho && (level || JUDGING.has(command))) return;
    if (reason) this.notes.giveReason(reason);
    else this.take(level ? { name: "judge", level: Number(level) } : { name: command });
  }

  run({ name, level }) {
    if (this.refs.help.open && name !== "help" && name !== "close") return;
    if (!this.sitting.queue.current && !AT_END.has(name)) return;
    this.painter.status.notice("");
    COMMANDS[name](this, level);
  }

  answer(state, level) {
    if (this.mode.feedback) return this.proceed();
    if (this.outbox.state === "not allowed") return this.painter.status.notice(this.outbox.reason);
    const { queue } = this.sitting;
    const i = queue.position;
    this.sitting.answer(state, level);
    this.reported = false;
    this.setMode({ feedback: Boolean(queue.current.practice) && state !== "later", reasonFor: i });
    if (!this.mode.feedback) this.sitting.move(() => queue.advance());
    this.paint();
  }

  proceed() {
    this.setMode();
    this.sitting.move(() => this.sitting.queue.advance());
    this.paint();
  }

  go(change, otherwise) {
    this.setMode();
    if (!this.sitting.move(change)) this.painter.status.notice(otherwise);
    this.paint();
  }

  undo() {
    this.setMode();
    this.reported = false;
    if (!this.sitting.undo()) this.painter.status.notice("There is no judgement of this visit to take back here. Earlier topics are under History.");
    this.paint();
  }

  closePanels() {
    if (this.refs.help.open) this.refs.help.close();
    else this.notes.close();
  }

  toggleHelp() {
    if (this.refs.help.open) this.refs.help.close();
    else this.refs.help.showModal();
  }

  acknowledge(event, ack) {
    const i = this.sitting.settle(event, ack);
    if (this.mode.feedback && ack.practice) this.paint();
    const what = this.sitting.describe(event);
    if (ack.status === "refused") {
      this.refusals.push({ what, reason: ack.reason ?? "no reason given" });
      this.painter.status.paintRefused(this.refusals);
    } else if (ack.status === "stale" && i !== undefined) {
      this.painter.status.notice(`"${what}" was already judged elsewhere. That judgement is kept; go back to change it.`);
    }
    if (i !== undefined) this.paint();
  }

  refresh(reason) {
    const now = performance.now();
    if (now - (this.refreshed ?? -Infinity) < REFRESH_PAUSE) return;
    this.refreshed = now;
    this.trigger("refresh", reason);
  }

  /** Tell the page script that this assignment is done, once and only when everything is saved. */
  report() {
    if (this.sitting.queue.current || this.outbox.size || this.reported) return;
    this.reported = true;
    setTimeout(() => this.trigger("finished", this.sitting.data.assignment), 0);
  }

  paint() {
    this.painter.paint(this.sitting, { ...this.mode, reasonFor: this.notes.reasonIndex() });
    this.paintSave();
    this.holdFocus();
  }

  /** A field that has just gone must not take the next key. */
  holdFocus() {
    const focused = this.root.getRootNode().activeElement;
    if (!this.root.contains(focused) || focused.getClientRects().length) return;
    const home = this.sitting.queue.current ? this.refs.item : this.refs.finished;
    home.focus({ preventScroll: true });
  }

  paintSave() {
    this.painter.status.paintSave(this.outbox, this.refusals.length);
    if (!this.sitting || this.sitting.queue.current) return;
    this.painter.paintEnd(this.sitting);
    this.report();
  }
}
