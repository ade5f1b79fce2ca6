// Where a text has the words of a query.

const STOP_WORDS = new Set(
  ("a an and are as at be best but by can do does for from has have how in into is it its not of on or that the " +
    "their there they this to was were what when where which who why will with you your " +
    "les des une der die das und ist von mit los las del para por que").split(" "),
);
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
// Scripts written without spaces: a term is looked for anywhere inside a run of letters.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

function foldWord(word) {
  if (/^[a-z0-9]*$/i.test(word)) return word.toLowerCase();
  return word.normalize("NFKD").replace(/\p{Mn}|\u0640/gu, "").toLowerCase();
}

/** The word as compared: folded, without a simple plural ending or the Arabic article. */
function stemWord(word) {
  const folded = foldWord(word);
  if (/^ال.{3,}/u.test(folded)) return folded.slice(2);
  if (folded.length <= 3) return folded;
  if (folded.endsWith("ies")) return folded.slice(0, -3) + "y";
  if (/(ss|sh|ch|x|z)es$/.test(folded)) return folded.slice(0, -2);
  return /[^sui]s$/.test(folded) ? folded.slice(0, -1) : folded;
}

/** The query's terms worth showing: no stop words, none of one or two letters. */
export function queryTerms(query) {
  const terms = { words: new Set(), parts: [] };
  for (const [word] of query.matchAll(WORD)) {
    const folded = foldWord(word);
    if (UNSPACED.test(word)) terms.parts.push(word.toLowerCase());
    else if ([...folded].length > 2 && !STOP_WORDS.has(folded)) terms.words.add(stemWord(word));
  }
  return terms;
}

/** Start and end of every hit in the text, in order. */
export function findHits(text, terms) {
  const hits = [];
  if (!terms.words.size && !terms.parts.length) return hits;
  for (const found of text.matchAll(WORD)) {
    const word = found[0];
    if (terms.words.has(stemWord(word))) hits.push([found.index, found.index + word.length]);
    else if (terms.parts.length && UNSPACED.test(word)) hits.push(...findParts(word, found.index, terms.parts));
  }
  return hits;
}

function findParts(word, offset, parts) {
  const lower = word.toLowerCase();
  const hits = [];
  for (let at = 0; at < lower.length; at += 1) {
    const part = parts.find((one) => lower.startsWith(one, at));
    if (!part) continue;
    hits.push([offset + at, offset + at + part.length]);
    at += part.length - 1;
  }
  return hits;
}
