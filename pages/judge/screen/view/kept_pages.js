// Pages to be judged that were fetched ahead: without a server they are shown from here, as safely.

import { t } from "../language/translate.js";
import { Standstills } from "./standstills.js";

// The policy of the server's own route for pages: its headers do not come along with a text.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";
const LATEST = 3_000;
const DOCTYPE = /^[\t\n\f\r ]*<!doctype[^>]*>/i; // behind any other sign the policy would come too late

/** What names a page whenever its address is signed: the address without the time and the signature. */
function pageKey(address) {
  return address.split(".").slice(0, -2).join(".");
}

/** The text of a page with its policy at the beginning, where nothing of it has been loaded yet. */
function guard(html) {
  const doctype = DOCTYPE.exec(html)?.[0] ?? "";
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta http-equiv="X-DNS-Prefetch-Control" content="off">`;
  return `${doctype}${policy}${html.slice(doctype.length)}`;
}

const standstills = new Standstills(); // of this window, whatever screens it has

export class KeptPages {
  constructor() {
    this.standstills = standstills;
    this.texts = new Map(); // page key -> HTML
    this.addresses = new WeakMap(); // iframe -> the address of what it is to show
    this.isAway = () => false; // whether the server cannot be reached
  }

  /** Show what an address leads to in a frame, which is a sandbox already. */
  show(node, address, isFromHere = this.isAway()) {
    this.addresses.set(node, address);
    const key = pageKey(address);
    const html = isFromHere ? this.texts.get(key) : undefined;
    node.setAttribute("sandbox", "");
    if (this.isHeldBack(address)) return this.tell(node);
    this.standstills.load(node, key);
    if (html === undefined) {
      node.removeAttribute("srcdoc");
      node.removeAttribute("csp");
      node.src = address;
    } else {
      this.showText(node, html);
    }
  }

  /** A page is brought to the screen that was loaded ahead. */
  draw(node) {
    const address = this.addressOf(node);
    if (!this.isHeldBack(address)) this.standstills.draw(pageKey(address));
  }

  /** Whether this browser came to a standstill at a page, so that it is not shown. */
  isHeldBack(address) {
    return this.standstills.has(pageKey(address));
  }

  tell(node) {
    const said = t("This browser came to a standstill when it was to show this page, so it is left out here. You can judge without it, or load this window anew to try once more.");
    node.srcdoc = `<body style="font:16px/1.6 system-ui,sans-serif;margin:1rem;max-width:60ch" dir="auto">${said}`;
  }

  showText(node, html) {
    node.setAttribute("csp", POLICY); // where it is known, it holds before anything is looked at
    node.srcdoc = guard(html);
  }

  /**
   * Show a page so that this side can read what is in its frame; as before, no script runs in it, nothing
   * is loaded and nothing leaves. What the server sent of it; empty where it cannot be had.
   */
  async open(node) {
    const address = this.addressOf(node);
    const html = this.isHeldBack(address) ? "" : await this.textOf(address);
    if (!html || !node.isConnected) return "";
    this.standstills.load(node, pageKey(address));
    const load = () => new Promise((done) => node.addEventListener("load", done, { once: true }));
    let loaded = load();
    node.setAttribute("sandbox", "allow-same-origin"); // without allow-scripts
    this.showText(node, html);
    await loaded;
    if (!node.contentDocument && node.isConnected) {
      loaded = load(); // what was still on its way came first
      await Promise.race([loaded, new Promise((done) => setTimeout(done, LATEST))]);
    }
    return html;
  }

  keyOf(address) {
    return pageKey(address);
  }

  /** Whether the page at an address can be shown from here. */
  has(address) {
    return this.texts.has(pageKey(address));
  }

  /** The text of the page at an address: from here, or from the server; empty where neither has it. */
  async textOf(address) {
    const kept = this.texts.get(pageKey(address));
    if (kept !== undefined) return kept;
    const answer = await fetch(address).catch(() => null);
    return answer?.ok ? answer.text() : "";
  }

  addressOf(node) {
    return this.addresses.get(node);
  }
}
