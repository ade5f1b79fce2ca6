// What else is asked of an item once its level is chosen: trust or freshness, say. No DOM.
// What was said so far is kept on this device until the whole set goes as one event.

import { stepKey } from "./queue.js";

export class Aspects {
  /** `kept` keeps texts by step, as drafts of comments are kept. @param {Drafts} kept */
  constructor(kept) {
    this.kept = kept;
    this.all = /** @type {Aspect[]} */ ([]);
  }

  /** @param {Aspect[] | undefined} aspects */
  load(aspects) {
    this.all = aspects ?? [];
  }

  /** Every aspect of such a step; practice and pairs have none. @param {Step} step */
  of(step) {
    return step.practice || step.sides ? [] : this.all.filter((one) => one.facets.includes(step.facet));
  }

  /** Those asked of a step whose item has this level. @param {Step} step @param {number} level */
  asked(step, level) {
    return this.of(step).filter((one) => one.from_level === null || level >= one.from_level);
  }

  /** What was said of a step so far, `at` -1 while its level is asked again; or null. @param {Step} step @returns {Begun | null} */
  begun(step) {
    if (!this.of(step).length) return null;
    try {
      return JSON.parse(this.kept.get(stepKey(step)) ?? "null");
    } catch {
      return null; // not ours
    }
  }

  /** @param {Step} step @param {Begun | null} begun */
  write(step, begun) {
    this.kept.set(stepKey(step), begun && JSON.stringify(begun));
  }

  /** The aspect that is asked now; null while the level of the item is. @param {Step} step */
  current(step) {
    const begun = this.begun(step);
    if (!begun || begun.at < 0) return null;
    const asked = this.asked(step, begun.level);
    return asked[Math.min(begun.at, asked.length - 1)] ?? null;
  }

  /**
   * Ask what there is to ask about an item with this level; false where that is nothing.
   * @param {Step} step @param {number} level @param {Label | null} label
   */
  begin(step, level, label) {
    if (!this.asked(step, level).length) return false;
    const given = this.begun(step)?.given ?? label?.aspects ?? {};
    this.write(step, { level, given, at: 0 });
    return true;
  }

  /**
   * Note the level of the aspect that is asked, or null where it is left out; whether another comes.
   * @param {Step} step @param {number | null} value
   */
  say(step, value) {
    const begun = this.begun(step);
    if (!begun) return false;
    const { level, given, at } = begun;
    const asked = this.asked(step, level);
    const place = Math.min(at, asked.length - 1);
    const isMore = place + 1 < asked.length;
    this.write(step, { level, given: { ...given, [asked[place].name]: value }, at: isMore ? place + 1 : place });
    return isMore;
  }

  /** To the aspect before, and from the first to the level of the item; false where none is asked. @param {Step} step */
  back(step) {
    const begun = this.begun(step);
    if (!begun || !this.current(step)) return false;
    const last = this.asked(step, begun.level).length - 1;
    this.write(step, { ...begun, at: Math.min(begun.at, last) - 1 });
    return true;
  }

  /**
   * What is marked as chosen now: of the aspect that is asked, or of the item.
   * @param {Step} step @param {Label | null} label @returns {Chosen | null}
   */
  chosen(step, label) {
    const begun = this.begun(step);
    const aspect = this.current(step);
    if (!begun) return label;
    return { state: "level", level: aspect ? begun.given[aspect.name] : begun.level };
  }

  /** The levels given so far by aspect, those of a label where nothing is being asked. @param {Step} step @param {Label | null} label */
  given(step, label) {
    return this.begun(step)?.given ?? label?.aspects ?? {};
  }

  /** The end of a step: what goes into its event besides its level. @param {Step} step @param {number | null} level */
  take(step, level) {
    if (!this.of(step).length) return {};
    const given = this.given(step, null);
    this.write(step, null);
    const asked = level === null ? [] : this.asked(step, level);
    if (!asked.length) return {};
    const levels = asked.filter(({ name }) => given[name] !== undefined).map(({ name }) => [name, given[name]]);
    return { aspects: Object.fromEntries(levels), asked: asked.map(({ name }) => name) };
  }
}
