"""Which of two runs users prefer: by a log of interleaved lists, or by simulated users."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd

from core.agreement.corrections import correct
from core.collection.click_logs.interleaving_log import TEAMS, LoggedList
from core.comparison.choices import DEFAULT
from core.comparison.difference_tests import compare_systems
from core.comparison.score_matrix import score_matrix
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.interleaving.base import Method, Mixed, bias_of_random_clicks
from core.interleaving.choices import IMPRESSIONS, LENGTH
from core.interleaving.outcomes import (
    BOOTSTRAP,
    SESSION,
    InterleavedComparison,
    Outcomes,
    compare_rankings,
    join_outcomes,
    judge_impressions,
)
from core.interleaving.pairs import NOTHING, RankingPair, pair_rankings
from core.interleaving.traffic import Traffic, simulate_interleaving
from core.interleaving.users import Clicks
from core.measures.base import Measure, Weights
from core.numerals import say_p, tell_digits, write_limits, write_number, write_p
from core.reports.report import Column, Estimated, Report
from core.reports.scores import judge_runs
from core.versions.judgements import Judgements
from core.wording import count, mark_fact

ALPHA = SignificanceTest.alpha
BIASED = 0.0005
"""What is less is 0.000 where it is told."""

SIMULATED = "simulated"
MOST_PAIRS = 60
"""Pairs of systems that are interleaved beside a measure, spread evenly over their differences."""

Progress = Callable[[float], None]


def describe_users(user: str, log: str = "") -> str:
    """Return who is simulated: ``navigational users``, or those that a click model has learnt.

    Parameters
    ----------
    user : str
        A kind of users, or with ``log`` a click model.
    log : str
        What the click model is fitted to.
    """
    return f"users who click as {user} says, fitted to {log}" if log else f"{user} users"


@dataclass(frozen=True, eq=False)
class Interleaving(Report):
    """Which of two runs users prefer; ``dissent.interleave`` makes it. Its table is ``preference``.

    Parameters
    ----------
    first, second : str
        What the runs are called.
    method : str
        How lists were made and clicks credited.
    comparison : InterleavedComparison
        Who won, Δ, its limits and p.
    topics : int
        How many topics lists were shown for, or could have been.
    random_clicks : float
        Δ if one document of each list were clicked at random, on average over topics: not 0 where
        the method does not treat these two rankings alike.
    left_out : tuple of str
        What was left out, in sentences.
    user, log : str
        Who was simulated, as for `describe_users`; '' where people clicked.
    alpha : float
        Below which p has users prefer one of the two.
    """

    first: str
    second: str
    method: str
    comparison: InterleavedComparison
    topics: int
    random_clicks: float
    left_out: tuple[str, ...] = ()
    user: str = ""
    log: str = ""
    alpha: float = ALPHA

    def __post_init__(self) -> None:
        _ = SignificanceTest(alpha=self.alpha)

    name: ClassVar[str] = "interleaving"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "preference": Estimated(
            "Who wins",
            "share of lists that the first run wins, ties counting half, less one half",
            {
                "user": Column("clicks", names="nobody"),
                "method": Column("method", names="nobody"),
                "first_wins": Column("first wins", digits=1),
                "second_wins": Column("second wins", digits=1),
                "ties": Column("ties", digits=1),
                "delta": Column("Δ"),
                "p": Column("p", "Of a sign test over sessions.", write=write_p),
                "p_ties_half": Column("p, ties half", write=write_p),
                "p_bootstrap": Column("p, bootstrap", write=write_p),
            },
            estimate="delta",
        )
    }

    @property
    def users(self) -> str:
        """Whose clicks these are, as a sentence begins with them."""
        if self.user == SIMULATED:
            return "Simulated users"
        return f"Simulated {describe_users(self.user, self.log)}" if self.user else "Users"

    @cached_property
    def preference(self) -> pd.DataFrame:
        """One row: ``first, second, user, method``, the fields of the comparison, and the rest.

        ``topics, random_clicks, interval, unit, units``; ``user`` is 'the log' for people.
        """
        row = {
            "first": self.first,
            "second": self.second,
            "user": self.user or "the log",
            "method": self.method,
            **asdict(self.comparison),
            "topics": self.topics,
            "random_clicks": self.random_clicks,
            "interval": BOOTSTRAP,
            "unit": SESSION,
            "units": self.comparison.sessions,
        }
        return pd.DataFrame([row])

    @property
    def answer(self) -> str:
        """Whom users prefer, by how much, and how sure that is."""
        one = self.comparison
        first, second = map(mark_fact, (self.first, self.second))
        if one.without_clicks == one.impressions:
            return (
                f"Nothing was clicked on {count(one.impressions, 'list')} of {first} and {second}, "
                "so that nothing tells which of them users prefer."
            )
        sentence = self._tell_numbers()
        if np.isnan(one.p):
            return f"{self.users} show no preference: every session is a tie ({sentence})."
        sentence += f", {say_p(one.p)}"
        if not one.p < self.alpha:
            return f"{self.users} are not shown to prefer {first} or {second} ({sentence})."
        # The test is of sessions, and so is whom it speaks for; Δ weighs them by their lists.
        ahead = one.sessions_first - one.sessions_second
        best, other = (first, second) if ahead > 0 else (second, first)
        if ahead * one.delta > 0:
            return f"{self.users} prefer {best} to {other} ({sentence})."
        won = sorted((one.sessions_first, one.sessions_second), reverse=True)
        lists = f"{other} wins more lists" if one.delta else "both win as many lists"
        return (
            f"{best} wins more sessions than {other}, {won[0]:,} to {won[1]:,}, but {lists}: "
            f"whom users prefer depends on how sessions weigh ({sentence})."
        )

    def _tell_numbers(self) -> str:
        """Return Δ with its limits, and of how many lists and sessions."""
        one = self.comparison
        digits = tell_digits(one.high - one.low)
        limits = "" if np.isnan(one.low) else f" {write_limits(one.low, one.high, digits)}"
        delta = mark_fact(write_number(one.delta, digits, signed=True))
        lists = count(one.impressions, "list")
        sampled = "" if one.sessions == one.impressions else f" in {count(one.sessions, 'session')}"
        return f"Δ = {delta}{limits}, {lists}{sampled}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, and whom the method itself favours."""
        if abs(self.random_clicks) < BIASED:
            return self.left_out
        favoured = self.first if self.random_clicks > 0 else self.second
        bias = (
            f"with these two runs {self.method} interleaving favours {favoured} by itself: one "
            "click at random in each list would give "
            f"Δ = {write_number(self.random_clicks, signed=True)}"
        )
        return (*self.left_out, bias)


