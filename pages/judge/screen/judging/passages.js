// Passages that decided: stretches [start, end] of an item's text, in code points. They are kept on
// this device until they go along with a label, like a comment. No DOM.

import { stepKey } from "./queue.js";

export const MOST_PASSAGES = 20; // as in core/store/events/marked.py

/** Stretches with one more; those that it overlaps become one with it. @param {Span[]} spans @param {Span} span */
export function addSpan(spans, [start, end]) {
  const apart = spans.filter(([from, to]) => to <= start || from >= end);
  const joined = spans.filter((one) => !apart.includes(one));
  /** @type {Span} */
  const grown = [Math.min(start, ...joined.map(([from]) => from)), Math.max(end, ...joined.map(([, to]) => to))];
  return [...apart, grown].sort(([one], [other]) => one - other);
}

/** The stretch that holds another whole; undefined where none does. @param {Span[]} spans @param {Span} span */
export function findHolder(spans, [start, end]) {
  return spans.find(([from, to]) => from <= start && to >= end);
}

/** @param {string | null} text @returns {Marked | null} */
function readDraft(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null; // not ours
  }
}

/** What names the text of a page in a frame is known only once the frame was opened for marks. @param {Step} step */
function isLater(step) {
  return step.facet === "page" && !step.sides;
}

export class Marks {
  /** `drafts` has what was marked and not sent yet, by step key. @param {Drafts} drafts */
  constructor(drafts) {
    this.drafts = drafts;
  }

  /**
   * What is marked in the text of a step: here, or with its label; what is of another text does not show.
   * @param {Step} step @param {Label | null} label
   */
  spans(step, label) {
    return this.draft(step) ?? (label?.passages && label.text_hash === step.text_hash ? label.passages : []);
  }

  /** @param {Step} step */
  draft(step) {
    return this.kept(step)?.passages ?? null;
  }

  /**
   * Whether something is marked in the text of a step, also where that text is not known yet.
   * @param {Step} step @param {Label | null} label
   */
  isMarked(step, label) {
    return Boolean((this.draft(step) ?? label?.passages)?.length);
  }

  /** @param {Step} step */
  kept(step) {
    const kept = readDraft(this.drafts.get(stepKey(step)));
    const isOfText = kept && (step.text_hash ? kept.text_hash === step.text_hash : isLater(step));
    return isOfText && Array.isArray(kept?.passages) ? kept : null;
  }

  /** @param {Step} step @param {Marked} marked */
  keep(step, { passages, text_hash }) {
    this.drafts.set(stepKey(step), JSON.stringify({ passages, text_hash }));
  }

  /**
   * What an event of a step says of passages: as they stand, or as they were stored.
   * @param {Step} step @param {Label | null} label @param {State} state
   */
  take(step, label, state) {
    if (state === "unjudged") return {};
    const draft = this.kept(step);
    if (draft) this.drafts.take(stepKey(step));
    const { passages, text_hash } = draft ?? label ?? {};
    return passages?.length ? { passages, text_hash } : {};
  }

  /** A label goes, its passages stay to be given again. @param {Step} step @param {Label | null} label */
  restore(step, label) {
    if (label?.passages?.length && !this.draft(step)) this.keep(step, label);
  }
}
