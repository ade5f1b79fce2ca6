// Addresses, times, facets and levels as people read them.

import { t } from "../language/translate.js";
import { levelSign } from "../keys/key_map.js";
import { element } from "./dom.js";

/** "https://www.example.org/a/b?x" as a result page shows it: "example.org › a › b". @param {string | null} url */
export function breadcrumb(url) {
  if (!url) return "";
  let parts;
  try {
    const { hostname, pathname } = new URL(url.includes("://") ? url : `https://${url}`);
    parts = [hostname.replace(/^www\./, ""), ...pathname.split("/").filter(Boolean).map(readable)];
  } catch {
    return url;
  }
  return parts.length > 4 ? [parts[0], "…", ...parts.slice(-2)].join(" › ") : parts.join(" › ");
}

/** @param {string} part */
function readable(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Seconds to a tenth, at least one. @param {number} seconds */
export function tenths(seconds) {
  return Math.max(0.1, Math.round(seconds * 10) / 10).toLocaleString(t("en-GB"));
}

/** @param {number} seconds */
export function readableTime(seconds) {
  if (seconds < 10) return t("{n} s", { n: tenths(seconds) });
  if (seconds < 60) return t("{n} s", { n: Math.round(seconds) });
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? t("{n} min", { n: minutes }) : t("{hours} h {n} min", { hours: Math.floor(minutes / 60), n: minutes % 60 });
}

// What is judged, in words.

/** What an item is, as it is announced. @param {string | undefined} facet */
export function nameOf(facet) {
  const names = /** @type {Record<string, string>} */ ({
    snippet: t("Snippet"),
    page: t("Page"),
    "snippet pair": t("Two snippets"),
    "page pair": t("Two pages"),
    "panel pair": t("Two result lists"),
  });
  return names[facet ?? ""] ?? facet;
}

/** What stands above the levels of such an item. @param {string} facet */
export function levelsOf(facet) {
  if (facet === "snippet") return t("Levels of a snippet");
  return facet === "page" ? t("Levels of a page") : t("Which is better?");
}

// What levels are called and what they mean.

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
