"""Interleaving runs of a collection: simulated users, and logs of lists made of two runs."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.base.study import Study, runs_of, stands_apart_from_labels
from core.analysis.clicks.beside_judges import log_of, topics_of_log
from core.analysis.clicks.fitted_users import users_of_fit
from core.analysis.results.qrels_choices import QrelsChoice, follows_version, version_of
from core.clicks.click_model import parse_click_model
from core.clicks.fitting import Fit, fit
from core.collection.click_logs.interleaving_log import LoggedList
from core.interleaving.base import METHODS, parse_method
from core.interleaving.choices import IMPRESSIONS, LENGTH
from core.interleaving.outcomes import BOOTSTRAP, SESSION
from core.interleaving.power import simulate_power
from core.interleaving.traffic import Traffic
from core.interleaving.users import USERS, Clicks, parse_user
from core.measures.catalogue import parse_measure
from core.numerals import say_p, write_limits, write_number
from core.reports.interleaving import (
    ALPHA,
    Interleaving,
    compare_with_measure,
    make_traffic,
    read_preference,
    simulate_preference,
)
from core.wording import plain

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
        As `parse_method` and `parse_user` read them; with a log, a click model.
    impressions, length, seed : int
        How many lists are shown, how many documents each, and what chance is drawn with.
    log : str
        The collection's click log that the click model is fitted to; '' for users by name.
    """

    first: str
    second: str
    method: str = TEAM_DRAFT
    user: str = NAVIGATIONAL
    impressions: int = IMPRESSIONS
    length: int = LENGTH
    seed: int = 1
    log: str = ""

    @property
    def users(self) -> str:
        """Who is shown lists: ``navigational users``."""
        if not self.log:
            return f"{self.user} users"
        return f"users who click as {self.user} says, fitted to {self.log}"


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
    traffic, notes = _make_traffic(study, choice, question)
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
    """Return Δ for each kind of user, those of the question, too, and each method.

    See `tabulate_preference`.

    Raises
    ------
    TooLittleData
        As `preference_of`.
    """
    rows = []
    named = [replace(question, user=user, log="") for user in USERS.suggested()]
    for asked in [*named, question] if question.log else named:
        traffic, _ = _make_traffic(study, choice, asked)
        for method in METHODS.suggested():
            found = simulate_preference(
                traffic,
                (question.first, question.second),
                parse_method(method),
                impressions=question.impressions,
                seed=question.seed,
            )
            rows.append(tabulate_preference(found, asked.user))
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
    traffic, _ = _make_traffic(study, choice, question)
    rng = np.random.default_rng(question.seed)
    return simulate_power(traffic, [parse_method(question.method)], question.impressions, rng)


@follows_version
def beside_measure(
    study: Study, choice: QrelsChoice, question: InterleavingQuestion
) -> pd.DataFrame:
    """Return Δ of pairs of all systems beside the difference of their mean nDCG@10.

    The two runs of the question play no part; see `compare_with_measure`.
    """
    return compare_with_measure(
        runs_of(study),
        version_of(study, choice),
        parse_measure(MEASURE),
        parse_method(question.method),
        _find_user(study, choice, question),
        impressions=question.impressions,
        length=question.length,
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
    study: Study, choice: QrelsChoice, question: InterleavingQuestion
) -> tuple[Traffic, tuple[str, ...]]:
    first, second = (_run_of(study, system) for system in (question.first, question.second))
    user = _find_user(study, choice, question)
    return make_traffic(first, second, version_of(study, choice), user, length=question.length)


def _find_user(study: Study, choice: QrelsChoice, question: InterleavingQuestion) -> Clicks:
    if not question.log:
        return parse_user(question.user)
    topics = topics_of_log(study, question.log)
    fitted = _fit_model(study, question.log, question.user)
    return users_of_fit(
        fitted, log_of(study, question.log), topics, version_of(study, choice).frame
    )


@stands_apart_from_labels
def _fit_model(study: Study, log: str, model: str) -> Fit:
    return fit(parse_click_model(model), log_of(study, log))


def _run_of(study: Study, system: str) -> pd.DataFrame:
    runs = runs_of(study)
    return runs[runs["system"] == system]
