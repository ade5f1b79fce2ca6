// The screen on a page of its own: the server cannot be reached, and the device has what was fetched ahead.

import { t } from "./language/translate.js";
import { Screen } from "./screen.js";
import { readAssignments, readLabels, readPages } from "./storage/kept.js";
import { stepKey } from "./judging/queue.js";

const LOOK = 5_000;

/** The items as handed out, with the labels that were given here since then. */
function withLabels({ assignments, at }, labels) {
  const label = (step) => {
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

/** Look for the server; go over to it when nothing is being written, and offer to where something is. */
function watch(screen, said, goBack) {
  const look = async () => {
    if (!(await isBack())) return;
    if (!screen || screen.isIdle) return location.reload();
    said.textContent = t("The server is back.");
    goBack.textContent = t("Go on there");
    goBack.hidden = false;
  };
  goBack.addEventListener("click", () => location.reload());
  window.addEventListener("online", look);
  setInterval(look, LOOK);
}

function show(host, record, labels, pages) {
  const screen = new Screen(host.shadowRoot.querySelector(".judge"), true);
  for (const [key, html] of pages) screen.pages.texts.set(key, html);
  screen.beginKept(withLabels(record, labels));
  return screen;
}

async function start() {
  const host = document.querySelector("main");
  const said = document.querySelector("[role=status]");
  const goBack = document.querySelector("header button");
  const kept = await readAssignments();
  const wanted = new URLSearchParams(location.search).get("collection");
  const record = kept.find(({ assignments }) => assignments[0].collection === wanted) ?? kept[0];
  said.textContent = record
    ? t("Offline. You judge what this device has kept; your labels are sent when the server is back.")
    : t("Offline, and nothing to judge is kept on this device. It goes on when the server is back.");
  host.hidden = !record;
  watch(record && show(host, record, await readLabels(record.owner), await readPages(record.owner)), said, goBack);
}

export default function startAlone() {
  start();
}
