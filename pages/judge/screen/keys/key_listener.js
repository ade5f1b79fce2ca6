// From key presses in the window to commands.

import { SCROLLING } from "./key_map.js";

// What a focused button does by itself.
const PRESSING = new Set(["enter", " "]);
const TYPING =
  "input:not([type=button], [type=submit], [type=reset], [type=checkbox]), textarea, select, [contenteditable=''], [contenteditable=true], " +
  "[role=textbox], [role=combobox], [role=listbox], [role=option], [role=slider], [role=spinbutton], [role=menu], " +
  "[role=menuitem], [role=tab], [role=radio], [role=dialog], [role=grid]";
const PRESSABLE = "button, summary, a[href], input, [role=button]";

// By which keys what has the focus is scrolled; view/dom.js says which ways it can be.
/** @type {Record<string, Set<string>>} */
const SCROLLED_BY = {
  across: new Set(["arrowleft", "arrowright"]),
  down: new Set(["arrowup", "arrowdown", "pageup", "pagedown", " "]),
};

/** The key as meant: the number pad gives digits, other scripts give the letter in that place. @param {KeyboardEvent} event */
function readKey(event) {
  const pad = /^Numpad(\d)$/.exec(event.code);
  if (pad) return [pad[1], event.key.toLowerCase()];
  const key = event.key.toLowerCase();
  if (event.shiftKey && key.startsWith("arrow")) return [`shift+${key}`, key];
  const digit = event.shiftKey && /^Digit(\d)$/.exec(event.code);
  if (digit) return [`shift+${digit[1]}`, key];
  const place = /^(?:Key|Digit)(\w)$/.exec(event.code)?.[1].toLowerCase();
  const other = key.length === 1 && !/[a-z0-9]/.test(key) && place && !event.shiftKey;
  return other ? [key, place] : [key];
}

/** @param {KeyboardEvent} event @param {HTMLElement} root */
function isTyping(event, root) {
  return event.composedPath().some((node) => node !== root && node instanceof Element && node.matches(TYPING));
}

/** @param {KeyboardEvent} event */
function isPressable(event) {
  const [node] = event.composedPath();
  return node instanceof Element && node.matches(PRESSABLE);
}

/** Whether a key scrolls what has the focus. @param {KeyboardEvent} event */
function scrollsHere(event) {
  const [node] = event.composedPath();
  const ways = node instanceof HTMLElement ? (node.dataset.scrolls ?? "") : "";
  return !event.shiftKey && ways.split(" ").some((way) => SCROLLED_BY[way]?.has(event.key.toLowerCase()));
}

export class KeyListener {
  /**
   * `find(key)` gives a command or undefined, `run(command, at)` carries it out: `at` is when the key was pressed.
   * @param {HTMLElement} root @param {(key: string) => Command | undefined} find @param {(command: Command, at?: number) => void} run
   */
  constructor(root, find, run) {
    this.root = root;
    this.find = find;
    this.run = run;
  }

  /** @param {AbortSignal} signal */
  watch(signal) {
    // Capture on the window: Streamlit has its own meaning for C and R.
    window.addEventListener("keydown", (event) => this.press(event), { capture: true, signal });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (!event.key) return; // a browser filling in a form
    if (isTyping(event, this.root)) return this.type(event);
    if (event.isComposing || event.keyCode === 229 || event.altKey) return;
    if (!this.root.getClientRects().length || scrollsHere(event)) return;
    const command = this.command(event);
    if (!command || (PRESSING.has(event.key.toLowerCase()) && isPressable(event))) return;
    event.stopImmediatePropagation();
    if (command.name !== "close") event.preventDefault();
    if (!event.repeat || SCROLLING.has(command.name)) this.run(command, event.timeStamp);
  }

  /**
   * In the own comment box: Streamlit cannot see that this is a text field, so its C and R are kept from it.
   * @param {KeyboardEvent} event
   */
  type(event) {
    if (!event.composedPath().includes(this.root)) return;
    event.stopImmediatePropagation();
    if (event.isComposing || event.repeat) return;
    if (event.key === "Escape") this.run({ name: "close" });
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run({ name: "save" });
  }

  /** @param {KeyboardEvent} event */
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

// By what a button was pressed, and where on the window.

const POINTERS = ["mouse", "touch", "pen"];

/** @param {number} place @param {number} of */
function share(place, of) {
  return Math.max(0, Math.min(1000, Math.round((1000 * place) / of)));
}

/**
 * Of a click, {by, x, y}: of thousand parts of the window; none where a key or assistive technology pressed the button.
 * @param {MouseEvent & { pointerType?: string }} event @param {string | undefined} pointer
 */
export function readPress(event, pointer) {
  const by = event.pointerType ?? pointer;
  if (!event.detail || !by || !POINTERS.includes(by)) return { by: "button" };
  return { by, x: share(event.clientX, innerWidth), y: share(event.clientY, innerHeight) };
}
