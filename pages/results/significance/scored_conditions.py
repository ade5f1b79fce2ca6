"""The scores that a comparison rests on, and its tests: computed when asked, kept by content."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from core.analysis.qrels_choices import Offer, version_of
from core.analysis.scores import rankings_of, scores_of
from core.analysis.versioned_cache import VersionedCache
from core.analysis.wording import count, plain
from core.comparison.conditions import Condition, examine_condition
from core.comparison.significance_test import SAMPLED, Trial
from core.errors import DissentError
from pages.results.significance.comparison_question import MEASURES, SETS, VERSIONS, Question
from pages.shared.session import PageContext

QUICK = 5_000_000
"""Permuted scores up to which tests follow every label; about half a second of work."""

_TESTED = VersionedCache(most=128)
_SHOWN = "comparison-shown"


@dataclass(frozen=True, eq=False)
class Ground:
    """What one condition rests on: its name, scores per topic, and facts to be told with them."""

    name: str
    scores: pd.DataFrame
    facts: dict[str, object]

    @property
    def fingerprint(self) -> str:
        """Tell whether two grounds have the same scores: only these matter to a test."""
        rows = self.scores[["system", "topic_id", "value"]]
        return f"{pd.util.hash_pandas_object(rows, index=False).sum()}-{len(rows)}"


@dataclass(frozen=True, eq=False)
class Shown:
    """What the page shows: the answer to a question as things stood at an event."""

    question: Question
    grounds: tuple[Ground, ...]
    common: bool
    event: int

    @property
    def asked(self) -> tuple[object, ...]:
        """What was chosen for this; labels do not change it."""
        return self.question.identity, self.common


def lay_grounds(context: PageContext, question: Question) -> Shown:
    """Return what each condition rests on now; say which are left out, and why."""
    event = context.store.state(context.collection_id)[0]
    found = []
    for offer in question.offers:
        for name, topics in question.sets:
            for measure in question.measures:
                called = {VERSIONS: offer.name, SETS: name, MEASURES: measure}[question.kind]
                ground = _lay(context, question, called, offer, (name, topics), measure)
                found += [ground] if ground is not None else []
    common = question.kind != SETS and _choose_common(found)
    return Shown(question, tuple(_limit_to_common(found) if common else found), common, event)


def _lay(
    context: PageContext,
    question: Question,
    called: str,
    offer: Offer,
    topic_set: tuple[str, tuple[str, ...]],
    measure: str,
) -> Ground | None:
    try:
        version = version_of(context.study, offer)
        scores = scores_of(context.study, offer, (measure,), question.scoring.weights)
    except DissentError as error:
        return _leave_out(called, str(error))
    name, topics = topic_set
    if topics:
        scores = scores[scores["topic_id"].isin(topics)].reset_index(drop=True)
    if scores.empty:
        return _leave_out(called, "nothing is relevant in it.")
    within = version.frame[version.frame["topic_id"].isin(topics)] if topics else version.frame
    facts = {
        "version": offer.name,
        "topic_set": name,
        "measure": measure,
        "judged_topics": within["topic_id"].nunique(),
        "judged_documents": len(within),
        "labels": version.n_labels,
        "last_event": version.last_sequence if offer.rule else None,
        "content_hash": version.content_hash,
        "missing": rankings_of(context.study, offer).missing(),
    }
    return Ground(called, scores, facts)


def _leave_out(name: str, why: str) -> None:
    st.caption(f":material/info: {plain(name)} is left out: {plain(why)}")


def _choose_common(grounds: Sequence[Ground]) -> bool:
    """Let the organiser say whether only those topics count that all conditions count."""
    every, common = _topics(grounds)
    if len(common) == len(every):
        return True
    return st.toggle(
        f"Only the {len(common)} of {count(len(every), 'topic')} that every condition counts",
        value=len(common) > 1,
        disabled=not common,
        key="comparison-common",
    )


def _limit_to_common(grounds: Sequence[Ground]) -> list[Ground]:
    _, common = _topics(grounds)
    return [replace(one, scores=one.scores[one.scores["topic_id"].isin(common)]) for one in grounds]


def _topics(grounds: Sequence[Ground]) -> tuple[set[str], set[str]]:
    """Return the topics that any of the grounds counts, and those that all count."""
    counted = [set(ground.scores["topic_id"]) for ground in grounds]
    every = set().union(*counted)
    return every, every.intersection(*counted)


def describe_grounds(grounds: Sequence[Ground]) -> pd.DataFrame:
    """Return what each condition rests on, a row each."""
    rows = []
    for ground in grounds:
        facts, scores = dict(ground.facts), ground.scores
        topics = scores["topic_id"].unique()
        missing = facts.pop("missing")
        rows.append(
            {
                "condition": ground.name,
                "version": facts.pop("version"),
                "topic_set": facts.pop("topic_set"),
                "measure": facts.pop("measure"),
                "topics": len(topics),
                "left_out": facts.pop("judged_topics") - len(topics),
                "judged": scores["judged"].mean(),
                "unanswered": int(missing["topic_id"].isin(topics).sum()),
                **facts,
            }
        )
    return pd.DataFrame(rows)


def settle(context: PageContext, now: Shown) -> Shown:
    """Return what to show: the present, or what was computed before the latest labels came.

    What is quick to compute follows every label. The rest waits until it is asked for, so that
    a page with a slow test can be read while people judge.
    """
    place = f"{_SHOWN}-{context.collection_id}"
    before: Shown | None = st.session_state.get(place)
    if before is None or before.asked != now.asked:
        return now
    if _prints(before.grounds) == _prints(now.grounds) or _work(now) <= QUICK:
        return now
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Compute again",
            icon=":material/refresh:",
            key="comparison-again",
            on_click=lambda: st.session_state.pop(place, None),
        )
        st.markdown(
            f":material/update: {count(now.event - before.event, 'label')} came in since; this is "
            f"how things stood at event {before.event:,}."
            if now.event > before.event
            else ":material/update: The collection has changed since this was computed."
        )
    return replace(before, question=now.question)


def remember(context: PageContext, shown: Shown) -> None:
    """Keep what was computed, to be shown while labels come in."""
    st.session_state[f"{_SHOWN}-{context.collection_id}"] = shown


def examine_grounds(shown: Shown) -> list[Condition]:
    """Return each condition with its tests, and show meanwhile how far they are.

    A visitor who chooses something else ends them: drawing the bar then stops the script.
    """
    place, conditions = st.empty(), []
    for number, ground in enumerate(shown.grounds):

        def tell(share: float, number: int = number, name: str = ground.name) -> None:
            done = min((number + share) / len(shown.grounds), 1.0)
            place.progress(done, f"Testing the differences with '{plain(name)}'")

        conditions.append(_examine(ground, shown.question.trial, tell))
    place.empty()
    return conditions


def _examine(ground: Ground, trial: Trial, tell: Callable[[float], None]) -> Condition:
    """Return a tested condition; the same scores are tested once, whoever asks."""
    key = (ground.fingerprint, replace(trial, alpha=Trial.alpha))
    tested: Condition = _TESTED.get(
        key, True, lambda: examine_condition(ground.name, ground.scores, trial, tell)
    )
    return replace(tested, name=ground.name, scores=ground.scores)


def _prints(grounds: Sequence[Ground]) -> list[tuple[str, str]]:
    return [(ground.name, ground.fingerprint) for ground in grounds]


def _work(shown: Shown) -> int:
    """Return how many scores are permuted for an answer."""
    trial, scores = shown.question.trial, sum(len(one.scores) for one in shown.grounds)
    return trial.samples * scores if trial.test in SAMPLED else 0
