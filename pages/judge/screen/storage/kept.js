// What this device keeps so that judging goes on without a network: items, their pages, own labels.
// It is one person's only. Whoever signs in or out takes it away; events wait elsewhere, in the outbox.

const NAME = "dissent";
const STORES = ["assignments", "labels", "pages"];
/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function open() {
  opened ??= new Promise((done, failed) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => STORES.forEach((name) => asked.result.createObjectStore(name, { keyPath: "key" }));
    asked.onerror = () => failed(asked.error);
    asked.onsuccess = () => {
      const forget = () => (opened = null);
      asked.result.onclose = forget;
      asked.result.onversionchange = () => {
        asked.result.close();
        forget();
      };
      done(asked.result);
    };
  });
  opened.catch(() => (opened = null));
  return opened;
}

/**
 * Do something in one transaction; what its request found, or undefined where this device keeps nothing.
 * @template T @param {IDBTransactionMode} mode @param {(store: (name: string) => IDBObjectStore) => IDBRequest<T> | void} work
 */
async function attempt(mode, work) {
  try {
    const task = (await open()).transaction(STORES, mode);
    const asked = work((name) => task.objectStore(name));
    await new Promise((done, failed) => {
      task.oncomplete = done;
      task.onerror = task.onabort = () => failed(task.error);
    });
    return asked?.result;
  } catch {
    return undefined; // no storage, or no room: judging goes on with what is in memory
  }
}

/** @param {string} owner */
function all(owner) {
  return IDBKeyRange.bound([owner], [owner, []]);
}

/**
 * Keep what was handed out to an owner `{collection, assessor}` at a time, in place of what was kept of it.
 * @param {string} owner @param {Assignment[]} assignments @param {number} at
 */
export function keepAssignments(owner, assignments, at) {
  return attempt("readwrite", (store) => {
    store("assignments").put({ key: [owner], owner, at, assignments });
  });
}

/**
 * Keep a label that was given here, but only beside the items it is about.
 * @param {string} owner @param {string} key @param {Label} label @param {number} at
 */
export function keepLabel(owner, key, label, at) {
  return attempt("readwrite", (store) => {
    const found = store("assignments").count([owner]);
    found.onsuccess = () => found.result && store("labels").put({ key: [owner, key], label, at });
  });
}

/** @param {string} owner @param {string} key @param {string} html */
export function keepPage(owner, key, html) {
  return attempt("readwrite", (store) => {
    const found = store("assignments").count([owner]);
    found.onsuccess = () => found.result && store("pages").put({ key: [owner, key], html });
  });
}

/** Everything handed out that is kept, the newest first. @returns {Promise<Kept[]>} */
export async function readAssignments() {
  const rows = await attempt("readonly", (store) => store("assignments").getAll());
  return /** @type {Kept[]} */ (rows ?? []).sort((one, other) => other.at - one.at);
}

/** Own labels by step key. @param {string} owner @returns {Promise<Map<string, KeptLabel>>} */
export async function readLabels(owner) {
  const rows = await attempt("readonly", (store) => store("labels").getAll(all(owner)));
  return new Map(/** @type {any[]} */ (rows ?? []).map(({ key, label, at }) => [key[1], { label, at }]));
}

/** Pages by their key. @param {string} owner @returns {Promise<Map<string, string>>} */
export async function readPages(owner) {
  const rows = await attempt("readonly", (store) => store("pages").getAll(all(owner)));
  return new Map(/** @type {any[]} */ (rows ?? []).map(({ key, html }) => [key[1], html]));
}

/** Keep of an owner only these pages. @param {string} owner @param {{ has: (key: string) => boolean }} kept */
export async function dropPages(owner, kept) {
  const keys = await attempt("readonly", (store) => store("pages").getAllKeys(all(owner)));
  const old = /** @type {string[][]} */ (keys ?? []).filter((key) => !kept.has(key[1]));
  if (old.length) await attempt("readwrite", (store) => old.forEach((key) => store("pages").delete(key)));
}

export function forgetKept() {
  return attempt("readwrite", (store) => STORES.forEach((name) => store(name).clear()));
}
