// What is asked of the item now, and what was said of it so far, in a line above the levels.

import { levelsOf, listLevels } from "./wording.js";
import { t } from "../language/translate.js";
import { element, written } from "./dom.js";

/** @param {Level[]} levels @param {number | null} value */
function nameIn(levels, value) {
  return value === null ? t("left out") : (levels.find((one) => one.level === value)?.name ?? String(value));
}

/** @param {Level[]} levels */
function longest(levels) {
  return [...levels].sort((a, b) => b.name.length - a.name.length)[0];
}

/** Names, questions and levels of aspects, for the card before the first item. @param {Aspect[]} aspects */
export function listAspects(aspects) {
  return aspects.flatMap((one) => {
    const list = document.createElement("dl");
    list.append(...listLevels(one.levels, ""));
    return [written("h3", one.name), written("p", one.question, "ends"), list];
  });
}

export class AspectView {
  /** @param {Refs} refs */
  constructor(refs) {
    this.refs = refs;
    this.rendered = null;
  }

  hide() {
    const { asked, leave, dock, root } = this.refs;
    asked.hidden = leave.hidden = true;
    dock.classList.remove("aspects");
    root.dataset.aspect = "";
    this.rendered = null;
  }

  /**
   * The words to be read out where another question has come up for the same item; otherwise empty.
   * @param {JudgingSession} session @param {Step} step @param {string} key @param {string | null} shortcut
   */
  render({ aspects, data, queue }, step, key, shortcut) {
    if (!aspects.of(step).length) {
      this.hide();
      return "";
    }
    const { asked, leave, dock, root } = this.refs;
    const aspect = aspects.current(step);
    const answers = this.listChosen(aspects, data.scales[step.facet], step, queue.label);
    asked.hidden = false;
    dock.classList.add("aspects");
    this.fill(answers, aspect, aspect ? [] : aspects.of(step));
    leave.hidden = !aspect?.may_be_left_out;
    leave.setAttribute("aria-keyshortcuts", shortcut ?? "");
    leave.setAttribute("aria-pressed", String(aspects.given(step, queue.label)[aspect?.name ?? ""] === null));
    root.dataset.aspect = aspect?.name ?? "";
    const before = this.rendered;
    this.rendered = `${key}|${aspect?.name ?? ""}`;
    if (this.rendered === before || (!aspect && !before?.startsWith(`${key}|`))) return "";
    const last = answers.at(-1);
    const chosen = last && aspect ? `${last[1]}. ` : "";
    return aspect ? `${chosen}${aspect.name}: ${aspect.question}` : `${levelsOf(step.facet)}.`;
  }

  /**
   * What was chosen before the question on the screen: [of what, the level's name].
   * @param {Aspects} aspects @param {Level[]} scale @param {Step} step @param {Label | null} label
   * @returns {[string, string][]}
   */
  listChosen(aspects, scale, step, label) {
    const aspect = aspects.current(step);
    const level = aspect ? aspects.begun(step)?.level : label?.state === "level" ? label.level : null;
    if (level === null || level === undefined) return [];
    const given = aspects.given(step, label);
    const asked = aspects.asked(step, level);
    const before = aspect ? asked.slice(0, asked.indexOf(aspect)) : asked;
    const rest = before.filter(({ name }) => given[name] !== undefined);
    return [[t("Relevance"), nameIn(scale, level)], ...rest.map((one) => /** @type {[string, string]} */ ([one.name, nameIn(one.levels, given[one.name])]))];
  }

  /** @param {[string, string][]} answers @param {Aspect | null} aspect @param {Aspect[]} coming */
  fill(answers, aspect, coming) {
    const { soFar: list, question, coming: after } = this.refs;
    list.replaceChildren(
      ...answers.map(([name, level]) => {
        const item = written("span", `✓ ${level}`);
        item.title = name;
        item.prepend(element("span", `${name}: `, "unseen"));
        return item;
      }),
    );
    list.hidden = !answers.length;
    question.replaceChildren(...(aspect ? [written("b", aspect.name), " ", written("span", aspect.question)] : [element("b", t("Relevance"))]));
    after.textContent = coming.length && !answers.length ? t("then {aspects}", { aspects: coming.map(({ name }) => name).join(", ") }) : "";
  }

  /**
   * Keep room for the longest question, so that nothing jumps from one to the next; the caller renders again.
   * @param {Aspects} aspects @param {Scales} scales
   */
  reserve(aspects, scales) {
    const { asked, leave } = this.refs;
    asked.style.minHeight = "";
    if (!aspects.all.length || asked.hidden) return;
    const heights = aspects.all.map((one, i) => {
      const scale = scales[one.facets[0]] ?? Object.values(scales)[0];
      const before = [scale, ...aspects.all.slice(0, i).map(({ levels }) => levels)];
      this.fill(before.map((levels) => ["", longest(levels).name]), one, []);
      leave.hidden = !one.may_be_left_out;
      return Math.ceil(asked.getBoundingClientRect().height);
    });
    asked.style.minHeight = `${Math.max(...heights)}px`;
  }
}
