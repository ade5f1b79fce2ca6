// One assessor at one assignment: turns commands into events. No DOM.

import { t } from "../language/translate.js";
import { makeId } from "../outbox/waiting_events.js";
import { Aspects } from "./aspects.js";
import { Queue, stepKey } from "./queue.js";

export const REASONS = ["page missing", "wrong language", "unreadable"];

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export class JudgingSession {
  /**
   * `spent` carries the active times of this visit from one assignment to the next; `begun` keeps unfinished sets,
   * `marks` what is marked.
   * @param {Assignment} data @param {Outbox<LabelEvent>} outbox @param {Drafts} drafts @param {Clock} clock
   * @param {number[]} spent @param {Drafts} begun @param {Marks} marks
   */
  constructor(data, outbox, drafts, clock, spent, begun, marks) {
    this.aspects = new Aspects(begun);
    this.outbox = outbox;
    this.marks = marks;
    this.drafts = drafts;
    this.clock = clock;
    this.spent = spent;
    this.total = 0;
    this.counted = 0; // items answered here that were open before, less those taken back
    this.right = /** @type {Map<string, Right>} */ (new Map()); // step key -> what the server says is right, after the answer
    this.carried = /** @type {Map<string, number>} */ (new Map()); // step key -> active time seen so far without an event
    this.reasons = /** @type {Map<string, string[]>} */ (new Map()); // step key -> why one of two is better, as chosen here
    this.decided = new Set(); // step keys of which a machine's level was shown, and the label kept or changed
    this.revealedLevels = /** @type {RevealedLevel[]} */ ([]);
    this.revealedFor = /** @type {string | null} */ (null); // the labels that these were asked for
    this.isBegun = false; // noted in this tab
    this.queue = new Queue([]);
    this.data = data;
    this.first = data.steps[0]?.label?.event_id ?? null;
    this.load(data);
    for (const event of outbox.events()) this.queue.record(event);
    this.queue.position = data.again ? 0 : this.queue.first();
    this.isReported = Boolean(data.again); // what stands is not taken back, only replaced
  }

  /** @param {Assignment} data */
  load(data) {
    this.data = data;
    this.aspects.load(data.aspects);
    this.queue.load(data.steps, this.outbox.waiting);
  }

  /** @param {number} i */
  key(i) {
    return stepKey(this.queue.steps[i]);
  }

  /** The key of the step on the screen; null at the end. */
  get step() {
    return this.queue.current ? this.key(this.queue.position) : null;
  }

  /** Active time of a step since its last event. @param {number} i */
  takeTime(i) {
    const key = this.key(i);
    const time = (this.carried.get(key) ?? 0) + (i === this.queue.position ? this.clock.take() : 0);
    this.carried.delete(key);
    return time;
  }

  /**
   * `more`: the levels of its aspects, and which were asked; how the answer came about.
   * @param {number} i @param {State} state @param {number | null} level @param {string} comment @param {Facts} [more]
   */
  emit(i, state, level, comment, more = {}) {
    const step = this.queue.steps[i];
    const event = {
      event_id: makeId(),
      assignment: this.data.assignment,
      supersedes: this.queue.labels[i]?.event_id ?? null,
      topic: step.topic,
      document: step.document,
      facet: step.facet,
      engine: step.engine ?? "",
      occasion: step.occasion,
      state,
      level,
      ...more,
      dwell_ms: this.takeTime(i),
      comment,
      client_time: new Date().toISOString(),
      ...this.reasonsFor(i, state),
      ...this.marks.take(step, this.queue.labels[i], state),
    };
    const before = this.queue.answered(i);
    this.total += event.dwell_ms;
    this.outbox.add(event);
    this.queue.record(event);
    if (!step.practice) this.counted += Number(this.queue.answered(i)) - Number(before);
    return event;
  }

  /** The reasons that can be chosen for a preference. */
  get offered() {
    return this.data.reasons ?? [];
  }

  /** Why one of two is better, in the order of what is offered: as chosen here, or as it was given. @param {number} i */
  reasonsOf(i) {
    const label = this.queue.labels[i];
    return this.reasons.get(this.key(i)) ?? label?.reasons ?? this.data.given?.[label?.event_id ?? ""] ?? [];
  }

  /** @param {string} reason */
  toggleReason(reason) {
    const i = this.queue.position;
    const before = this.reasonsOf(i);
    const after = before.includes(reason) ? before.filter((one) => one !== reason) : [...before, reason];
    this.reasons.set(this.key(i), [...this.offered, ...after.filter((one) => !this.offered.includes(one))].filter((one) => after.includes(one)));
  }

  /** What an event says of reasons; they stay chosen when a preference is taken back. @param {number} i @param {State} state */
  reasonsFor(i, state) {
    if (!this.queue.steps[i].sides || !this.offered.length || state !== "level") return {};
    const reasons = this.reasonsOf(i);
    this.reasons.set(this.key(i), reasons);
    return { reasons };
  }

  /**
   * Judge the step on the screen; moving on is the caller's.
   * @param {State} state @param {number | null} [level] @param {string} [reason] @param {Facts} [paradata]
   */
  answer(state, level = null, reason = undefined, paradata = {}) {
    const { queue } = this;
    const i = queue.position;
    const leaving = state === "later" && queue.label?.state === "later" && !queue.fresh().length;
    const own = this.drafts.take(this.key(i)) ?? this.comment(i);
    const levels = this.aspects.take(queue.steps[i], state === "level" ? level : null);
    const event = this.emit(i, state, level, reason ?? own, { ...levels, paradata });
    queue.undoable.push(i);
    if (leaving) queue.left.add(i);
    if (state !== "later" && !queue.steps[i].practice) this.spent.push(event.dwell_ms);
  }

  /** The comment that goes along with a new answer: an earlier one, without a reason that came from a chip. @param {number} i */
  comment(i) {
    const comment = this.stored(i);
    const reason = REASONS.find((one) => comment === one || comment.startsWith(`${one}; `));
    return reason ? comment.slice(reason.length + 2) : comment;
  }

  /** The comment that is stored with the label. @param {number} i */
  stored(i) {
    return this.queue.labels[i]?.comment ?? "";
  }

  /**
   * Another comment for a labelled step, its state and level unchanged; false where there is no label.
   * @param {number} i @param {string} comment
   */
  amend(i, comment) {
    const label = this.queue.labels[i];
    if (!label || ["unjudged", "refused"].includes(label.state)) return false;
    this.drafts.take(this.key(i));
    const levels = label.aspects ? { aspects: label.aspects } : {};
    if ((label.comment ?? "") !== comment) this.emit(i, label.state, label.level, comment, levels);
    return true;
  }

  /** The passages as they stand: marked here, or stored with the label. @param {number} i */
  marked(i) {
    return this.marks.spans(this.queue.steps[i], this.queue.labels[i]) ?? [];
  }

  /** Other passages for the step on the screen; where it is labelled, the same label once more with them. @param {Span[]} passages */
  mark(passages) {
    const { current: step, label, position } = this.queue;
    if (!step) return;
    this.marks.keep(step, { passages, text_hash: step.text_hash });
    if (!label || ["unjudged", "refused"].includes(label.state)) return;
    const levels = label.aspects ? { aspects: label.aspects } : {};
    this.emit(position, label.state, label.level, label.comment ?? "", levels);
  }

  /**
   * The comment as it stands: begun here, or stored with the label; `own`: without a reason from a chip.
   * @param {number} i @param {boolean} [own]
   */
  note(i, own = false) {
    return this.drafts.get(this.key(i)) ?? (own ? this.comment(i) : this.stored(i));
  }

  /** Another assignment comes to the screen; what was seen of the step left counts for its next event. */
  pause() {
    const seen = this.clock.take();
    if (this.step) this.carried.set(this.step, (this.carried.get(this.step) ?? 0) + seen);
  }

  /** How the practice items went, as far as the server has said what is right. */
  practised() {
    const { steps, labels } = this.queue;
    const answered = steps.map((_, i) => i).filter((i) => steps[i].practice && this.queue.answered(i));
    const known = answered.filter((i) => this.right.has(this.key(i)));
    const isRight = (/** @type {number} */ i) => labels[i]?.state === "level" && labels[i].level === this.right.get(this.key(i))?.level;
    return { answered: answered.length, known: known.length, right: known.filter(isRight).length };
  }

  /** Take the last judgement of this visit back and go there; false when there is none. */
  undo() {
    const i = this.queue.takeUndo();
    if (i === undefined) return false;
    const comment = this.comment(i);
    if (comment && this.drafts.get(this.key(i)) === null) this.drafts.set(this.key(i), comment);
    this.marks.restore(this.queue.steps[i], this.queue.labels[i]);
    this.emit(i, "unjudged", null, "");
    this.move(() => (this.queue.position = i));
    return true;
  }

  /** Change the position; what was seen of the step left counts for its next event. @template T @param {() => T} change */
  move(change) {
    const { queue } = this;
    const from = queue.position;
    const seen = this.clock.take();
    const moved = change();
    if (from < queue.end && queue.position !== from) {
      this.carried.set(this.key(from), (this.carried.get(this.key(from)) ?? 0) + seen);
    } else if (queue.position === from) {
      this.clock.active += seen; // what was seen of the card at the end is lost: it is no item
    }
    return moved;
  }

  /** The server's answer for an event; its index when the label on this device changed. @param {LabelEvent} event @param {Ack} ack */
  settle(event, ack) {
    if (ack.practice) this.right.set(stepKey(event), ack.practice);
    const i = this.queue.index.get(stepKey(event));
    if (i === undefined || this.queue.labels[i]?.event_id !== event.event_id) return undefined;
    if (ack.current && ack.current.event_id !== event.event_id) this.queue.relabel(i, ack.current);
    else if (ack.status === "refused") {
      this.marks.restore(this.queue.steps[i], event);
      this.queue.relabel(i, { event_id: event.supersedes, state: "refused", level: null, comment: "" });
    } else return undefined;
    return i;
  }

  /** Another tab's event; ours, if newer, stays. @param {LabelEvent} event */
  adopt(event) {
    const label = this.queue.labels[this.queue.index.get(stepKey(event)) ?? -1];
    if (!label?.event_id || label.event_id === event.supersedes) this.queue.record(event);
  }

  /** The shown data as text, to see whether a rerun of the page changed it. */
  content() {
    const step = this.queue.current;
    if (!step) return "";
    const { title, url, text } = this.data.documents[step.document] ?? {};
    return JSON.stringify([stepKey(step), step.snippet, title, url, text, this.words(step), this.data.topics[step.topic]]);
  }

  /** What can be read on both sides of a pair; frames have new addresses every time. @param {Step} step */
  words(step) {
    return (step.sides ?? []).map((side) => side.map(({ title, url, text }) => [title, url, text]));
  }

  /** Whether the item that is looked at again has another label than the one it came with. */
  get isChanged() {
    return this.queue.labels[0]?.event_id !== this.first;
  }

  /** A few words by which the assessor knows an item. @param {Place} step */
  describe(step) {
    const document_ = this.data.documents[step.document];
    const own = this.queue.steps[this.queue.index.get(stepKey(step)) ?? -1];
    const text = own?.sides ? this.describePair(own.sides) : document_?.title || own?.snippet || document_?.text || step.document;
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  }

  /** @param {[Card[], Card[]]} sides */
  describePair(sides) {
    return sides.map(([card]) => (card.title || card.text || card.url || t("untitled")).slice(0, 28)).join(" ↔ ");
  }

  /** Own pace, 0 where the organiser hides it: median active seconds of a judgement, from earlier visits until there are three here. */
  pace() {
    if (this.data.pace?.hidden) return 0;
    const earlier = this.data.pace?.median_seconds ?? null;
    if (this.spent.length >= 3 || (this.spent.length && earlier === null)) return median(this.spent) / 1000;
    return earlier ?? 0;
  }
}
