// The mounting of the screen by Streamlit.

import { Screen } from "./screen.js";
import { becomeApp } from "./window/window.js";

/** @type {WeakMap<HTMLElement, Screen>} */
const mounted = new WeakMap();

/** @param {{ data?: Assignment, parentElement: HTMLElement, setTriggerValue: Trigger }} given */
export default function mount({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement | null} */ (parentElement.querySelector(".judge"));
  if (!root || !data) return undefined;
  const known = mounted.get(parentElement);
  const isSame = known?.root === root && known.isOf(data);
  if (isSame) known.receive(data, setTriggerValue);
  else known?.close();
  const screen = isSame ? known : new Screen(root, data, setTriggerValue);
  if (!isSame) becomeApp();
  mounted.set(parentElement, screen);
  return () => {
    screen.close();
    mounted.delete(parentElement);
  };
}
