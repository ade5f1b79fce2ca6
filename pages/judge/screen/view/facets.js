// What is judged, in words.

import { t } from "../language/translate.js";

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
