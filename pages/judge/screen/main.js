// What each command does, and the mounting of the screen by Streamlit.

const COMMANDS = {
  judge: (screen, level) => screen.answer("level", level),
  cannot: (screen) => screen.answer("cannot judge"),
  later: (screen) => screen.answer("later"),
  confirm: (screen) => screen.mode.feedback && screen.proceed(),
  back: (screen) => screen.go(() => screen.sitting.queue.back(), "This is the first item."),
  forward: (screen) =>
    screen.mode.feedback
      ? screen.proceed()
      : screen.go(() => screen.sitting.queue.forward(), "This item is not judged yet. To put it off, use Later."),
  undo: (screen) => screen.undo(),
  comment: (screen) => screen.notes.open(screen.sitting.queue.position),
  save: (screen) => screen.notes.save(),
  close: (screen) => screen.closePanels(),
  lineDown: (screen) => screen.painter.item.scroll(0.12),
  lineUp: (screen) => screen.painter.item.scroll(-0.12),
  screenDown: (screen) => screen.painter.item.scroll(0.85),
  screenUp: (screen) => screen.painter.item.scroll(-0.85),
  reason: (screen) => screen.refs.reasonButtons.firstChild.focus(),
  guidelines: (screen) => (screen.refs.guidelines.open = !screen.refs.guidelines.open),
  help: (screen) => screen.toggleHelp(),
  reopen: (screen) => screen.go(() => screen.sitting.queue.reopen()),
  report: (screen) => {
    screen.reported = false;
    screen.report();
  },
};
// At the end there is no item to judge.
const AT_END = new Set(["back", "undo", "save", "close", "reason", "help", "reopen", "report"]);

const mounted = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".judge");
  if (!root || !data) return undefined;
  let screen = mounted.get(parentElement);
  if (screen?.root !== root) {
    screen?.close();
    screen = new Screen(root);
    mounted.set(parentElement, screen);
  }
  screen.receive(data, setTriggerValue);
  return () => {
    screen.close();
    mounted.delete(parentElement);
  };
}
