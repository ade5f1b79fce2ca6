// Data text into the page: always as text nodes, never as markup.

import { findHits } from "./query_terms.js";

/** Replace a node's content by the text, with the terms in <mark>. */
export function fillText(node, text, terms) {
  const pieces = [];
  let from = 0;
  for (const [start, end] of terms ? findHits(text, terms) : []) {
    if (start > from) pieces.push(text.slice(from, start));
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, end);
    pieces.push(mark);
    from = end;
  }
  pieces.push(text.slice(from));
  node.replaceChildren(...pieces);
  node.hidden = !text;
}

const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction in which a text begins. */
export function directionOf(text) {
  return RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr";
}

/** The blocks between blank lines, without the space around each: where it begins, and what it says. */
export function findBlocks(text) {
  const blocks = [];
  let from = 0;
  for (const part of text.split(/(\n\s*\n)/)) {
    const block = part.trim();
    if (block) blocks.push({ at: from + part.length - part.trimStart().length, block });
    from += part.length;
  }
  return blocks;
}

/** Fill a node with one <p dir="auto"> for every block between blank lines. */
export function fillParagraphs(node, text, terms) {
  const blocks = findBlocks(text || "");
  node.replaceChildren(
    ...blocks.map(({ block }) => {
      const paragraph = document.createElement("p");
      paragraph.dir = "auto";
      fillText(paragraph, block, terms);
      return paragraph;
    }),
  );
  node.hidden = !blocks.length;
}
