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
