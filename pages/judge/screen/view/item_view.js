// The query and the item, in the nodes of screen.html.

import { levelKey, levelSign } from "../keys/key_map.js";
import { t } from "../language/translate.js";
import { button, element, flash, furthestOf, letScroll, setText, slideIn } from "./dom.js";
import { directionOf, fillParagraphs, fillText } from "./fill_text.js";
import { breadcrumb, endsOf, levelsOf, listLevels, meaningOf, tenths } from "./wording.js";
import { fillMarkdown } from "./markdown.js";
import { PageFrames, scrollFrame } from "./page_frames.js";
import { PairView } from "./pair_view.js";
import { renderAgain } from "./status_view.js";
import { ScrollTicks } from "./query_terms.js";

const MOST_IN_A_ROW = 6; // levels, at a phone's width
const CARDS = /** @type {const} */ (["start", "practised", "finished"]);
const HASTY = 1000; // milliseconds: an answer that came in less is remarked upon, in practice only

export class ItemView {
  /** @param {Refs} refs @param {TextOnly} textOnly @param {KeptPages} kept */
  constructor(refs, textOnly, kept) {
    this.refs = refs;
    this.textOnly = textOnly;
    this.kept = kept;
    this.frames = new PageFrames(refs.frames, this.kept);
    this.pair = new PairView(refs, this.kept);
    this.ticks = new ScrollTicks(refs.item, refs.ticks);
    this.explained = ""; // which levels are
    refs.need.addEventListener("toggle", () => this.letScroll());
    this.isTextOnly = false; // whether the item is shown as text only
    this.fills = 0; // how often an item was written into the nodes
  }

  /** What belongs to the assignment: guidelines, key names. @param {Assignment} data @param {Keys} commands */
  renderAssignment(data, commands) {
    const isPair = data.steps.some((step) => step.sides);
    this.refs.root.dataset.pair = String(isPair);
    this.refs.backKey.textContent = isPair ? "⌫" : "←";
    this.renderGuidelines(data.guidelines);
    this.refs.paceMeaning.hidden = this.refs.paceButton.hidden = Boolean(data.pace?.hidden);
    this.refs.historyLink.href = `history?collection=${encodeURIComponent(data.collection)}`;
    renderAgain(this.refs, data);
    this.explained = "";
    for (const node of this.refs.root.querySelectorAll("[data-key]")) node.textContent = commands[node.dataset.key ?? ""];
    for (const node of this.refs.root.querySelectorAll("[data-leave]")) node.hidden = !commands.leave;
    for (const [name, key] of Object.entries(commands)) {
      const node = this.refs.actions.querySelector(`[data-command=${name}]`);
      node?.setAttribute("aria-keyshortcuts", key);
    }
  }

  /** @param {string} text */
  renderGuidelines(text) {
    fillMarkdown(this.refs.rules, text);
    for (const node of this.refs.root.querySelectorAll("[data-command=guidelines]")) node.hidden = !text;
  }

  /** @param {Topic} topic @param {Terms} terms @param {boolean} isNew */
  renderTopic(topic, terms, isNew) {
    const { refs } = this;
    refs.query.textContent = topic.query;
    fillParagraphs(refs.description, topic.description, terms);
    fillParagraphs(refs.narrative, topic.narrative, terms);
    refs.need.hidden = !topic.description && !topic.narrative;
    refs.topic.classList.toggle("changed", isNew);
    // A running animation starts anew when its name does.
    refs.topic.dataset.turn = refs.topic.dataset.turn === "a" ? "b" : "a";
  }

  /** What is too long or too wide for its place can be scrolled by keyboard. */
  letScroll() {
    const { query, wants, levelMeanings, item, asked } = this.refs;
    letScroll([query, wants, asked, levelMeanings, ...item.querySelectorAll(".aligned")]);
  }

  /** @param {Step} given @param {Terms} terms @param {Shown | undefined} document_ */
  renderItem(given, terms, document_) {
    const { refs, textOnly } = this;
    const [step, shown, name] = textOnly.view(given, document_);
    refs.textOnly.hidden = !textOnly.isOffered(given, document_);
    this.isTextOnly = textOnly.isChosen(given, document_);
    refs.textOnly.setAttribute("aria-pressed", String(this.isTextOnly));
    this.fills += 1;
    const isSnippet = step.facet === "snippet";
    refs.snippet.hidden = !isSnippet;
    refs.page.hidden = isSnippet || Boolean(step.sides);
    this.pair.render(step, terms);
    if (step.sides || !shown) this.frames.show(null);
    else if (isSnippet) this.renderSnippet(step, shown, terms);
    else this.renderPage(name, shown, terms);
  }

  /** The pages of the item that are in frames. */
  get pages() {
    return this.frames.current ? [this.frames.current] : this.pair.pages;
  }

  /** Load what is not there: the server was away, or is now; or it is tried `again` by whoever waits for it. */
  renew(again = false) {
    const all = again ? this.pages : [...this.frames.pages.values(), ...this.pair.pages];
    for (const page of all) if (page.state === "failed" || (!again && page.state === "loading")) page.load(again ? "reload" : "default");
  }

