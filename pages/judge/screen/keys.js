// From a key press to a command.

// The first free key counts: the organiser's level keys come first.
const COMMAND_KEYS = {
  undo: ["u", "z", "o"],
  later: ["l", "s", "w"],
  cannot: ["x", "n", "y"],
  reason: ["r", "e", "v"],
  comment: ["c", "m", "k"],
  guidelines: ["g", "i", "d"],
  help: ["?", "h", "/"],
};
const FIXED_KEYS = {
  arrowleft: "back",
  backspace: "back",
  arrowright: "forward",
  enter: "confirm",
  escape: "close",
  arrowdown: "lineDown",
  arrowup: "lineUp",
  pagedown: "screenDown",
  pageup: "screenUp",
  " ": "screenDown",
};
// Side by side, the arrows point at what is better; back and forward have other keys there.
const SIDE_KEYS = { "shift+arrowleft": -2, arrowleft: -1, "=": 0, arrowright: 1, "shift+arrowright": 2 };
const SIDE_MOVES = { backspace: "back", enter: "forward" };
const SCROLLING = new Set(["lineDown", "lineUp", "screenDown", "screenUp"]);
// What a focused button does by itself.
const PRESSING = new Set(["enter", " "]);
const TYPING =
  "input:not([type=button], [type=submit], [type=reset], [type=checkbox]), textarea, select, [contenteditable=''], [contenteditable=true], " +
  "[role=textbox], [role=combobox], [role=listbox], [role=option], [role=slider], [role=spinbutton], [role=menu], " +
  "[role=menuitem], [role=tab], [role=radio], [role=dialog], [role=grid]";
const PRESSABLE = "button, summary, a[href], input, [role=button]";

function levelKey(level, i) {
  return String(level.key || i + 1).toLowerCase();
}

/** The key of every command, given all level keys of all facets. */
function commandKeys(scales) {
  const taken = new Set(Object.values(scales).flatMap((levels) => levels.map(levelKey)));
  const chosen = {};
  for (const [command, wishes] of Object.entries(COMMAND_KEYS)) {
    chosen[command] = wishes.find((key) => !taken.has(key)) ?? "";
    taken.add(chosen[command]);
  }
  return chosen;
}

/** The key as meant: the number pad gives digits, other scripts give the letter in that place. */
function readKey(event) {
  const pad = /^Numpad(\d)$/.exec(event.code);
  if (pad) return [pad[1], event.key.toLowerCase()];
  const key = event.key.toLowerCase();
  if (event.shiftKey && key.startsWith("arrow")) return [`shift+${key}`, key];
  const place = /^(?:Key|Digit)(\w)$/.exec(event.code)?.[1].toLowerCase();
  const other = key.length === 1 && !/[a-z0-9]/.test(key) && place && !event.shiftKey;
  return other ? [key, place] : [key];
}

function isTyping(event, root) {
  return event.composedPath().some((node) => node !== root && node.matches?.(TYPING) === true);
}

function isPressable(event) {
  return event.composedPath()[0]?.matches?.(PRESSABLE) === true;
}

class Keys {
  /** `find(key)` gives a command or undefined, `run(command)` carries it out. */
  constructor(root, find, run) {
    this.root = root;
    this.find = find;
    this.run = run;
  }

  watch(signal) {
    // Capture on the window: Streamlit has its own meaning for C and R.
    window.addEventListener("keydown", (event) => this.press(event), { capture: true, signal });
  }

  press(event) {
    if (!event.key) return; // a browser filling in a form
    if (isTyping(event, this.root)) return this.type(event);
    if (event.isComposing || event.keyCode === 229 || event.altKey) return;
    if (!this.root.getClientRects().length) return;
    const command = this.command(event);
    if (!command || (PRESSING.has(event.key.toLowerCase()) && isPressable(event))) return;
    event.stopImmediatePropagation();
    if (command.name !== "close") event.preventDefault();
    if (!event.repeat || SCROLLING.has(command.name)) this.run(command);
  }

  /** In the own comment box: Streamlit cannot see that this is a text field, so its C and R are kept from it. */
  type(event) {
    if (!event.composedPath().includes(this.root)) return;
    event.stopImmediatePropagation();
    if (event.isComposing || event.repeat) return;
    if (event.key === "Escape") this.run({ name: "close" });
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run({ name: "save" });
  }

  command(event) {
    if (event.ctrlKey || event.metaKey) {
      return event.key.toLowerCase() === "z" && !event.shiftKey ? { name: "undo" } : undefined;
    }
    for (const key of readKey(event)) {
      const command = this.find(key);
      if (command) return command;
    }
    return undefined;
  }
}

/** The command of a key, level keys of the step on the screen first. */
function findCommand(key, levels, commands, isPair = false) {
  if (isPair && key in SIDE_KEYS) return { name: "judge", level: SIDE_KEYS[key] };
  if (isPair && key in SIDE_MOVES) return { name: SIDE_MOVES[key] };
  const i = levels.findIndex((level, place) => levelKey(level, place) === key);
  if (i >= 0) return { name: "judge", level: levels[i].level };
  if (FIXED_KEYS[key]) return { name: FIXED_KEYS[key] };
  const name = Object.keys(commands).find((one) => commands[one] === key);
  return name ? { name } : undefined;
}
