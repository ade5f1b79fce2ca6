// What the organiser says to this assessor: asked for again and again while somebody may be looking.

const EVERY = 4_000;
const REQUEST_LIMIT = 10_000;

export class NoticeFeed {
  /** `on` has the callbacks change() and signIn(). @param {{ change: () => void, signIn: () => void }} on */
  constructor(on) {
    this.on = on;
    this.notices = /** @type {Notice[]} */ ([]); // oldest first: id, kind, text, time, unread; of an answer also question and about
    this.waiting = /** @type {(Question & { id: string, question: string })[]} */ ([]); // own questions without an answer
    this.guidelines = /** @type {Guidelines | null} */ (null); // the version in force: number, text, note, time
    this.state = "";
    this.read = /** @type {Set<string>} */ (new Set()); // read here; the server may not know it yet
    this.path = "";
    this.token = /** @type {string | null} */ (null);
    this.asking = false;
    this.isWanted = false; // asked for again while an answer is on its way
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    const timer = setInterval(() => this.ask(), EVERY);
    signal.addEventListener("abort", () => clearInterval(timer));
    document.addEventListener("visibilitychange", () => this.ask(), { signal });
  }

  close() {
    this.aborter.abort();
  }

  /** Whom to ask and as whom; a new token is tried at once. @param {string} path @param {string | null} token */
  address(path, token) {
    const changed = token !== this.token || path !== this.path;
    this.path = path;
    this.token = token;
    if (changed) this.ask();
  }

  /** @param {Notice} notice */
  isUnread(notice) {
    return notice.unread && !this.read.has(notice.id);
  }

  get unread() {
    return this.notices.filter((one) => this.isUnread(one));
  }

  /** These were read; the server is told now, and again until it knows. @param {Notice[]} notices */
  mark(notices) {
    for (const { id } of notices) this.read.add(id);
    if (notices.length) this.ask();
  }

  /** @returns {Promise<void>} */
  async ask() {
    if (!this.path || !this.token || document.hidden || this.aborter.signal.aborted) return;
    if (this.asking) {
      this.isWanted = true;
      return;
    }
    [this.asking, this.isWanted] = [true, false];
    await this.fetch();
    this.asking = false;
    if (this.isWanted) await this.ask();
  }

  async fetch() {
    const read = this.notices.filter((one) => one.unread && this.read.has(one.id)).map((one) => one.id);
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${this.token}` };
    const body = JSON.stringify({ state: this.state, read });
    try {
      const response = await fetch(this.path, { method: "POST", headers, body, keepalive: true, signal: AbortSignal.timeout(REQUEST_LIMIT) });
      if (response.status === 401) this.on.signIn();
      else if (response.ok) this.take(await response.json());
    } catch {
      // No server or no network: it is asked again soon.
    }
  }

  /** @param {Pick<NoticeFeed, "state" | "notices" | "waiting" | "guidelines">} news */
  take({ state, notices, waiting, guidelines }) {
    if (this.aborter.signal.aborted || state === this.state || !notices) return;
    [this.state, this.notices, this.waiting, this.guidelines] = [state, notices, waiting, guidelines];
    this.on.change();
  }
}
