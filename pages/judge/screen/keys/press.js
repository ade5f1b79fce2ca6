// By what a button was pressed, and where on the window.

const POINTERS = ["mouse", "touch", "pen"];

/** @param {number} place @param {number} of */
function share(place, of) {
  return Math.max(0, Math.min(1000, Math.round((1000 * place) / of)));
}

/**
 * Of a click, {by, x, y}: of thousand parts of the window; none where a key or assistive technology pressed the button.
 * @param {MouseEvent & { pointerType?: string }} event @param {string | undefined} pointer
 */
export function readPress(event, pointer) {
  const by = event.pointerType ?? pointer;
  if (!event.detail || !by || !POINTERS.includes(by)) return { by: "button" };
  return { by, x: share(event.clientX, innerWidth), y: share(event.clientY, innerHeight) };
}
