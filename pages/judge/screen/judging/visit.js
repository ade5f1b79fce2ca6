// The assignments of one visit: which is on the screen, and what is open besides its item. No DOM.

import { isNoted, noteHere } from "../storage/memory.js";

const KEPT_SESSIONS = 8; // finished assignments that one can go back to

/** @type {Mode} */
const CLOSED = { feedback: false, card: null, reasons: false, commentFor: null, isReason: false, asks: false };

export class Visit {
  /** `open` makes the session of what was handed out. @param {(data: Assignment) => JudgingSession} open @param {Assignment} data */
  constructor(open, data) {
    this.open = open;
    this.owner = ownerOf(data);
    this.sessions = /** @type {JudgingSession[]} */ ([]); // oldest first
    this.coming = /** @type {Assignment | null} */ (null); // what comes next, while the card of what is finished stands
    this.isGuess = false; // it was fetched ahead, and the server has not said so since
    this.isWanted = false; // whoever judges waits for it
    this.isOver = false; // nothing was left when the server was asked last
    this.isReported = false; // the page script knows that the assignment is done
    this.base = 0; // what was judged today before anything that the sessions of this visit have counted
    this.keys = /** @type {Keys} */ ({}); // of commands
    this.mode = CLOSED;
    this.session = this.begin(data);
  }

  /** Another assignment comes to the screen, with a card before it where its scales were not met yet. @param {Assignment} data */
  begin(data) {
    const session = this.open(data);
    const isKnown = this.sessions.some((one) => JSON.stringify(one.data.scales) === JSON.stringify(data.scales));
    const isMet = isNoted(this.begun(data)) || (isKnown && !this.isOver);
    this.base = data === this.coming ? this.base : this.baseOf(data);
    [this.coming, this.isWanted, this.isOver, this.isGuess] = [null, false, Boolean(data.over), false];
    this.session?.pause();
    this.session = session;
    this.sessions = [...this.sessions.filter((one) => one.queue.steps.length), session].slice(-KEPT_SESSIONS);
    this.isReported = false;
    this.setMode({ card: data.intro && session.queue.current && !isMet ? "start" : null });
    return session;
  }

  /** Whether another assignment begins now: it waits while the card of a finished one stands. @param {Assignment} data */
  offer(data) {
    const isFinished = this.latest.queue.first() === this.latest.queue.end;
    if (!isFinished || this.isWanted || this.isOver) return true;
    [this.coming, this.isGuess] = [data, false];
    this.base = this.baseOf(data);
    return false;
  }

  /** Nothing is left to be judged now. */
  finish() {
    [this.isOver, this.coming, this.isWanted, this.isGuess] = [true, null, false, false];
    const { session } = this;
    if (session === this.latest && session.queue.first() !== session.queue.end) session.queue.position = session.queue.end; // it was taken away
  }

  /** What is handed out anew of an assignment of this visit. @param {JudgingSession} session @param {Assignment} data */
  reload(session, data) {
    const { step } = session;
    session.load(data);
    this.isOver = false;
    // A page drawn before the last answer arrived gives what is done once more: what is next stays wanted.
    if (session.queue.first() !== session.queue.end) this.isWanted = false;
    // An answered practice item is not handed out again: its feedback ends with it.
    if (session === this.session && session.step !== step) this.setMode();
  }

  /** Go to another assignment of this visit. @param {JudgingSession} session */
  turnTo(session) {
    this.session.pause();
    this.session = session;
    this.setMode();
  }

  /** What is open besides the item; `render` in the view says what each part means. @param {Partial<Mode>} [mode] */
  setMode(mode) {
    this.mode = { ...CLOSED, ...mode };
  }

  /** The step on the screen; none behind a card and at the end. */
  get step() {
    return this.mode.card ? undefined : this.session.queue.current;
  }

  /** Whether an item of the history is looked at again, or was just now. */
  get isAgain() {
    return Boolean(this.session.data.again) && !this.mode.feedback;
  }

  get latest() {
    return this.sessions[this.sessions.length - 1];
  }

  /** The session before the one on the screen, or after it. @param {number} by @returns {JudgingSession | undefined} */
  beside(by) {
    return this.sessions[this.sessions.indexOf(this.session) + by];
  }

  /** @param {string} assignment */
  find(assignment) {
    return this.sessions.find((one) => one.data.assignment === assignment);
  }

  /** The session that an event belongs to. @param {LabelEvent} event */
  sessionOf(event) {
    return this.find(event.assignment) ?? this.session;
  }

  /** The name under which this tab notes that something of an assignment was judged. @param {Assignment} data */
  begun(data) {
    return `dissent:begun:${this.owner}:${data.assignment}`;
  }

  /** From now on a reload in this tab goes on without the card before the first item. */
  noteBegun() {
    if (this.session.isBegun) return;
    this.session.isBegun = true;
    noteHere(this.begun(this.session.data));
  }

  /** @param {Assignment} data */
  baseOf(data) {
    return (data.pace?.today ?? 0) - this.sessions.reduce((sum, one) => sum + one.counted, 0);
  }

  /** What the item's surroundings say of the whole visit. @returns {Day} */
  get day() {
    const today = Math.max(0, this.base + this.sessions.reduce((sum, one) => sum + one.counted, 0));
    if (this.session.queue.current) return { today };
    const { coming, isWanted, isOver } = this;
    const next = coming?.topics[coming.steps[0]?.topic]?.query ?? "";
    const spent = this.sessions.reduce((sum, one) => sum + one.total, 0);
    return { today, spent, end: { next, isWanted, isOver } };
  }
}

/** Whose labels these are, and of what. @param {Assignment} data */
export function ownerOf({ collection, assessor }) {
  return `${collection}:${assessor}`;
}
