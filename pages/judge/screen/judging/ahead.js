// What comes after the assignment on the screen: fetched ahead, and kept on this device.

import { dropPages, forgetKept, keepAssignments, keepLabel, keepPage, readAssignments } from "../storage/kept.js";
import { fetchPage } from "./page_text.js";
import { stepKey } from "./queue.js";

const FIRST_WAIT = 1_500; // the first item comes first
const AGAIN = 600_000; // what is held for somebody is held anew
const RETRY = 5_000; // while the server is away
const LIMIT = 20_000;
const MOST_CHARACTERS = 40_000_000; // of all pages
const PAUSE = 50; // between two pages: labels and what is looked at go first

/** Whether a service worker sees to it that what is kept goes when somebody signs out. */
function isWatched() {
  return Boolean(navigator.serviceWorker?.controller);
}

export class Ahead {
  /**
   * `pages` are those of the view; `on` has changed(): something more is known.
   * @param {string} owner @param {string} assessor @param {KeptPages} pages @param {{ changed: () => void }} on
   */
  constructor(owner, assessor, pages, on) {
    this.owner = owner;
    this.assessor = assessor;
    this.pages = pages;
    this.on = on;
    this.assignments = /** @type {Assignment[]} */ ([]);
    this.place = "";
    this.token = /** @type {string | null} */ (null);
    this.at = 0; // when they were asked for
    this.timer = 0;
    this.begun = /** @type {Set<string>} */ (new Set()); // names of assignments that have been on the screen
    this.isCut = false; // the server did not answer when it was asked last
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    window.addEventListener("online", () => this.soon(0), { signal });
    navigator.serviceWorker?.addEventListener("controllerchange", () => this.keep(), { signal });
  }

  close() {
    clearTimeout(this.timer);
    this.aborter.abort();
  }

  /** Where to ask, and as whom. @param {string} address @param {string | null} token */
  address(address, token) {
    [this.place, this.token] = [address, token];
  }

  /** @param {number} delay */
  soon(delay) {
    if (this.aborter.signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), delay);
  }

  /** Ask for what comes; a server that is away is asked again. */
  async refresh() {
    if (this.asking || !this.token || !this.place) return;
    this.asking = true;
    const at = Date.now();
    const before = this.isCut;
    const found = await this.ask();
    this.asking = false;
    if (this.aborter.signal.aborted) return;
    this.isCut = found === null;
    this.soon(this.isCut ? RETRY : AGAIN);
    if (found?.length) this.take(found, at);
    if (found?.length || this.isCut !== before) this.on.changed();
  }

  /** What is handed out; null when nobody answers, undefined when the answer is no. */
  async ask() {
    try {
      const headers = { Authorization: `Bearer ${this.token}` };
      const answer = await fetch(this.place, { headers, signal: AbortSignal.timeout(LIMIT) });
      if ([502, 503, 504].includes(answer.status)) return null;
      return answer.ok ? (await answer.json()).assignments : undefined;
    } catch {
      return null;
    }
  }

  /** @param {Assignment[]} assignments @param {number} at */
  take(assignments, at) {
    [this.assignments, this.at] = [assignments, at];
    this.keep();
  }

  async keep() {
    if (!this.assignments.length) return;
    if (isWatched()) {
      const others = (await readAssignments()).filter(({ assignments }) => assignments[0]?.assessor !== this.assessor);
      if (others.length) await forgetKept();
      await keepAssignments(this.owner, this.assignments, this.at);
    }
    await this.getPages();
  }

  /** Fetch the pages that have a frame, one after the other; anew where others are wanted meanwhile. */
  async getPages() {
    this.isMore = true;
    if (this.getting) return;
    this.getting = true;
    while (this.isMore && !this.aborter.signal.aborted) {
      this.isMore = false;
      await this.getAll();
    }
    this.getting = false;
  }

  async getAll() {
    const wanted = new Map(pagesOf(this.assignments).map((one) => [this.pages.keyOf(one), one]));
    let size = 0;
    for (const key of [...this.pages.texts.keys()]) if (!wanted.has(key)) this.pages.texts.delete(key);
    for (const [key, address] of wanted) {
      if (this.isMore || this.aborter.signal.aborted) return;
      if (size > MOST_CHARACTERS) break;
      const html = this.pages.texts.get(key) ?? (await this.getPage(address));
      if (html === null) continue;
      size += html.length;
      this.pages.texts.set(key, html);
      if (isWatched()) await keepPage(this.owner, key, html);
    }
    if (isWatched()) await dropPages(this.owner, wanted);
  }

  /** @param {string} address */
  async getPage(address) {
    await new Promise((done) => setTimeout(done, PAUSE));
    return fetchPage(address).catch(() => null);
  }

  /** A label was given here, or the server says that another one stands. @param {Place & Label} event */
  note(event) {
    const { event_id, state, level, comment, aspects, passages, text_hash, reasons } = event;
    const label = { event_id, state, level, comment, aspects, passages, text_hash, reasons };
    if (isWatched()) keepLabel(this.owner, stepKey(event), label, Date.now());
  }

  /** An assignment is on the screen. @param {string} name */
  begin(name) {
    this.begun.add(name);
    this.soon(FIRST_WAIT);
  }

  /** What comes next without asking the server; undefined where nothing was fetched. */
  get next() {
    return this.assignments.find((one) => !this.begun.has(one.assignment));
  }
}

/** What is judged first; then what can be opened beside it, and the texts alone. @param {Assignment[]} assignments */
function pagesOf(assignments) {
  const cards = assignments.flatMap(({ steps }) => steps.flatMap((step) => (step.sides ?? []).flat()));
  const documents = assignments.flatMap((one) => Object.values(one.documents));
  const all = [...documents, ...cards];
  return [
    ...all.map((one) => one?.frame),
    ...cards.map(({ page }) => page),
    ...all.map((one) => one?.text_frame),
    ...cards.map(({ page_text }) => page_text),
  ].filter((one) => typeof one === "string");
}
