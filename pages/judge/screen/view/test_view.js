// A qualifying test: what it asks for before it begins, and what is said at its end.

import { t } from "../language/translate.js";
import { setText } from "./dom.js";

/** How many have to be right, and which attempt this is; nothing without a test. @param {Assignment["test"]} test */
export function wordRules(test) {
  if (!test) return "";
  const rules = [t("To pass, {needed} of {items} have to be right.", test)];
  if (test.within) rules.push(t("One level off counts as right."));
  if (test.attempts > 1) rules.push(t("This is attempt {attempt} of {attempts}.", test));
  return rules.join(" ");
}

/** The result comes from the server: the card says no other one meanwhile. @param {Refs} refs @param {JudgingSession} session */
export function endTest(refs, { data, queue }) {
  if (!data.test || queue.current) return;
  setText(refs.doneTitle, t("The test is over"));
  setText(refs.donePractice, "");
}
