// Pages to be judged that were fetched ahead: without a server they are shown from here, as safely.

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

export class KeptPages {
  constructor() {
    this.texts = new Map(); // page key -> HTML
    this.addresses = new WeakMap(); // iframe -> the address of what it is to show
    this.isAway = () => false; // whether the server cannot be reached
  }

  /** Show what an address leads to in a frame, which is a sandbox already. */
  show(node, address, isFromHere = this.isAway()) {
    this.addresses.set(node, address);
    const html = isFromHere ? this.texts.get(pageKey(address)) : undefined;
    node.setAttribute("sandbox", "");
    if (html === undefined) {
      node.removeAttribute("srcdoc");
      node.removeAttribute("csp");
      node.src = address;
    } else {
      this.showText(node, html);
    }
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
    const html = await this.textOf(this.addressOf(node));
    if (!html || !node.isConnected) return "";
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
