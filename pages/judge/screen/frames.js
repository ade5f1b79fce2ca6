// The page frames: loaded ahead, kept where they are (a frame that moves in the document loads again).

const KEPT_FRAMES = 6;

class Frames {
  constructor(holder) {
    this.holder = holder;
    this.frames = new Map(); // document id -> iframe, least recently wanted first
    this.asked = new WeakMap(); // iframe -> when it began to load
  }

  /** Have a frame for this document, hidden unless it is already shown. */
  want(id, { frame, title }) {
    let element = this.frames.get(id);
    if (!element) {
      element = document.createElement("iframe");
      element.setAttribute("sandbox", "");
      element.referrerPolicy = "no-referrer";
      element.className = "ahead";
      element.tabIndex = -1;
      element.setAttribute("aria-hidden", "true");
      element.title = title ? `Page: ${title}` : "The page to judge";
      this.load(element, frame);
      this.holder.append(element);
    }
    this.frames.delete(id);
    this.frames.set(id, element);
    return element;
  }

  load(element, address) {
    this.asked.set(element, performance.now());
    element.src = address;
  }

  /** Load again what was asked for since then: the server was away. */
  renew(since) {
    for (const element of this.frames.values()) {
      if (this.asked.get(element) >= since) this.load(element, element.src);
    }
  }

  /** Show this document's frame only; null shows none. */
  show(id) {
    this.holder.classList.toggle("showing", id !== null);
    for (const [key, element] of this.frames) {
      const shown = key === id;
      element.classList.toggle("ahead", !shown);
      element.tabIndex = shown ? 0 : -1;
      if (shown) element.removeAttribute("aria-hidden");
      else element.setAttribute("aria-hidden", "true");
    }
    for (const [key, element] of [...this.frames].slice(0, -KEPT_FRAMES)) {
      if (key === id) continue;
      element.remove();
      this.frames.delete(key);
    }
  }

  clear() {
    this.frames.clear();
    this.holder.replaceChildren();
  }
}

/** Give the keys back after a click into a frame; a frame entered with Tab keeps them, to scroll it. */
function keepFocus(tree, signal) {
  let byKeyboard = false;
  window.addEventListener("keydown", (event) => (byKeyboard = event.key === "Tab"), { capture: true, signal });
  window.addEventListener("pointerdown", () => (byKeyboard = false), { capture: true, signal });
  window.addEventListener("pointermove", () => (byKeyboard = false), { capture: true, passive: true, signal });
  window.addEventListener(
    "blur",
    () =>
      setTimeout(() => {
        const focused = tree.activeElement;
        if (focused?.tagName !== "IFRAME" || byKeyboard) return;
        focused.blur();
        document.activeElement?.blur();
        window.focus();
      }, 150),
    { signal },
  );
}
