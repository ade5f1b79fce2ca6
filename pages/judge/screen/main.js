// The mounting of the screen by Streamlit.

import { Screen } from "./screen.js";
import { becomeApp } from "./window/app.js";

const mounted = new WeakMap();

export default function mount({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".judge");
  if (!root || !data) return undefined;
  let screen = mounted.get(parentElement);
  if (screen?.root !== root) {
    screen?.close();
    screen = new Screen(root);
    mounted.set(parentElement, screen);
    becomeApp();
  }
  screen.receive(data, setTriggerValue);
  return () => {
    screen.close();
    mounted.delete(parentElement);
  };
}
