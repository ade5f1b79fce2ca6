"""Interleaving runs of a collection: simulated users, and logs of lists made of two runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study, runs_of, stands_apart_from_labels
from core.analysis.clicks.beside_judges import log_of, topics_of_log
from core.analysis.clicks.fitted_users import users_of_fit
from core.analysis.results.declared import judged_of, scored_runs_of
from core.analysis.results.qrels_choices import QrelsChoice, follows_version, version_of
from core.analysis.results.scores import weights_for
from core.clicks.click_model import parse_click_model
from core.clicks.fitting import Fit, fit
from core.collection.click_logs.interleaving_log import LoggedList
from core.interleaving.base import METHODS, parse_method
from core.interleaving.choices import IMPRESSIONS, LENGTH
from core.interleaving.power import simulate_power
from core.interleaving.traffic import Traffic
from core.interleaving.users import USERS, Clicks, parse_user
from core.measures.catalogue import parse_measure
from core.reports.interleaving import (
    Interleaving,
    compare_with_measure,
    describe_users,
    make_traffic,
    read_preference,
    simulate_preference,
)

TEAM_DRAFT, NAVIGATIONAL = "team-draft", "navigational"
PAIRS = 30
"""Pairs of systems that a page interleaves."""


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
        return describe_users(self.user, self.log)


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
    return _simulate(study, choice, question)


def _simulate(study: Study, choice: QrelsChoice, question: InterleavingQuestion) -> Interleaving:
    traffic, left_out = _make_traffic(study, choice, question)
    found = simulate_preference(
        traffic,
        (question.first, question.second),
        parse_method(question.method),
        impressions=question.impressions,
        seed=question.seed,
        left_out=left_out,
        user=question.user,
        log=question.log,
    )
    return replace(found, alpha=declared_of(study).alpha)


@follows_version
def preferences_of_users(
    study: Study, choice: QrelsChoice, question: InterleavingQuestion
) -> pd.DataFrame:
    """Return Δ for each kind of user, those of the question, too, and each method.

    See ``Interleaving.preference``.

    Raises
    ------
    TooLittleData
        As `preference_of`.
    """
    named = [replace(question, user=user, log="") for user in USERS.suggested()]
    return pd.concat(
        [
            _simulate(study, choice, replace(asked, method=method)).preference
            for asked in ([*named, question] if question.log else named)
            for method in METHODS.suggested()
        ],
        ignore_index=True,
    )


@follows_version
def power_of(study: Study, choice: QrelsChoice, question: InterleavingQuestion) -> pd.DataFrame:
    """Return how often a difference shows by how many lists are shown, beside an A/B test.

    See `core.interleaving.power.simulate_power`; raises as `preference_of`.
    """
    traffic, _ = _make_traffic(study, choice, question)
    rng = np.random.default_rng(question.seed)
    return simulate_power(
        traffic,
        [parse_method(question.method)],
        question.impressions,
        rng,
        alpha=declared_of(study).alpha,
    )


@follows_version
def beside_measure(
    study: Study, choice: QrelsChoice, question: InterleavingQuestion
) -> pd.DataFrame:
    """Return Δ of pairs of all systems beside the difference of their means.

    These are by the measure that the study declares.

    The two runs of the question play no part; see `compare_with_measure`.
    """
    measure = declared_of(study).measure
    return compare_with_measure(
        scored_runs_of(study),
        judged_of(study, choice),
        parse_measure(measure),
        parse_method(question.method),
        find_user(study, choice, question),
        impressions=question.impressions,
        length=question.length,
        seed=question.seed,
        most=PAIRS,
        weights=dict(weights_for(study, choice, (measure,))) or None,
    )


def preference_in_log(
    study: Study, lists: Sequence[LoggedList], question: InterleavingQuestion, file: str
) -> Interleaving:
    """Return whom the users of a log prefer; see `read_preference`."""
    runs = runs_of(study)
    first, second = (_run_of(runs, system) for system in (question.first, question.second))
    names = question.first, question.second
    found = read_preference(
        lists, first, second, names, parse_method(question.method), seed=question.seed, file=file
    )
    return replace(found, alpha=declared_of(study).alpha)


def _make_traffic(
    study: Study, choice: QrelsChoice, question: InterleavingQuestion
) -> tuple[Traffic, tuple[str, ...]]:
    runs = scored_runs_of(study)
    first, second = (_run_of(runs, system) for system in (question.first, question.second))
    user = find_user(study, choice, question)
    return make_traffic(first, second, judged_of(study, choice), user, length=question.length)


def find_user(study: Study, choice: QrelsChoice, question: InterleavingQuestion) -> Clicks:
    """Return the users of a question: those of that name, or as a click model learnt them.

    Raises
    ------
    BadInput, NotFound, TooLittleData
        There is no such log, or as from `learn_user`.
    """
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


def _run_of(runs: pd.DataFrame, system: str) -> pd.DataFrame:
    return runs[runs["system"] == system]
