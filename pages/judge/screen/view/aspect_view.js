// What is asked of the item now, and what was said of it so far, in a line above the levels.

import { levelsOf } from "./facets.js";
import { t } from "../language/translate.js";
import { element } from "./dom.js";
import { listLevels } from "./level_words.js";

/** What an organiser wrote: in no language that is known. */
function written(tag, text, name = "") {
  const node = element(tag, text, name);
  node.dir = "auto";
  node.lang = "";
  return node;
}

function nameIn(levels, value) {
  return value === null ? t("left out") : (levels.find((one) => one.level === value)?.name ?? String(value));
}

function longest(levels) {
  return [...levels].sort((a, b) => b.name.length - a.name.length)[0];
}

/** Names, questions and levels of aspects, for the card before the first item. */
export function listAspects(aspects) {
  return aspects.flatMap((one) => {
    const list = document.createElement("dl");
    list.append(...listLevels(one.levels, ""));
    return [written("h3", one.name), written("p", one.question, "ends"), list];
  });
}

export class AspectView {
  constructor(refs) {
    this.refs = refs;
    this.shown = null;
  }

  hide() {
    const { asked, leave, dock, root } = this.refs;
    asked.hidden = leave.hidden = true;
    dock.classList.remove("aspects");
    root.dataset.aspect = "";
    this.shown = null;
  }

  /** The words to be read out where another question has come up for the same item; otherwise empty. */
  render({ aspects, data, queue }, step, key, shortcut) {
    if (!aspects.of(step).length) {
      this.hide();
      return "";
    }
    const { asked, leave, dock, root } = this.refs;
    const aspect = aspects.current(step);
    const said = this.listSaid(aspects, data.scales[step.facet], step, queue.label);
    asked.hidden = false;
    dock.classList.add("aspects");
    this.fill(said, aspect, aspect ? [] : aspects.of(step));
    leave.hidden = !aspect?.may_be_left_out;
    leave.setAttribute("aria-keyshortcuts", shortcut ?? "");
    leave.setAttribute("aria-pressed", String(aspects.given(step, queue.label)[aspect?.name] === null));
    root.dataset.aspect = aspect?.name ?? "";
    const before = this.shown;
    this.shown = `${key}|${aspect?.name ?? ""}`;
    if (this.shown === before || (!aspect && !before?.startsWith(`${key}|`))) return "";
    const last = said.at(-1);
    const chosen = last && aspect ? `${last[1]}. ` : "";
    return aspect ? `${chosen}${aspect.name}: ${aspect.question}` : `${levelsOf(step.facet)}.`;
  }

  /** What was chosen before the question on the screen: [of what, the level's name]. */
  listSaid(aspects, scale, step, label) {
    const aspect = aspects.current(step);
    const shown = aspect ? aspects.begun(step) : { level: label?.state === "level" ? label.level : undefined };
    if (shown.level === undefined) return [];
    const given = aspects.given(step, label);
    const asked = aspects.asked(step, shown.level);
    const before = aspect ? asked.slice(0, asked.indexOf(aspect)) : asked;
    const rest = before.filter(({ name }) => given[name] !== undefined);
    return [[t("Relevance"), nameIn(scale, shown.level)], ...rest.map((one) => [one.name, nameIn(one.levels, given[one.name])])];
  }

  fill(said, aspect, coming) {
    const { soFar: list, question, coming: after } = this.refs;
    list.replaceChildren(
      ...said.map(([name, level]) => {
        const item = written("span", `✓ ${level}`);
        item.title = name;
        item.prepend(element("span", `${name}: `, "unseen"));
        return item;
      }),
    );
    list.hidden = !said.length;
    question.replaceChildren(...(aspect ? [written("b", aspect.name), " ", written("span", aspect.question)] : [element("b", t("Relevance"))]));
    after.textContent = coming.length && !said.length ? t("then {aspects}", { aspects: coming.map(({ name }) => name).join(", ") }) : "";
  }

  /** Keep room for the longest question, so that nothing jumps from one to the next; the caller renders again. */
  reserve(aspects, scales) {
    const { asked, leave } = this.refs;
    asked.style.minHeight = "";
    if (!aspects.all.length || asked.hidden) return;
    const heights = aspects.all.map((one, i) => {
      const scale = scales[one.facets[0]] ?? Object.values(scales)[0];
      const said = [["", longest(scale).name], ...aspects.all.slice(0, i).map((before) => ["", longest(before.levels).name])];
      this.fill(said, one, []);
      leave.hidden = !one.may_be_left_out;
      return Math.ceil(asked.getBoundingClientRect().height);
    });
    asked.style.minHeight = `${Math.max(...heights)}px`;
  }
}
