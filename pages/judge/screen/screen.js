// The screen: data in, commands from keys and buttons, rendering out.

import { Asking } from "./asking.js";
import { AT_END, COMMANDS, IN_DIALOG, ON_CARD, reasonOf } from "./commands.js";
import { Chips } from "./chips.js";
import { Ahead } from "./judging/ahead.js";
import { Clock } from "./judging/clock.js";
import { JudgingSession } from "./judging/judging_session.js";
import { Paradata } from "./judging/paradata.js";
import { Marks } from "./judging/passages.js";
import { KeyListener } from "./keys/key_listener.js";
import { SCROLLING, commandKeys, findCommand } from "./keys/key_map.js";
import { readPress } from "./keys/press.js";
import { t } from "./language/translate.js";
import { Notes } from "./notes.js";
import { Opened } from "./opened.js";
import { Outbox } from "./outbox/outbox.js";
import { Passages } from "./passages.js";
import { Drafts } from "./storage/drafts.js";
import { isNoted, noteHere, rememberOpen } from "./storage/memory.js";
import { Told } from "./told.js";
import { renderOthers } from "./view/others_view.js";
import { TextOnly } from "./text_only.js";
import { Reading } from "./view/reading.js";
import { View } from "./view/view.js";
import { keepFocus } from "./window/focus.js";
import { fillHeight } from "./window/height.js";
import { closeNotices } from "./window/streamlit_notices.js";
import { Words } from "./words.js";

const JUDGING = new Set(["judge", "later", "giveReason", "leave"]);
const REFRESH_PAUSE = 20_000;
const DOUBLE_CLICK = 300;
const LOOK_AGAIN = 5_000; // while nothing is left to judge and somebody may be looking
const UNANSWERED = 2_000; // who is asked for work and says nothing may be away
const KEPT_SESSIONS = 8; // finished assignments of this visit that one can go back to

export class Screen {
  /** `isAlone`: without Streamlit, while the server cannot be reached. */
  constructor(root, isAlone = false) {
    this.root = root;
    this.isAlone = isAlone;
    this.paradata = new Paradata();
    this.view = new View(root, this.paradata);
    this.refs = this.view.refs;
    this.pages = this.view.item.kept;
    this.reading = new Reading(root);
    this.clock = new Clock();
    this.spent = [];
    this.notes = new Notes(this);
    this.asking = new Asking(this);
    this.aborter = new AbortController();
    this.passages = new Passages(this, this.aborter.signal);
    this.listen(this.aborter.signal);
    this.opened = new Opened(this, this.aborter.signal);
    this.chips = new Chips(this, this.aborter.signal);
    this.told = new Told(this, this.aborter.signal);
  }

  listen(signal) {
    this.clock.watch(signal);
    fillHeight(this.root, () => this.resize(), signal);
    keepFocus(this.root.getRootNode(), signal);
    closeNotices(signal);
    new KeyListener(this.root, (key) => this.find(key), (command, at) => this.take(command, at, { by: "key" })).watch(signal);
    this.root.addEventListener("pointerdown", ({ pointerType }) => (this.pointer = pointerType), { signal, capture: true });
    this.root.addEventListener("click", (event) => this.click(event), { signal });
    // What scrolls in here is not heard of out there.
    for (const node of [this.root, window]) node.addEventListener("scroll", () => this.view.look(), { signal, capture: true, passive: true });
    document.addEventListener("visibilitychange", () => this.lookAgain(), { signal });
    const timer = setInterval(() => this.lookAgain(), LOOK_AGAIN);
    signal.addEventListener("abort", () => clearInterval(timer));
    this.refs.commentText.addEventListener("input", (event) => this.notes.draft(event.target.value), { signal });
    this.refs.askText.addEventListener("input", (event) => this.words.draft(event.target.value), { signal });
  }

  /** The room has changed; within the same width the levels keep their height. */
  resize() {
    const width = this.root.clientWidth;
    if (!this.session) return;
    this.view.look();
    if (width === this.width) return;
    this.width = width;
    this.view.reserveLevels(this.session);
    this.render();
    this.view.item.letScroll();
  }

