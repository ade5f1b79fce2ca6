// What a machine said of items that were judged before, told one at a time, the latest first.

import { stepKey } from "./judging/queue.js";
import { t } from "./language/translate.js";
import { renderTold } from "./view/told_view.js";

const MOST_KEPT = 20; // who reads none of them will not go back that far

export class Told {
  constructor(screen) {
    this.screen = screen;
    this.waiting = []; // the latest last
  }

  /** Take what came with the answer to an event. */
  add(event, { called, level }) {
    const session = this.screen.sessionOf(event);
    const scale = session.data.scales[event.facet] ?? [];
    const word = (given) => scale.find((one) => one.level === given)?.name ?? String(given);
    const told = {
      what: session.describe(event),
      own: event.state === "level" ? word(event.level) : t("Cannot judge"),
      called,
      level: word(level),
    };
    this.waiting = [...this.waiting, { told, event }].slice(-MOST_KEPT);
    this.render();
  }

  get latest() {
    return this.waiting.at(-1);
  }

  render() {
    renderTold(this.screen.refs, this.latest?.told, this.waiting.length);
  }

  /** The own label stays. */
  keep() {
    this.waiting.pop();
    this.render();
    this.screen.holdFocus();
  }

  /** Back to the item, to give it another label, or the same. */
  change() {
    const { screen, latest } = this;
    if (!latest) return;
    const session = screen.sessionOf(latest.event);
    const place = session.queue.index.get(stepKey(latest.event));
    this.keep();
    if (place === undefined) return screen.view.status.notice(t("Look for it under History, to judge it again."));
    if (session === screen.session) screen.go(() => ((session.queue.position = place), true));
    else screen.turnTo(session, (queue) => (queue.position = place));
  }
}
