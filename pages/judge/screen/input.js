// From keys and buttons to commands: which is meant, and whether it can be meant for what is on the screen.

import { AT_END, IN_DIALOG, ON_CARD, commandsOf, reasonOf } from "./commands.js";
import { KeyListener, readPress } from "./keys/key_listener.js";
import { SCROLLING, findCommand } from "./keys/key_map.js";
import { t } from "./language/translate.js";
import { closest } from "./view/dom.js";

const JUDGING = new Set(["judge", "later", "giveReason", "leave"]);
const DOUBLE_CLICK = 300;

export class Input {
  /** @param {Parts & { paradata: Paradata }} parts @param {AbortSignal} signal */
  constructor(parts, signal) {
    const { asking, chips, dialogs, opened, paradata, refs, view, visit, words } = parts;
    this.commands = commandsOf(parts);
    this.asking = asking;
    this.chips = chips;
    this.dialogs = dialogs;
    this.opened = opened;
    this.paradata = paradata;
    this.view = view;
    this.visit = visit;
    this.words = words;
    this.pointer = ""; // what pressed last
    const { root } = refs;
    new KeyListener(root, (key) => this.find(key), (command, at) => this.take(command, at, { by: "key" })).watch(signal);
    root.addEventListener("pointerdown", ({ pointerType }) => (this.pointer = pointerType), { signal, capture: true });
    root.addEventListener("click", (event) => this.click(event), { signal });
  }

  /** The command of a key; none where it has another meaning here. @param {string} key @returns {Command | undefined} */
  find(key) {
    const { mode, session, keys, step: current } = this.visit;
    if (this.opened.isOpen) return this.opened.find(key);
    if (key === "escape" && this.view.isUnfolded) return { name: "unfold" };
    if (mode.asks) return key === "escape" ? { name: "close" } : undefined;
    if (mode.reasons && /^\d$/.test(key)) {
      const reason = reasonOf(key);
      return reason ? { name: "giveReason", reason } : { name: "nothing" };
    }
    const chip = this.chips.find(key);
    if (chip) return chip;
    const command = findCommand(key, this.asking.levels, keys, Boolean(current?.sides));
    const isDialog = Boolean(this.dialogs.open);
    if (command?.name === "judge" && mode.reasons) return { name: "nothing" };
    if (command?.name === "close" && !isDialog && !mode.reasons && mode.commentFor === null) return this.visit.isAgain ? { name: "history" } : undefined;
    if (command?.name === "confirm" && current && !mode.feedback) return undefined;
    if (command?.name === "guidelines" && !session.data.guidelines) return { name: "nothing" };
    if (command && SCROLLING.has(command.name) && (isDialog || !current)) return undefined;
    return command;
  }

  /**
   * Carry a command out that was given at a time by a press; no judgement of what could not have been seen.
   * @param {Command} command @param {number} [at] @param {Press} [press]
   */
  take(command, at = performance.now(), press = { by: undefined }) {
    if (JUDGING.has(command.name) && this.visit.step && this.view.isUnseen(at)) {
      return this.view.status.notice(
        this.asking.aspect
          ? t("Too soon: this question could not have been seen yet. Nothing was noted.")
          : t("Too soon: this item could not have been seen yet. Nothing was noted."),
      );
    }
    this.view.calledAt = at;
    this.paradata.given(press);
    this.run(command);
    this.view.calledAt = null;
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (event.detail) closest(event, "[data-scrolls]")?.blur(); // its arrow keys are for who came by Tab
    const target = closest(event, "[data-command], [data-level], [data-reason]");
    if (!target) return;
    const { command = "", level, reason } = target.dataset;
    // After a click the space bar is for scrolling, not for pressing the same level again.
    if (event.detail) target.blur();
    // The second half of a double click is not meant for the next item.
    const isEcho = event.detail > 1 && performance.now() - this.view.renderedAt < DOUBLE_CLICK;
    if (isEcho && (level || reason || command === "confirm" || JUDGING.has(command))) return;
    const judge = level ? { name: "judge", level: Number(level) } : { name: command };
    this.take(reason ? { name: "giveReason", reason } : judge, event.timeStamp, readPress(event, this.pointer));
  }

  /** @param {Command} command */
  run({ name, level, reason }) {
    const { mode, session } = this.visit;
    if (this.dialogs.open && !IN_DIALOG.has(name)) return;
    if (mode.card && !ON_CARD.has(name)) return;
    if (!session.queue.current && !AT_END.has(name)) return;
    this.view.status.notice(this.words.line);
    if (!["unfold", "chip"].includes(name)) this.view.unfold(false);
    this.commands[name](level ?? reason);
  }
}
