// From item to item, and from one assignment of a visit to another.

import { t } from "./language/translate.js";

const UNANSWERED = 2_000; // who is asked for work and says nothing may be away

export class Moves {
  /**
   * `on`: to render; with the height of the levels, too (behind a card they have none); another assignment
   * is on the screen; one begins; and nobody said what comes next.
   * @param {Visit} visit @param {View} view @param {Clock} clock @param {Asking} asking
   * @param {{ render: () => void, refit: () => void, adapt: () => void, begin: (data: Assignment) => void, miss: () => void }} on
   */
  constructor(visit, view, clock, asking, on) {
    this.visit = visit;
    this.view = view;
    this.clock = clock;
    this.asking = asking;
    this.on = on;
  }

  /** On to the next item; past the last practice item by way of a card. */
  advance() {
    const { visit } = this;
    const { session } = visit;
    const wasPractice = session.queue.current?.practice;
    session.move(() => session.queue.advance());
    const isWork = wasPractice && session.queue.current && !session.queue.current.practice;
    visit.setMode({ card: isWork && session.practised().answered ? "practised" : null });
    if (!this.goOn()) this.on.render();
  }

  /** At the end of an earlier assignment of this visit: back to the one after it. */
  goOn() {
    const after = this.visit.beside(1);
    if (this.visit.session.queue.current || !after) return false;
    this.turnTo(after);
    return true;
  }

  /** Another assignment of this visit; its queue is where it is wanted. @param {JudgingSession} session */
  turnTo(session) {
    this.visit.turnTo(session);
    this.view.reset();
    this.on.adapt();
  }

  /** Enter, or the first button: begin, go on after practice, or on to what comes next. */
  confirm() {
    const { mode, session } = this.visit;
    if (mode.card) this.leaveCard();
    else if (mode.feedback) this.advance();
    else if (!session.queue.current) this.next();
  }

  leaveCard() {
    this.visit.setMode();
    this.clock.take(); // a card is no item
    this.on.refit();
  }

  next() {
    const { visit } = this;
    if (visit.session.queue.progress().later) return this.reopen();
    if (visit.isOver) return;
    if (visit.coming) {
      this.on.begin(visit.coming);
      return this.on.adapt();
    }
    visit.isWanted = true;
    visit.isReported = false;
    setTimeout(() => visit.isWanted && this.on.miss(), UNANSWERED);
    this.on.render();
  }

  reopen() {
    this.go(() => this.visit.session.queue.reopen());
  }

  /** `change` moves within the queue; `otherwise` is said where it does not. @param {() => unknown} change @param {string} [otherwise] */
  go(change, otherwise = "") {
    const { visit } = this;
    const isCard = !visit.step;
    visit.setMode();
    if (!visit.session.move(change)) this.view.status.notice(otherwise);
    if (this.goOn()) return;
    if (isCard) this.on.refit();
    else this.on.render();
  }

  /** To the item of a label. @param {string} key */
  goTo(key) {
    const { queue } = this.visit.session;
    this.go(() => {
      queue.position = queue.index.get(key) ?? queue.position;
      return true;
    });
  }

  /** One question on, or one item. */
  forward() {
    if (this.asking.forward()) return;
    if (this.visit.mode.feedback) return this.advance();
    this.go(() => this.visit.session.queue.forward(), t("This item is not judged yet. To put it off, use Later."));
  }

  /** One item back; from the first of an assignment to the last of the one before it in this visit. */
  back() {
    if (this.asking.back()) return;
    const { visit } = this;
    const { queue } = visit.session;
    const isStart = visit.mode.card === "start";
    const isFirst = isStart || (queue.current && queue.order()[0] === queue.position);
    const before = visit.beside(-1);
    if (isFirst && before) {
      visit.turnTo(before);
      before.queue.finish();
      this.view.reset();
      return this.on.adapt();
    }
    if (!isStart) this.go(() => queue.back(), t("This is the first item. What was judged before this visit is under History."));
  }

  undo() {
    if (this.asking.back()) return;
    const { visit } = this;
    visit.isReported = false;
    const before = visit.beside(-1);
    if (!visit.session.queue.undoable.length && before?.queue.undoable.length) this.turnTo(before);
    visit.setMode();
    if (visit.session.isReported) this.revisit();
    else if (!visit.session.undo()) this.sayNothingToUndo();
    this.on.refit();
  }

  /** In what counts as finished nothing is taken back before there is something in its place. */
  revisit() {
    const { session } = this.visit;
    const i = session.queue.takeUndo();
    if (i === undefined) return this.sayNothingToUndo();
    session.move(() => (session.queue.position = i));
    this.view.status.notice(t("This topic is done, so the judgement stands until you give another."));
  }

  sayNothingToUndo() {
    this.view.status.notice(t("There is no judgement of this visit to take back. Earlier ones are under History."));
  }
}
