"""Interleaving runs of a collection: simulated users, and logs of lists made of two runs."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from core.analysis.base.study import Study, runs_of
from core.analysis.base.wording import plain
from core.analysis.frames.interleaving import (
    ALPHA,
    IMPRESSIONS,
    Interleaving,
    compare_with_measure,
    make_traffic,
    read_preference,
    simulate_preference,
)
from core.analysis.results.qrels_choices import QrelsChoice, follows_version, version_of
from core.collection.interleaving_log import LoggedList
from core.interleaving.base import LENGTH, METHODS, parse_method
from core.interleaving.outcomes import BOOTSTRAP, SESSION
from core.interleaving.power import simulate_power
from core.interleaving.traffic import Traffic
from core.interleaving.users import USERS, parse_user
from core.measures.catalogue import parse_measure
from core.numerals import say_p, write_limits, write_number

TEAM_DRAFT, NAVIGATIONAL, MEASURE = "team-draft", "navigational", "nDCG@10"
PAIRS = 30
"""Pairs of systems that a page interleaves."""

_BIASED = 0.0005


@dataclass(frozen=True)
class InterleavingQuestion:
    """Which two runs are shown to which users, and how.

    Parameters
    ----------
    first, second : str
        Two systems.
    method, user : str
        As `parse_method` and `parse_user` read them.
    impressions, length, seed : int
        How many lists are shown, how many documents each, and what chance is drawn with.
    """

    first: str
    second: str
    method: str = TEAM_DRAFT
    user: str = NAVIGATIONAL
    impressions: int = IMPRESSIONS
    length: int = LENGTH
    seed: int = 1


@follows_version
def preference_of(
    study: Study, choice: QrelsChoice, question: InterleavingQuestion
) -> Interleaving:
    """Return whom simulated users prefer, if the judgements of a version are right.

    Raises
    ------
    TooLittleData
        No judged topic is answered by both runs, or nothing is judged relevant.
    """
    traffic, notes = _make_traffic(study, choice, question, question.user)
    return simulate_preference(
        traffic,
        (question.first, question.second),
        parse_method(question.method),
        impressions=question.impressions,
        seed=question.seed,
        notes=notes,
    )


@follows_version
def preferences_of_users(
    study: Study, choice: QrelsChoice, question: InterleavingQuestion
) -> pd.DataFrame:
    """Return Δ for each kind of user and each method; see `tabulate_preference`.

    Raises
    ------
    TooLittleData
        As `preference_of`.
    """
    rows = []
    for user in USERS.suggested():
        traffic, _ = _make_traffic(study, choice, question, user)
        for method in METHODS.suggested():
            found = simulate_preference(
                traffic,
                (question.first, question.second),
                parse_method(method),
                impressions=question.impressions,
                seed=question.seed,
            )
            rows.append(tabulate_preference(found, user))
    return pd.concat(rows, ignore_index=True)


def tabulate_preference(found: Interleaving, user: str) -> pd.DataFrame:
    """Return a comparison as one row.

    Returns
    -------
    DataFrame
        ``first, second, user, method``, the fields of `Comparison`, ``topics, random_clicks,
        interval, unit, units``.
    """
    return pd.DataFrame(
        [
            {
                "first": found.first,
                "second": found.second,
                "user": user,
                "method": found.method,
                **asdict(found.comparison),
                "topics": found.topics,
                "random_clicks": found.random_clicks,
                "interval": BOOTSTRAP,
                "unit": SESSION,
                "units": found.comparison.sessions,
            }
        ]
    )


@follows_version
def power_of(study: Study, choice: QrelsChoice, question: InterleavingQuestion) -> pd.DataFrame:
    """Return how often a difference shows by how many lists are shown, beside an A/B test.

    See `core.interleaving.power.simulate_power`; raises as `preference_of`.
    """
    traffic, _ = _make_traffic(study, choice, question, question.user)
    rng = np.random.default_rng(question.seed)
    return simulate_power(traffic, [parse_method(question.method)], question.impressions, rng)


@follows_version
def beside_measure(
    study: Study, choice: QrelsChoice, question: InterleavingQuestion
) -> pd.DataFrame:
    """Return Δ of pairs of all systems beside the difference of their mean nDCG@10.

    The two runs of the question play no part; see `compare_with_measure`.
    """
    version = version_of(study, choice)
    return compare_with_measure(
        runs_of(study),
        version.frame,
        parse_measure(MEASURE),
        parse_method(question.method),
        parse_user(question.user),
        impressions=question.impressions,
        length=question.length,
        gmax=version.gmax,
        seed=question.seed,
        most=PAIRS,
    )


def preference_in_log(
    study: Study, lists: Sequence[LoggedList], question: InterleavingQuestion, file: str
) -> Interleaving:
    """Return whom the users of a log prefer; see `read_preference`."""
    first, second = (_run_of(study, system) for system in (question.first, question.second))
    names = question.first, question.second
    return read_preference(
        lists, first, second, names, parse_method(question.method), seed=question.seed, file=file
    )


def answer_preference(found: Interleaving, users: str) -> str:
    """Return in Markdown whom users prefer, by how much, and how sure that is.

    Parameters
    ----------
    found : Interleaving
        A comparison.
    users : str
        Who they are, at the beginning of a sentence: ``Simulated navigational users``.
    """
    one = found.comparison
    limits = "" if np.isnan(one.low) else f" {write_limits(one.low, one.high)}"
    delta = f"Δ = **{write_number(one.delta, signed=True)}**{limits}"
    first, second = (f"**{plain(name)}**" for name in (found.first, found.second))
    told = f"{delta}, {one.impressions:,} lists"
    if np.isnan(one.p):
        return f"{users} show no preference: every session is a tie ({told})."
    if not one.p < ALPHA:
        return f"{users} are not shown to prefer {first} or {second} ({told}, {say_p(one.p)})."
    best, other = (first, second) if one.delta > 0 else (second, first)
    return f"{users} prefer {best} to {other} ({told}, {say_p(one.p)})."


def warn_of_bias(found: Interleaving) -> str:
    """Return in Markdown whom the method itself favours; '' where it favours nobody."""
    if abs(found.random_clicks) < _BIASED:
        return ""
    favoured = found.first if found.random_clicks > 0 else found.second
    return (
        f"With these two runs {plain(found.method)} interleaving favours {plain(favoured)} by "
        "itself: one click at random in each list would give "
        f"Δ = {write_number(found.random_clicks, signed=True)}."
    )


def _make_traffic(
    study: Study, choice: QrelsChoice, question: InterleavingQuestion, user: str
) -> tuple[Traffic, tuple[str, ...]]:
    version = version_of(study, choice)
    first, second = (_run_of(study, system) for system in (question.first, question.second))
    return make_traffic(
        first,
        second,
        version.frame,
        parse_user(user),
        length=question.length,
        gmax=version.gmax,
    )


def _run_of(study: Study, system: str) -> pd.DataFrame:
    runs = runs_of(study)
    return runs[runs["system"] == system]
