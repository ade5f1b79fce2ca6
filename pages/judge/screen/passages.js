// Marking the passages that decided: what is selected, by hand or sentence by sentence, and what is marked.

import { MOST_PASSAGES, addSpan, findHolder } from "./judging/passages.js";
import { t, tn } from "./language/translate.js";
import { closest, setText } from "./view/dom.js";
import { findBlocks } from "./view/fill_text.js";
import { FrameText, readText } from "./view/frame_text.js";
import { pageIn } from "./view/framed_page.js";
import { MarkedText } from "./view/marked_text.js";

const LET_GO = 400; // a tap on the button may end the selection before it arrives
const LOOK = 200; // between two looks at what is selected in a frame: nothing of it tells
const SAID = 200; // characters of a sentence that are read out

export class Passages {
  /** @param {Visit} visit @param {View} view @param {() => void} render */
  constructor(visit, view, render) {
    this.visit = visit;
    this.view = view;
    this.rerender = render;
    this.text = /** @type {MarkedText | FrameText | null} */ (null); // on the screen, and open to marks
    this.selected = /** @type {Span | null} */ (null);
    this.last = /** @type {Span | null} */ (null); // where the next sentence is looked for
    this.drawn = "[]";
    this.timer = 0;
    this.fills = -1;
    this.framed = /** @type {Map<string, string>} */ (new Map()); // document -> what names its text, once its frame was opened for marks
    this.whyNot = "";
    const { signal } = view;
    const looking = setInterval(() => this.lookInFrame(), LOOK);
    signal.addEventListener("abort", () => clearInterval(looking));
    const { marker, item } = view.refs;
    document.addEventListener("selectionchange", () => this.follow(), { signal });
    marker.addEventListener("pointerdown", (event) => event.preventDefault(), { signal });
    item.addEventListener("click", (event) => this.point(event), { signal });
  }

  get step() {
    return this.visit.step;
  }

  get spans() {
    const { session } = this.visit;
    this.nameText();
    return this.step?.text_hash ? session.marked(session.queue.position) : [];
  }

  /** The frame of the page on the screen, if it has one. */
  get frame() {
    return this.step && !this.step.sides && this.step.facet === "page" ? this.view.item.frames.shown : null;
  }

  /** Whether this is a page in a frame that was not opened for marks yet. */
  get isShut() {
    return Boolean(this.frame && !this.text && !this.whyNot);
  }

  /** Steps are handed out anew without what was read in a frame. */
  nameText() {
    const { step } = this;
    if (step && !step.text_hash && this.framed.has(step.document)) step.text_hash = this.framed.get(step.document);
  }

  /** Open the frame for marks: the page is drawn once more, so that what is selected in it can be read. */
  async openFrame() {
    const { frame, fills, step } = this;
    if (!frame || !step) return false;
    const html = await this.view.item.frames.open(frame);
    if (fills !== this.fills || frame !== this.frame) return false;
    const found = html && readText(html);
    const text = found ? new FrameText(found.text, frame) : null;
    if (!found || !text?.isWhole) {
      this.whyNot = this.wordWhyNot(html);
      this.renderMarker();
      return false;
    }
    this.framed.set(step.document, found.hash);
    this.text = text;
    this.render();
    return true;
  }

  /** @param {string} html */
  wordWhyNot(html) {
    if (this.frame && pageIn(this.frame).isHeldBack) return t("This page cannot be marked: it is not shown.");
    return html ? t("This page cannot be marked: its text is not what stands in its file.") : t("This page cannot be marked while the server cannot be reached.");
  }

  lookInFrame() {
    if (!(this.text instanceof FrameText) || document.hidden) return;
    if (!this.text.isThere) {
      this.fills = -1; // the frame was loaded again
      return this.render();
    }
    const found = this.text.selected();
    if (JSON.stringify(found) === JSON.stringify(this.selected)) return;
    if (found) this.take(found);
    else if (this.selected) this.take(null);
  }

  /** Another selection: what is selected in the text can be marked. */
  follow() {
    clearTimeout(this.timer);
    if (this.text instanceof FrameText) return;
    const found = this.text?.selected() ?? null;
    if (found) this.take(found);
    else this.timer = setTimeout(() => this.take(null), LET_GO);
  }

  /** @param {Span | null} span */
  take(span) {
    this.selected = span;
    if (span) this.last = span;
    this.renderMarker();
  }