  /** What keeps the item from being judged now: "loading", "failed", a side that was not in view; or "". */
  findLack() {
    const states = this.pages.map(({ state }) => state);
    const [lack] = ["failed", "loading"].filter((one) => states.includes(one));
    if (this.pair.unseen.length) this.pair.look(this.scroller.getBoundingClientRect());
    return lack ?? this.pair.unseen[0] ?? "";
  }

  /** @param {Step} step @param {Shown} document_ @param {Terms} terms */
  renderSnippet(step, document_, terms) {
    this.refs.snippet.dir = directionOf(document_.title || step.snippet || "");
    setText(this.refs.snippetUrl, breadcrumb(document_.url));
    fillText(this.refs.snippetTitle, document_.title ?? "", terms);
    fillText(this.refs.snippetText, step.snippet ?? "", terms);
    this.frames.show(null);
  }

  /** `name`: of the frame, if it is shown in one. @param {string} name @param {Shown} document_ @param {Terms} terms */
  renderPage(name, document_, terms) {
    const { refs } = this;
    refs.page.dir = directionOf(document_.title || document_.text || "");
    setText(refs.pageUrl, breadcrumb(document_.url));
    fillText(refs.pageTitle, document_.title ?? "", terms);
    fillParagraphs(refs.pageText, document_.frame ? "" : document_.text, terms);
    refs.pageMissing.hidden = Boolean(document_.frame || document_.text);
    refs.frameHint.hidden = !document_.frame;
    if (document_.frame) this.frames.want(name, document_);
    this.frames.show(document_.frame ? name : null);
  }

  /**
   * `aspect`: of what else than relevance these are the levels.
   * @param {Level[]} levels @param {Chosen | null} label @param {string} facet @param {Aspect | null} [aspect]
   */
  renderLevels(levels, label, facet, aspect = null) {
    const { levels: group } = this.refs;
    this.explain(levels, facet, aspect);
    group.setAttribute("aria-label", aspect?.name ?? levelsOf(facet));
    while (group.children.length > levels.length) group.lastChild?.remove();
    while (group.children.length < levels.length) {
      const mark = element("span", "", "tick");
      group.append(button({}, document.createElement("kbd"), element("b", ""), mark, element("span", "", "meaning")));
    }
    group.style.setProperty("--narrow-columns", String(Math.min(levels.length, MOST_IN_A_ROW)));
    const isPair = facet.endsWith("pair");
    levels.forEach((level, i) => this.renderLevel(group.children[i], level, levelSign(level, i, isPair), label, levels));
    levels.forEach((level, i) => group.children[i].setAttribute("aria-keyshortcuts", levelKey(level, i)));
  }

  /**
   * What levels mean stands beside the item; it is written anew only for another scale.
   * @param {Level[]} levels @param {string} facet @param {Aspect | null} aspect
   */
  explain(levels, facet, aspect) {
    const scale = aspect ? `aspect ${aspect.name}` : facet;
    if (scale === this.explained) return;
    this.explained = scale;
    const { refs } = this;
    refs.meaningsTitle.textContent = aspect?.name ?? levelsOf(facet);
    setText(refs.ends, endsOf(levels));
    refs.meanings.replaceChildren(...listLevels(levels, facet));
    this.letScroll();
    refs.helpLevels.replaceChildren(...levels.map((level, i) => element("kbd", levelKey(level, i))));
  }

  /** Show which level was just given. @param {number | null} value */
  flash(value) {
    const node = [...this.refs.levels.children].find((one) => one.dataset.level === String(value));
    if (node) flash(node);
  }

  slideIn() {
    slideIn(this.refs.item);
  }

  /** @param {HTMLElement} node @param {Level} level @param {string} sign @param {Chosen | null} label @param {Level[]} levels */
  renderLevel(node, level, sign, label, levels) {
    const chosen = label?.state === "level" && label.level === level.level;
    const [key, name, tick, meaning] = node.children;
    key.textContent = sign;
    name.textContent = level.name;
    tick.textContent = chosen ? t("✓ chosen") : "";
    meaning.textContent = meaningOf(levels, level);
    meaning.classList.toggle("end", !level.meaning);
    node.dataset.level = String(level.level);
    node.dataset.testid = `level-${level.level}`;
    node.setAttribute("aria-pressed", String(chosen));
  }

  /**
   * What is already known of this step.
   * @param {Label | null} label @param {Step} step @param {{ feedback: boolean, asked: boolean, note: string }} how
   */
  renderLabel(label, step, { feedback, asked, note }) {
    const { refs } = this;
    const state = label?.state;
    const words = /** @type {Record<string, string>} */ ({
      level: t("✓ Judged before"),
      "cannot judge": t("✓ Cannot judge"),
      later: t("Put off"),
      refused: t("Not accepted by the server"),
    });
    const again = asked ? t("Put off before: judge it now, or leave it") : (words[state ?? ""] ?? "");
    setText(refs.again, feedback ? "" : again);
    refs.practice.hidden = !step.practice;
    refs.laterWord.textContent = asked ? t("Leave it") : t("Later");
    refs.commentWord.textContent = note ? t("Comment ✓") : t("Comment");
    for (const [name, on] of [["cannot", state === "cannot judge"], ["later", state === "later"]]) {
      refs.actions.querySelector(`[data-command=${name}]`)?.setAttribute("aria-pressed", String(on));
    }
  }

