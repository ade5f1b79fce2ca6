// The screen: its parts, and what each is told of the others.

import { Answers, Asking } from "./answers.js";
import { Chips, Notes } from "./notes.js";
import { Input } from "./input.js";
import { Ahead } from "./judging/ahead.js";
import { Clock, Paradata } from "./judging/paradata.js";
import { JudgingSession } from "./judging/judging_session.js";
import { Marks } from "./judging/passages.js";
import { Visit, ownerOf } from "./judging/visit.js";
import { commandKeys } from "./keys/key_map.js";
import { t } from "./language/translate.js";
import { RevealedLevels } from "./revealed_levels.js";
import { Moves } from "./moves.js";
import { Opened } from "./opened.js";
import { Outbox } from "./outbox/outbox.js";
import { Passages } from "./passages.js";
import { Drafts, rememberOpen } from "./storage/memory.js";
import { Reading, TextOnly, Texts } from "./texts.js";
import { Dialogs } from "./view/dialogs.js";
import { KeptPages } from "./view/kept_pages.js";
import { renderOthers } from "./view/status_view.js";
import { View } from "./view/view.js";
import { closeNotices, fillHeight, keepFocus } from "./window/window.js";
import { Words } from "./words.js";

const REFRESH_PAUSE = 20_000;
const LOOK_AGAIN = 5_000; // while nothing is left to judge and somebody may be looking

export class Screen {
  /**
   * `kept`: pages that the device has; given without Streamlit, while the server cannot be reached.
   * @param {HTMLElement} root @param {Assignment} data @param {Trigger} trigger @param {Map<string, string>} [kept]
   */
  constructor(root, data, trigger, kept) {
    this.root = root;
    this.trigger = trigger;
    this.isAlone = Boolean(kept);
    this.isAway = false; // pages that did not come were loaded again when the server went
    this.refreshed = -Infinity; // when the page script was asked last
    this.width = 0;
    this.refusals = /** @type {{ what: string, reason: string }[]} */ ([]);
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    const owner = ownerOf(data);
    const pages = new KeptPages(kept);
    const render = () => this.render();
    const signIn = () => this.refresh("token");
    /** @type {Answer} */
    const answer = (state, level, reason) => this.answers.give(state, level, reason);

    this.clock = new Clock();
    this.paradata = new Paradata();
    this.view = new View(root, this.paradata, new TextOnly(owner), pages, signal);
    this.refs = this.view.refs;
    this.dialogs = new Dialogs(this.refs);
    this.ahead = new Ahead(owner, data.assessor, pages, { changed: () => this.lookAhead() });
    this.outbox = this.openOutbox(owner);
    this.visit = this.openVisit(owner, data);

    this.asking = new Asking(this.visit, { answer, render, flash: (level) => this.view.item.flash(level) });
    this.moves = new Moves(this.visit, this.view, this.clock, this.asking, {
      render,
      refit: () => this.refit(),
      adapt: () => this.adapt(),
      begin: (next) => this.begin(next),
      miss: () => this.ahead.refresh(),
    });
    const advance = () => this.moves.advance();
    this.answers = new Answers(this.visit, this.view, this.paradata, this.asking, { advance, render });
    this.notes = new Notes(this.visit, this.view, { answer, render });
    this.passages = new Passages(this.visit, this.view, render);
    this.opened = new Opened(this.visit, this.view, this.dialogs);
    this.chips = new Chips(this.visit, this.view, this.dialogs, render);
    this.revealedLevels = new RevealedLevels(this.visit, this.view, { signIn, goTo: (key) => this.moves.goTo(key) });
    this.words = new Words(this.visit, this.view, this.dialogs, signIn);
    this.texts = new Texts(this.visit, this.view, new Reading(root), render);
    this.input = new Input(this, signal);
    this.settle();
    this.watch(signal);
    this.show(data);
  }

