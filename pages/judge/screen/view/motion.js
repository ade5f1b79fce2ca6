// Short movements that say what happened; nothing waits for them.

const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

function play(node, from, duration) {
  if (!STILL.matches) node.animate([from, {}], { duration, easing: "ease-out" });
}

/** A level was pressed. */
export function flash(node) {
  play(node, { boxShadow: "inset 0 0 0 0.35rem var(--st-primary-color)" }, 140);
}

/** Another item has come. */
export function slideIn(node) {
  play(node, { opacity: 0.25, transform: "translateX(0.75rem)" }, 140);
}