  close() {
    this.aborter.abort();
    this.outbox?.close();
    this.words?.close();
    this.ahead?.close();
  }

  /** Whether the server cannot be reached, as far as is known. */
  get isAway() {
    return this.isAlone || this.outbox?.state === "unreachable" || Boolean(this.ahead?.isCut);
  }

  /** Whether an item of the history is looked at again, or was just now. */
  get isAgain() {
    return Boolean(this.session.data.again) && !this.mode.feedback;
  }

  /** Whether nobody is writing anything. */
  get isIdle() {
    return this.mode.commentFor === null && !this.mode.reasons && !this.refs.words.open;
  }

  /** Take what the page script gave; safe to call again at any time. */
  receive(data, trigger) {
    this.trigger = trigger;
    const owner = `${data.collection}:${data.assessor}`;
    if (owner !== this.owner) this.open(owner, data.assessor);
    const known = this.sessions.find((one) => one.data.assignment === data.assignment);
    if (data.over) this.finish(data);
    else if (known) this.reload(known, data);
    else this.offer(data);
    this.outbox.address(data.intake, data.token);
    this.ahead.address(data.ahead, data.token);
    this.adapt();
    this.words.address(data);
    renderOthers(this.refs.root, data.others);
  }

  /** Without a server: go on where something is left of what the device has kept. */
  beginKept(assignments) {
    for (const data of assignments) {
      this.isWanted = true;
      this.receive(data, () => {});
      if (this.session.queue.current) break;
    }
    this.ahead.assignments = assignments;
  }

  /** Everything that depends on the assignment on the screen, but not on the item. */
  adapt() {
    const { data } = this.session;
    this.commands = commandKeys(data.scales, data.aspects);
    this.view.item.renderAssignment(data, this.commands);
    this.words.takeGuidelines();
    this.refit();
  }

  /** Show what is to be shown, and let the levels have their height anew: behind a card they have none. */
  refit() {
    this.render();
    this.width = null;
    this.resize();
  }

  open(owner, assessor) {
    this.owner = owner;
    this.outbox?.close();
    this.words?.close();
    this.ahead?.close();
    this.ahead = new Ahead(owner, assessor, this.pages, { changed: () => this.lookAhead() });
    this.session = null;
    this.sessions = []; // of this visit, oldest first
    this.coming = null; // what comes next, while the card of what is finished stands
    this.isGuess = false; // it was fetched ahead, and the server has not said so since
    this.isOver = false; // nothing was left when the server was asked last
    this.refusals = [];
    this.outbox = new Outbox(`dissent:outbox:${owner}`, {
      ack: (event, ack) => this.acknowledge(event, ack),
      change: () => this.follow(),
      foreign: (event) => {
        this.sessionOf(event).adopt(event);
        this.render();
      },
      signIn: () => this.refresh("token"),
      added: (event) => this.ahead.note(event),
    });
    if (this.isAlone) this.outbox.state = "unreachable";
    this.view.item.textOnly = new TextOnly(owner);
    this.drafts = new Drafts(`dissent:draft:${owner}`);
    this.marks = new Marks(new Drafts(`dissent:passages:${owner}`));
    this.begunSets = new Drafts(`dissent:aspects:${owner}`);
    this.words = new Words(this, owner);
  }

  /** The outbox changed; pages that did not come are loaded again when the server goes and when it comes back. */
  follow() {
    const { state, reason } = this.outbox;
    if (state === "not allowed") this.view.status.notice(reason);
    if (state === "unreachable" && !this.away) {
      this.away = true;
      this.view.item.renew();
      this.opened.renew();
    } else if (state === "ok" && this.away) {
      this.away = false;
      this.view.item.renew();
      this.opened.renew();
      this.ahead.soon(0);
    }
    this.lookAhead();
  }

  /** Without a server, what was fetched ahead comes next; with one, what the server says. */
  lookAhead() {
    if (!this.session) return;
    if (!this.isAway && this.isGuess) [this.coming, this.isGuess] = [null, false];
    this.renderSaveState();
  }

  goAhead() {
    if (!this.isAway || this.coming || this.isOver || this.session !== this.latest) return;
    const { next } = this.ahead;
    if (!next) return;
    [this.coming, this.isGuess] = [next, true];
    if (this.isWanted) this.next();
  }

