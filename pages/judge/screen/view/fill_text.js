// Data text into the page: always as text nodes, never as markup.

import { findHits } from "./query_terms.js";

/**
 * Replace a node's content by the text, with the terms in <mark>.
 * @param {HTMLElement} node @param {string} text @param {Terms | undefined} terms
 */
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

/** The direction in which a text begins. @param {string} text */
export function directionOf(text) {
  return RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr";
}

// As in pages/api/page.py.
const FURTHER_IN = /^(?: {2}|\t)/;
const COLUMNS = /\S(?:\t|(?<![.!?:;,]) {2}| {3})\s*\S/; // but no typist's two spaces behind a sentence
const WIDEST = 120; // signs of a line that is still one of a table or of code

/** @param {string} block */
function isNarrow(block) {
  return block.split("\n").every((line) => line.length <= WIDEST);
}

/**
 * Whether lines stand below each other, as in code, tables and poems: one begins further in, or two have
 * columns; behind such a block it is enough to begin further in.
 * @param {string} block @param {Block | undefined} before
 */
function isAligned(block, before) {
  if (!isNarrow(block)) return false;
  const lines = block.split("\n");
  return lines.slice(before?.aligned ? 0 : 1).some((line) => FURTHER_IN.test(line)) || lines.filter((line) => COLUMNS.test(line)).length > 1;
}

/** @param {Block[]} blocks */
function countLines(blocks) {
  return blocks.reduce((sum, { block }) => sum + block.split("\n").length, 0);
}

/**
 * The blocks between blank lines: where each begins, what it says, and whether its lines are aligned. Aligned
 * ones that follow each other are one; where most of a text is so, all of it is that has no line too long.
 * @param {string} text
 */
export function findBlocks(text) {
  const found = /** @type {Block[]} */ ([]);
  let from = 0;
  for (const part of text.split(/(\n\s*\n)/)) {
    const block = part.replace(/^\s*\n/, "").trimEnd();
    if (block) found.push({ at: from + part.trimEnd().length - block.length, block, aligned: isAligned(block, found.at(-1)) });
    from += part.length;
  }
  const isMostly = 2 * countLines(found.filter(({ aligned }) => aligned)) >= countLines(found);
  const blocks = [];
  for (const one of found) {
    if (isMostly) one.aligned = isNarrow(one.block);
    const last = blocks.at(-1);
    if (last?.aligned && one.aligned) last.block = text.slice(last.at, one.at + one.block.length);
    else blocks.push(one);
  }
  return blocks;
}

/**
 * Fill a node with one <p dir="auto"> for every block.
 * @param {HTMLElement} node @param {string | null} text @param {Terms | undefined} terms
 */
export function fillParagraphs(node, text, terms) {
  const blocks = findBlocks(text || "");
  node.replaceChildren(
    ...blocks.map(({ block, aligned }) => {
      const paragraph = document.createElement("p");
      paragraph.dir = "auto";
      paragraph.classList.toggle("aligned", aligned);
      fillText(paragraph, block, terms);
      return paragraph;
    }),
  );
  node.hidden = !blocks.length;
}
