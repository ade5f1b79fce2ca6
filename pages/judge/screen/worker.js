// The service worker: shows the judging screen while the server cannot be reached, and takes away what
// the device keeps when somebody signs in or out. Whatever else is asked for passes it by.

import { forgetKept, readAssignments } from "./storage/kept.js";

const scope = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (self));
const JUDGING = new Set(["/", "/judge"]);
const DOORS = /^\/(leave|sign-in|enter\/[^/]+|join\/[^/]+|demo\/[^/]+)$/;
const BACK = "/oauth2callback"; // from single sign-on
const AWAY = new Set([502, 503, 504]); // a proxy says so of the server behind it
const PATIENCE = 20_000;

/** @param {Shell} shell */
async function fill({ name, parts }) {
  const cache = await caches.open(name);
  await cache.addAll(parts.map((part) => new Request(part, { cache: "reload" })));
  await scope.skipWaiting();
}

/** @param {Shell} shell */
async function takeOver({ name }) {
  const old = (await caches.keys()).filter((one) => one.startsWith("dissent-") && one !== name);
  await Promise.all(old.map((one) => caches.delete(one)));
  await scope.clients.claim();
}

/** The page as the server has it, or the one that needs no server, where there is something to judge. @param {Request} request */
async function visit(request) {
  const late = new Promise((_, give) => setTimeout(() => give(new Error("no answer")), PATIENCE));
  const answer = await Promise.race([fetch(request), late]).catch((error) => error);
  if (answer instanceof Response && !AWAY.has(answer.status)) return answer;
  const [kept] = await readAssignments();
  const page = kept ? await caches.match(scope.shell.pages[kept.assignments[0].language]) : undefined;
  if (page) return page;
  if (answer instanceof Response) return answer;
  throw answer;
}

/** @param {Fetching} event */
function respond(event) {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== self.location.origin) return;
  const isDoor = request.method === "POST" && DOORS.test(pathname);
  if (isDoor || pathname === BACK) event.waitUntil(forgetKept());
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate" && JUDGING.has(pathname)) event.respondWith(visit(request));
  else if (scope.shell.parts.includes(pathname + search)) {
    event.respondWith(caches.match(pathname + search).then((kept) => kept ?? fetch(request)));
  }
}

export default function serve() {
  scope.addEventListener("install", (event) => event.waitUntil(fill(scope.shell)));
  scope.addEventListener("activate", (event) => event.waitUntil(takeOver(scope.shell)));
  scope.addEventListener("fetch", respond);
}