  /** Another assignment: it waits while the card of a finished one stands or its items are looked at again. */
  offer(data) {
    const isFinished = this.session && this.latest.queue.first() === this.latest.queue.end;
    if (!isFinished || this.isWanted || this.isOver) return this.begin(data);
    [this.coming, this.isGuess] = [data, false];
    this.base = this.baseOf(data);
  }

  /** Nothing is left to be judged now. */
  finish(data) {
    [this.isOver, this.coming, this.isWanted, this.isGuess] = [true, null, false, false];
    if (!this.session) this.begin(data);
    else if (this.session === this.latest && this.session.queue.first() !== this.session.queue.end) {
      this.session.queue.position = this.session.queue.end; // it was taken away
    }
  }

  begin(data) {
    const { outbox, drafts, clock, spent, begunSets, marks } = this;
    const session = new JudgingSession(data, outbox, drafts, clock, spent, begunSets, marks);
    const isKnown = this.sessions.some((one) => JSON.stringify(one.data.scales) === JSON.stringify(data.scales));
    const isMet = isNoted(this.begun(data)) || (isKnown && !this.isOver);
    this.base = data === this.coming ? this.base : this.baseOf(data);
    [this.coming, this.isWanted, this.isOver, this.isGuess] = [null, false, Boolean(data.over), false];
    this.ahead.begin(data.assignment);
    this.session?.pause();
    this.session = session;
    this.sessions = [...this.sessions.filter((one) => one.queue.steps.length), session].slice(-KEPT_SESSIONS);
    this.view.reset();
    this.reported = false;
    this.setMode({ card: data.intro && session.queue.current && !isMet ? "start" : null });
    // Open in a low window it would leave nothing of the item in sight; see styles/low.css.
    const isLow = matchMedia("(max-height: 30rem)").matches;
    rememberOpen(this.refs.need, `dissent:need:${this.owner}`, !isLow);
  }

  /** The name under which this tab notes that something of an assignment was judged. */
  begun(data) {
    return `dissent:begun:${this.owner}:${data.assignment}`;
  }

  get latest() {
    return this.sessions.at(-1);
  }

  /** What was judged today before anything that the sessions of this visit have counted. */
  baseOf(data) {
    return (data.pace?.today ?? 0) - this.sessions.reduce((sum, one) => sum + one.counted, 0);
  }

  get today() {
    return Math.max(0, this.base + this.sessions.reduce((sum, one) => sum + one.counted, 0));
  }

  sessionOf(event) {
    return this.sessions.find((one) => one.data.assignment === event.assignment) ?? this.session;
  }

  reload(session, data) {
    const [before, step] = [session.content(), session.step];
    session.load(data);
    this.isOver = false;
    // A page drawn before the last answer arrived gives what is done once more: what is next stays wanted.
    if (session.queue.first() !== session.queue.end) this.isWanted = false;
    if (session !== this.session) return;
    if (session.content() !== before) this.view.rendered = null;
    // An answered practice item is not handed out again: its feedback ends with it.
    if (session.step !== step) this.setMode();
  }

  /** Go to another assignment of this visit; `change` puts its queue where it is wanted. */
  turnTo(session, change) {
    this.session.pause();
    this.session = session;
    change(session.queue);
    this.view.reset();
    this.setMode();
    this.adapt();
  }

  /** What is open besides the item; `render` in the view says what each part means. */
  setMode(mode = {}) {
    this.mode = { feedback: false, card: null, reasons: false, commentFor: null, isReason: false, asks: false, ...mode };
  }

