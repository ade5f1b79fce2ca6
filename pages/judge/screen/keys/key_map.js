// Which key gives which command.

// The first free key counts: the organiser's level keys come first.
const COMMAND_KEYS = {
  undo: ["u", "z", "o"],
  later: ["l", "s", "w"],
  cannot: ["x", "n", "y"],
  comment: ["c", "m", "k"],
  guidelines: ["g", "i", "d"],
  help: ["?", "h", "/"],
  hit: ["n", "f", "j"],
  larger: ["+", "t"],
  smaller: ["-", "f"],
  width: ["b", "q"],
  ask: ["a", "q", "e", "v"],
  open: ["o", "e"],
  passage: ["p", "v", "e"],
  nextSentence: [".", ";"],
  lastSentence: [",", "'"],
  textOnly: ["v", "d", "]"],
};
/** @type {Keys} */
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
  r: "nothing", // Streamlit would run the page again
};
// Side by side, the arrows point at what is better; back and forward have other keys there.
/** @type {Record<string, number>} */
const SIDE_KEYS = { "shift+arrowleft": -2, arrowleft: -1, "=": 0, arrowright: 1, "shift+arrowright": 2 };
/** @type {Keys} */
const SIDE_SIGNS = { "-2": "⇧ ←", "-1": "←", 0: "=", 1: "→", 2: "⇧ →" };
/** @type {Keys} */
const SIDE_MOVES = { backspace: "back", enter: "forward" };
export const SCROLLING = new Set(["lineDown", "lineUp", "screenDown", "screenUp"]);

/** @param {Level} level @param {number} i */
export function levelKey(level, i) {
  return String(level.key || i + 1).toLowerCase();
}

/**
 * The key of a level as its button shows it; side by side, the arrow that points at what is better.
 * @param {Level} level @param {number} i @param {boolean} isPair
 */
export function levelSign(level, i, isPair) {
  return isPair ? SIDE_SIGNS[level.level] : level.key || String(i + 1);
}

// Only where an aspect may be left out; it takes what the others leave.
const LEAVE_KEYS = ["s", "p", "w", "y", "0", "."];

/** The key of every command, given all level keys of all facets and aspects. @param {Scales} scales @param {Aspect[]} [aspects] */
export function commandKeys(scales, aspects = []) {
  const all = [...Object.values(scales), ...aspects.map(({ levels }) => levels)];
  const taken = new Set(all.flatMap((levels) => levels.map(levelKey)));
  const chosen = /** @type {Keys} */ ({});
  for (const [command, wishes] of Object.entries(COMMAND_KEYS)) {
    chosen[command] = wishes.find((key) => !taken.has(key)) ?? "";
    taken.add(chosen[command]);
  }
  if (aspects.some((one) => one.may_be_left_out)) chosen.leave = LEAVE_KEYS.find((key) => !taken.has(key)) ?? "";
  return chosen;
}

/**
 * The command of a key, level keys of the step on the screen first.
 * @param {string} key @param {Level[]} levels @param {Keys} commands @param {boolean} [isPair]
 */
export function findCommand(key, levels, commands, isPair = false) {
  if (isPair && key in SIDE_KEYS) return { name: "judge", level: SIDE_KEYS[key] };
  if (isPair && key in SIDE_MOVES) return { name: SIDE_MOVES[key] };
  const i = levels.findIndex((level, place) => levelKey(level, place) === key);
  if (i >= 0) return { name: "judge", level: levels[i].level };
  if (FIXED_KEYS[key]) return { name: FIXED_KEYS[key] };
  const name = Object.keys(commands).find((one) => commands[one] === key);
  return name ? { name } : undefined;
}
