// A text on the screen in which passages are marked: from places in the document to places in the text.

/**
 * What is selected in a tree, be it a shadow tree; null where nothing is.
 * @param {Document | (ShadowRoot & { getSelection?: () => Selection | null })} tree @returns {StaticRange | Range | null}
 */
function readRange(tree) {
  const own = tree.getSelection?.(); // of a shadow tree only Chromium gives it so
  if (own) return own.rangeCount ? own.getRangeAt(0) : null;
  const selection = document.getSelection();
  const [composed] = selection?.getComposedRanges?.({ shadowRoots: tree instanceof ShadowRoot ? [tree] : [] }) ?? [];
  return composed ?? (selection?.rangeCount ? selection.getRangeAt(0) : null);
}

/** How many characters of a node come before a place in it. @param {Node} node @param {Node} container @param {number} offset */
function lengthTo(node, container, offset) {
  const before = document.createRange();
  before.selectNodeContents(node);
  before.setEnd(container, offset);
  return before.toString().length;
}

/**
 * Which part of a node a range covers: [from, to] in its text; null where it covers none.
 * @param {Node} node @param {AbstractRange} range
 */
function overlap(node, range) {
  const whole = document.createRange();
  whole.selectNodeContents(node);
  try {
    const start = whole.comparePoint(range.startContainer, range.startOffset);
    const end = whole.comparePoint(range.endContainer, range.endOffset);
    if (start > 0 || end < 0) return null;
    const from = start < 0 ? 0 : lengthTo(node, range.startContainer, range.startOffset);
    const to = end > 0 ? String(node.textContent).length : lengthTo(node, range.endContainer, range.endOffset);
    return from < to ? [from, to] : null;
  } catch {
    return null; // it begins or ends in another tree
  }
}

/** The text nodes of a node with where each begins. @param {Node} node */
function textNodes(node) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const found = /** @type {[Text, number][]} */ ([]);
  for (let from = 0; walker.nextNode(); ) {
    const one = /** @type {Text} */ (walker.currentNode);
    found.push([one, from]);
    from += one.length;
  }
  return found;
}

export class MarkedText {
  /** `blocks` are nodes {at, node}, each with a part of the text from `at` on, in order. @param {string} text @param {Placed[]} blocks */
  constructor(text, blocks) {
    this.text = text;
    this.blocks = blocks;
    this.isPlain = !/[\ud800-\udfff]/.test(text); // then a code point is a unit
    this.sentences = /** @type {Span[] | null} */ (null);
  }

  /** @param {number} units */
  toPoints(units) {
    return this.isPlain ? units : [...this.text.slice(0, units)].length;
  }

  /** @param {number} points */
  toUnits(points) {
    return this.isPlain ? points : [...this.text].slice(0, points).join("").length;
  }

  /** What stands in a passage. @param {Span} span */
  read([start, end]) {
    return this.text.slice(this.toUnits(start), this.toUnits(end));
  }

  /** The passage that is selected, without the space around it; null where none is. */
  selected() {
    const tree = /** @type {Document | ShadowRoot | undefined} */ (this.blocks[0]?.node.getRootNode());
    const range = tree ? readRange(tree) : null;
    if (!range || range.collapsed) return null;
    let span = /** @type {Span | null} */ (null);
    for (const { at, node } of this.blocks) {
      const part = overlap(node, range);
      if (part) span = [span ? span[0] : at + part[0], at + part[1]];
    }
    return span && this.trim(span);
  }

  /** @param {Span} span @returns {Span | null} */
  trim([start, end]) {
    const words = this.text.slice(start, end);
    if (!words.trim()) return null;
    const [from, to] = [end - words.trimStart().length, start + words.trimEnd().length];
    return [this.toPoints(from), this.toPoints(to)];
  }

  clearSelection() {
    document.getSelection()?.removeAllRanges();
  }

  /** Every sentence of the text. @param {string} language */
  findAll(language) {
    this.sentences ??= this.blocks.flatMap(({ at, node }) =>
      findSentences(String(node.textContent), language).map(([from, to]) => /** @type {Span} */ ([this.toPoints(at + from), this.toPoints(at + to)])),
    );
    return this.sentences;
  }

  /** Select a passage as if by hand, and scroll it into sight. @param {Span} span @param {Element} scroller */
  select([start, end], scroller) {
    const [from, to] = [this.place(this.toUnits(start)), this.place(this.toUnits(end), true)];
    document.getSelection()?.setBaseAndExtent(...from, ...to);
    const range = document.createRange();
    range.setStart(...from);
    range.setEnd(...to);
    const [box, seen] = [range.getBoundingClientRect(), scroller.getBoundingClientRect()];
    const isSeen = box.top >= seen.top && box.bottom <= seen.bottom;
    if (!isSeen) scroller.scrollTop += box.top - seen.top - seen.height / 3;
  }

  /**
   * The text node of a place and the offset in it; an end belongs to what is before it.
   * @param {number} units @param {boolean} [isEnd] @returns {[Node, number]}
   */
  place(units, isEnd = false) {
    for (const { at, node } of this.blocks) {
      for (const [one, from] of textNodes(node)) {
        const inside = units - at - from;
        if (inside >= 0 && (inside < one.length || (isEnd && inside === one.length))) return [one, inside];
      }
    }
    const last = this.blocks[this.blocks.length - 1].node;
    return [last, last.childNodes.length];
  }

  /** Show these passages as marked, and no others. @param {Span[]} spans */
  draw(spans) {
    for (const { node } of this.blocks) {
      const drawn = node.querySelectorAll("u.decided");
      for (const one of drawn) one.replaceWith(...one.childNodes);
      if (drawn.length) node.normalize();
    }
    spans.forEach(([start, end], number) => this.wrap(this.toUnits(start), this.toUnits(end), number));
  }

  /** @param {number} start @param {number} end @param {number} number */
  wrap(start, end, number) {
    for (const { at, node } of this.blocks) {
      for (const [one, from] of textNodes(node)) {
        const [first, last] = [Math.max(0, start - at - from), Math.min(one.length, end - at - from)];
        if (first >= last) continue;
        const piece = first ? one.splitText(first) : one;
        if (last - first < piece.length) piece.splitText(last - first);
        const line = document.createElement("u");
        line.className = "decided";
        line.dataset.number = String(number);
        piece.replaceWith(line);
        line.append(piece);
      }
    }
  }
}

// Where the sentences of a text begin and end.

const ENDED = /[^.!?…。！？]+[.!?…。！？]*["'”’»)\]]*\s*/gu;

/**
 * Start and end of every sentence, in order, without the space around it. A line's end is no sentence's end.
 * @param {string} text @param {string} [language]
 */
export function findSentences(text, language = "") {
  const flat = text.replace(/\s/g, " ");
  return cut(flat, language)
    .map(([from, to]) => /** @type {Span} */ ([from + (to - from - flat.slice(from, to).trimStart().length), from + flat.slice(from, to).trimEnd().length]))
    .filter(([from, to]) => from < to);
}

/** @param {string} text @param {string} language */
function cut(text, language) {
  if (!Intl.Segmenter) return [...text.matchAll(ENDED)].map((one) => [one.index, one.index + one[0].length]);
  const parts = new Intl.Segmenter(language || undefined, { granularity: "sentence" }).segment(text);
  return [...parts].map(({ index, segment }) => [index, index + segment.length]);
}
