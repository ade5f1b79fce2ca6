// A page to be judged in its frame: loading, shown or failed, and what is said in place of it.
// What is shown was fetched from here, so that it is known what came; it is as safe as on the server's
// own route: no script runs in it, nothing is loaded and nothing leaves.

import { fetchPage } from "../judging/page_text.js";
import { t } from "../language/translate.js";
import { button, element } from "./dom.js";

// The policy of the server's own route for pages: its headers do not come along with a text.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";
const HEAD = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta http-equiv="X-DNS-Prefetch-Control" content="off"><meta name="referrer" content="no-referrer">`;
const DOCTYPE = /^[\t\n\f\r ]*<!doctype[^>]*>/i; // behind any other sign the policy would come too late
const LATEST = 3_000;
const SLOW = 30_000; // what takes longer to draw is told; should it come all the same, it is shown
const UNPAINTED = 100; // a tab in the background paints no frames
/** @type {WeakMap<HTMLIFrameElement, FramedPage>} */
const pages = new WeakMap(); // iframe -> what is known of the page in it

/** The text of a page with its policy at the beginning, where nothing of it has been loaded yet. @param {string} html */
function guard(html) {
  const doctype = DOCTYPE.exec(html)?.[0] ?? "";
  return `${doctype}${HEAD}${html.slice(doctype.length)}`;
}

/** The page in a frame. @param {HTMLIFrameElement} frame */
export function pageIn(frame) {
  return /** @type {FramedPage} */ (pages.get(frame));
}

/** What an assessor is told of a page that has not come. @param {string | number} why */
function wordFault(why) {
  const words = /** @type {Record<string | number, string>} */ ({
    silent: t("The server does not answer."),
    away: t("The server cannot be reached, and the page is not kept on this device."),
    torn: t("The connection broke before the page was here as a whole."),
    401: t("The server does not hand it out here. Load this window anew, and sign in again if you are asked to."),
    403: t("The server does not hand it out here. Load this window anew, and sign in again if you are asked to."),
    404: t("The page is no longer in the collection."),
  });
  return words[why] ?? t("The server answers with an error ({status}).", { status: why });
}

export class FramedPage {
  /**
   * `canJudge`: whether an item is judged by this page, so that one can say that it cannot be.
   * @param {KeptPages} kept @param {string} address @param {string | null} title @param {boolean} [canJudge]
   */
  constructor(kept, address, title, canJudge = true) {
    this.kept = kept;
    this.address = address;
    this.html = ""; // what the server sent of it
    this.turn = 0; // only the last time that it is loaded counts
    this.waiting = /** @type {((value?: unknown) => void)[]} */ ([]); // for it to be shown or to fail
    this.frame = document.createElement("iframe");
    this.frame.setAttribute("sandbox", "");
    this.frame.referrerPolicy = "no-referrer";
    this.frame.title = title ? t("Page: {title}", { title }) : t("The page to judge");
    this.words = element("p", "");
    const ways = [button({ "data-command": "tryAgain", "data-testid": "try-again" }, t("Try again"))];
    if (canJudge) ways.push(button({ "data-command": "cannot", "data-testid": "cannot-load" }, t("Cannot judge")));
    this.ways = element("p", "", "buttons");
    this.ways.append(...ways);
    this.box = element("div", "", "framed");
    const message = element("div", "", "notHere");
    message.lang = t("en"); // around it may be the language of a text
    message.dir = "ltr";
    message.append(this.words, this.ways);
    if (!canJudge) message.setAttribute("role", "status"); // of the item it is said otherwise
    this.box.append(message);
    pages.set(this.frame, this);
    this.load();
  }

  /** "loading", "shown" or "failed". */
  get state() {
    return this.box.dataset.load;
  }

  get key() {
    return this.kept.keyOf(this.address);
  }

  get isHeldBack() {
    return this.kept.isHeldBack(this.address);
  }

  /** @param {"loading" | "shown" | "failed"} state @param {string} [words] */
  become(state, words = "") {
    this.box.dataset.load = state;
    this.words.textContent = words;
    this.ways.hidden = state !== "failed";
    if (state !== "loading") for (const done of this.waiting.splice(0)) done();
    this.kept.changed();
  }

  /**
   * Show the page: what was fetched ahead at once, else what the server sends. One at which this browser
   * came to a standstill only where it is asked for anew.
   * @param {RequestCache} [cache]
   */
  load(cache = "default") {
    const turn = (this.turn += 1);
    this.frame.remove();
    if (cache === "reload") this.kept.standstills.forget(this.key);
    if (this.isHeldBack) return this.become("failed", t("This browser came to a standstill when it was to show this page, so it is not shown."));
    this.become("loading", t("The page is loading …"));
    const html = this.kept.texts.get(this.key);
    if (html !== undefined) return this.show(html, turn);
    fetchPage(this.address, { cache }).then(
      (text) => turn === this.turn && this.show(text, turn),
      ({ why }) => turn === this.turn && this.fail(wordFault(why)),
    );
  }

  /** @param {string} words */
  fail(words) {
    this.become("failed", `${t("This page could not be loaded.")} ${words}`);
  }

  /** @param {string} html @param {number} turn */
  show(html, turn) {
    this.html = html;
    this.kept.standstills.load(this.frame, this.key);
    this.frame.setAttribute("csp", POLICY); // where it is known, it holds before anything is looked at
    this.put(guard(html), turn);
  }

  /**
   * A frame comes into the document with its text in it: then it loads once, and nothing else.
   * @param {string} srcdoc @param {number} turn
   */
  put(srcdoc, turn) {
    this.frame.setAttribute("sandbox", "");
    this.frame.srcdoc = srcdoc;
    this.frame.addEventListener("load", () => this.awaitPaint(turn), { once: true });
    this.box.prepend(this.frame);
    const slow = () => turn === this.turn && this.state === "loading" && this.fail(t("This browser takes too long to draw it."));
    setTimeout(slow, SLOW);
  }

  /** @param {number} turn */
  awaitPaint(turn) {
    const shown = () => turn === this.turn && this.state !== "shown" && this.become("shown");
    requestAnimationFrame(() => setTimeout(shown, 0));
    setTimeout(shown, UNPAINTED);
  }

  /** It is brought to the screen. */
  draw() {
    if (!this.isHeldBack) this.kept.standstills.draw(this.key);
  }

  /**
   * Show the page so that this side can read what is in its frame. What the server sent of it; empty where
   * it is not shown.
   */
  async open() {
    if (this.state === "loading") await new Promise((done) => this.waiting.push(done));
    const { frame, html } = this;
    if (this.state !== "shown" || !frame.isConnected) return "";
    this.kept.standstills.load(frame, this.key);
    const load = () => new Promise((done) => frame.addEventListener("load", done, { once: true }));
    let loaded = load();
    frame.setAttribute("sandbox", "allow-same-origin"); // without allow-scripts
    frame.srcdoc = guard(html);
    await loaded;
    if (!frame.contentDocument && frame.isConnected) {
      loaded = load(); // what was still on its way came first
      await Promise.race([loaded, new Promise((done) => setTimeout(done, LATEST))]);
    }
    return html;
  }
}
