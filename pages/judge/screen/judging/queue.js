// Which step is on the screen. Pure: no document, no storage, no clock.

/** @param {Place} step */
export function stepKey(step) {
  return [step.topic, step.document, step.facet, step.engine ?? "", step.occasion].join("|");
}

/** @param {Place} step */
function pairKey(step) {
  return [step.topic, step.document, step.occasion].join("|");
}

export class Queue {
  /** @param {Step[]} steps */
  constructor(steps) {
    this.deferred = /** @type {number[]} */ ([]); // indices put off with "later", in that order; their place is the end for this session
    this.left = /** @type {Set<number>} */ (new Set()); // put off a second time: not asked again in this session
    this.undoable = /** @type {number[]} */ ([]); // indices judged in this session, oldest first
    this.past = /** @type {Set<string | null>} */ (new Set()); // ids of events that a newer one replaced here
    this.position = 0;
    this.steps = /** @type {Step[]} */ ([]);
    this.labels = /** @type {(Label | null)[]} */ ([]);
    this.index = /** @type {Map<string, number>} */ (new Map());
    this.pairs = /** @type {Map<string, number[]>} */ (new Map());
    this.load(steps);
  }

  /** Take the steps as handed out, keeping what is known here and newer than they are. @param {Step[]} steps @param {Waiting} [waiting] */
  load(steps, waiting = new Map()) {
    const known = new Map(this.steps.map((step, i) => [stepKey(step), this.labels[i]]));
    const keys = this.steps.map(stepKey);
    const here = this.current ? stepKey(this.current) : null;
    this.steps = steps;
    this.index = new Map(steps.map((step, i) => [stepKey(step), i]));
    this.labels = steps.map((step) => this.newer(step.label, known.get(stepKey(step)), waiting));
    this.pairs = new Map();
    steps.forEach((step, i) => this.pairs.set(pairKey(step), [...(this.pairs.get(pairKey(step)) ?? []), i]));
    const follow = (/** @type {number[]} */ indices) => indices.map((i) => this.index.get(keys[i])).filter((i) => i !== undefined);
    this.deferred = follow(this.deferred);
    this.left = new Set(follow([...this.left]));
    this.undoable = follow(this.undoable);
    this.labels.forEach((label, i) => label?.state === "later" && this.defer(i));
    this.position = this.index.get(here ?? "") ?? this.first();
  }

  /** @param {Label | null} given @param {Label | null | undefined} local @param {Waiting} waiting */
  newer(given, local, waiting) {
    if (!given) return local ?? null;
    if (local && (waiting.has(local.event_id ?? "") || this.past.has(given.event_id))) return local;
    return given;
  }

  get end() {
    return this.steps.length;
  }

  /** @returns {Step | undefined} */
  get current() {
    return this.steps[this.position];
  }

  get label() {
    return this.labels[this.position] ?? null;
  }

  /** Make an event the label of its step. @param {Place & Label} event */
  record(event) {
    const i = this.index.get(stepKey(event));
    if (i !== undefined) this.relabel(i, event);
    return i;
  }

  /** @param {number} i @param {Label} label */
  relabel(i, label) {
    const old = this.labels[i];
    if (old?.event_id && old.event_id !== label?.event_id) this.past.add(old.event_id);
    this.labels[i] = label;
    if (label?.state === "later") this.defer(i);
    else this.left.delete(i);
  }

  /** @param {number} i */
  defer(i) {
    if (!this.deferred.includes(i)) this.deferred.push(i);
  }

  /** Snippet steps whose level lets a linked page be shown. @param {number} i */
  unlocking(i) {
    const { needs } = this.steps[i];
    return this.siblings(i).filter((j) => {
      const label = this.labels[j];
      return label?.state === "level" && needs !== null && Number(label.level) >= needs.at_least;
    });
  }

  /** All steps of the same page. @param {number} i */
  ofPage(i) {
    return this.pairs.get(pairKey(this.steps[i])) ?? [];
  }

  /** @param {number} i */
  siblings(i) {
    const { needs } = this.steps[i];
    return this.ofPage(i).filter((j) => this.steps[j].facet === needs?.facet);
  }

  /** @param {number} i */
  visible(i) {
    if (!this.steps[i].needs) return true;
    return this.answered(i) || this.unlocking(i).length > 0;
  }

  /** A page that may still come, once its snippet is judged. @param {number} i */
  undecided(i) {
    return !this.visible(i) && this.siblings(i).some((j) => !this.answered(j));
  }

  /** @param {number} i */
  answered(i) {
    return ["level", "cannot judge", "refused"].includes(this.labels[i]?.state ?? "");
  }

  /** @param {number} i */
  untouched(i) {
    return !this.labels[i] || this.labels[i].state === "unjudged";
  }

