// What each command does.

import { REASONS } from "./judging/judging_session.js";
import { t } from "./language/translate.js";

export const COMMANDS = {
  judge: (screen, level) => screen.answer("level", level),
  cannot: (screen) => screen.notes.ask(),
  later: (screen) => screen.answer("later"),
  confirm: (screen) => screen.confirm(),
  back: (screen) => screen.back(),
  leave: (screen) => screen.asking.leaveOut(),
  forward: (screen) =>
    screen.asking.forward() ? undefined
    : screen.mode.feedback
      ? screen.proceed()
      : screen.go(() => screen.session.queue.forward(), t("This item is not judged yet. To put it off, use Later.")),
  undo: (screen) => screen.undo(),
  comment: (screen) => screen.notes.open(screen.session.queue.position),
  ask: (screen) => screen.words.toggle(),
  passage: (screen) => screen.passages.mark(),
  nextSentence: (screen) => screen.passages.walk(1),
  lastSentence: (screen) => screen.passages.walk(-1),
  send: (screen) => screen.words.send(),
  save: (screen) => (screen.refs.words.open ? screen.words.send() : screen.notes.save()),
  keepText: (screen) => screen.notes.close(),
  discard: (screen) => screen.notes.discard(),
  write: (screen) => screen.notes.write(),
  close: (screen) => screen.closePanels(),
  lineDown: (screen) => screen.view.item.scroll(0.12),
  lineUp: (screen) => screen.view.item.scroll(-0.12),
  screenDown: (screen) => screen.view.item.scroll(0.85),
  screenUp: (screen) => screen.view.item.scroll(-0.85),
  hit: (screen) => screen.nextHit(),
  larger: (screen) => screen.setTexts((reading) => reading.resize(1)),
  smaller: (screen) => screen.setTexts((reading) => reading.resize(-1)),
  width: (screen) => screen.setTexts((reading) => reading.widen()),
  textOnly: (screen) => screen.turnText(),
  pace: (screen) => (screen.reading.pace(), screen.render()),
  left: (screen) => screen.turn("left"),
  right: (screen) => screen.turn("right"),
  tryAgain: (screen) => screen.tryAgain(),
  open: (screen) => screen.opened.toggle(),
  chip: (screen, place) => screen.chips.toggle(place),
  browse: (screen, key) => screen.opened.press(key),
  giveReason: (screen, reason) => screen.notes.giveReason(reason),
  unfold: (screen) => screen.unfold(),
  nothing: () => {},
  guidelines: (screen) => screen.openGuidelines(),
  help: (screen) => screen.toggle(screen.refs.help),
  history: (screen) => location.assign(screen.refs.historyLink.href),
  reopen: (screen) => screen.go(() => screen.session.queue.reopen()),
  review: (screen) => screen.go(() => screen.session.queue.restart()),
};
// Without an item on the screen there is none to judge.
export const AT_END = new Set(["back", "undo", "confirm", "close", "guidelines", "help", "ask", "history", "reopen", "review"]);
export const ON_CARD = new Set(["back", "confirm", "close", "guidelines", "help", "ask"]);
export const IN_DIALOG = new Set(["open", "browse", "textOnly", "tryAgain", "close", "guidelines", "help", "ask", "send", "save", "pace"]);

/** The reason that a digit stands for while the chips are open, in their order. */
export function reasonOf(digit) {
  return [...REASONS, "other"][Number(digit) - 1];
}
