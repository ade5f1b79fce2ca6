// The screen: data in, commands from keys and buttons, rendering out.

import { AT_END, COMMANDS } from "./commands.js";
import { Clock } from "./judging/clock.js";
import { JudgingSession } from "./judging/judging_session.js";
import { KeyListener } from "./keys/key_listener.js";
import { SCROLLING, commandKeys, findCommand } from "./keys/key_map.js";
import { Notes } from "./notes.js";
import { Outbox } from "./outbox/outbox.js";
import { Drafts } from "./storage/drafts.js";
import { rememberOpen } from "./storage/memory.js";
import { View } from "./view/view.js";
import { keepFocus } from "./window/focus.js";
import { fillHeight } from "./window/height.js";
import { closeNotices } from "./window/streamlit_notices.js";

const JUDGING = new Set(["judge", "cannot", "later", "confirm"]);
const REFRESH_PAUSE = 20_000;
const DOUBLE_CLICK = 300;
const TWO_COLUMNS = 56 * 16; // as in layout.css
const UNNOTICED = 5_000; // a server may be gone this long before a send shows it

export class Screen {
  constructor(root) {
    this.root = root;
    this.view = new View(root, () => this.releaseHeld());
    this.refs = this.view.refs;
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
    new KeyListener(this.root, (key) => this.find(key), (command) => this.take(command)).watch(signal);
    this.root.addEventListener("click", (event) => this.click(event), { signal });
    this.refs.commentText.addEventListener("input", (event) => this.notes.draft(event.target.value), { signal });
  }

  /** The room has changed; within the same width the levels keep their height. */
  resize() {
    const width = this.root.clientWidth;
    if (!this.session || width === this.width) return;
    this.width = width;
    this.view.reserveLevels(this.session);
    this.render();
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
    if (data.assignment === this.session?.data.assignment) this.reload(data);
    else this.begin(data);
    this.outbox.address(data.intake, data.token);
    this.view.item.renderAssignment(data, this.commands);
    this.width = null;
    this.resize();
  }

  open(owner) {
    this.owner = owner;
    this.outbox?.close();
    this.session = null;
    this.refusals = [];
    this.outbox = new Outbox(`dissent:outbox:${owner}`, {
      ack: (event, ack) => this.acknowledge(event, ack),
      change: () => this.follow(),
      foreign: (event) => {
        this.session.adopt(event);
        this.render();
      },
      signIn: () => this.refresh("token"),
    });
    this.drafts = new Drafts(`dissent:draft:${owner}`);
  }

  /** The outbox changed; frames that failed while the server was away are loaded again. */
  follow() {
    const { state, reason } = this.outbox;
    if (state === "not allowed") this.view.status.notice(reason);
    if (state === "unreachable") this.away ??= performance.now() - UNNOTICED;
    else if (state === "ok" && this.away) {
      this.view.item.frames.renew(this.away);
      this.away = null;
    }
    this.renderSaveState();
  }

  begin(data) {
    this.session = new JudgingSession(data, this.outbox, this.drafts, this.clock, this.spent);
    this.view.reset();
    this.reported = false;
    this.setMode();
    const isNew = !data.pace?.judged_before && !this.session.queue.labels.some(Boolean);
    rememberOpen(this.refs.guidelines, `dissent:guidelines:${this.owner}`, isNew && this.root.clientWidth >= TWO_COLUMNS);
    rememberOpen(this.refs.need, `dissent:need:${this.owner}`, true);
  }

  reload(data) {
    const [before, step] = [this.session.content(), this.session.step];
    this.session.load(data);
    if (this.session.content() !== before) this.view.rendered = null;
    // An answered practice item is not handed out again: its feedback ends with it.
    if (this.session.step !== step) this.setMode();
  }

  /** Feedback is open after a practice item; the two indices say what a reason or a comment is for. */
  setMode(mode = {}) {
    this.mode = { feedback: false, reasonFor: null, commentFor: null, ...mode };
  }

