// What a machine said of the items of an assignment: asked for and told once all of them are judged.

import { stepKey } from "./judging/queue.js";
import { t } from "./language/translate.js";
import { clearTold, renderTold } from "./view/told_view.js";

const RETRY = 5_000;
const REQUEST_LIMIT = 10_000;

export class Told {
  constructor(screen, signal) {
    this.screen = screen;
    this.signal = signal;
    screen.refs.toldList.addEventListener("click", (event) => this.click(event), { signal });
  }

  /** Whether the card at the end stands, with everything answered; only then anything is asked for. */
  get isDue() {
    const { queue, data } = this.screen.session;
    return Boolean(data.shows_machine) && !data.again && !queue.current && !queue.progress().later;
  }

  /** Something has changed: show what is to be shown now. Of what was judged anew since it is asked again. */
  follow() {
    if (!this.isDue) return clearTold(this.screen.refs);
    const { session, outbox } = this.screen;
    const isKnown = session.toldOf === namesOf(session);
    if (!isKnown && !outbox.size && !this.isAsking) this.ask(session);
    renderTold(this.screen.refs, isKnown ? this.linesOf(session) : null);
  }

  async ask(session) {
    this.isAsking = true;
    const names = namesOf(session);
    const told = await this.fetch(session);
    if (told) [session.told, session.toldOf] = [told, names];
    else await new Promise((done) => setTimeout(done, RETRY));
    this.isAsking = false;
    if (!this.signal.aborted) this.follow();
  }

  /** What the server tells; nothing where it does not answer, or not now. */
  async fetch({ data }) {
    const { outbox } = this.screen;
    if (!outbox.token) return undefined;
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${outbox.token}` };
    const body = JSON.stringify({ assignment: data.assignment });
    try {
      const answer = await fetch(data.told, { method: "POST", headers, body, signal: AbortSignal.timeout(REQUEST_LIMIT) });
      if (answer.status === 401) this.screen.refresh("token");
      return answer.ok ? (await answer.json()).told : undefined;
    } catch {
      return undefined; // no server or no network
    }
  }

  /** What is told of each item that nothing was decided on yet, in words. */
  linesOf(session) {
    const { queue, data } = session;
    return session.told
      .map((one) => ({ one, key: stepKey(one), label: queue.labels[queue.index.get(stepKey(one))] }))
      .filter(({ key, label }) => label && !session.decided.has(key))
      .map(({ one, key, label }) => {
        const word = (level) => data.scales[one.facet].find((known) => known.level === level)?.name ?? String(level);
        const own = label.state === "level" ? word(label.level) : t("Cannot judge");
        return { key, what: session.describe(one), own, called: one.called, level: word(one.level) };
      });
  }

  /** Keep the own label, or go back to the item, to give it another one, or the same. */
  click(event) {
    const { key, does } = event.target.closest("button")?.dataset ?? {};
    if (!key) return;
    const { screen } = this;
    const { queue, decided } = screen.session;
    decided.add(key);
    if (does === "change") return screen.go(() => ((queue.position = queue.index.get(key)), true));
    this.follow();
    (screen.refs.toldList.querySelector("button") ?? screen.refs.finished).focus({ preventScroll: true });
  }
}

/** The labels of an assignment as they stand, by name. */
function namesOf({ queue }) {
  return queue.labels.map((label) => label?.event_id).join();
}
