// The card before the first item: who asks, for what, on which scale, with which keys.

import { element, setText } from "./dom.js";
import { endsOf, listLevels } from "./level_words.js";
import { plural } from "./wording.js";

const TASKS = {
  snippet: "Read each snippet as a searcher does, and say how far it serves what the query asks for.",
  page: "Read each page, and say how well it serves what the query asks for.",
  both: "Read each snippet, then the page it leads to, and say how well each serves what the query asks for.",
  pair: "Compare what stands on the left with what stands on the right, and say which serves the query better.",
};

function taskOf(facets) {
  if (facets.some((facet) => facet.endsWith("pair"))) return TASKS.pair;
  return facets.length > 1 ? TASKS.both : TASKS[facets[0]];
}

export class StartView {
  constructor(refs) {
    this.refs = refs;
  }

  render({ data, queue }) {
    const { refs } = this;
    const steps = [...queue.steps].sort((a, b) => Number(a.practice) - Number(b.practice));
    const facets = [...new Set(steps.map((step) => step.facet))];
    const { total, possible, practice, open, answered } = queue.progress();
    const items = possible ? `up to ${total + possible} items` : plural(total, "item");
    setText(refs.startWho, data.intro?.asked_by ?? "");
    const title = answered ? `Go on: ${open} of ${items} left` : `Judge ${items}`;
    refs.startTitle.textContent = total ? title : "Practice first";
    refs.startTask.textContent = taskOf(facets);
    const begin = total ? "You begin with" : "You begin with a test of";
    const after = total ? ` that ${practice === 1 ? "does" : "do"} not count; ${practice === 1 ? "it" : "each"} tells what the organiser would have said.` : ".";
    setText(refs.startPractice, practice ? `${begin} ${plural(practice, "practice item")}${after}` : "");
    refs.startBack.textContent = refs.backKey.textContent;
    refs.startLevels.replaceChildren(...facets.flatMap((facet) => this.scale(facet, data.scales[facet])));
  }

  scale(facet, levels) {
    const list = document.createElement("dl");
    list.append(...listLevels(levels));
    const ends = endsOf(levels);
    return [element("h3", `Levels of a ${facet}`), ...(ends ? [element("p", ends, "ends")] : []), list];
  }
}
