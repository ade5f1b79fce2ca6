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
