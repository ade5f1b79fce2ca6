// Where a text has the words of a query.

const STOP_WORDS = new Set(
  ("a an and any are as at be been best but by can could do does for from had has have her his how i if in into is it " +
    "its me my no nor not of on one or our she should so than that the their them then there these they this those to " +
    "was we were what when where which who whom whose why will with would you your " +
    "aber als am an auch auf aus bei bin bis das dass dem den der des die durch ein eine einem einen einer eines er es " +
    "für hat ich ihr im in ist kann man mit nach nicht noch nur oder sich sie sind so über um und uns vom von vor war " +
    "was wenn wer wie wird wir zu zum zur les del los las para por que une").split(" ").map(foldWord),
);
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
// Scripts written without spaces: a term is looked for anywhere inside a run of letters.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

function foldWord(word) {
  if (/^[a-z0-9]*$/i.test(word)) return word.toLowerCase();
  return word.normalize("NFKD").replace(/\p{Mn}|\u0640/gu, "").toLowerCase();
}

/** A word without its plural and without the commonest English and German endings; as in pages/api/highlight.py. */
function stripEndings(word) {
  let stem = word;
  if (stem.endsWith("ies") && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^sui]s$/.test(stem)) stem = stem.slice(0, -1);
  stem = stem.replace(/^(.{4,})(?:ern|er|en|em|es)$/, "$1").replace(/^(.{3,})(?:ing|ed|e)$/, "$1");
  return stem.replace(/([b-df-hj-np-tv-z])\1$/, "$1");
}

const stems = new Map(); // word -> its stem; texts of a topic have the same words again and again
const MOST_STEMS = 50_000;

function stemWord(word) {
  let stem = stems.get(word);
  if (stem === undefined) {
    if (stems.size > MOST_STEMS) stems.clear();
    stem = findStem(word);
    stems.set(word, stem);
  }
  return stem;
}

/** The word as compared: folded, without endings or the Arabic article. */
function findStem(word) {
  const folded = foldWord(word);
  if (/^ال.{3,}/u.test(folded)) return folded.slice(2);
  return /^[a-zß]{4,60}$/.test(folded) ? stripEndings(folded) : folded;
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
