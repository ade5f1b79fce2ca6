// The events that the server has not answered for, kept on this device.
// One localStorage entry for each event, so that two tabs never overwrite each other's list.

const BATCH_CHARACTERS = 16_000; // a keepalive request may carry 64 KiB; a character takes up to three bytes
export const FOREIGN_WAIT = 3_000; // another tab's event is its own to send first

/** @template {Sent} E */
export class WaitingEvents {
  /** @param {string} prefix */
  constructor(prefix) {
    this.prefix = `${prefix}:`;
    this.entries = /** @type {Map<string, { at: number, event: E }>} */ (new Map()); // event id -> {at, event}
    this.memoryOnly = new Set(); // ids that could not be written to this device
    this.own = new Set(); // ids of what this tab made or found at its start
    this.sequence = 0;
    this.read();
  }

  get size() {
    return this.entries.size;
  }

  /** @param {string} id */
  has(id) {
    return this.entries.has(id);
  }

  /** Entries {at, event}, oldest first. */
  ordered() {
    return [...this.entries.values()].sort((a, b) => a.at - b.at);
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

  /** @param {string | null} text @param {boolean} own */
  keep(text, own) {
    try {
      const entry = JSON.parse(text ?? "");
      this.entries.set(entry.event.event_id, entry);
      if (own) this.own.add(entry.event.event_id);
      return entry.event;
    } catch {
      return null; // not ours
    }
  }

  /** Write the event to this device, at once. @param {E} event */
  add(event) {
    this.sequence = Math.max(this.sequence + 1, Date.now());
    this.entries.set(event.event_id, { at: this.sequence, event });
    this.own.add(event.event_id);
    this.memoryOnly.add(event.event_id);
    this.write();
  }

  write() {
    for (const id of this.memoryOnly) {
      try {
        localStorage.setItem(this.prefix + id, JSON.stringify(this.entries.get(id)));
        this.memoryOnly.delete(id);
      } catch {
        return;
      }
    }
  }

  /** The server has answered for the event. @param {string} id */
  remove(id) {
    this.setAside(id);
    try {
      localStorage.removeItem(this.prefix + id);
    } catch {
      // Nothing was stored there.
    }
  }

  /** Send the event no more; its stored copy stays for the next visit. @param {string} id */
  setAside(id) {
    this.entries.delete(id);
    this.memoryOnly.delete(id);
  }

  /** @param {StorageEvent} change */
  isEntry(change) {
    return change.key?.startsWith(this.prefix) === true;
  }

  /** Another tab wrote or removed an entry; returns the event it wrote, or null. @param {StorageEvent} change */
  follow(change) {
    if (change.newValue) return this.keep(change.newValue, false);
    const id = change.key?.slice(this.prefix.length) ?? "";
    if (!this.own.has(id)) this.entries.delete(id);
    return null;
  }

  /** The oldest events that fit into one request. @param {number} limit */
  batch(limit) {
    const old = Date.now() - FOREIGN_WAIT;
    const picked = [];
    let characters = 0;
    for (const { at, event } of this.ordered()) {
      if (!this.own.has(event.event_id) && at > old) continue;
      characters += JSON.stringify(event).length;
      if (picked.length && (picked.length >= limit || characters > BATCH_CHARACTERS)) break;
      picked.push(event);
    }
    return picked;
  }
}

// Ids of events, made on this device.

/** A random UUID. Not crypto.randomUUID: it is missing on plain http. */
export function makeId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
