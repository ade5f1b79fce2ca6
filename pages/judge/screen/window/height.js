// The screen is as high as the window leaves it room below what stands above it.

export function fillHeight(root, changed, signal) {
  const host = root.getRootNode().host ?? root;
  const scroller = host.closest("[data-testid=stMain]") ?? document.scrollingElement;
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
