// The text of a page in a frame that this side may read: passages are selected and marked in it, too.
// No script runs in the frame. Nothing is asked of its document by a name that the page could have taken.

import { findSentences, MarkedText } from "./marked_text.js";

const UNREAD = "script, style, title, textarea, template"; // as in page_text.py of core
// What Python and this language call space differs in some signs; here it is either's.
const SPACE = /[\s\u001c-\u001f\u0085\u200b]/;
const TAIL = /<!--dissent-text ([0-9a-f]{64}) ([A-Za-z0-9+/=]+)-->$/; // as in pages/api/page.py
const LOOK = "background-color: #cfe3ff !important; color: #10233f !important; text-decoration: underline solid 0.17em !important;";

/** @type {WeakMap<Document, HTMLElement[]>} */
const drawn = new WeakMap(); // page -> the lines below its marks: it may come to the screen again

/** The text in which passages of a page are marked, from the end of what the server sent of it; null without one. @param {string} html */
export function readText(html) {
  const [, hash, code] = TAIL.exec(html) ?? [];
  if (!hash) return null;
  const bytes = Uint8Array.from(atob(code), (one) => one.charCodeAt(0));
  return { hash, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
}

/** Where each sign of a text that is no space stands in it. @param {string} text */
function placesOf(text) {
  const places = [];
  for (let i = 0; i < text.length; i += 1) if (!SPACE.test(text[i])) places.push(i);
  return places;
}

/** A form has its fields, and a document its forms and pictures, in place of what it is asked for by their names. @param {Text} node */
function isRead({ parentElement }) {
  return !parentElement || !Element.prototype.closest.call(parentElement, UNREAD);
}

export class FrameText extends MarkedText {
  /** @param {string} text @param {HTMLIFrameElement} frame */
  constructor(text, frame) {
    super(text, []);
    this.frame = frame;
    this.page = frame.contentDocument;
    this.places = placesOf(text);
    this.nodes = this.gather();
  }

  /** Whether the frame still has the same page. */
  get isThere() {
    return Boolean(this.page) && this.frame.contentDocument === this.page;
  }

  /** Whether the frame shows this text and nothing else. */
  get isWhole() {
    if (!this.isThere) return false;
    const shown = this.nodes.map(({ node }) => node.data).join("");
    const signs = [...shown].filter((one) => !SPACE.test(one)).join("");
    return signs === [...this.text].filter((one) => !SPACE.test(one)).join("");
  }

  /** The text nodes that are read, each with how many signs come before it. */
  gather() {
    const found = /** @type {{ node: Text, from: number, signs: number[] }[]} */ ([]);
    if (!this.page) return found;
    const walker = document.createTreeWalker(this.page, NodeFilter.SHOW_TEXT);
    let from = 0;
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      if (!isRead(node)) continue;
      const signs = placesOf(node.data);
      if (signs.length) found.push({ node, from, signs });
      from += signs.length;
    }
    return found;
  }

  get view() {
    return /** @type {Window} */ (this.frame.contentWindow);
  }

  get selection() {
    return /** @type {Selection} */ (this.view.getSelection());
  }

  selected() {
    if (!this.isThere) return null;
    const { selection } = this;
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    let [first, last] = [Infinity, -1];
    for (const { node, from, signs } of this.nodes) {
      const isEdge = node === range.startContainer || node === range.endContainer;
      if (!isEdge && range.comparePoint(node, 0) !== 0) continue;
      const begin = node === range.startContainer ? range.startOffset : 0;
      const end = node === range.endContainer ? range.endOffset : node.data.length;
      signs.forEach((at, i) => {
        if (at < begin || at >= end) return;
        [first, last] = [Math.min(first, from + i), Math.max(last, from + i)];
      });
    }
    if (last < first) return null;
    return this.trim([this.places[first], this.places[last] + 1]);
  }

  /** @param {string} language */
  findAll(language) {
    if (this.sentences) return this.sentences;
    this.sentences = [];
    let at = 0;
    for (const line of this.text.split("\n")) {
      for (const [from, to] of findSentences(line, language)) this.sentences.push([this.toPoints(at + from), this.toPoints(at + to)]);
      at += line.length + 1;
    }
    return this.sentences;
  }

  /** The text nodes of a passage: [node, where it begins in it, where it ends]. @param {Span} span @returns {[Text, number, number][]} */
  parts([start, end]) {
    const [from, to] = [this.toUnits(start), this.toUnits(end)];
    return this.nodes.flatMap((one) => {
      const within = one.signs.filter((_, i) => this.places[one.from + i] >= from && this.places[one.from + i] < to);
      return within.length ? [[one.node, within[0], within[within.length - 1] + 1]] : [];
    });
  }

  /** @param {Span} span */
  select(span) {
    const parts = this.parts(span);
    if (!parts.length) return;
    const [first, last] = [parts[0], parts[parts.length - 1]];
    const { view, selection } = this;
    selection.setBaseAndExtent(first[0], first[1], last[0], last[2]);
    const { top, bottom } = selection.getRangeAt(0).getBoundingClientRect();
    if (top < 0 || bottom > view.innerHeight) view.scrollBy(0, top - view.innerHeight / 3);
  }

  clearSelection() {
    if (this.isThere) this.selection.removeAllRanges();
  }

  /** @param {Span[]} spans */
  draw(spans) {
    if (!this.page) return;
    for (const line of drawn.get(this.page) ?? []) {
      const { parentNode } = line;
      line.replaceWith(...line.childNodes);
      if (parentNode) Node.prototype.normalize.call(parentNode);
    }
    const lines = /** @type {HTMLElement[]} */ ([]);
    drawn.set(this.page, lines);
    this.nodes = this.gather();
    for (const span of spans) {
      for (const part of this.parts(span)) lines.push(this.wrapPart(...part));
      this.nodes = this.gather();
    }
  }

  /** @param {Text} node @param {number} first @param {number} last */
  wrapPart(node, first, last) {
    const piece = first ? node.splitText(first) : node;
    if (last - first < piece.length) piece.splitText(last - first);
    const line = document.createElement("u");
    line.style.cssText = LOOK;
    piece.replaceWith(line);
    line.append(piece);
    return line;
  }
}
