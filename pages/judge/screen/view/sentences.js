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
