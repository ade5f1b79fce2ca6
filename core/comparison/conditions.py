"""The same systems compared under several conditions: qrels versions, topic sets, measures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import pandas as pd

from core.comparison.choices import DEFAULT, HOLLANDER_WOLFE, MODERATED, SYSTEMS, TESTS, UNITS
from core.comparison.difference_tests import compare_systems
from core.comparison.orders import compare_orders, rank_systems
from core.comparison.paired import are_skewed
from core.comparison.power import discriminative_power, wins
from core.comparison.rank_correlation import hollander_wolfe_interval, tau_interval
from core.comparison.score_matrix import ScoreMatrix, score_matrix
from core.comparison.significance_overlap import significance_overlap
from core.comparison.significance_test import SignificanceTest
from core.comparison.tau_limits import (
    Judges,
    SystemRanking,
    TauLimits,
    sample_tau,
    try_orders_together,
)
from core.errors import BadInput, TooLittleData
from core.measures.evaluate import mean_scores

BY = "condition"

PAIR_COLUMNS = ["first", "second", "difference", "low", "high", "p", "effect_size", "reason"]

SEED = 1
"""Where the draws for τ start; two orders have the same limits whatever else is compared."""


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
    significance : SignificanceTest
        How they were tested.
    reason : str
        What there is too little of.
    judges : mapping of topic to assessors
        Whose labels made the judgements of each topic; empty where nobody knows.
    """

    name: str
    scores: pd.DataFrame
    matrix: ScoreMatrix | None
    pairs: pd.DataFrame
    significance: SignificanceTest
    reason: str = ""
    judges: Judges = field(default_factory=dict)

    def least_p(self, conditions: int = 1) -> float:
        """Return the p that no pair can go below; NaN where nothing was tested."""
        if self.matrix is None:
            return float("nan")
        topics, systems = self.matrix.values.shape
        return self.significance.least_p(topics, systems, conditions)


@dataclass(frozen=True, eq=False)
class Comparison:
    """How orders and differences change from condition to condition.

    Parameters
    ----------
    conditions : tuple of Condition
        What was compared; p is corrected for their number where that was asked for.
    significance : SignificanceTest
        How differences were tested.
    ranked : DataFrame
        ``condition, system, rank, value`` as ``rank_systems`` returns it.
    orders : DataFrame
        A row for every two conditions: the columns of ``compare_orders``; ``low, high``, τ's 95 %
        limits, ``interval`` (how they were found), ``unit`` and ``units`` (what was sampled, and
        how many), ``limit_reason``, why they are missing; ``p`` and ``shown_below``, see
        ``try_orders_together``; ``differ``, True for p < α, missing without a test. With the unit
        'hollander-wolfe' also ``equivalent``, Sakai's rule: the upper limit reaches 1.
    overlap : DataFrame
        A row for every two conditions that were both tested: ``first, second, only_first, both,
        only_second, share``, as ``significance_overlap`` counts them; ``turned``, how many pairs
        are significant in opposite directions; ``text`` as ``2/29/2 (87.9%)``.
    power : DataFrame
        ``condition, topics, systems, significant, pairs, only_here, permutations, least_p,
        reason``: the significant pairs, all pairs, and those significant under no other condition;
        missing, with the reason, where nothing was tested or nothing could be found: ``least_p``
        is not below α. ``permutations`` were asked for, or as many as a difference needs; missing
        where the test draws nothing.
    everywhere : int
        Pairs significant in the same direction under all conditions under which something could be
        found.
    """

    conditions: tuple[Condition, ...]
    significance: SignificanceTest
    ranked: pd.DataFrame
    orders: pd.DataFrame
    overlap: pd.DataFrame
    power: pd.DataFrame
    everywhere: int

    @property
    def alpha(self) -> float:
        """The level of significance."""
        return self.significance.alpha

    @property
    def made(self) -> SignificanceTest:
        """The test as it was made: with more permutations than asked for, where these are few."""
        most = max(one.significance.samples for one in self.conditions)
        return replace(self.significance, samples=max(most, self.significance.samples))

    @property
    def correction(self) -> str:
        """What p is corrected for and what not, in one sentence; then why B was raised, if so."""
        systems = max(one.scores["system"].nunique() for one in self.conditions)
        sentence = self.significance.explain(systems, len(self.conditions))
        if self.made.samples == self.significance.samples or not self.made.kind.draws:
            return sentence
        asked = f"{self.significance.samples:,}"
        return f"{sentence} B was raised from {asked}, with which nothing could be found."


