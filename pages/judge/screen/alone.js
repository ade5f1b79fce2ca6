// The screen on a page of its own: the server cannot be reached, and the device has what was fetched ahead.

import { t } from "./language/translate.js";
import { Screen } from "./screen.js";
import { readAssignments, readLabels, readPages } from "./storage/kept.js";
import { stepKey } from "./judging/queue.js";

const LOOK = 5_000;

/** The items as handed out, with the labels that were given here since then. @param {Kept} record @param {Map<string, KeptLabel>} labels */
function withLabels({ assignments, at }, labels) {
  const label = (/** @type {Step} */ step) => {
    const own = labels.get(stepKey(step));
    return own && (own.at >= at || !step.label) ? own.label : step.label;
  };
  return assignments.map((one) => ({ ...one, steps: one.steps.map((step) => ({ ...step, label: label(step) })) }));
}

async function isBack() {
  try {
    const answer = await fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(LOOK) });
    return answer.ok;
  } catch {
    return false;
  }
}

/**
 * Look for the server; go over to it when nothing is being written, and offer to where something is.
 * @param {Screen | null} screen @param {HTMLElement} status @param {HTMLElement} goBack
 */
function watch(screen, status, goBack) {
  const look = async () => {
    if (!(await isBack())) return;
    if (!screen || screen.isIdle) return location.reload();
    status.textContent = t("The server is back.");
    goBack.textContent = t("Go on there");
    goBack.hidden = false;
  };
  goBack.addEventListener("click", () => location.reload());
  window.addEventListener("online", look);
  setInterval(look, LOOK);
}

/** @param {HTMLElement} host @param {Kept} record */
async function show(host, record) {
  const root = /** @type {HTMLElement} */ (host.shadowRoot?.querySelector(".judge"));
  const assignments = withLabels(record, await readLabels(record.owner));
  const screen = new Screen(root, assignments[0], () => {}, await readPages(record.owner));
  screen.goOnKept(assignments);
  return screen;
}

/** @param {string} selector */
function find(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

async function start() {
  const host = find("main");
  const status = find("[role=status]");
  const kept = await readAssignments();
  const wanted = new URLSearchParams(location.search).get("collection");
  const record = kept.find(({ assignments }) => assignments[0].collection === wanted) ?? kept[0];
  status.textContent = record
    ? t("Offline. You judge what this device has kept; your labels are sent when the server is back.")
    : t("Offline, and nothing to judge is kept on this device. It goes on when the server is back.");
  host.hidden = !record;
  watch(record ? await show(host, record) : null, status, find("header button"));
}

export default function startAlone() {
  start();
}
