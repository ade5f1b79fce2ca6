// The window around the screen: its keys, its height, notices that lie over it, and the screen as an app.

/**
 * Give the keys back after a click into a frame; a frame entered with Tab keeps them, to scroll it.
 * @param {DocumentOrShadowRoot} tree @param {AbortSignal} signal
 */
export function keepFocus(tree, signal) {
  let byKeyboard = false;
  window.addEventListener("keydown", (event) => (byKeyboard = event.key === "Tab"), { capture: true, signal });
  window.addEventListener("pointerdown", () => (byKeyboard = false), { capture: true, signal });
  window.addEventListener("pointermove", () => (byKeyboard = false), { capture: true, passive: true, signal });
  window.addEventListener(
    "blur",
    () =>
      setTimeout(() => {
        const focused = tree.activeElement;
        if (!(focused instanceof HTMLIFrameElement) || byKeyboard) return;
        focused.blur();
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        window.focus();
      }, 150),
    { signal },
  );
}

// The screen is as high as the window leaves it room below what stands above it.

/** @param {HTMLElement} root @param {() => void} changed @param {AbortSignal} signal */
export function fillHeight(root, changed, signal) {
  const tree = root.getRootNode();
  const host = tree instanceof ShadowRoot ? tree.host : root;
  const scroller = host.closest("[data-testid=stMain]") ?? document.scrollingElement ?? root;
  const fit = () => {
    const isPage = scroller === document.scrollingElement;
    const above = isPage ? 0 : scroller.getBoundingClientRect().top;
    const top = root.getBoundingClientRect().top - above + scroller.scrollTop;
    root.style.setProperty("--top", `${Math.max(0, Math.ceil(top))}px`);
    changed();
  };
  const observer = new ResizeObserver(fit);
  observer.observe(scroller);
  if (scroller.firstElementChild) observer.observe(scroller.firstElementChild);
  signal.addEventListener("abort", () => observer.disconnect());
  fit();
}

// Streamlit's notice of a lost connection lies over the screen and takes the keys. The status line
// says the same, and judging goes on without a server.

const LOST = /^Connection (error|failed)/;

/** @param {AbortSignal} signal */
export function closeNotices(signal) {
  const observer = new MutationObserver(() => {
    const notice = document.querySelector("[role=dialog]");
    if (notice && LOST.test(notice.textContent.trim())) notice.querySelector("button")?.click();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
}

// The screen as an app: a service worker shows it without a server, a manifest lets it be installed.

export function becomeApp() {
  navigator.serviceWorker?.register("/worker.js").catch(() => {}); // judging goes on without one
  if (document.querySelector("link[rel=manifest]")) return;
  const link = document.createElement("link");
  [link.rel, link.href] = ["manifest", "/manifest.webmanifest"];
  document.head.append(link);
}
