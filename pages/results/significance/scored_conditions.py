"""The scores that a comparison is based on, and its tests: computed when asked, kept by content."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd
import streamlit as st

from core.analysis.base.moments import count_since, describe_moment
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.results.version_scores import score_version
from core.comparison.conditions import Condition, examine_condition
from core.comparison.significance_test import SignificanceTest
from core.errors import DissentError
from core.reports.compare import CompareQuestion, SystemComparison
from core.reports.conditions import ScoredCondition, count_different_topics, fingerprint
from core.wording import count, plain
from pages.results.significance.comparison_question import (
    MEASURES,
    SETS,
    VERSIONS,
    ComparisonQuestion,
)
from pages.shared.session import PageContext

QUICK = 5_000_000
"""Permuted scores up to which tests follow every label; about half a second of work."""

_TESTED = VersionedCache(most=128)
_SHOWN = "comparison-shown"


@dataclass(frozen=True, eq=False)
class ShownComparison:
    """What the page shows: the answer to a question as things stood at an event."""

    question: ComparisonQuestion
    given: tuple[ScoredCondition, ...]
    common: bool
    event: int

    @cached_property
    def report(self) -> SystemComparison:
        """The answer, whose tests are made when they are asked for."""
        asked = self.question
        question = CompareQuestion(asked.significance, asked.tau_unit, self.common)
        return SystemComparison(self.given, question, _examine)

    @property
    def asked(self) -> tuple[object, ...]:
        """What was chosen for this; labels do not change it."""
        return self.question.identity, self.common


def score_conditions(context: PageContext, question: ComparisonQuestion) -> ShownComparison:
    """Return the scores under each condition now; say which are left out, and why."""
    event, weights = context.store.state(context.collection_id)[0], question.scoring.weights
    found = []
    for choice in question.choices:
        for topic_set, topics in question.sets:
            for measure in question.measures:
                name = {VERSIONS: choice.name, SETS: topic_set, MEASURES: measure}[question.kind]
                try:
                    one = score_version(context.study, choice, measure, weights, topic_set, topics)
                except DissentError as error:
                    leave_out(name, str(error))
                else:
                    found.append(replace(one, name=name))
    common = choose_common_topics(context, found, "condition", "comparison-common")
    return ShownComparison(question, tuple(found), common, event)


def leave_out(name: str, why: str) -> None:
    """Say that a condition is left out, and why."""
    st.caption(f":material/info: {plain(name)} is left out: {plain(why)}")


def choose_common_topics(
    context: PageContext,
    conditions: Sequence[ScoredCondition],
    what: str,
    key: str,
) -> bool:
    """Let the organiser ask that only those topics count that all conditions count."""
    if not count_different_topics(conditions):
        return False
    every = frozenset().union(*(one.topics for one in conditions))
    common = frozenset.intersection(*(one.topics for one in conditions))
    with context.sheet.options:
        return st.toggle(
            f"Only the {len(common)} of {count(len(every), 'topic')} that every {what} counts",
            disabled=not common,
            key=key,
        )


def settle(context: PageContext, now: ShownComparison) -> ShownComparison:
    """Return what to show: the present, or what was computed before the latest labels came.

    What is quick to compute follows every label. The rest waits until it is asked for, so that
    a page with a slow test can be read while people judge.
    """
    key = f"{_SHOWN}-{context.collection_id}"
    before: ShownComparison | None = st.session_state.get(key)
    if before is None or before.asked != now.asked:
        return now
    if _prints(before) == _prints(now) or _work(now) <= QUICK:
        return now
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Compute again",
            icon=":material/refresh:",
            key="comparison-again",
            on_click=lambda: st.session_state.pop(key, None),
        )
        st.markdown(
            f":material/update: {count(came, 'label')} came in since; this is how things stood on "
            f"{describe_moment(context.study, before.event)}."
            if (came := count_since(context.study, before.event))
            else ":material/update: The collection has changed since this was computed."
        )
    return replace(before, question=now.question)


def remember(context: PageContext, shown: ShownComparison) -> None:
    """Keep what was computed, to be shown while labels come in."""
    st.session_state[f"{_SHOWN}-{context.collection_id}"] = shown


def examine_shown(shown: ShownComparison) -> SystemComparison:
    """Return the answer with its tests made, and show meanwhile how far they are.

    A visitor who chooses something else ends them: drawing the bar then stops the script.
    """
    bar = st.empty()

    def tell(share: float, name: str) -> None:
        bar.progress(share, f"Testing the differences with '{plain(name)}'")

    report = replace(shown.report, progress=tell)
    _ = report.comparison
    bar.empty()
    return report


def _examine(
    name: str, scores: pd.DataFrame, significance: SignificanceTest, tell: Callable[[float], None]
) -> Condition:
    """Return a tested condition; the same scores are tested once, whoever asks."""
    key = (fingerprint(scores), replace(significance, alpha=SignificanceTest.alpha))
    tested: Condition = _TESTED.get(
        key, True, lambda: examine_condition(name, scores, significance, tell)
    )
    return replace(tested, name=name, scores=scores)


def _prints(shown: ShownComparison) -> list[tuple[str, str]]:
    return [(one.name, one.fingerprint) for one in shown.report.scored]


def _work(shown: ShownComparison) -> int:
    """Return how many scores are permuted for an answer."""
    significance, scores = (
        shown.question.significance,
        sum(len(one.scores) for one in shown.report.scored),
    )
    return significance.samples * scores if significance.kind.draws else 0
