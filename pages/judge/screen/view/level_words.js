// What levels are called and what they mean.

import { levelSign } from "../keys/key_map.js";
import { t } from "../language/translate.js";
import { element } from "./dom.js";

/** Whether the levels are plain numbers that nothing says the meaning of. @param {Level[]} levels */
function isPlain(levels) {
  return levels.length > 1 && levels.every((level) => !level.meaning && /^-?\d+$/.test(level.name));
}

/** Where a scale of plain numbers begins and ends, in words; nothing for other scales. @param {Level[]} levels */
export function endsOf(levels) {
  if (!isPlain(levels)) return "";
  const sorted = [...levels].sort((a, b) => a.level - b.level);
  return t("{low} = lowest … {high} = highest", { low: sorted[0].name, high: sorted[sorted.length - 1].name });
}

/**
 * What stands below a level's name: its meaning; at the ends of a scale of plain numbers, which end it is.
 * @param {Level[]} levels @param {Level} level
 */
export function meaningOf(levels, level) {
  if (!isPlain(levels)) return level.meaning ?? "";
  const values = levels.map((one) => one.level);
  if (level.level === Math.min(...values)) return t("lowest");
  return level.level === Math.max(...values) ? t("highest") : "";
}

/** Key, name and meaning of every level of such an item, as a <dl>'s content. @param {Level[]} levels @param {string} facet */
export function listLevels(levels, facet) {
  return levels.flatMap((level, i) => {
    const term = document.createElement("dt");
    term.append(element("kbd", levelSign(level, i, facet.endsWith("pair"))), " ", element("b", level.name));
    return [term, element("dd", meaningOf(levels, level))];
  });
}
