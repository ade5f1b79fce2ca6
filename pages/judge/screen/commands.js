// What each command does.

export const COMMANDS = {
  judge: (screen, level) => screen.answer("level", level),
  cannot: (screen) => screen.answer("cannot judge"),
  later: (screen) => screen.answer("later"),
  confirm: (screen) => screen.mode.feedback && screen.proceed(),
  back: (screen) => screen.go(() => screen.session.queue.back(), "This is the first item."),
  forward: (screen) =>
    screen.mode.feedback
      ? screen.proceed()
      : screen.go(() => screen.session.queue.forward(), "This item is not judged yet. To put it off, use Later."),
  undo: (screen) => screen.undo(),
  comment: (screen) => screen.notes.open(screen.session.queue.position),
  save: (screen) => screen.notes.save(),
  close: (screen) => screen.closePanels(),
  lineDown: (screen) => screen.view.item.scroll(0.12),
  lineUp: (screen) => screen.view.item.scroll(-0.12),
  screenDown: (screen) => screen.view.item.scroll(0.85),
  screenUp: (screen) => screen.view.item.scroll(-0.85),
  reason: (screen) => screen.refs.reasonButtons.firstChild.focus(),
  giveReason: (screen, reason) => screen.notes.giveReason(reason),
  nothing: () => {},
  guidelines: (screen) => (screen.refs.guidelines.open = !screen.refs.guidelines.open),
  help: (screen) => screen.toggleHelp(),
  reopen: (screen) => screen.go(() => screen.session.queue.reopen()),
  report: (screen) => {
    screen.reported = false;
    screen.report();
  },
};
// At the end there is no item to judge.
export const AT_END = new Set(["back", "undo", "save", "close", "reason", "giveReason", "help", "reopen", "report"]);
