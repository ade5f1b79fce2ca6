// The card before the first item: who asks, for what, on which scale, with which keys.

import { t, tn } from "../language/translate.js";
import { listAspects } from "./aspect_view.js";
import { element, setText } from "./dom.js";
import { endsOf, levelsOf, listLevels } from "./wording.js";
import { wordRules } from "./status_view.js";

/** @param {string[]} facets */
function taskOf(facets) {
  if (facets.some((facet) => facet.endsWith("pair"))) {
    return t("Compare what stands on the left with what stands on the right, and say which serves the query better.");
  }
  if (facets.length > 1) {
    return t("Read each snippet, then the page it leads to, and say how well each serves what the query asks for.");
  }
  return facets[0] === "snippet"
    ? t("Read each snippet as a searcher does, and say how far it serves what the query asks for.")
    : t("Read each page, and say how well it serves what the query asks for.");
}

/** @param {number} practice @param {boolean} hasWork */
function wordPracticeFirst(practice, hasWork) {
  if (!hasWork) return tn(practice, "You begin with a test of {n} practice item.", "You begin with a test of {n} practice items.");
  return tn(
    practice,
    "You begin with {n} practice item that does not count; it tells what the organiser would have said.",
    "You begin with {n} practice items that do not count; each tells what the organiser would have said.",
  );
}

/** What is missing from the items, so that nobody looks for it. @param {number} n @param {string[]} facets */
function wordLeftOut(n, facets) {
  if (!n) return "";
  return facets.some((facet) => facet.endsWith("pair"))
    ? tn(n, "{n} more pair is left out: a side has nothing to show, or both show the same.", "{n} more pairs are left out: a side has nothing to show, or both show the same.")
    : tn(n, "{n} more page of this query has no text stored and is left out.", "{n} more pages of this query have no text stored and are left out.");
}

export class StartView {
  /** @param {Refs} refs */
  constructor(refs) {
    this.refs = refs;
  }

  /** @param {JudgingSession} session */
  render({ data, queue }) {
    const { refs } = this;
    const steps = [...queue.steps].sort((a, b) => Number(a.practice) - Number(b.practice));
    const facets = [...new Set(steps.map((step) => step.facet))];
    const { total, possible, practice, open, answered } = queue.progress();
    const items = possible ? t("up to {n} items", { n: total + possible }) : tn(total, "{n} item", "{n} items");
    setText(refs.startWho, data.intro?.asked_by ?? "");
    const title = answered ? t("Go on: {open} of {items} left", { open, items }) : t("Judge {items}", { items });
    refs.startTitle.textContent = total ? title : data.test ? t("A test first") : t("Practice first");
    refs.startTask.textContent = taskOf(facets);
    const first = practice ? wordPracticeFirst(practice, total > 0) : "";
    setText(refs.startPractice, [first, wordRules(data.test)].filter(Boolean).join(" "));
    setText(refs.startLeftOut, wordLeftOut(data.left_out ?? 0, facets));
    refs.startRevealed.hidden = !data.shows_machine;
    refs.startBack.textContent = refs.backKey.textContent;
    const aspects = (data.aspects ?? []).filter((one) => one.facets.some((facet) => facets.includes(facet)));
    refs.startLevels.replaceChildren(...facets.flatMap((facet) => this.scale(facet, data.scales[facet])), ...listAspects(aspects));
  }

  /** @param {string} facet @param {Level[]} levels */
  scale(facet, levels) {
    const list = document.createElement("dl");
    list.append(...listLevels(levels, facet));
    const ends = endsOf(levels);
    return [element("h3", levelsOf(facet)), ...(ends ? [element("p", ends, "ends")] : []), list];
  }
}
