// How texts are set, and whether one's pace is shown, as this device remembers it.

import { recall, remember } from "../storage/memory.js";

const NAME = "dissent:reading";
const PACE = "dissent:pace";
const SIZES = [0.875, 1, 1.125, 1.25, 1.5, 1.75, 2];
const WIDTHS = ["30rem", "38rem", "52rem", "none"];
const [PLAIN_SIZE, PLAIN_WIDTH] = [1, 1]; // places in the lists above

export class Reading {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const [size, width] = (recall(NAME) ?? `${PLAIN_SIZE} ${PLAIN_WIDTH}`).split(" ").map(Number);
    this.size = SIZES[size] ? size : PLAIN_SIZE;
    this.width = WIDTHS[width] ? width : PLAIN_WIDTH;
    this.isPaced = recall(PACE) !== "off";
    this.apply();
  }

  /** Show the pace, or do not: nobody has to be quick. */
  pace() {
    this.isPaced = !this.isPaced;
    remember(PACE, this.isPaced ? "on" : "off");
    this.apply();
  }

  /** @param {number} by */
  resize(by) {
    this.size = Math.max(0, Math.min(SIZES.length - 1, this.size + by));
    this.keep();
  }

  widen() {
    this.width = (this.width + 1) % WIDTHS.length;
    this.keep();
  }

  keep() {
    remember(NAME, `${this.size} ${this.width}`);
    this.apply();
  }

  apply() {
    this.root.style.setProperty("--text-size", `${SIZES[this.size]}rem`);
    this.root.style.setProperty("--page-zoom", String(SIZES[this.size]));
    this.root.style.setProperty("--measure", WIDTHS[this.width]);
    this.root.dataset.paced = String(this.isPaced);
    this.root.querySelector("[data-ref=paceShown]")?.setAttribute("aria-pressed", String(this.isPaced));
  }
}