def make_traffic(
    first: pd.DataFrame,
    second: pd.DataFrame,
    judgements: Judgements,
    user: Clicks,
    *,
    length: int = LENGTH,
) -> tuple[Traffic, tuple[str, ...]]:
    """Return simulated users of two runs on the judged topics that both answer.

    Parameters
    ----------
    first, second : DataFrame
        ``topic_id, document_id, rank`` of one system each.
    judgements : Judgements
        ``topic_id, document_id, level``; what is not judged has level 0, and so have levels
        below it.
    user : Clicks
        Who clicks.
    length : int
        How many documents a list shows.

    Returns
    -------
    Traffic, tuple of str
        And what was left out, in sentences.

    Raises
    ------
    BadInput
        A list is to show no document.
    TooLittleData
        There is no such topic, or no level is above 0.
    """
    if length < 1:
        raise BadInput(f"a list shows one document at least, not {length}", field="length")
    judged = judgements.frame.astype({"topic_id": "str", "document_id": "str"})
    if judged.empty or not judged["level"].max() > 0:
        raise TooLittleData("no document is judged relevant: simulated users click by relevance")
    levels = judged.groupby(["topic_id", "document_id"], as_index=False)["level"].max()
    columns = (levels[name] for name in ("topic_id", "document_id", "level"))
    table = {
        (topic, one): max(float(level), 0.0) / judgements.gmax
        for topic, one, level in zip(*columns, strict=True)
    }
    topics = frozenset(judged["topic_id"])
    every = pair_rankings(first, second)
    pairs = tuple(pair for pair in every if pair.topic in topics)
    if not pairs:
        raise TooLittleData("no judged topic is answered by both runs")
    notes = _count_left_out(len(every) - len(pairs), "topics of both runs without a judgement")
    notes += _count_left_out(len(topics) - len(pairs), "judged topics that a run does not answer")
    relevance = tuple(
        np.array([table.get((pair.topic, one), 0.0) for one in pair.documents]) for pair in pairs
    )
    return Traffic(pairs, relevance, user, length), notes


def simulate_preference(
    traffic: Traffic,
    names: tuple[str, str],
    method: Method,
    *,
    impressions: int = IMPRESSIONS,
    seed: int = 1,
    left_out: Sequence[str] = (),
    user: str = "",
    log: str = "",
) -> Interleaving:
    """Simulate users of interleaved lists and return whom they prefer.

    Parameters
    ----------
    traffic : Traffic
        As `make_traffic` returns it.
    names : pair of str
        What the runs are called.
    method : Method
        How lists are made.
    impressions : int
        How many lists are shown, each in a session of its own.
    seed : int
        Of everything that is drawn.
    left_out, user, log
        What was left out and who is simulated, as `Interleaving` says it.

    Raises
    ------
    BadInput
        No list is to be shown.
    """
    if impressions < 1:
        reason = f"simulated users are shown one list at least, not {impressions}"
        raise BadInput(reason, field="impressions")
    rng = np.random.default_rng(seed)
    outcomes = simulate_interleaving(traffic, method, impressions, rng)
    found = _conclude(names, method, traffic.pairs, traffic.length, outcomes, rng)
    return replace(found, left_out=tuple(left_out), user=user or SIMULATED, log=log)


