// Sends the waiting events, again and again until the server has answered for each.

import { t } from "../language/translate.js";
import { FOREIGN_WAIT, WaitingEvents } from "./waiting_events.js";

const BATCH_EVENTS = 50;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5_000;
const REQUEST_LIMIT = 10_000;

/** @template {Sent} E */
export class Outbox {
  /** @param {string} prefix @param {Answers<E>} on */
  constructor(prefix, on) {
    this.on = on;
    /** @type {WaitingEvents<E>} */
    this.waiting = new WaitingEvents(prefix);
    this.intake = "";
    this.token = /** @type {string | null} */ (null);
    this.timer = this.due = 0;
    this.sending = false;
    this.state = "ok"; // "ok", "unreachable", "full", "sign in", "not allowed"
    this.reason = ""; // why it is not allowed
    this.wait = FIRST_WAIT;
    this.limit = BATCH_EVENTS;
    this.aborter = new AbortController();
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

  /** How many events are in memory only. */
  get notKept() {
    return this.waiting.memoryOnly.size;
  }

  events() {
    return this.waiting.ordered().map((entry) => entry.event);
  }

  /** Another tab wrote or removed an event. @param {StorageEvent} change */
  follow(change) {
    if (!this.waiting.isEntry(change)) return;
    const event = this.waiting.follow(change);
    if (event) this.on.foreign(event);
    this.schedule(FOREIGN_WAIT);
    this.on.change();
  }

  /** Keep the event on this device and send it soon. @param {E} event */
  add(event) {
    this.waiting.add(event);
    this.on.added?.(event);
    this.schedule(this.state === "ok" ? 0 : this.wait);
  }

  /** Where and as whom to send; a new token is tried at once. @param {string} intake @param {string | null} token */
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

  /** @param {number} delay */
  schedule(delay) {
    if (this.aborter.signal.aborted || !this.size) return;
    const due = performance.now() + delay;
    if (this.timer && this.due <= due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => this.flush(), delay);
  }

  async flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.sending || !this.token) return;
    const batch = this.waiting.batch(this.limit);
    if (!batch.length) return this.schedule(FOREIGN_WAIT);
    this.sending = true;
    this.on.change();
    const { token } = this;
    const delay = await this.send(batch);
    this.sending = false;
    this.on.change();
    this.schedule(token === this.token ? delay : 0);
  }

  /** Send one batch; the milliseconds to wait before the next. @param {E[]} events */
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

  /** @param {string} state */
  pause(state) {
    this.state = state;
    const delay = this.wait;
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    return delay;
  }

  /** Judging is stopped; what waits is kept in case it goes on. @param {Response} response */
  async bar(response) {
    this.reason = String((await response.json()).error);
    return this.pause("not allowed");
  }

  signIn() {
    this.state = "sign in";
    this.on.signIn();
    return LONGEST_WAIT;
  }

  /** @param {E[]} events @param {Ack[]} acks */
  settle(events, acks) {
    const sent = new Map(events.map((event) => [event.event_id, event]));
    const answered = acks.filter((ack) => sent.has(ack.event_id));
    if (!answered.length) return this.pause("unreachable");
    this.state = "ok";
    this.wait = FIRST_WAIT;
    this.limit = Math.min(this.limit * 2, BATCH_EVENTS);
    for (const ack of answered) {
      this.waiting.remove(ack.event_id);
      this.on.ack(/** @type {E} */ (sent.get(ack.event_id)), ack);
    }
    return answered.length < events.length ? FIRST_WAIT : 0;
  }

  /**
   * A body refused whole: find the event that spoils it, report it, and keep its stored copy for the next visit.
   * @param {E[]} events @param {Response} response
   */
  async split(events, response) {
    if (events.length > 1) {
      this.limit = Math.ceil(events.length / 2);
      return 0;
    }
    const answer = await response.json().catch(() => ({}));
    const reason = String(answer.error ?? t("the server refused it ({status})", { status: response.status }));
    this.waiting.setAside(events[0].event_id);
    this.on.ack(events[0], { event_id: events[0].event_id, status: "refused", reason, current: null });
    return 0;
  }
}
