// Data text into the page: always as text nodes, never as markup.

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
function queryTerms(query) {
  const terms = { words: new Set(), parts: [] };
  for (const [word] of query.matchAll(WORD)) {
    const folded = foldWord(word);
    if (UNSPACED.test(word)) terms.parts.push(word.toLowerCase());
    else if ([...folded].length > 2 && !STOP_WORDS.has(folded)) terms.words.add(stemWord(word));
  }
  return terms;
}

/** Start and end of every hit in the text, in order. */
function findHits(text, terms) {
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

/** Replace a node's content by the text, with the terms in <mark>. */
function fillText(node, text, terms) {
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
function directionOf(text) {
  return RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr";
}

/** Fill a node with one <p dir="auto"> for every block between blank lines. */
function fillParagraphs(node, text, terms) {
  const blocks = (text || "").split(/\n\s*\n/).filter((block) => block.trim());
  node.replaceChildren(
    ...blocks.map((block) => {
      const paragraph = document.createElement("p");
      paragraph.dir = "auto";
      fillText(paragraph, block.trim(), terms);
      return paragraph;
    }),
  );
  node.hidden = !blocks.length;
}

/** "https://www.example.org/a/b?x" as a result page shows it: "example.org › a › b". */
function breadcrumb(url) {
  if (!url) return "";
  let parts;
  try {
    const { hostname, pathname } = new URL(url.includes("://") ? url : `https://${url}`);
    parts = [hostname.replace(/^www\./, ""), ...pathname.split("/").filter(Boolean).map(readable)];
  } catch {
    return url;
  }
  return parts.length > 4 ? [parts[0], "…", ...parts.slice(-2)].join(" › ") : parts.join(" › ");
}

function readable(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readableTime(seconds) {
  if (seconds < 10) return `${Math.max(0.1, Math.round(seconds * 10) / 10)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