def read_preference(
    lists: Sequence[LoggedList],
    first: pd.DataFrame,
    second: pd.DataFrame,
    names: tuple[str, str],
    method: Method,
    *,
    seed: int = 1,
    file: str = "",
) -> Interleaving:
    """Return whom users prefer by a log of interleaved lists of two runs.

    Parameters
    ----------
    lists : sequence of LoggedList
        The log; lists without a click count as ties.
    first, second : DataFrame
        ``topic_id, document_id, rank`` of one system each.
    names, method
        What the runs are called, and how clicks are credited.
    seed : int
        Of the sessions that are drawn again.
    file : str
        What the log is called, for messages.

    Raises
    ------
    BadInput
        A list holds what neither run returns, or what the run that it is said to be from does not;
        or the method needs teams and the log has none.
    TooLittleData
        The log has no list.
    """
    if not lists:
        raise TooLittleData("the log has no list: nothing tells which run users prefer")
    if method.needs_teams and not all(one.teams for one in lists):
        raise BadInput(
            f"{method} needs to know which run each document was taken from; give teams, or choose "
            "a method that credits by the runs",
            file=file,
            field="teams",
        )
    sessions = {name: at for at, name in enumerate(dict.fromkeys(one.session for one in lists))}
    pairs = {pair.topic: pair for pair in pair_rankings(first, second)}
    by_topic: dict[str, list[LoggedList]] = {}
    for one in lists:
        by_topic.setdefault(one.topic_id, []).append(one)
    parts = []
    for topic, own in by_topic.items():
        if topic not in pairs:
            reason = f"topic '{topic}' is not answered by both runs"
            raise BadInput(reason, file=file, line=own[0].line, field="topic_id")
        pair = pairs[topic]
        mixed, clicked = _lay_out(own, pair, file)
        session = np.array([sessions[one.session] for one in own])
        parts.append(judge_impressions(method, pair, mixed, clicked, session))
    length = max(len(one.documents) for one in lists)
    shown = tuple(pairs[topic] for topic in by_topic)
    rng = np.random.default_rng(seed)
    return _conclude(names, method, shown, length, join_outcomes(parts), rng)


def compare_with_measure(
    runs: pd.DataFrame,
    judgements: Judgements,
    measure: Measure,
    method: Method,
    user: Clicks,
    *,
    impressions: int = IMPRESSIONS,
    length: int = LENGTH,
    seed: int = 1,
    most: int = MOST_PAIRS,
    weights: Weights | None = None,
    progress: Progress = lambda share: None,
) -> pd.DataFrame:
    """Interleave pairs of systems and put Δ beside the difference of their mean scores.

    Parameters
    ----------
    runs : DataFrame
        ``system, topic_id, document_id, rank`` of two systems at least.
    judgements : Judgements
        As `compile_rankings` takes them.
    measure : Measure
        What systems are scored by; differences are tested by the default test of
        `core.comparison.difference_tests`, corrected for all pairs.
    method, user, impressions, length, seed
        As for `make_traffic` and `simulate_preference`.
    most : int
        With more pairs than these some are taken, spread evenly over the order of the
        differences.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    progress : callable
        Is told the share that is done.

    Returns
    -------
    DataFrame
        ``first, second, difference, p, delta, low, high, p_interleaving, agrees``: the first is
        better by the measure. ``p_interleaving`` is of the sign test; ``agrees`` is 'same sign',
        'other sign' or, where Δ or the difference is 0, 'no sign'.

    Raises
    ------
    TooLittleData
        Fewer than two systems or topics.
    """
    scores = judge_runs(runs, judgements, weights=weights).score([measure])
    pairs = compare_systems(score_matrix(scores), rng=np.random.default_rng(seed))
    sign = 1 if measure.greater_is_better else -1
    pairs = pairs.assign(apart=pairs["difference"].abs()).sort_values("apart", kind="stable")
    chosen = np.unique(np.linspace(0, len(pairs) - 1, min(most, len(pairs))).astype(int))
    by_system = {str(name): own for name, own in runs.groupby(runs["system"].astype("str"))}
    rows = []
    for done, row in enumerate(pairs.iloc[chosen].to_dict("records"), start=1):
        is_first = sign * row["difference"] >= 0
        names = (row["first"], row["second"]) if is_first else (row["second"], row["first"])
        one, other = (by_system[name] for name in names)
        traffic, _ = make_traffic(one, other, judgements, user, length=length)
        found = simulate_preference(traffic, names, method, impressions=impressions, seed=seed)
        difference = abs(float(row["difference"])) * sign
        delta = found.comparison.delta
        agrees = "no sign" if not (delta and difference) else _AGREES[delta > 0]
        rows.append(
            {
                "first": names[0],
                "second": names[1],
                "difference": difference,
                "p": row["p"],
                "delta": delta,
                "low": found.comparison.low,
                "high": found.comparison.high,
                "p_interleaving": found.comparison.p,
                "agrees": agrees,
            }
        )
        progress(done / len(chosen))
    return pd.DataFrame(rows)


