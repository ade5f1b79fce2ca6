// A page asked of the server in such a way that it is known whether it came, whole.

const SILENCE = 25_000; // without a sign of the server for so long nothing more is waited for
const END = /<\/x-places>(?:<!--dissent-text [0-9a-f]{64} [A-Za-z0-9+/=]+-->)?$/; // as in pages/api/page.py
const AWAY = new Set([502, 503, 504]); // a proxy says so of the server behind it

/** Why a page has not come: "silent", "away", "torn", or the status of an answer that is no page. */
class NotCome extends Error {
  /** @param {string | number} why */
  constructor(why) {
    super(String(why));
    this.why = why;
  }
}

/** @param {Response} answer @param {() => void} heard */
async function readAll(answer, heard) {
  const decoder = new TextDecoder();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const parts = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join("") + decoder.decode();
    heard();
    parts.push(decoder.decode(value, { stream: true }));
  }
}

/**
 * The text of the page at an address, with all that the server puts at its end. A frame says that it has
 * loaded of an answer like "Internal Server Error", too: so pages are asked for here.
 * @param {string} address @param {{ cache?: RequestCache }} [how]
 */
export async function fetchPage(address, { cache = "default" } = {}) {
  const aborter = new AbortController();
  let timer = 0;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => aborter.abort(), SILENCE);
  };
  heard();
  let answer = null;
  try {
    answer = await fetch(address, { cache, signal: aborter.signal });
    if (!answer.ok) throw new NotCome(AWAY.has(answer.status) ? "away" : answer.status);
    const html = await readAll(answer, heard);
    if (!END.test(html.slice(html.lastIndexOf("</x-places>")))) throw new NotCome("torn");
    return html;
  } catch (error) {
    if (error instanceof NotCome) throw error;
    throw new NotCome(aborter.signal.aborted ? "silent" : answer ? "torn" : "away");
  } finally {
    clearTimeout(timer);
    aborter.abort(); // of an answer that is no page nothing more is read
  }
}
