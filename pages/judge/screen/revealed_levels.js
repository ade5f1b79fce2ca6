// What a machine said of the items of an assignment: asked for and shown once all of them are judged.

import { stepKey } from "./judging/queue.js";
import { t, tn } from "./language/translate.js";
import { button, closest, element, setText } from "./view/dom.js";

const RETRY = 5_000;
const REQUEST_LIMIT = 10_000;

export class RevealedLevels {
  /**
   * `on`: the right to ask has run out, and the item of a label is to be judged anew.
   * @param {Visit} visit @param {View} view @param {{ signIn: () => void, goTo: (key: string) => void }} on
   */
  constructor(visit, view, on) {
    this.visit = visit;
    this.refs = view.refs;
    this.signal = view.signal;
    this.on = on;
    this.isAsking = false;
    view.refs.revealedList.addEventListener("click", (event) => this.click(event), { signal: view.signal });
  }

  /** Whether the card at the end stands, with everything answered; only then anything is asked for. */
  get isDue() {
    const { queue, data } = this.visit.session;
    return Boolean(data.shows_machine) && !data.again && !queue.current && !queue.progress().later;
  }

  /** Something has changed: show what is to be shown now. Of what was judged anew since it is asked again. */
  follow() {
    if (!this.isDue) return clearRevealed(this.refs);
    const { session } = this.visit;
    const isKnown = session.revealedFor === namesOf(session);
    if (!isKnown && !session.outbox.size && !this.isAsking) this.ask(session);
    renderRevealed(this.refs, isKnown ? this.linesOf(session) : null);
  }

  /** @param {JudgingSession} session */
  async ask(session) {
    this.isAsking = true;
    const names = namesOf(session);
    const labels = await this.fetch(session);
    if (labels) [session.revealedLevels, session.revealedFor] = [labels, names];
    else await new Promise((done) => setTimeout(done, RETRY));
    this.isAsking = false;
    if (!this.signal.aborted) this.follow();
  }

  /** What the server says; nothing where it does not answer, or not now. @param {JudgingSession} session */
  async fetch({ data, outbox }) {
    if (!outbox.token) return undefined;
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${outbox.token}` };
    const body = JSON.stringify({ assignment: data.assignment });
    try {
      const answer = await fetch(data.told, { method: "POST", headers, body, signal: AbortSignal.timeout(REQUEST_LIMIT) });
      if (answer.status === 401) this.on.signIn();
      return answer.ok ? (await answer.json()).told : undefined;
    } catch {
      return undefined; // no server or no network
    }
  }

  /** What is said of each item that nothing was decided on yet, in words. @param {JudgingSession} session @returns {RevealedLine[]} */
  linesOf(session) {
    const { queue, data } = session;
    return session.revealedLevels.flatMap((one) => {
      const key = stepKey(one);
      const label = queue.labels[queue.index.get(key) ?? -1];
      if (!label || session.decided.has(key)) return [];
      const word = (/** @type {number | null} */ level) => data.scales[one.facet].find((known) => known.level === level)?.name ?? String(level);
      const own = label.state === "level" ? word(label.level) : t("Cannot judge");
      return [{ key, what: session.describe(one), own, called: one.called, level: word(one.level) }];
    });
  }

  /** Keep the own label, or go back to the item, to give it another one, or the same. @param {MouseEvent} event */
  click(event) {
    const { key, does } = closest(event, "button")?.dataset ?? {};
    if (!key) return;
    this.visit.session.decided.add(key);
    if (does === "change") return this.on.goTo(key);
    this.follow();
    (this.refs.revealedList.querySelector("button") ?? this.refs.finished).focus({ preventScroll: true });
  }
}

/** The labels of an assignment as they stand, by name. @param {JudgingSession} session */
function namesOf({ queue }) {
  return queue.labels.map((label) => label?.event_id).join();
}

// The list of what a machine said, on the card at the end: in no other place, and at no other time.

/**
 * `lines`: key, what, own, called and level in words; null while they are not known yet.
 * @param {Refs} refs @param {RevealedLine[] | null} lines
 */
function renderRevealed(refs, lines) {
  refs.revealedLevels.hidden = false;
  setText(refs.revealedState, wordState(lines));
  const state = JSON.stringify(lines ?? []);
  if (refs.revealedList.dataset.state === state) return;
  refs.revealedList.dataset.state = state;
  refs.revealedList.replaceChildren(...(lines ?? []).map(renderLine));
}

/** Nothing of it is in the page while items are judged. @param {Refs} refs */
function clearRevealed(refs) {
  if (refs.revealedLevels.hidden) return;
  refs.revealedLevels.hidden = true;
  delete refs.revealedList.dataset.state;
  refs.revealedList.replaceChildren();
  setText(refs.revealedState, "");
}

/** @param {RevealedLine[] | null} lines */
function wordState(lines) {
  if (!lines) return t("It is told once everything is saved.");
  if (!lines.length) return t("There is nothing more to tell.");
  return tn(lines.length, "Of {n} page. Keep your label, or go back and change it.", "Of {n} pages. Keep your labels, or go back and change them.");
}

/** @param {RevealedLine} line */
function renderLine(line) {
  const item = document.createElement("li");
  const act = (/** @type {string} */ does, /** @type {string} */ words) => button({ "data-key": line.key, "data-does": does, "aria-label": `${words}: ${line.what}` }, words);
  const buttons = element("span", "", "buttons");
  buttons.append(act("keep", t("Keep")), act("change", t("Change")));
  item.append(element("p", t("On “{what}” you said {own}; the machine {called} said {level}.", line)), buttons);
  return item;
}
