// How far down an item that scrolls here is in view.

/**
 * Of thousand parts of the content's height, those above the lower edge of what scrolls it.
 * @param {Element} content @param {Element} scroller
 */
export function furthestOf(content, scroller) {
  const edge = scroller.getBoundingClientRect().top + scroller.clientHeight;
  const { top, height } = content.getBoundingClientRect();
  return height ? Math.max(0, Math.min(1000, Math.round((1000 * (edge - top)) / height))) : 0;
}
