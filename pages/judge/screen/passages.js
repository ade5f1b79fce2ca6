// Marking the passages that decided: what is selected, by hand or sentence by sentence, and what is marked.

import { MOST_PASSAGES, addSpan, findHolder } from "./judging/passages.js";
import { t, tn } from "./language/translate.js";
import { setText } from "./view/dom.js";
import { findBlocks } from "./view/fill_text.js";
import { FrameText, readText } from "./view/frame_text.js";
import { pageIn } from "./view/framed_page.js";
import { MarkedText } from "./view/marked_text.js";

const LET_GO = 400; // a tap on the button may end the selection before it arrives
const LOOK = 200; // between two looks at what is selected in a frame: nothing of it tells
const SAID = 200; // characters of a sentence that are read out

export class Passages {
  constructor(screen, signal) {
    this.screen = screen;
    this.text = null; // on the screen, and open to marks
    this.selected = null;
    this.last = null; // where the next sentence is looked for
    this.fills = -1;
    this.framed = new Map(); // document -> what names its text, once its frame was opened for marks
    this.whyNot = "";
    const looking = setInterval(() => this.lookInFrame(), LOOK);
    signal.addEventListener("abort", () => clearInterval(looking));
    const { marker, item } = screen.refs;
    document.addEventListener("selectionchange", () => this.follow(), { signal });
    marker.addEventListener("pointerdown", (event) => event.preventDefault(), { signal });
    item.addEventListener("click", (event) => this.point(event), { signal });
  }

  get step() {
    return this.screen.mode.card ? null : this.screen.session.queue.current;
  }

  get spans() {
    const { session } = this.screen;
    this.nameText();
    return this.step?.text_hash ? session.marked(session.queue.position) : [];
  }

  /** The frame of the page on the screen, if it has one. */
  get frame() {
    return this.step && !this.step.sides && this.step.facet === "page" ? this.screen.view.item.frames.shown : null;
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
    const html = await this.screen.view.item.frames.open(frame);
    if (fills !== this.fills || frame !== this.frame) return false;
    const found = html && readText(html);
    const text = found ? new FrameText(found.text, frame) : null;
    if (!text?.isWhole) {
      this.whyNot = this.wordWhyNot(html);
      this.renderMarker();
      return false;
    }
    this.framed.set(step.document, found.hash);
    this.text = text;
    this.render();
    return true;
  }

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

  take(span) {
    this.selected = span;
    if (span) this.last = span;
    this.renderMarker();
  }

  /** A click on a mark selects it, so that it can be removed. */
  point(event) {
    const number = event.target.closest?.("u.decided")?.dataset.number;
    if (number !== undefined && !this.text?.selected()) this.select(this.spans[number]);
  }

  select(span) {
    this.text.select(span, this.screen.view.item.scroller);
    this.take(span);
  }

  /** Mark what is selected, or take a mark away that holds it. */
  async mark() {
    const { session, view } = this.screen;
    if (this.isShut && (await this.openFrame())) {
      return view.status.notice(t("Now select the passage in the page that decided, then mark it."));
    }
    this.lookInFrame();
    if (!this.text) return view.status.notice(this.why());
    const { selected, spans } = this;
    if (!selected) {
      const key = this.screen.commands.nextSentence;
      return view.status.notice(t("Select the passage that decided, then mark it. {key} selects the next sentence.", { key }));
    }
    const holder = findHolder(spans, selected);
    const marked = holder ? spans.filter((one) => one !== holder) : addSpan(spans, selected);
    if (marked.length > MOST_PASSAGES) {
      return view.status.notice(t("An item has at most {n} passages.", { n: MOST_PASSAGES }));
    }
    session.mark(marked);
    this.text.clearSelection();
    clearTimeout(this.timer);
    this.take(null);
    this.screen.render();
    view.status.say(`${holder ? t("Mark removed.") : t("Marked.")} ${this.count}`);
  }

  why() {
    return this.whyNot || t("There is no text here in which a passage can be marked.");
  }

  /** Select the next sentence, or the one before. */
  async walk(by) {
    const { view, root } = this.screen;
    if (this.isShut) await this.openFrame();
    if (!this.text) return view.status.notice(this.why());
    const sentences = this.text.findAll(root.lang);
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
    const { view } = this.screen;
    if (view.item.fills !== this.fills) this.begin(view.item.fills);
    const drawn = JSON.stringify(this.spans);
    if (this.text && drawn !== this.drawn) {
      this.text.draw(this.spans);
      this.drawn = drawn;
    }
    setText(this.screen.refs.passages, this.step ? this.count : "");
    this.renderMarker();
  }

  /** Another text is on the screen. */
  begin(fills) {
    const { session, refs } = this.screen;
    [this.fills, this.selected, this.last, this.drawn, this.whyNot] = [fills, null, null, "[]", ""];
    const { step } = this;
    this.text = null;
    if (this.frame) return this.reopen();
    if (!step?.text_hash) return;
    const isSnippet = step.facet === "snippet";
    const text = isSnippet ? step.snippet : session.data.documents[step.document].text;
    const blocks = isSnippet ? [{ at: 0, node: refs.snippetText }] : this.paragraphs(text);
    if (blocks.length) this.text = new MarkedText(text, blocks);
  }

  /** A page in a frame that has marks already shows them. */
  reopen() {
    const { session } = this.screen;
    if (session.marks?.isMarked(this.step, session.queue.label)) this.openFrame();
  }

  paragraphs(text) {
    const nodes = this.screen.refs.pageText.children;
    return findBlocks(text).map(({ at }, i) => ({ at, node: nodes[i] }));
  }

  renderMarker() {
    const { marker, markerWord } = this.screen.refs;
    marker.hidden = !this.selected || !this.step;
    this.screen.refs.openMarks.hidden = !this.isShut;
    const isMarked = this.selected && findHolder(this.spans, this.selected);
    const word = isMarked ? t("Remove mark") : t("Mark passage");
    if (markerWord.textContent !== word) markerWord.textContent = word;
  }
}
