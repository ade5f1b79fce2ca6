// Where the focus goes after a click into a page frame.

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
