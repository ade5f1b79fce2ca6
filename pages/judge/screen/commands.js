// What each command does.

import { REASONS } from "./judging/judging_session.js";

/** By name; some take a level, a reason, a place or a key. @param {Parts} parts @returns {Record<string, (given: any) => unknown>} */
export function commandsOf({ answers, asking, chips, dialogs, moves, notes, opened, passages, refs, texts, view, visit, words }) {
  const { item } = view;
  return {
    judge: (level) => answers.give("level", level),
    cannot: () => (visit.mode.feedback ? moves.advance() : notes.ask()),
    later: () => answers.give("later"),
    confirm: () => moves.confirm(),
    back: () => moves.back(),
    leave: () => asking.leaveOut(),
    forward: () => moves.forward(),
    undo: () => moves.undo(),
    comment: () => notes.open(visit.session.queue.position),
    ask: () => words.toggle(),
    passage: () => passages.mark(),
    nextSentence: () => passages.walk(1),
    lastSentence: () => passages.walk(-1),
    send: () => words.send(),
    save: () => (refs.words.open ? words.send() : notes.save()),
    keepText: () => notes.close(),
    discard: () => notes.discard(),
    write: () => notes.write(),
    close: () => {
      if (opened.isOpen) opened.close();
      else if (dialogs.open) dialogs.close();
      else if (visit.mode.commentFor !== null) notes.leave();
      else if (visit.mode.reasons) notes.ask();
    },
    lineDown: () => item.scroll(0.12),
    lineUp: () => item.scroll(-0.12),
    screenDown: () => item.scroll(0.85),
    screenUp: () => item.scroll(-0.85),
    hit: () => texts.nextHit(),
    larger: () => texts.resize(1),
    smaller: () => texts.resize(-1),
    width: () => texts.widen(),
    textOnly: () => {
      if (opened.isOpen) opened.turnText();
      else if (!dialogs.open) texts.turnText();
    },
    pace: () => texts.pace(),
    left: () => texts.turn("left"),
    right: () => texts.turn("right"),
    tryAgain: () => {
      if (opened.isOpen) opened.renew("reload");
      else item.renew(true);
      dialogs.holdFocus();
    },
    open: () => opened.toggle(),
    chip: (place) => chips.toggle(place),
    browse: (key) => opened.press(key),
    giveReason: (reason) => notes.giveReason(reason),
    unfold: () => view.unfold(),
    nothing: () => {},
    guidelines: () => words.toggleGuidelines(),
    help: () => dialogs.toggle(refs.help),
    history: () => location.assign(refs.historyLink.href),
    reopen: () => moves.reopen(),
    review: () => moves.go(() => visit.session.queue.restart()),
  };
}
// Without an item on the screen there is none to judge.
export const AT_END = new Set(["back", "undo", "confirm", "close", "guidelines", "help", "ask", "history", "reopen", "review"]);
export const ON_CARD = new Set(["back", "confirm", "close", "guidelines", "help", "ask"]);
export const IN_DIALOG = new Set(["open", "browse", "textOnly", "tryAgain", "close", "guidelines", "help", "ask", "send", "save", "pace"]);

/** The reason that a digit stands for while the chips are open, in their order. @param {string} digit */
export function reasonOf(digit) {
  return [...REASONS, "other"][Number(digit) - 1];
}
