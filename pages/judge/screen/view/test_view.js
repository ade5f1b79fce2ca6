// A qualifying test: what it asks for before it begins, and what is said at its end.

import { t } from "../language/translate.js";
import { setText } from "./dom.js";

/** How many have to be right, and which attempt this is; nothing without a test. */
export function wordRules(test) {
  if (!test) return "";
  const said = [t("To pass, {needed} of {items} have to be right.", test)];
  if (test.within) said.push(t("One level off counts as right."));
  if (test.attempts > 1) said.push(t("This is attempt {attempt} of {attempts}.", test));
  return said.join(" ");
}

/** The result comes from the server: the card says no other one meanwhile. */
export function endTest(refs, { data, queue }) {
  if (!data.test || queue.current) return;
  setText(refs.doneTitle, t("The test is over"));
  setText(refs.donePractice, "");
}