def hold_scores(
    name: str,
    scores: pd.DataFrame,
    significance: SignificanceTest | None = None,
    judges: Judges | None = None,
) -> Condition:
    """Return one condition without its tests: enough for the order of its systems.

    Parameters
    ----------
    name, scores, significance
        As for ``examine_condition``.
    judges : mapping of topic to assessors, optional
        Whose labels made the judgements.

    Returns
    -------
    Condition
        Without pairs; with the reason for fewer than two systems or topics.
    """
    nothing = pd.DataFrame(columns=PAIR_COLUMNS)
    chosen, known = significance or SignificanceTest(), judges or {}
    try:
        matrix = score_matrix(scores)
    except TooLittleData as error:
        return Condition(name, scores, None, nothing, chosen, str(error), known)
    return Condition(name, scores, matrix, nothing, chosen, "", known)


def examine_condition(
    name: str,
    scores: pd.DataFrame,
    significance: SignificanceTest,
    progress: Callable[[float], None] | None = None,
) -> Condition:
    """Test every two systems under one condition, with the samples as given.

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
    held = hold_scores(name, scores, significance)
    if held.matrix is None:
        return held
    pairs = compare_systems(
        held.matrix,
        significance.test,
        correction=significance.correction,
        samples=significance.samples,
        rng=np.random.default_rng(significance.seed),
        progress=progress,
    )
    return replace(held, pairs=pairs)


Orders = tuple[pd.DataFrame, pd.DataFrame]
"""``ranked`` and ``orders`` of a ``Comparison``."""


def order_conditions(
    conditions: Sequence[Condition],
    tau_unit: str = UNITS[0],
    alpha: float = SignificanceTest.alpha,
    *,
    greater_is_better: bool = True,
) -> Orders:
    """Return the order of the systems under each condition, and every two orders beside each other.

    Differences between systems need not be tested for this. Arguments and errors are those of
    `compare_conditions`.
    """
    _check(conditions)
    if tau_unit not in UNITS:
        raise BadInput(f"'{tau_unit}' is none of {', '.join(UNITS)}", field="tau_unit")
    means = pd.concat([mean_scores(one.scores.assign(measure=one.name)) for one in conditions])
    ranked = rank_systems(
        means.rename(columns={"measure": BY}), BY, greater_is_better=greater_is_better
    )
    by_name = {one.name: one for one in conditions}
    return ranked, _add_limits(compare_orders(ranked, BY), by_name, tau_unit, alpha)


def compare_conditions(
    conditions: Sequence[Condition],
    significance: SignificanceTest | None = None,
    tau_unit: str = UNITS[0],
    ordered: Orders | None = None,
) -> Comparison:
    """Lay conditions side by side: orders, τ, discriminative power, overlap of significance.

    Parameters
    ----------
    conditions : sequence of Condition
        At least one, each with scores of the same systems; names differ.
    significance : SignificanceTest, optional
        How they were tested, with α; the default test without.
    tau_unit : str, default 'topic'
        What τ's limits take for the sample, of ``UNITS``.
    ordered : tuple of DataFrame, optional
        What `order_conditions` returned for the same.

    Returns
    -------
    Comparison

    Raises
    ------
    BadInput
        There is no condition, two have the same name, or one has no scores or other systems; or
        there is no such unit.

    References
    ----------
    Sakai (2017), EVIA 2017, section 4.
    """
    chosen = significance or SignificanceTest()
    ranked, orders = ordered or order_conditions(conditions, tau_unit, chosen.alpha)
    if chosen.over_conditions and len(conditions) > 1:
        conditions = [_correct(one, len(conditions)) for one in conditions]
    able = {one.name for one in conditions if one.least_p(len(conditions)) < chosen.alpha}
    tested = [one for one in conditions if one.matrix is not None]
    won = {one.name: frozenset(wins(one.pairs, chosen.alpha)) for one in tested}
    found = {name: own for name, own in won.items() if name in able}
    return Comparison(
        tuple(conditions),
        chosen,
        ranked,
        orders,
        _compare_significance([one for one in tested if one.name in able], won, chosen.alpha),
        _count_power(conditions, found, chosen.alpha),
        len(frozenset.intersection(*found.values())) if found else 0,
    )


def tell_skewed(one: Condition) -> str:
    """Return a note on significant differences that lie much on one side; '' where there is none.

    The bootstrap, which does not take differences for symmetric, needs no such note.
    """
    chosen = one.significance
    if one.matrix is None or one.pairs.empty or chosen.test == BOOTSTRAP:
        return ""
    found = one.pairs[are_skewed(one.matrix.values) & (one.pairs["p"] < chosen.alpha).to_numpy()]
    if found.empty:
        return ""
    first, second = found.iloc[0][["first", "second"]]
    others = f" (and of {len(found) - 1:,} more pairs)" if len(found) > 1 else ""
    return (
        f"{one.name}: a few topics make most of the difference between {first} and {second}"
        f"{others}, where the {chosen.kind.title} errs more often than α; the test "
        f"'{BOOTSTRAP}' allows for that from some 50 topics on"
    )


FEW_TOPICS = {10: 100, 3: 50}
"""From so many systems on, limits of all differences hold too seldom on so few topics."""


@dataclass(frozen=True)
class JointCoverage:
    """In how many of 100 studies the limits of all differences held together, least and most.

    Of 5, 10 and 37 systems on 10, 21 and 50 topics: ``like_real`` of runs made like real ones,
    ``drawn_anew`` of real runs whose topics were drawn anew, with replacement.
    """

    like_real: tuple[int, int]
    drawn_anew: tuple[int, int]

    def __str__(self) -> str:
        """Return it in words."""
        (least, most), (lowest, highest) = self.like_real, self.drawn_anew
        return (
            f"{least} to {most} (where topics of real runs were drawn anew, in {lowest} to "
            f"{highest})"
        )


HELD = {DEFAULT: JointCoverage((78, 95), (29, 94)), MODERATED: JointCoverage((94, 97), (78, 97))}
"""By the test: see ``.docs/intervals.md``."""


def tell_many_pairs(one: Condition) -> str:
    """Return a note on limits of very many differences on few topics; '' where there are none.

    Exchanged signs do not tell how far the largest of many skewed differences goes. Limits that
    are for each pair by itself need no such note.
    """
    chosen = one.significance
    is_alone = chosen.kind.is_paired and chosen.correction == "none"
    if one.matrix is None or is_alone or one.pairs["low"].isna().all():
        return ""
    topics, systems = one.matrix.values.shape
    if topics > next((few for many, few in FEW_TOPICS.items() if systems >= many), 0):
        return ""
    others = f"; those of the test '{MODERATED}' in {HELD[MODERATED]}"
    own = f"those of the {TESTS[DEFAULT].title} held in {HELD[DEFAULT]}{others}"
    if chosen.test == MODERATED:
        own = f"those of this test held in {HELD[MODERATED]}"
    return (
        f"{one.name}: limits of {len(one.pairs):,} differences at once, on {topics} topics, may "
        "hold less often than in 95 of 100 studies, and no sentence rests on them: with 5 to 37 "
        f"systems like real runs on 10 to 50 topics, {own}; p are not concerned"
    )


FEW_FOR_RARE = 10
"""On so few topics a gain on one topic in ten is easily missed altogether."""

RARELY = 0.1
"""The share of topics on which a system may gain much while it loses a little on the others."""


def tell_unseen_gains(conditions: Sequence[Condition]) -> str:
    """Return a note on what few topics cannot show; '' where none is tested on so few."""
    tested = [one.matrix for one in conditions if one.matrix is not None and len(one.pairs)]
    topics = min((len(one.topics) for one in tested), default=FEW_FOR_RARE + 1)
    if topics > FEW_FOR_RARE:
        return ""
    return (
        f"a system that gains rarely and much may be unseen on {topics} topics: where it gains on "
        f"one topic in ten and loses a little on the others, {100 * (1 - RARELY) ** topics:.0f} of "
        "100 such studies show its losses alone, and no test of differences allows for that"
    )


BOOTSTRAP = "bootstrap"
"""The test that takes differences as they are, skewed or not."""


def _correct(one: Condition, conditions: int) -> Condition:
    """Return a condition whose p is corrected for how many conditions there are, without limits.

    Those of the test hold under one condition.
    """
    p = (one.pairs["p"] * conditions).clip(upper=1)
    reason = one.pairs["reason"].mask(one.pairs["low"].notna(), _OVER_CONDITIONS)
    return replace(one, pairs=one.pairs.assign(p=p, low=np.nan, high=np.nan, reason=reason))


_OVER_CONDITIONS = "p is corrected for the conditions, and limits would hold under one only"


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


def _add_limits(
    orders: pd.DataFrame, conditions: Mapping[str, Condition], unit: str, alpha: float
) -> pd.DataFrame:
    """Return orders as ``Comparison`` has them: with τ's limits, and whether they differ."""
    pairs = [
        (conditions[first], conditions[second])
        for first, second in zip(orders["first"], orders["second"], strict=True)
    ]
    limits = [_find_limits(pair, tau, unit) for pair, tau in zip(pairs, orders["tau"], strict=True)]
    held = [None if isinstance(one, str) else one for one in map(_orders, pairs)]
    tests = try_orders_together(held, SEED, alpha)
    method = HOLLANDER_WOLFE if unit == HOLLANDER_WOLFE else _METHODS.get(unit, "bootstrap")
    p = pd.Series([one.p for one in tests], dtype="float64", index=orders.index)
    found = orders.assign(
        low=[one.low for one in limits],
        high=[one.high for one in limits],
        interval=method,
        unit=SYSTEMS if unit == HOLLANDER_WOLFE else unit,
        units=[one.units for one in limits],
        limit_reason=pd.array([one.reason for one in limits], dtype="str"),
        p=p,
        shown_below=pd.Series(
            [one.shown_below for one in tests], dtype="float64", index=orders.index
        ),
        differ=(p < alpha).astype("boolean").mask(p.isna()),
    )
    if unit == HOLLANDER_WOLFE:
        # A limit of exactly 1 may come out a rounding error below.
        reaches = (found["high"] >= 1 - 1e-12).astype("boolean").mask(found["high"].isna())
        found = found.assign(equivalent=reaches)
    return found