  /** A click on a mark selects it, so that it can be removed. @param {MouseEvent} event */
  point(event) {
    const number = closest(event, "u.decided")?.dataset.number;
    if (number !== undefined && !this.text?.selected()) this.select(this.spans[Number(number)]);
  }

  /** @param {Span} span */
  select(span) {
    this.text?.select(span, this.view.item.scroller);
    this.take(span);
  }

  /** Mark what is selected, or take a mark away that holds it. */
  async mark() {
    const { view } = this;
    if (this.isShut && (await this.openFrame())) {
      return view.status.notice(t("Now select the passage in the page that decided, then mark it."));
    }
    this.lookInFrame();
    if (!this.text) return view.status.notice(this.why());
    const { selected, spans } = this;
    if (!selected) {
      const key = this.visit.keys.nextSentence;
      return view.status.notice(t("Select the passage that decided, then mark it. {key} selects the next sentence.", { key }));
    }
    const holder = findHolder(spans, selected);
    const marked = holder ? spans.filter((one) => one !== holder) : addSpan(spans, selected);
    if (marked.length > MOST_PASSAGES) {
      return view.status.notice(t("An item has at most {n} passages.", { n: MOST_PASSAGES }));
    }
    this.visit.session.mark(marked);
    this.text.clearSelection();
    clearTimeout(this.timer);
    this.take(null);
    this.rerender();
    view.status.say(`${holder ? t("Mark removed.") : t("Marked.")} ${this.count}`);
  }

  why() {
    return this.whyNot || t("There is no text here in which a passage can be marked.");
  }

  /** Select the next sentence, or the one before. @param {number} by */
  async walk(by) {
    const { view } = this;
    if (this.isShut) await this.openFrame();
    if (!this.text) return view.status.notice(this.why());
    const sentences = this.text.findAll(view.refs.root.lang);
    const from = this.last?.[0];
    const rest = sentences.filter(([start]) => from === undefined || (by > 0 ? start > from : start < from));
    const found = by > 0 ? rest[0] : rest.at(-1);
    if (!found) return view.status.notice(by > 0 ? t("This is the last sentence.") : t("This is the first sentence."));
    this.select(found);
    const text = this.text.read(found);
    const facts = { number: sentences.indexOf(found) + 1, total: sentences.length, text: text.slice(0, SAID) };
    const marked = findHolder(this.spans, found) ? `${t("Marked.")} ` : "";
    view.status.say(marked + t("Sentence {number} of {total}: {text}", facts));
  }

  get count() {
    const n = this.spans.length;
    return n ? tn(n, "{n} passage marked", "{n} passages marked") : "";
  }

  /** Bring marks and button up to date with what is on the screen. */
  render() {
    const { view } = this;
    if (view.item.fills !== this.fills) this.begin(view.item.fills);
    const drawn = JSON.stringify(this.spans);
    if (this.text && drawn !== this.drawn) {
      this.text.draw(this.spans);
      this.drawn = drawn;
    }
    setText(view.refs.passages, this.step ? this.count : "");
    this.renderMarker();
  }

  /** Another text is on the screen. @param {number} fills */
  begin(fills) {
    const { session } = this.visit;
    const { refs } = this.view;
    [this.fills, this.selected, this.last, this.drawn, this.whyNot] = [fills, null, null, "[]", ""];
    const { step } = this;
    this.text = null;
    if (this.frame) return this.reopen();
    if (!step?.text_hash) return;
    const isSnippet = step.facet === "snippet";
    const text = (isSnippet ? step.snippet : session.data.documents[step.document]?.text) ?? "";
    const blocks = isSnippet ? [{ at: 0, node: refs.snippetText }] : this.paragraphs(text);
    if (blocks.length) this.text = new MarkedText(text, blocks);
  }

  /** A page in a frame that has marks already shows them. */
  reopen() {
    const { session } = this.visit;
    if (this.step && session.marks.isMarked(this.step, session.queue.label)) this.openFrame();
  }

  /** @param {string} text */
  paragraphs(text) {
    const nodes = this.view.refs.pageText.children;
    return findBlocks(text).map(({ at }, i) => ({ at, node: nodes[i] }));
  }

  renderMarker() {
    const { marker, markerWord, openMarks } = this.view.refs;
    marker.hidden = !this.selected || !this.step;
    openMarks.hidden = !this.isShut;
    const isMarked = this.selected && findHolder(this.spans, this.selected);
    const word = isMarked ? t("Remove mark") : t("Mark passage");
    if (markerWord.textContent !== word) markerWord.textContent = word;
  }
}
