// Short movements that say what happened; nothing waits for them.

const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @param {HTMLElement} node @param {Keyframe} from @param {number} duration */
function play(node, from, duration) {
  if (!STILL.matches) node.animate([from, {}], { duration, easing: "ease-out" });
}

/** A level was pressed. @param {HTMLElement} node */
export function flash(node) {
  play(node, { boxShadow: "inset 0 0 0 0.35rem var(--st-primary-color)" }, 140);
}

/** Another item has come. @param {HTMLElement} node */
export function slideIn(node) {
  play(node, { opacity: 0.25, transform: "translateX(0.75rem)" }, 140);
}
