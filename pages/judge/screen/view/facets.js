// What is judged, in words.

import { t } from "../language/translate.js";

/** What an item is, as it is announced. */
export function nameOf(facet) {
  const names = {
    snippet: t("Snippet"),
    page: t("Page"),
    "snippet pair": t("Two snippets"),
    "page pair": t("Two pages"),
    "panel pair": t("Two result lists"),
  };
  return names[facet] ?? facet;
}

/** What stands above the levels of such an item. */
export function levelsOf(facet) {
  const titles = { snippet: t("Levels of a snippet"), page: t("Levels of a page") };
  return titles[facet] ?? t("Which is better?");
}