  /** Visible steps in walking order: as given, then what was put off, each with the page it unlocks. */
  order() {
    const off = new Set(this.deferred);
    const anchor = (/** @type {number} */ i) => {
      if (off.has(i) || !this.steps[i].needs) return off.has(i) ? i : null;
      const keys = this.unlocking(i);
      return keys.length && keys.every((j) => off.has(j)) ? keys[keys.length - 1] : null;
    };
    const front = /** @type {number[]} */ ([]);
    const behind = new Map(this.deferred.map((i) => [i, [i]]));
    this.steps.forEach((_, i) => {
      if (!this.visible(i)) return;
      const to = anchor(i);
      if (to === null) front.push(i);
      else if (to !== i) behind.get(to)?.push(i);
    });
    return [...front, ...[...behind.values()].flat()];
  }

  fresh(order = this.order()) {
    return order.filter((i) => this.untouched(i));
  }

  putOff(order = this.order()) {
    return order.filter((i) => this.labels[i]?.state === "later" && !this.left.has(i));
  }

  /** Where to start: the first step without a label, then those put off, then the end. */
  first() {
    const order = this.order();
    return this.fresh(order)[0] ?? this.putOff(order)[0] ?? this.end;
  }

  /** The step after i that still wants an answer. @param {number} i */
  next(i) {
    const order = this.order();
    const place = order.indexOf(i);
    const fresh = this.fresh(order);
    const after = fresh.find((j) => order.indexOf(j) > place) ?? fresh[0];
    if (after !== undefined) return after;
    const off = this.putOff(order);
    return off.find((j) => order.indexOf(j) > place) ?? off[0] ?? this.end;
  }

  advance() {
    this.position = this.next(this.position);
  }

  /** One step back in walking order; false at the first. */
  back() {
    const order = this.order();
    const place = this.position === this.end ? order.length : order.indexOf(this.position);
    if (place < 1) return false;
    this.position = order[place - 1];
    return true;
  }

  /** One step forward over answered ones; false when the current one wants an answer. */
  forward() {
    if (this.position === this.end || this.untouched(this.position)) return false;
    const order = this.order();
    this.position = order[order.indexOf(this.position) + 1] ?? this.next(this.position);
    return true;
  }

  /** Index of the last judgement of this session, forgotten here. */
  takeUndo() {
    const i = this.undoable.pop();
    this.undoable = this.undoable.filter((j) => j !== i);
    return i;
  }

  /** To the first step in walking order. */
  restart() {
    const first = this.order().at(0);
    if (first === undefined) return false;
    this.position = first;
    return true;
  }

  /** To the last step in walking order. */
  finish() {
    this.position = this.order().at(-1) ?? this.end;
    return this.position !== this.end;
  }

  /** Which of how many of its kind a step is, where its page has several: [2, 3]; null where it is the only one. @param {number} i */
  part(i) {
    const same = this.ofPage(i).filter((j) => this.steps[j].facet === this.steps[i].facet);
    return same.length > 1 ? [same.indexOf(i) + 1, same.length] : null;
  }

  /** Ask those left once more. */
  reopen() {
    this.left.clear();
    this.position = this.first();
    return true;
  }

  /** The next steps likely to be shown, linked pages included before their snippet is judged. @param {number} count */
  upcoming(count) {
    const order = this.order();
    const from = order.indexOf(this.position);
    const ahead = order.slice(from + 1).filter((i) => !this.answered(i)).slice(0, count);
    const linked = [this.position, ...ahead].filter((i) => i < this.end).flatMap((i) => this.locked(i));
    return [...linked, ...ahead];
  }

  /** @param {number} i */
  locked(i) {
    return this.ofPage(i).filter((j) => this.steps[j].needs && !this.visible(j));
  }

  progress() {
    const real = this.order().filter((i) => !this.steps[i].practice);
    const topic = real.filter((i) => this.steps[i].topic === this.current?.topic);
    const topics = [...new Set(this.steps.filter((step) => !step.practice).map((step) => step.topic))];
    return {
      place: real.indexOf(this.position) + 1,
      total: real.length,
      possible: this.steps.filter((step, i) => !step.practice && this.undecided(i)).length,
      answered: real.filter((i) => this.answered(i)).length,
      open: real.filter((i) => this.untouched(i)).length + this.putOff(real).length,
      later: real.filter((i) => this.labels[i]?.state === "later").length,
      cannot: real.filter((i) => this.labels[i]?.state === "cannot judge").length,
      refused: real.filter((i) => this.labels[i]?.state === "refused").length,
      practice: this.steps.filter((step) => step.practice).length,
      topicPlace: topic.indexOf(this.position) + 1,
      topicTotal: topic.length,
      topicNumber: topics.indexOf(this.current?.topic ?? "") + 1,
      topics: topics.length,
    };
  }
}
