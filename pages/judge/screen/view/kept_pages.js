// Pages to be judged that were fetched ahead, and what is known of all pages of a screen.

import { Standstills } from "./standstills.js";

const standstills = new Standstills(); // of this window, whatever screens it has

export class KeptPages {
  /** `texts` are HTML by page key. @param {Map<string, string>} [texts] */
  constructor(texts = new Map()) {
    this.standstills = standstills;
    this.texts = texts;
    this.changed = () => {}; // a page has come, or has not
  }

  /** What names a page whenever its address is signed: the address without the time and the signature. @param {string} address */
  keyOf(address) {
    return address.split(".").slice(0, -2).join(".");
  }

  /** Whether the page at an address can be shown from here. @param {string} address */
  has(address) {
    return this.texts.has(this.keyOf(address));
  }

  /** Whether this browser came to a standstill at a page, so that it is not shown. @param {string} address */
  isHeldBack(address) {
    return this.standstills.has(this.keyOf(address));
  }
}