_AGREES = {True: "same sign", False: "other sign"}
TESTED_BY = DEFAULT
"""The test of differences of scores."""


def count_agreement(pairs: pd.DataFrame, alpha: float = ALPHA) -> dict[str, int]:
    """Count where interleaving and the measure agree.

    Parameters
    ----------
    pairs : DataFrame
        As `compare_with_measure` returns it.
    alpha : float
        Below which p is significant.

    Returns
    -------
    dict of str to int
        ``pairs``; ``significant`` by the measure; of these ``same_sign``, and ``opposed``: Δ has
        the other sign and is itself significant, corrected for all pairs by Holm's method.
    """
    by_users = correct(pairs["p_interleaving"].fillna(1.0).to_numpy(), "holm")
    pairs = pairs.assign(p_interleaving=by_users)
    significant = pairs[pairs["p"] < alpha]
    other = significant[significant["agrees"] == _AGREES[False]]
    return {
        "pairs": len(pairs),
        "significant": len(significant),
        "same_sign": int((significant["agrees"] == _AGREES[True]).sum()),
        "opposed": int((other["p_interleaving"] < alpha).sum()),
    }


def tell_agreement(counted: Mapping[str, int], measure: str) -> str:
    """Return in a sentence how often Δ and a measure have the same sign.

    Parameters
    ----------
    counted : mapping of str to int
        As `count_agreement` returns it.
    measure : str
        What the runs are scored by.
    """
    pairs, significant, same, opposed = (
        counted[name] for name in ("pairs", "significant", "same_sign", "opposed")
    )
    begin = f"Of {count(pairs, 'pair')} of runs"
    if not significant:
        return f"{begin} {mark_fact('none')} is shown to differ in mean {measure}."
    differ = "differs" if significant == 1 else "differ"
    return (
        f"{begin} {mark_fact(f'{significant:,}')} {differ} significantly in mean {measure}; in "
        f"{mark_fact(f'{same:,}')} of these Δ has the same sign, in {mark_fact(f'{opposed:,}')} it "
        "is significant with the other."
    )


def _conclude(
    names: tuple[str, str],
    method: Method,
    pairs: Sequence[RankingPair],
    length: int,
    outcomes: Outcomes,
    rng: np.random.Generator,
) -> Interleaving:
    if names[0] == names[1]:
        names = f"{names[0]} (first)", f"{names[1]} (second)"
    random_clicks = float(np.mean([bias_of_random_clicks(method, pair, length) for pair in pairs]))
    comparison = compare_rankings(outcomes, rng)
    return Interleaving(*names, str(method), comparison, len(pairs), random_clicks)


def _lay_out(lists: Sequence[LoggedList], pair: RankingPair, file: str) -> tuple[Mixed, np.ndarray]:
    """Return lists of one topic as arrays; raises BadInput where they are not of these runs."""
    length = max(len(one.documents) for one in lists)
    document = np.full((len(lists), length), NOTHING, dtype=np.int64)
    team = np.full((len(lists), length), NOTHING, dtype=np.int8)
    clicked = np.zeros((len(lists), length), dtype=np.bool_)
    for row, one in enumerate(lists):
        size = len(one.documents)
        document[row, :size] = pair.find(list(one.documents))
        clicked[row, :size] = one.clicked
        if one.teams:
            team[row, :size] = [TEAMS.index(name) if name else NOTHING for name in one.teams]
        strange = document[row, :size] == NOTHING
        for which in (0, 1):
            is_from = team[row, :size] == which
            strange |= is_from & (pair.rank[which][document[row, :size]] == 0)
        if strange.any():
            _refuse(one, int(strange.argmax()), file)
    return Mixed(document, team), clicked


def _refuse(one: LoggedList, place: int, file: str) -> None:
    team = one.teams[place] if one.teams else ""
    whose = f"the {team} run does not return" if team else "neither run returns"
    raise BadInput(
        f"topic {one.topic_id} was shown document '{one.documents[place]}', which {whose}; "
        "give the runs that were interleaved, in their order",
        file=file,
        line=one.line,
        field="document_id",
    )


def _count_left_out(number: int, what: str) -> tuple[str, ...]:
    return (f"{what}, left out: {number:,}",) if number else ()
