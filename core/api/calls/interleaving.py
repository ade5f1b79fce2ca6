"""Which of two runs users prefer, by what they click on lists made of both."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.analysis.clicks.fitted_users import learn_user
from core.api.calls.arguments import judgements_from
from core.api.calls.files import find_files, warn_of
from core.clicks.click_log import ClickLog
from core.clicks.click_model import parse_click_model
from core.collection.click_logs.ab_log import read_ab_log as read_log
from core.collection.click_logs.interleaving_log import LoggedList, read_interleaving_log
from core.errors import BadInput
from core.interleaving.base import parse_method
from core.interleaving.choices import IMPRESSIONS, LENGTH
from core.interleaving.users import Clicks, parse_user
from core.reports.ab_test import ABQuestion, ABTest
from core.reports.interleaving import (
    Interleaving,
    make_traffic,
    read_preference,
    simulate_preference,
)


def read_interleaved(path: str | os.PathLike[str]) -> tuple[LoggedList, ...]:
    """Read what users clicked on interleaved lists: TSV, CSV or JSONL; may be .gz.

    Returns
    -------
    tuple of LoggedList
        ``session, topic_id, documents, teams, clicked, line`` of each list.

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`.
    """
    return read_interleaving_log(find_files(path)[0])


def read_ab_log(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read what came of each visit in an A/B test: TSV, CSV or JSONL; may be .gz.

    Returns
    -------
    DataFrame
        ``user, arm, outcome, before``, as `ab_test` takes it.

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`; or there are not two arms, or a user has two outcomes before the test.
    """
    return read_log(find_files(path)[0])


def ab_test(
    log: pd.DataFrame, *, first: str = "", share: float = 0.5, alpha: float = ABQuestion.alpha
) -> ABTest:
    """Tell whether users fare otherwise in one arm of an A/B test than in the other.

    Parameters
    ----------
    log : DataFrame
        A row for each visit: ``user, arm, outcome`` and perhaps ``before``, the user's outcome
        before the test; users are what is sampled.
    first : str
        The arm that the other is compared with; the first by name, without.
    share : float, default 0.5
        Which share of the users was to go to the other arm.
    alpha : float, default 0.05
        Below which p shows a difference.

    Returns
    -------
    ABTest
        ``arms, difference, split, needed`` as frames; ``answer`` says it in a sentence.

    Raises
    ------
    BadInput
        There are not two arms, or none of this name; a row lacks its user, arm or outcome, an
        outcome is no number, or a user has two values before the test.
    TooLittleData
        An arm has fewer than two users.

    Examples
    --------
    >>> import pandas as pd
    >>> log = pd.DataFrame({
    ...     "user": list("abcdef"), "arm": list("AAABBB"), "outcome": [1, 2, 3, 4, 5, 6],
    ... })
    >>> ab_test(log).difference[["value", "low", "high"]].round(2)
       value   low  high
    0    3.0  0.73  5.27
    """
    report = ABTest(_check_visits(log), ABQuestion(first, share, alpha))
    warn_of(report.notes, 3)
    return report


def _check_visits(log: pd.DataFrame) -> pd.DataFrame:
    """Return a log with numbers for outcomes; refuse what the reader of files refuses."""
    visits = log if "before" in log else log.assign(before=np.nan)
    for name in ("user", "arm", "outcome"):
        if name not in visits:
            raise BadInput(f"the log has no column '{name}'", field=name)
        if lacking := np.flatnonzero(visits[name].isna()).tolist():
            raise BadInput(f"row {lacking[0]}, counted from 0, has no {name}", field=name)
    numbers = visits[["outcome", "before"]].apply(pd.to_numeric, errors="coerce").astype(float)
    for name in numbers:
        is_wrong = ~np.isfinite(numbers[name]) & visits[name].notna()
        if wrong := np.flatnonzero(is_wrong).tolist():
            word = visits[name].iloc[wrong[0]]
            raise BadInput(f"row {wrong[0]}, counted from 0: '{word}' is no number", field=name)
    visits = visits.assign(**numbers)
    values = visits.groupby("user", sort=False)["before"].nunique()
    if len(twice := values.index[values > 1]):
        raise BadInput(f"user '{twice[0]}' has two outcomes before the test", field="before")
    return visits


def interleave(
    first: pd.DataFrame,
    second: pd.DataFrame,
    *,
    log: Sequence[LoggedList] | None = None,
    judgements: pd.DataFrame | None = None,
    scale: Iterable[float] | None = None,
    method: str = "team-draft",
    user: str = "navigational",
    clicks: ClickLog | None = None,
    impressions: int = IMPRESSIONS,
    length: int = LENGTH,
    seed: int = 1,
    alpha: float = Interleaving.alpha,
) -> Interleaving:
    """Tell which of two runs users prefer, by what they click on lists made of both.

    Parameters
    ----------
    first, second : DataFrame
        As `read_runs` gives them, of one system each.
    log : sequence of LoggedList, optional
        What users clicked, as `read_interleaved` gives it.
    judgements : DataFrame, optional
        In place of a log: ``topic_id, document_id, level``, which simulated users click by.
    scale : iterable of numbers, optional
        The levels of the judgements' scale; without it, as for `evaluate`.
    method : str, default 'team-draft'
        How lists are made and clicks credited: 'balanced', 'probabilistic', 'team-draft'.
    user : str, default 'navigational'
        Who is simulated: 'perfect', 'navigational', 'informational', or with ``clicks`` a click
        model, 'PBM' say.
    clicks : ClickLog, optional
        What the click model is fitted to.
    impressions, length, seed : int
        How many lists simulated users see, how many documents each, and what is drawn with.
    alpha : float, default 0.05
        Below which p has users prefer one of the two.

    Returns
    -------
    Interleaving
        ``comparison`` has ``delta`` (the share of lists that the first wins, ties counting half,
        less one half), its 95 % limits over sessions, and ``p`` of a sign test; ``answer`` says
        it in a sentence.

    Raises
    ------
    BadInput
        Neither or both of log and judgements are given; a method, user or model is unknown; a frame
        has several systems; the log is of other runs; or α is not between 0 and 1.
    TooLittleData
        No judged topic is answered by both runs, or nothing is judged relevant.
    """
    names = _name_of(first, "first"), _name_of(second, "second")
    mixing = parse_method(method)
    if log is not None and judgements is None:
        found = read_preference(log, first, second, names, mixing, seed=seed)
        return replace(found, alpha=alpha)
    if log is not None or judgements is None:
        raise BadInput("give a log, or judgements that simulated users click by", field="log")
    users: Clicks = parse_user(user) if clicks is None else _learn(user, clicks, judgements)
    traffic, left_out = make_traffic(
        first, second, judgements_from(judgements, scale), users, length=length
    )
    found = simulate_preference(
        traffic,
        names,
        mixing,
        impressions=impressions,
        seed=seed,
        left_out=left_out,
        user=user,
        log="" if clicks is None else "a log",
    )
    return replace(found, alpha=alpha)


def _learn(model: str, log: ClickLog, judgements: pd.DataFrame) -> Clicks:
    return learn_user(parse_click_model(model), log, judgements)


def _name_of(run: pd.DataFrame, field: str) -> str:
    systems = run["system"].unique()
    if len(systems) != 1:
        raise BadInput(f"takes the run of one system, not of {len(systems)}", field=field)
    return str(systems[0])