_METHODS = {SYSTEMS: "inversion"}

Pair = tuple[Condition, Condition]


def _find_limits(pair: Pair, tau: float, unit: str) -> TauLimits:
    if unit in (SYSTEMS, HOLLANDER_WOLFE):
        first, second = (one.scores.groupby("system")["value"].mean() for one in pair)
        systems = len(first)
        low, high = (
            tau_interval(tau, systems)
            if unit == SYSTEMS
            else hollander_wolfe_interval(first, second.reindex(first.index))
        )
        # τ itself ends there, whatever its variance says.
        low, high = max(low, -1.0), min(high, 1.0)
        return TauLimits(low, high, systems, "" if low == low else "τ is undefined")
    orders = _orders(pair)
    if isinstance(orders, str):
        return TauLimits(np.nan, np.nan, 0, orders)
    return sample_tau(*orders, unit, np.random.default_rng(SEED))


def _orders(pair: Pair) -> tuple[SystemRanking, SystemRanking] | str:
    """Return the scores behind two orders, or why there are too few."""
    first, second = pair
    if first.matrix is None or second.matrix is None:
        return first.reason or second.reason
    return SystemRanking(first.matrix, first.judges), SystemRanking(second.matrix, second.judges)


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
        least, reason = one.least_p(len(conditions)), one.reason
        counts: tuple[int | None, ...] = (None, None, None)
        if one.name in won:
            others = [wins for name, wins in won.items() if name != one.name]
            only = won[one.name].difference(*others) if others else frozenset()
            counts = (*discriminative_power(one.pairs, alpha), len(only))
        elif one.matrix is not None:
            reason = (
                f"{len(one.matrix.topics)} topics allow no p below {least:.3g}: this test cannot "
                "find anything"
            )
        sizes = one.scores["topic_id"].nunique(), one.scores["system"].nunique()
        drawn = one.matrix is not None and one.significance.kind.draws
        made = one.significance.samples if drawn else None
        rows.append((one.name, *sizes, *counts, made, least, reason))
    names = ["topics", "systems", "significant", "pairs", "only_here"]
    frame = pd.DataFrame(rows, columns=[BY, *names, "permutations", "least_p", "reason"])
    counted = ["significant", "pairs", "only_here", "permutations"]
    return frame.astype(dict.fromkeys(counted, "Int64"))
