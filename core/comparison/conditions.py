"""The same systems compared under several conditions: qrels versions, topic sets, measures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from core.comparison.difference_tests import compare_systems
from core.comparison.orders import compare_orders
from core.comparison.power import discriminative_power, wins
from core.comparison.score_matrix import ScoreMatrix, score_matrix
from core.comparison.scores import rank_systems
from core.comparison.significance_overlap import significance_overlap
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.measures.evaluate import mean_scores

BY = "condition"

PAIR_COLUMNS = ["first", "second", "difference", "p", "effect_size", "reason"]


@dataclass(frozen=True, eq=False)
class Condition:
    """Systems under one condition, and which of their differences are more than chance.

    Parameters
    ----------
    name : str
        What the condition is called.
    scores : DataFrame
        ``system, topic_id, value, judged`` of one measure.
    matrix : ScoreMatrix, optional
        The same by topic and system; None where there is too little to test.
    pairs : DataFrame
        As ``compare_systems`` returns it; no row where there is too little.
    reason : str
        What there is too little of.
    """

    name: str
    scores: pd.DataFrame
    matrix: ScoreMatrix | None
    pairs: pd.DataFrame
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Comparison:
    """How orders and differences change from condition to condition.

    Parameters
    ----------
    conditions : tuple of Condition
        What was compared.
    alpha : float
        The level of significance.
    ranked : DataFrame
        ``condition, system, rank, value`` as ``rank_systems`` returns it.
    orders : DataFrame
        A row for every two conditions: the columns of ``compare_orders``; ``equivalent``, True
        where τ's upper limit reaches 1, missing without a limit.
    overlap : DataFrame
        A row for every two conditions that were both tested: ``first, second, only_first, both,
        only_second, share``, as ``significance_overlap`` counts them; ``turned``, how many pairs
        are significant in opposite directions; ``text`` as ``2/29/2 (87.9%)``.
    power : DataFrame
        ``condition, topics, systems, significant, pairs, only_here, reason``: the significant
        pairs, all pairs, and those significant under no other condition; missing, with the
        reason, where nothing was tested.
    everywhere : int
        Pairs significant in the same direction under all tested conditions.
    """

    conditions: tuple[Condition, ...]
    alpha: float
    ranked: pd.DataFrame
    orders: pd.DataFrame
    overlap: pd.DataFrame
    power: pd.DataFrame
    everywhere: int


def examine_condition(
    name: str,
    scores: pd.DataFrame,
    significance: SignificanceTest,
    progress: Callable[[float], None] | None = None,
) -> Condition:
    """Test every two systems under one condition.

    Parameters
    ----------
    name : str
        What the condition is called.
    scores : DataFrame
        ``system, topic_id, value`` of one measure, as ``evaluate`` returns it.
    significance : SignificanceTest
        How to test.
    progress : callable, optional
        See ``compare_systems``.

    Returns
    -------
    Condition
        Without pairs, and with the reason, for fewer than two systems or topics.
    """
    try:
        matrix = score_matrix(scores)
    except TooLittleData as error:
        return Condition(name, scores, None, pd.DataFrame(columns=PAIR_COLUMNS), str(error))
    pairs = compare_systems(
        matrix,
        significance.test,
        correction=significance.correction,
        samples=significance.samples,
        rng=np.random.default_rng(significance.seed),
        progress=progress,
    )
    return Condition(name, scores, matrix, pairs)


def compare_conditions(conditions: Sequence[Condition], alpha: float = 0.05) -> Comparison:
    """Lay conditions side by side: orders, τ, discriminative power, overlap of significance.

    Parameters
    ----------
    conditions : sequence of Condition
        At least one, each with scores of the same systems; names differ.
    alpha : float, default 0.05
        The level of significance.

    Returns
    -------
    Comparison

    Raises
    ------
    BadInput
        There is no condition, two have the same name, or one has no scores or other systems.

    References
    ----------
    Sakai (2017), EVIA 2017, section 4.
    """
    _check(conditions)
    means = [mean_scores(one.scores.assign(measure=one.name)) for one in conditions]
    ranked = rank_systems(pd.concat(means).rename(columns={"measure": BY}), BY)
    tested = [one for one in conditions if one.matrix is not None]
    won = {one.name: frozenset(wins(one.pairs, alpha)) for one in tested}
    return Comparison(
        tuple(conditions),
        alpha,
        ranked,
        _compare_orders(ranked),
        _compare_significance(tested, won, alpha),
        _count_power(conditions, won, alpha),
        len(frozenset.intersection(*won.values())) if won else 0,
    )


def _check(conditions: Sequence[Condition]) -> None:
    if not conditions:
        raise BadInput("there is nothing to compare; choose at least one condition")
    names = [one.name for one in conditions]
    if len(set(names)) < len(names):
        raise BadInput("two conditions have the same name; name each one differently")
    systems = [set(one.scores["system"]) for one in conditions]
    for name, own in zip(names, systems, strict=True):
        if not own:
            raise BadInput(f"{name}: there are no scores to compare")
        if own != systems[0]:
            raise BadInput(f"'{names[0]}' and '{name}' do not score the same systems")


Wins = frozenset[tuple[str, str]]


def _compare_orders(ranked: pd.DataFrame) -> pd.DataFrame:
    orders = compare_orders(ranked, BY)
    high = orders["high"]
    # A limit of exactly 1 may come out a rounding error below.
    orders["equivalent"] = (high >= 1 - 1e-12).astype("boolean").mask(high.isna())
    return orders


def _compare_significance(
    tested: Sequence[Condition], won: dict[str, Wins], alpha: float
) -> pd.DataFrame:
    rows = []
    for first, second in combinations(tested, 2):
        found = significance_overlap(first.pairs, second.pairs, alpha)
        turned = {(worse, better) for better, worse in won[second.name]} & won[first.name]
        counts = (found.only_first, found.both, found.only_second, found.share)
        rows.append((first.name, second.name, *counts, len(turned), str(found)))
    names = ["only_first", "both", "only_second", "share", "turned", "text"]
    return pd.DataFrame(rows, columns=["first", "second", *names])


def _count_power(
    conditions: Sequence[Condition], won: dict[str, Wins], alpha: float
) -> pd.DataFrame:
    rows = []
    for one in conditions:
        counts: tuple[int | None, ...] = (None, None, None)
        if one.name in won:
            others = [wins for name, wins in won.items() if name != one.name]
            only = won[one.name].difference(*others) if others else frozenset()
            counts = (*discriminative_power(one.pairs, alpha), len(only))
        sizes = one.scores["topic_id"].nunique(), one.scores["system"].nunique()
        rows.append((one.name, *sizes, *counts, one.reason))
    names = ["topics", "systems", "significant", "pairs", "only_here", "reason"]
    frame = pd.DataFrame(rows, columns=[BY, *names])
    return frame.astype(dict.fromkeys(["significant", "pairs", "only_here"], "Int64"))