  find(key) {
    const reasons = [...this.refs.reasonButtons.children];
    if (/^\d$/.test(key) && reasons.includes(this.root.getRootNode().activeElement)) {
      // Digits choose among the reasons while one has the focus; the next item is on the screen already.
      const reason = reasons[key - 1]?.dataset.reason;
      return reason ? { name: "giveReason", reason } : { name: "nothing" };
    }
    const { queue, data } = this.session;
    const { current } = queue;
    const command = findCommand(key, current ? data.scales[current.facet] : [], this.commands, Boolean(current?.sides));
    if (command?.name === "close" && !this.refs.help.open && this.mode.commentFor === null) return undefined;
    if (command?.name === "confirm" && !this.mode.feedback) return undefined;
    if (SCROLLING.has(command?.name) && this.refs.help.open) return undefined;
    return command;
  }

  take(command) {
    if (this.view.pending && JUDGING.has(command.name)) this.held.push(command);
    else this.run(command);
  }

  releaseHeld() {
    const command = this.held.shift();
    if (!command) return;
    this.run(command);
    if (!this.view.pending) this.releaseHeld();
  }

  click(event) {
    const target = event.target.closest("[data-command], [data-level], [data-reason]");
    if (!target) return;
    const { command, level, reason } = target.dataset;
    // After a click the space bar is for scrolling, not for pressing the same level again.
    if (event.detail) target.blur();
    // The second half of a double click is not meant for the next item.
    const isEcho = event.detail > 1 && performance.now() - this.view.renderedAt < DOUBLE_CLICK;
    if (isEcho && (level || JUDGING.has(command))) return;
    if (reason) this.notes.giveReason(reason);
    else this.take(level ? { name: "judge", level: Number(level) } : { name: command });
  }

  run({ name, level, reason }) {
    if (this.refs.help.open && name !== "help" && name !== "close") return;
    if (!this.session.queue.current && !AT_END.has(name)) return;
    this.view.status.notice("");
    COMMANDS[name](this, level ?? reason);
  }

  answer(state, level) {
    if (this.mode.feedback) return this.proceed();
    if (this.outbox.state === "not allowed") return this.view.status.notice(this.outbox.reason);
    const { queue } = this.session;
    const i = queue.position;
    this.session.answer(state, level);
    this.reported = false;
    this.setMode({ feedback: Boolean(queue.current.practice) && state !== "later", reasonFor: i });
    if (!this.mode.feedback) this.session.move(() => queue.advance());
    this.render();
  }

  proceed() {
    this.setMode();
    this.session.move(() => this.session.queue.advance());
    this.render();
  }

  go(change, otherwise) {
    this.setMode();
    if (!this.session.move(change)) this.view.status.notice(otherwise);
    this.render();
  }

  undo() {
    this.setMode();
    this.reported = false;
    if (!this.session.undo()) this.view.status.notice("There is no judgement of this visit to take back here. Earlier topics are under History.");
    this.render();
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
    const i = this.session.settle(event, ack);
    if (this.mode.feedback && ack.practice) this.render();
    const what = this.session.describe(event);
    if (ack.status === "refused") {
      this.refusals.push({ what, reason: ack.reason ?? "no reason given" });
      this.view.status.renderRefused(this.refusals);
    } else if (ack.status === "stale" && i !== undefined) {
      this.view.status.notice(`"${what}" was already judged elsewhere. That judgement is kept; go back to change it.`);
    }
    if (i !== undefined) this.render();
  }

  refresh(reason) {
    const now = performance.now();
    if (now - (this.refreshed ?? -Infinity) < REFRESH_PAUSE) return;
    this.refreshed = now;
    this.trigger("refresh", reason);
  }

  /** Tell the page script that this assignment is done, once and only when everything is saved. */
  report() {
    if (this.session.queue.current || this.outbox.size || this.reported) return;
    this.reported = true;
    setTimeout(() => this.trigger("finished", this.session.data.assignment), 0);
  }

  render() {
    this.view.render(this.session, { ...this.mode, reasonFor: this.notes.reasonIndex() });
    this.renderSaveState();
    this.holdFocus();
  }

  /** A field that has just gone must not take the next key. */
  holdFocus() {
    const focused = this.root.getRootNode().activeElement;
    if (!this.root.contains(focused) || focused.getClientRects().length) return;
    const home = this.session.queue.current ? this.refs.item : this.refs.finished;
    home.focus({ preventScroll: true });
  }

  renderSaveState() {
    this.view.status.renderSaveState(this.outbox, this.refusals.length);
    if (!this.session || this.session.queue.current) return;
    this.view.renderEnd(this.session);
    this.report();
  }
}