  find(key) {
    const { mode, refs } = this;
    const { queue, data } = this.session;
    if (this.opened.isOpen) return this.opened.find(key);
    if (key === "escape" && this.isUnfolded) return { name: "unfold" };
    const { levels } = this.asking;
    if (mode.asks) return key === "escape" ? { name: "close" } : undefined;
    if (mode.reasons && /^\d$/.test(key)) {
      const reason = reasonOf(key);
      return reason ? { name: "giveReason", reason } : { name: "nothing" };
    }
    const current = mode.card ? null : queue.current;
    const chip = this.chips.find(key);
    if (chip) return chip;
    const command = findCommand(key, levels, this.commands, Boolean(current?.sides));
    const isDialog = Boolean(this.dialog);
    if (command?.name === "judge" && mode.reasons) return { name: "nothing" };
    if (command?.name === "close" && !isDialog && !mode.reasons && mode.commentFor === null) return this.isAgain ? { name: "history" } : undefined;
    if (command?.name === "confirm" && current && !mode.feedback) return undefined;
    if (command?.name === "guidelines" && !data.guidelines) return { name: "nothing" };
    if (SCROLLING.has(command?.name) && (isDialog || !current)) return undefined;
    return command;
  }

  /** Carry a command out that was given at a time by a press; no judgement of what could not have been seen. */
  take(command, at = performance.now(), press = { by: undefined }) {
    if (JUDGING.has(command.name) && !this.mode.card && this.session.queue.current && this.view.isUnseen(at)) {
      return this.view.status.notice(
        this.asking.aspect
          ? t("Too soon: this question could not have been seen yet. Nothing was noted.")
          : t("Too soon: this item could not have been seen yet. Nothing was noted."),
      );
    }
    this.view.calledAt = at;
    this.paradata.given(press);
    this.run(command);
    this.view.calledAt = null;
  }

  click(event) {
    if (event.detail) event.target.closest("[data-scrolls]")?.blur(); // its arrow keys are for who came by Tab
    const target = event.target.closest("[data-command], [data-level], [data-reason]");
    if (!target) return;
    const { command, level, reason } = target.dataset;
    // After a click the space bar is for scrolling, not for pressing the same level again.
    if (event.detail) target.blur();
    // The second half of a double click is not meant for the next item.
    const isEcho = event.detail > 1 && performance.now() - this.view.renderedAt < DOUBLE_CLICK;
    if (isEcho && (level || reason || command === "confirm" || JUDGING.has(command))) return;
    const judge = level ? { name: "judge", level: Number(level) } : { name: command };
    this.take(reason ? { name: "giveReason", reason } : judge, event.timeStamp, readPress(event, this.pointer));
  }

  run({ name, level, reason }) {
    if (this.dialog && !IN_DIALOG.has(name)) return;
    if (this.mode.card && !ON_CARD.has(name)) return;
    if (!this.session.queue.current && !AT_END.has(name)) return;
    this.view.status.notice(this.words.line);
    if (!["unfold", "chip"].includes(name)) this.unfold(false);
    COMMANDS[name](this, level ?? reason);
  }

  /** Whether what else can be done is shown where a window has no room for it; see styles/folded.css. */
  get isUnfolded() {
    return this.refs.dock.classList.contains("unfolded");
  }

  unfold(isWanted = !this.isUnfolded) {
    this.refs.dock.classList.toggle("unfolded", isWanted);
    this.refs.unfold.setAttribute("aria-expanded", String(isWanted));
  }

  answer(state, level, reason) {
    if (this.mode.feedback) return this.proceed();
    if (this.outbox.state === "not allowed") return this.view.status.notice(this.outbox.reason);
    const whyNot = this.view.whyNot(state);
    if (whyNot) return this.view.status.notice(whyNot);
    const { queue } = this.session;
    const { practice } = queue.current;
    if (state === "later" && this.session.isReported) {
      return this.view.status.notice(t("This topic is done: give another level, or leave it as it is."));
    }
    this.paradata.given({ place: this.asking.placeOf(state, level) });
    const own = state === "level" ? this.asking.hear(level) : level;
    if (own === undefined && state === "level") return;
    this.paradata.saw({ text_only: this.view.item.isTextOnly || undefined });
    this.session.answer(state, own, reason, this.paradata.take());
    if (state === "level") this.view.item.flash(level);
    this.reported = false;
    this.noteBegun();
    if (practice && state !== "later") {
      this.setMode({ feedback: true });
      return this.render();
    }
    this.advance();
  }

  /** From now on a reload in this tab goes on without the card before the first item. */
  noteBegun() {
    if (this.session.isBegun) return;
    this.session.isBegun = true;
    noteHere(this.begun(this.session.data));
  }

