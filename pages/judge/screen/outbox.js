// Keeps every event on this device until the server has answered for it.
// One localStorage entry for each event, so that two tabs never overwrite each other's list.

const BATCH_EVENTS = 50;
const BATCH_CHARACTERS = 16_000; // a keepalive request may carry 64 KiB; a character takes up to three bytes
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5_000;
const REQUEST_LIMIT = 10_000;
const FOREIGN_WAIT = 3_000; // another tab's event is its own to send first

function makeId() {
  // Not crypto.randomUUID: it is missing on plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

class Outbox {
  /** `on` has the callbacks ack(event, ack), change(), foreign(event), signIn(). */
  constructor(prefix, on) {
    this.prefix = `${prefix}:`;
    this.on = on;
    this.waiting = new Map(); // event id -> {at, event}
    this.memoryOnly = new Set(); // ids that could not be written to this device
    this.own = new Set();
    this.state = "ok"; // "ok", "unreachable", "full", "sign in", "not allowed"
    this.reason = ""; // why it is not allowed
    this.wait = FIRST_WAIT;
    this.limit = BATCH_EVENTS;
    this.sequence = 0;
    this.aborter = new AbortController();
    this.read();
    const { signal } = this.aborter;
    window.addEventListener("storage", (change) => this.follow(change), { signal });
    window.addEventListener("online", () => this.wake(), { signal });
    window.addEventListener("pagehide", () => this.flush(), { signal });
  }

  close() {
    clearTimeout(this.timer);
    this.aborter.abort();
  }

  get size() {
    return this.waiting.size;
  }

  events() {
    return [...this.waiting.values()].sort((a, b) => a.at - b.at).map((entry) => entry.event);
  }

  /** Take over what an earlier visit left on this device. */
  read() {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(this.prefix));
      for (const name of names) this.keep(localStorage.getItem(name), true);
    } catch {
      // No storage on this device: said aloud with the first event that cannot be written.
    }
  }

  keep(text, own) {
    try {
      const entry = JSON.parse(text);
      this.waiting.set(entry.event.event_id, entry);
      if (own) this.own.add(entry.event.event_id);
      return entry.event;
    } catch {
      return null; // not ours
    }
  }

  /** Another tab wrote or removed an event. */
  follow(change) {
    if (!change.key?.startsWith(this.prefix)) return;
    const id = change.key.slice(this.prefix.length);
    if (change.newValue) {
      const event = this.keep(change.newValue, false);
      if (event) this.on.foreign(event);
    } else if (!this.own.has(id)) {
      this.waiting.delete(id);
    }
    this.schedule(FOREIGN_WAIT);
    this.on.change();
  }

  /** Write the event to this device, at once, and send it soon. */
  add(event) {
    this.sequence = Math.max(this.sequence + 1, Date.now());
    this.waiting.set(event.event_id, { at: this.sequence, event });
    this.own.add(event.event_id);
    this.memoryOnly.add(event.event_id);
    this.write();
    this.schedule(this.state === "ok" ? 0 : this.wait);
  }

  write() {
    for (const id of this.memoryOnly) {
      try {
        localStorage.setItem(this.prefix + id, JSON.stringify(this.waiting.get(id)));
        this.memoryOnly.delete(id);
      } catch {
        return;
      }
    }
  }

  remove(id) {
    this.waiting.delete(id);
    this.memoryOnly.delete(id);
    try {
      localStorage.removeItem(this.prefix + id);
    } catch {
      // Nothing was stored there.
    }
  }

  /** Where and as whom to send; a new token is tried at once. */
  address(intake, token) {
    const changed = token !== this.token || intake !== this.intake;
    this.intake = intake;
    this.token = token;
    if (changed) this.wake();
  }

  wake() {
    this.wait = FIRST_WAIT;
    this.schedule(0);
  }

  schedule(delay) {
    if (this.aborter.signal.aborted || !this.size) return;
    const due = performance.now() + delay;
    if (this.timer && this.due <= due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => this.flush(), delay);
  }

  batch() {
    const old = Date.now() - FOREIGN_WAIT;
    const picked = [];
    let characters = 0;
    for (const { at, event } of [...this.waiting.values()].sort((a, b) => a.at - b.at)) {
      if (!this.own.has(event.event_id) && at > old) continue;
      characters += JSON.stringify(event).length;
      if (picked.length && (picked.length >= this.limit || characters > BATCH_CHARACTERS)) break;
      picked.push(event);
    }
    return picked;
  }

  async flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.sending || !this.token) return;
    const batch = this.batch();
    if (!batch.length) return this.schedule(FOREIGN_WAIT);
    this.sending = true;
    this.on.change();
    const { token } = this;
    const delay = await this.send(batch);
    this.sending = false;
    this.on.change();
    this.schedule(token === this.token ? delay : 0);
  }

  /** Send one batch; the milliseconds to wait before the next. */
  async send(events) {
    const body = JSON.stringify({ events });
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${this.token}` };
    const signal = AbortSignal.timeout(REQUEST_LIMIT);
    const keepalive = body.length <= 20_000;
    try {
      const response = await fetch(this.intake, { method: "POST", headers, body, keepalive, signal });
      if (response.status === 401) return this.signIn();
      if (response.status === 403) return await this.bar(response);
      if (response.status === 413 || response.status === 422) return await this.split(events, response);
      if (response.status === 507) return this.pause("full");
      if (!response.ok) return this.pause("unreachable");
      return this.settle(events, (await response.json()).acks);
    } catch {
      return this.pause("unreachable"); // no server, no network, too slow, or an answer that is not JSON
    }
  }

  pause(state) {
    this.state = state;
    const delay = this.wait;
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    return delay;
  }

  /** Judging is stopped; what waits is kept in case it goes on. */
  async bar(response) {
    this.reason = String((await response.json()).error);
    return this.pause("not allowed");
  }

  signIn() {
    this.state = "sign in";
    this.on.signIn();
    return LONGEST_WAIT;
  }

  settle(events, acks) {
    const sent = new Map(events.map((event) => [event.event_id, event]));
    const answered = acks.filter((ack) => sent.has(ack.event_id));
    if (!answered.length) return this.pause("unreachable");
    this.state = "ok";
    this.wait = FIRST_WAIT;
    this.limit = Math.min(this.limit * 2, BATCH_EVENTS);
    for (const ack of answered) {
      this.remove(ack.event_id);
      this.on.ack(sent.get(ack.event_id), ack);
    }
    return answered.length < events.length ? FIRST_WAIT : 0;
  }

  /** A body refused whole: find the event that spoils it, report it, and keep its stored copy for the next visit. */
  async split(events, response) {
    if (events.length > 1) {
      this.limit = Math.ceil(events.length / 2);
      return 0;
    }
    const answer = await response.json().catch(() => ({}));
    const reason = String(answer.error ?? `the server refused it (${response.status})`);
    this.waiting.delete(events[0].event_id);
    this.memoryOnly.delete(events[0].event_id);
    this.on.ack(events[0], { event_id: events[0].event_id, status: "refused", reason, current: null });
    return 0;
  }
}
