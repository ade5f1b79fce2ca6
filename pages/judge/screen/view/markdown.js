// Markdown as organisers write it, as nodes: headings, lists, paragraphs, bold, italics, code. Every
// character of theirs becomes text; a link's address stands behind its words.

import { element } from "./dom.js";

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$/;
const ITEM = /^[ \t]*(?:([-*+])|(\d{1,9})[.)])[ \t]+(.*)$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const WORDS = new RegExp(
  [
    String.raw`\\(?<escaped>[\\${"`"}*_{}\[\]()#+.!>~|-])`,
    String.raw`\*\*(?<bold>[^*\n]+)\*\*`,
    String.raw`(?<![\p{L}\p{N}_])__(?<strong>[^_\n]+)__(?![\p{L}\p{N}_])`,
    String.raw`(?<![\p{L}\p{N}*])\*(?<italic>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\p{L}\p{N}*])`,
    String.raw`(?<![\p{L}\p{N}_])_(?<slanted>[^\s_](?:[^_\n]*[^\s_])?)_(?![\p{L}\p{N}_])`,
    "`(?<code>[^`\\n]+)`",
    String.raw`!?\[(?<label>[^\]\[\n]*)\]\((?<address>[^()\s]*)\)`,
  ].join("|"),
  "gu",
);

/** Replace a node's content by what a text in Markdown says. @param {HTMLElement} node @param {string} text */
export function fillMarkdown(node, text) {
  node.replaceChildren();
  let block = null; // the paragraph or the list that is being written
  let fenced = null;
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    if (FENCE.test(line)) {
      fenced = fenced ? null : node.appendChild(element("pre", ""));
      block = null;
    } else if (fenced) fenced.textContent += `${line}\n`;
    else block = addLine(node, line.replace(/^ {0,3}>[ \t]?/, ""), block);
  }
}

/** @param {HTMLElement} node @param {string} line @param {HTMLElement | null} block */
function addLine(node, line, block) {
  const heading = HEADING.exec(line);
  const item = RULE.test(line) ? null : ITEM.exec(line);
  if (!line.trim()) return block?.tagName === "P" ? null : block;
  if (heading) fillWords(node.appendChild(element(/** @type {"h3"} */ (`h${Math.min(6, heading[1].length + 2)}`), "")), heading[2]);
  else if (item) return addItem(node, item, block);
  else if (!RULE.test(line)) return addWords(node, line, block);
  return null;
}

/** @param {HTMLElement} node @param {RegExpExecArray} found @param {HTMLElement | null} block */
function addItem(node, [, bullet, number, words], block) {
  const tag = bullet ? "UL" : "OL";
  let list = block;
  if (list?.tagName !== tag) {
    list = node.appendChild(document.createElement(tag));
    if (number) list.setAttribute("start", String(Number(number)));
  }
  fillWords(list.appendChild(document.createElement("li")), words);
  return list;
}

/**
 * A line goes on with the paragraph or the item before it; an indented one with an item even after a gap.
 * @param {HTMLElement} node @param {string} line @param {HTMLElement | null} block
 */
function addWords(node, line, block) {
  const isItem = block && block.tagName !== "P";
  if (isItem && /^\s/.test(line)) {
    fillWords(/** @type {HTMLElement} */ (block.lastElementChild), ` ${line.trim()}`);
    return block;
  }
  const paragraph = block?.tagName === "P" ? block : node.appendChild(document.createElement("p"));
  fillWords(paragraph, paragraph.childNodes.length ? ` ${line.trim()}` : line.trim());
  return paragraph;
}

/** @param {HTMLElement} node @param {string} text */
function fillWords(node, text) {
  let from = 0;
  for (const found of text.matchAll(WORDS)) {
    node.append(text.slice(from, found.index), wordsOf(found.groups ?? {}));
    from = found.index + found[0].length;
  }
  node.append(text.slice(from));
}

/** @param {Record<string, string>} groups */
function wordsOf({ escaped, bold, strong, italic, slanted, code, label, address }) {
  if (escaped) return escaped;
  if (bold ?? strong) return element("strong", bold ?? strong);
  if (italic ?? slanted) return element("em", italic ?? slanted);
  if (code) return element("code", code);
  return label ? `${label} (${address})` : address;
}
