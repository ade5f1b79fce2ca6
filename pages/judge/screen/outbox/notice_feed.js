// What the organiser says to this assessor: asked for again and again while somebody may be looking.

const EVERY = 4_000;
const REQUEST_LIMIT = 10_000;

export class NoticeFeed {
  /** `on` has the callbacks change() and signIn(). */
  constructor(on) {
    this.on = on;
    this.notices = []; // oldest first: id, kind, text, time, unread; of an answer also question and about
    this.waiting = []; // own questions without an answer
    this.guidelines = null; // the version in force: number, text, note, time
    this.state = "";
    this.read = new Set(); // read here; the server may not know it yet
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

  /** Whom to ask and as whom; a new token is tried at once. */
  address(path, token) {
    const changed = token !== this.token || path !== this.path;
    this.path = path;
    this.token = token;
    if (changed) this.ask();
  }

  isUnread(notice) {
    return notice.unread && !this.read.has(notice.id);
  }

  get unread() {
    return this.notices.filter((one) => this.isUnread(one));
  }

  /** These were read; the server is told now, and again until it knows. */
  mark(notices) {
    for (const { id } of notices) this.read.add(id);
    if (notices.length) this.ask();
  }

  async ask() {
    if (!this.path || !this.token || document.hidden || this.aborter.signal.aborted) return undefined;
    if (this.asking) {
      this.isWanted = true;
      return undefined;
    }
    [this.asking, this.isWanted] = [true, false];
    await this.fetch();
    this.asking = false;
    return this.isWanted ? this.ask() : undefined;
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

  take(told) {
    if (this.aborter.signal.aborted || told.state === this.state || !told.notices) return;
    [this.state, this.notices, this.waiting, this.guidelines] = [told.state, told.notices, told.waiting, told.guidelines];
    this.on.change();
  }
}