  /**
   * What would have been right comes with the server's answer; until then, or without it, one can go on.
   * @param {boolean} open @param {Right | undefined} right @param {Label | null} label @param {Level[]} levels
   */
  renderFeedback(open, right, label, levels) {
    const { refs } = this;
    refs.feedback.hidden = !open;
    if (!open) return;
    const name = levels.find((one) => one.level === right?.level)?.name ?? right?.level;
    const same = label?.state === "level" && label.level === right?.level;
    refs.verdict.textContent = this.wordVerdict(right, same, name);
    refs.why.textContent = right?.why ?? "";
    refs.hasty.textContent = this.wordHaste(label?.paradata?.shown_ms);
  }

  /** @param {number | undefined} ms */
  wordHaste(ms) {
    if (ms === undefined || ms >= HASTY) return "";
    return t("You answered after {seconds} seconds. Take the time to read it.", { seconds: tenths(Math.floor(ms / 100) / 10) });
  }

  /** @param {Right | undefined} right @param {boolean} same @param {string | number | undefined} name */
  wordVerdict(right, same, name) {
    if (!right) return t("Noted. What we would say appears here once the server has answered.");
    return same ? t("✓ Yes: {name}.", { name }) : t("✗ We would say: {name}.", { name });
  }

  /** Switch between the item and the cards: "start", "practised", "finished". @param {string | null} card */
  renderMode(card) {
    const { refs } = this;
    for (const node of [refs.work, refs.levels, refs.actions, refs.over]) node.hidden = Boolean(card);
    for (const name of CARDS) refs[name].hidden = name !== card;
    if (card) this.frames.show(null);
  }

  /** What scrolls: the item itself where it has a column of its own, else query and item together. */
  get scroller() {
    return getComputedStyle(this.refs.item).overflowY === "visible" ? this.refs.work : this.refs.item;
  }

  /** How far down the item is in view, of 1000; undefined for what is in frames, and behind a card. */
  get furthest() {
    const { item, snippet, page, pair } = this.refs;
    if (!item.offsetHeight || this.frames.shown || this.pair.frames.length) return undefined;
    return furthestOf([snippet, page].find((one) => !one.hidden) ?? pair, this.scroller);
  }

  /** Scroll what is read: downwards what is around a frame comes first, upwards what is in it. @param {number} share */
  scroll(share) {
    const { scroller } = this;
    const frames = this.frames.shown ? [this.frames.shown] : this.pair.frames;
    const isOver = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
    const isFramed = frames.length && (share < 0 || isOver);
    if (!isFramed || !frames.filter((node) => scrollFrame(node, share)).length) this.scrollText(share);
  }

  /** @param {number} share */
  scrollText(share) {
    this.scroller.scrollBy({ top: share * this.scroller.clientHeight });
  }

  /** Scroll so that a new query, or else the new item, starts in sight. @param {boolean} isNewTopic */
  bringIntoView(isNewTopic) {
    const { refs, scroller } = this;
    if (isNewTopic) refs.side.scrollTop = refs.query.scrollTop = 0;
    if (isNewTopic || scroller === refs.item) scroller.scrollTop = 0;
    else this.alignItem();
  }

  /** Begin below the query, unless the beginning is in sight as it is. */
  alignItem() {
    const { item, head, work } = this.refs;
    const under = Math.max(head.getBoundingClientRect().bottom, work.getBoundingClientRect().top); // it may scroll away
    const top = item.getBoundingClientRect().top - under;
    // What levels mean may be longer for another facet: an item that was scrolled up to stays there.
    if (top < 0 || top > work.clientHeight / 3 || work.scrollTop > 0) work.scrollTop += top;
  }

  /**
   * Keep the height of the levels and of what they mean for all facets and aspects, so that nothing jumps between them.
   * @param {Scales} scales @param {string[]} facets @param {Aspect[]} [aspects]
   */
  reserveLevels(scales, facets, aspects = []) {
    const { levels: group, head, item, levelMeanings: box } = this.refs;
    item.style.setProperty("--query", `${head.offsetHeight}px`);
    group.style.minHeight = box.style.minHeight = ""; // on a narrow window the box stands above the item
    /** @type {[Level[], string, Aspect | null][]} */
    const shown = [...facets.map((facet) => /** @type {[Level[], string, null]} */ ([scales[facet], facet, null]))];
    for (const one of aspects) shown.push([one.levels, facets[0], one]);
    const heights = shown.map(([levels, facet, aspect]) => {
      this.renderLevels(levels, null, facet, aspect);
      return [group, box].map((one) => Math.ceil(one.getBoundingClientRect().height)); // offsetHeight is rounded
    });
    [group, box].forEach((one, i) => (one.style.minHeight = `${Math.max(...heights.map((both) => both[i]))}px`));
  }
}
