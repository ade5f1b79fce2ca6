// Where a text has the words of a query: which ones these are the server says, see pages/shared/highlight.py.

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** What is looked for; nothing where the server did not say. @param {Matching} [matching] */
export function readTerms({ words, parts } = { words: [], parts: [] }) {
  return { words: new Set(words), parts };
}

/** Start and end of every hit in the text, in order. @param {string} text @param {Terms} terms */
export function findHits(text, terms) {
  const hits = /** @type {Span[]} */ ([]);
  if (!terms.words.size && !terms.parts.length) return hits;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (terms.words.has(word)) hits.push([index, index + word.length]);
    else if (terms.parts.length) hits.push(...findParts(word, index, terms.parts));
  }
  return hits;
}

/**
 * Scripts written without spaces: a term is looked for anywhere inside a run of letters.
 * @param {string} word @param {number} offset @param {string[]} parts
 */
function findParts(word, offset, parts) {
  const lower = word.toLowerCase();
  const hits = /** @type {Span[]} */ ([]);
  for (let at = 0; at < lower.length; at += 1) {
    const part = parts.find((one) => lower.startsWith(one, at));
    if (!part) continue;
    hits.push([offset + at, offset + at + part.length]);
    at += part.length - 1;
  }
  return hits;
}