  /** @param {string} owner */
  openOutbox(owner) {
    /** @type {Outbox<LabelEvent>} */
    const outbox = new Outbox(`dissent:outbox:${owner}`, {
      ack: (event, ack) => this.acknowledge(event, ack),
      change: () => this.follow(),
      foreign: (event) => {
        this.visit.sessionOf(event).adopt(event);
        this.render();
      },
      signIn: () => this.refresh("token"),
      added: (event) => this.ahead.note(event),
    });
    if (this.isAlone) outbox.state = "unreachable";
    return outbox;
  }

  /** @param {string} owner @param {Assignment} first */
  openVisit(owner, first) {
    const drafts = new Drafts(`dissent:draft:${owner}`);
    const begun = new Drafts(`dissent:aspects:${owner}`);
    const marks = new Marks(new Drafts(`dissent:passages:${owner}`));
    const spent = /** @type {number[]} */ ([]);
    return new Visit((data) => new JudgingSession(data, this.outbox, drafts, this.clock, spent, begun, marks), first);
  }

  /** @param {AbortSignal} signal */
  watch(signal) {
    this.clock.watch(signal);
    fillHeight(this.root, () => this.resize(), signal);
    keepFocus(/** @type {Document | ShadowRoot} */ (this.root.getRootNode()), signal);
    closeNotices(signal);
    // What scrolls in here is not heard of out there.
    for (const node of [this.root, window]) node.addEventListener("scroll", () => this.view.look(), { signal, capture: true, passive: true });
    document.addEventListener("visibilitychange", () => this.lookAgain(), { signal });
    const timer = setInterval(() => this.lookAgain(), LOOK_AGAIN);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** The room has changed; within the same width the levels keep their height. */
  resize() {
    const width = this.root.clientWidth;
    if (this.view.rendered === null) return;
    this.view.look();
    if (width === this.width) return;
    this.width = width;
    this.view.reserveLevels(this.visit.session);
    this.render();
    this.view.item.letScroll();
  }

  close() {
    this.aborter.abort();
    this.outbox.close();
    this.ahead.close();
  }

  /** Whether nobody is writing anything. */
  get isIdle() {
    const { mode } = this.visit;
    return mode.commentFor === null && !mode.reasons && !this.refs.words.open;
  }

  /** Whether this is the screen of whom something is handed out to. @param {Assignment} data */
  isOf(data) {
    return this.visit.owner === ownerOf(data);
  }

  /** Take what the page script gave; safe to call again at any time. @param {Assignment} data @param {Trigger} trigger */
  receive(data, trigger) {
    this.trigger = trigger;
    const { visit } = this;
    const known = visit.find(data.assignment);
    if (data.over) visit.finish();
    else if (known) this.reload(known, data);
    else if (visit.offer(data)) this.begin(data);
    this.show(data);
  }

  /** Where to ask and to send, and what depends on the assignment on the screen. @param {Assignment} data */
  show(data) {
    this.outbox.address(data.intake, data.token);
    this.ahead.address(data.ahead, data.token);
    this.adapt();
    this.words.address(data);
    renderOthers(this.refs.root, data.others);
  }

  /** Without a server: go on where something is left of what the device has kept. @param {Assignment[]} assignments */
  goOnKept(assignments) {
    for (const data of assignments) {
      if (this.visit.session.queue.current) break;
      this.visit.isWanted = true;
      this.receive(data, this.trigger);
    }
    this.ahead.assignments = assignments;
  }

  /** Everything that depends on the assignment on the screen, but not on the item. */
  adapt() {
    const { data } = this.visit.session;
    this.visit.keys = commandKeys(data.scales, data.aspects);
    this.view.item.renderAssignment(data, this.visit.keys);
    this.words.takeGuidelines();
    this.refit();
  }

  /** Show what is to be shown, and let the levels have their height anew: behind a card they have none. */
  refit() {
    this.render();
    this.width = -1;
    this.resize();
  }

  /** @param {Assignment} data */
  begin(data) {
    this.visit.begin(data);
    this.settle();
  }

  /** An assignment comes to the screen for the first time. */
  settle() {
    this.ahead.begin(this.visit.session.data.assignment);
    this.view.reset();
    // Open in a low window it would leave nothing of the item in sight; see styles/low.css.
    const isLow = matchMedia("(max-height: 30rem)").matches;
    rememberOpen(this.refs.need, `dissent:need:${this.visit.owner}`, !isLow);
  }

  /** @param {JudgingSession} session @param {Assignment} data */
  reload(session, data) {
    const before = session.content();
    this.visit.reload(session, data);
    if (session === this.visit.session && session.content() !== before) this.view.rendered = null;
  }

  /** The outbox changed; pages that did not come are loaded again when the server goes and when it comes back. */
  follow() {
    const { state, reason } = this.outbox;
    if (state === "not allowed") this.view.status.notice(reason);
    if ((state === "unreachable" && !this.isAway) || (state === "ok" && this.isAway)) {
      this.isAway = !this.isAway;
      this.view.item.renew();
      this.opened.renew();
      if (!this.isAway) this.ahead.soon(0);
    }
    this.lookAhead();
  }

  /** Whether the server cannot be reached, as far as is known. */
  get isCut() {
    return this.isAlone || this.outbox.state === "unreachable" || this.ahead.isCut;
  }

  /** Without a server, what was fetched ahead comes next; with one, what the server says. */
  lookAhead() {
    const { visit } = this;
    if (!this.isCut && visit.isGuess) [visit.coming, visit.isGuess] = [null, false];
    this.renderSaveState();
  }

  goAhead() {
    const { visit } = this;
    if (!this.isCut || visit.coming || visit.isOver || visit.session !== visit.latest) return;
    const { next } = this.ahead;
    if (!next) return;
    [visit.coming, visit.isGuess] = [next, true];
    if (visit.isWanted) this.moves.next();
  }

  /** @param {LabelEvent} event @param {Ack} ack */
  acknowledge(event, ack) {
    const { status } = this.view;
    const session = this.visit.sessionOf(event);
    const i = session.settle(event, ack);
    if (this.visit.mode.feedback && ack.practice) this.render();
    if (ack.current) this.ahead.note({ ...event, ...ack.current });
    const what = session.describe(event);
    if (ack.status === "refused") {
      this.refusals.push({ what, reason: ack.reason ?? t("no reason given") });
      status.renderRefused(this.refusals);
    } else if (ack.status === "stale" && i !== undefined) {
      status.notice(t("“{what}” was already judged elsewhere. That judgement is kept; go back to change it.", { what }));
    }
    if (i !== undefined) this.render();
  }

  /** Ask whether there is work by now; not while nobody can see the answer, and not while something is looked at again. */
  lookAgain() {
    if (this.visit.isOver && !this.visit.session.queue.current && !document.hidden) this.trigger("refresh", "work");
  }

  /** @param {string} reason */
  refresh(reason) {
    const now = performance.now();
    if (now - this.refreshed < REFRESH_PAUSE) return;
    this.refreshed = now;
    this.trigger("refresh", reason);
  }

  /** Let the page script know that this assignment is done, once and only when everything is saved. */
  report() {
    const { visit } = this;
    const { session } = visit;
    if (session.queue.current || this.outbox.size || visit.isReported || visit.coming || visit.isOver) return;
    visit.isReported = true;
    session.isReported = !session.queue.progress().later;
    setTimeout(() => this.trigger("finished", visit.session.data.assignment), 0);
  }

  render() {
    this.view.render(this.visit.session, this.visit.mode, this.visit.day);
    this.passages.render();
    this.renderSaveState();
    this.dialogs.holdFocus();
  }

  renderSaveState() {
    const { visit } = this;
    this.view.status.renderSaveState(this.outbox, this.refusals.length);
    this.revealedLevels.follow();
    if (visit.session.queue.current) return;
    this.goAhead();
    if (visit.session.queue.current) return;
    this.view.renderFinished(visit.session, visit.day);
    this.report();
  }
}