  proceed() {
    this.advance();
  }

  /** On to the next item; past the last practice item by way of a card. */
  advance() {
    const { queue } = this.session;
    const wasPractice = queue.current.practice;
    this.session.move(() => queue.advance());
    const isWork = wasPractice && queue.current && !queue.current.practice;
    this.setMode({ card: isWork && this.session.practised().answered ? "practised" : null });
    if (!this.goOn()) this.render();
  }

  /** At the end of an earlier assignment of this visit: back to the one after it. */
  goOn() {
    if (this.session.queue.current || this.session === this.latest) return false;
    const after = this.sessions[this.sessions.indexOf(this.session) + 1];
    this.turnTo(after, () => {});
    return true;
  }

  /** Enter, or the first button: begin, go on after practice, or on to what comes next. */
  confirm() {
    const { mode, session } = this;
    if (mode.card) return this.leaveCard();
    if (mode.feedback) return this.proceed();
    if (!session.queue.current) this.next();
  }

  leaveCard() {
    this.setMode();
    this.clock.take(); // a card is no item
    this.refit();
  }

  next() {
    if (this.session.queue.progress().later) return COMMANDS.reopen(this);
    if (this.isOver) return;
    if (this.coming) {
      this.begin(this.coming);
      return this.adapt();
    }
    this.isWanted = true;
    this.reported = false;
    setTimeout(() => this.isWanted && this.ahead.refresh(), UNANSWERED);
    this.render();
  }

  go(change, otherwise) {
    const isCard = this.mode.card !== null || !this.session.queue.current;
    this.setMode();
    if (!this.session.move(change)) this.view.status.notice(otherwise);
    if (this.goOn()) return;
    if (isCard) this.refit();
    else this.render();
  }

  /** One item back; from the first of an assignment to the last of the one before it in this visit. */
  back() {
    if (this.asking.back()) return;
    const place = this.sessions.indexOf(this.session);
    const { queue } = this.session;
    const isFirst = this.mode.card === "start" || (queue.current && queue.order()[0] === queue.position);
    if (isFirst && place > 0) return this.turnTo(this.sessions[place - 1], (before) => before.finish());
    if (this.mode.card === "start") return;
    this.go(() => queue.back(), t("This is the first item. What was judged before this visit is under History."));
  }

  undo() {
    if (this.asking.back()) return;
    this.reported = false;
    const { undoable } = this.session.queue;
    const place = this.sessions.indexOf(this.session);
    if (!undoable.length && this.sessions[place - 1]?.queue.undoable.length) {
      this.turnTo(this.sessions[place - 1], () => {});
    }
    this.setMode();
    if (this.session.isReported) this.revisit();
    else if (!this.session.undo()) this.view.status.notice(t("There is no judgement of this visit to take back. Earlier ones are under History."));
    this.refit();
  }

  /** Set texts otherwise: larger, or in longer lines. */
  setTexts(change) {
    change(this.reading);
    this.view.item.letScroll();
  }

  /** Show of a page of HTML its text only, or the page again. */
  turnText() {
    if (this.opened.isOpen) return this.opened.turnText();
    if (this.dialog) return;
    const { view, session } = this;
    const { current: step } = session.queue;
    const document_ = session.data.documents[step.document];
    if (!view.item.textOnly.isOffered(step, document_)) return view.status.notice(t("This is shown as text already."));
    view.item.textOnly.turn(step, document_);
    view.rendered = null;
    this.render();
  }

  async nextHit() {
    const { item, status } = this.view;
    const found = item.frames.shown ? await item.frames.nextHit() : item.ticks.next();
    status.notice(
      found ? t("Word of the query: {number} of {total}.", { number: found[0], total: found[1] }) : t("No word of the query is in this text."),
    );
  }

  /** In what counts as finished nothing is taken back before there is something in its place. */
  revisit() {
    const i = this.session.queue.takeUndo();
    if (i !== undefined) this.session.move(() => (this.session.queue.position = i));
    this.view.status.notice(
      i === undefined
        ? t("There is no judgement of this visit to take back. Earlier ones are under History.")
        : t("This topic is done, so the judgement stands until you give another."),
    );
  }

  closePanels() {
    const { mode } = this;
    if (this.opened.isOpen) this.opened.close();
    else if (this.dialog) this.closeDialog();
    else if (mode.commentFor !== null) this.notes.leave();
    else if (mode.reasons) this.notes.ask();
  }

  /** The panel that is open over the screen, if there is one. */
  get dialog() {
    const { help, guidelines, words, opened } = this.refs;
    return [help, guidelines, words, opened].find((one) => one.open);
  }

  closeDialog() {
    this.dialog?.close();
    this.holdFocus();
  }

  toggle(dialog) {
    const { dialog: open } = this;
    this.closeDialog();
    if (open !== dialog) dialog.showModal();
  }

  /** Ask once more for what did not come: the result that is open, or the item. */
  tryAgain() {
    if (this.opened.isOpen) this.opened.renew("reload");
    else this.view.item.renew(true);
    this.holdFocus();
  }

  /** On a phone one side is shown at a time; one that was not seen yet is shown from its beginning. */
  turn(side) {
    const { view } = this;
    const { pair } = view.item;
    pair.turn(side);
    if (pair.unseen.includes(side)) view.item.bringIntoView(false);
    view.look();
  }

  openGuidelines() {
    this.toggle(this.refs.guidelines);
    if (this.refs.guidelines.open) this.words.readGuidelines();
  }

  acknowledge(event, ack) {
    const session = this.sessionOf(event);
    const i = session.settle(event, ack);
    if (this.mode.feedback && ack.practice) this.render();
    if (ack.current) this.ahead.note({ ...event, ...ack.current });
    const what = session.describe(event);
    if (ack.status === "refused") {
      this.refusals.push({ what, reason: ack.reason ?? t("no reason given") });
      this.view.status.renderRefused(this.refusals);
    } else if (ack.status === "stale" && i !== undefined) {
      this.view.status.notice(t("“{what}” was already judged elsewhere. That judgement is kept; go back to change it.", { what }));
    }
    if (i !== undefined) this.render();
  }

  /** Ask whether there is work by now; not while nobody can see the answer, and not while something is looked at again. */
  lookAgain() {
    if (this.isOver && !this.session.queue.current && !document.hidden) this.trigger("refresh", "work");
  }

  refresh(reason) {
    const now = performance.now();
    if (now - (this.refreshed ?? -Infinity) < REFRESH_PAUSE) return;
    this.refreshed = now;
    this.trigger("refresh", reason);
  }

  /** Tell the page script that this assignment is done, once and only when everything is saved. */
  report() {
    if (this.session.queue.current || this.outbox.size || this.reported || this.coming || this.isOver) return;
    this.reported = true;
    this.session.isReported = !this.session.queue.progress().later;
    setTimeout(() => this.trigger("finished", this.session.data.assignment), 0);
  }

  render() {
    this.view.render(this.session, this.mode, this.day());
    this.passages.render();
    this.renderSaveState();
    this.holdFocus();
  }

  /** What the item's surroundings say of the whole visit. */
  day() {
    if (this.session.queue.current) return { today: this.today };
    const { coming, isWanted, isOver } = this;
    const next = coming?.topics[coming.steps[0]?.topic]?.query ?? "";
    const spent = this.sessions.reduce((sum, one) => sum + one.total, 0);
    return { today: this.today, spent, end: { next, isWanted, isOver } };
  }

  /** A field that has just gone must not take the next key. */
  holdFocus() {
    const focused = this.root.getRootNode().activeElement;
    if (!this.root.contains(focused) || focused.getClientRects().length) return;
    const { refs } = this;
    const home = [refs.start, refs.practised, refs.finished, refs.item].find((one) => one.getClientRects().length);
    home?.focus({ preventScroll: true });
  }

  renderSaveState() {
    this.view.status.renderSaveState(this.outbox, this.refusals.length);
    if (!this.session) return;
    this.told.follow();
    if (this.session.queue.current) return;
    this.goAhead();
    if (this.session.queue.current) return;
    this.view.renderFinished(this.session, this.day());
    this.report();
  }
}
