"""How much to judge, before it is judged: topics, items judged twice, hours and money."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats
from core.comparison.score_matrix import ScoreMatrix, score_matrix
from core.errors import BadInput, DissentError
from core.measures.base import Measure, Weights
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.orders.candidates import build_candidates
from core.planning.choices import METHODS
from core.planning.cost import CostRates, compare_depths, count_cost
from core.planning.designs import (
    TOO_MANY,
    Design,
    Requirement,
    count_topics,
    find_effect,
    parse_design,
)
from core.planning.item_spread import ItemSpread
from core.planning.judged_twice import LEAST_TOPICS, PER_TOPIC, expect_width, plan_items
from core.planning.pool_size import measure_pools
from core.planning.variance import METHOD, NOTHING, UNIT, ScoreVariance, Variance, estimate_variance
from core.versions.judgements import Judgements

DEPTHS = (1, 5, 10, 20, 50, 100)
"""Depths of pools that plans are made for."""

ONE_SYSTEM = "the pilot has scores of one system only"

_POINTS = 40
_LEAST_CURVE, _MOST_CURVE = 30, 2_000


@dataclass(frozen=True, eq=False)
class TopicPlan:
    """How many topics do what is wanted, by every design; and what other numbers do.

    Parameters
    ----------
    wanted : Requirement
        What the topics are to achieve.
    variance : ScoreVariance
        What is planned from.
    designs : DataFrame
        A row for each design: ``method, title, varies, alpha, power, effect, width, systems,
        variance, variance_low, variance_high, topics, low, high, interval, unit, units, reason``.
        ``low, high`` are the numbers of topics at the limits of the variance; infinite beyond
        100,000. A test has no width, an interval no power and no effect. ``reason`` says why
        something is NaN.
    curve : DataFrame
        ``method, topics, power, power_low, power_high, effect, effect_low, effect_high``: by the
        number of topics, the power at the effect that is wanted, or the mean width for an interval;
        and the least difference that is told with the power that is wanted. Empty without variance.
    """

    wanted: Requirement
    variance: ScoreVariance
    designs: pd.DataFrame
    curve: pd.DataFrame

    def at(self, topics: int) -> pd.DataFrame:
        """Return the rows of `tabulate_reach` for one number of topics."""
        return pd.concat(
            [
                tabulate_reach(parse_design(method), self.variance, self.wanted, [topics])
                for method in self.designs["method"]
            ],
            ignore_index=True,
        )


def plan_topics(
    variance: ScoreVariance,
    wanted: Requirement,
    methods: Sequence[str] = METHODS,
    present: int = 0,
) -> TopicPlan:
    """Return how many topics do what is wanted.

    Parameters
    ----------
    variance : ScoreVariance
        From a pilot or given.
    wanted : Requirement
        What is to be achieved.
    methods : sequence of str
        Texts of designs.
    present : int
        How many topics there are, for the curve; 0 for none.

    Raises
    ------
    BadInput
        A design is unknown.
    """
    designs = [parse_design(method) for method in methods]
    rows = pd.DataFrame([_plan(design, variance, wanted) for design in designs])
    known = rows.loc[np.isfinite(rows["topics"]), "topics"]
    numbers = _choose_numbers([*known.astype("int64"), max(present, 2)])
    curves = [tabulate_reach(design, variance, wanted, numbers) for design in designs]
    return TopicPlan(wanted, variance, rows, pd.concat(curves, ignore_index=True))


def _plan(design: Design, variance: ScoreVariance, wanted: Requirement) -> dict[str, object]:
    """Return the row of one design."""
    own = design.choose(variance)
    topics, low, high = (
        count_topics(design, one, wanted) for one in (own.value, own.low, own.high)
    )
    reason = own.reason
    if own.value <= 0:
        topics, reason = np.nan, NOTHING
    elif np.isinf(topics):
        topics, reason = np.nan, TOO_MANY
    return {
        "method": str(design),
        "title": design.title,
        "varies": design.varies,
        "alpha": wanted.alpha,
        "power": wanted.power if design.has_power else np.nan,
        "effect": wanted.effect if design.has_power else np.nan,
        "width": np.nan if design.has_power else wanted.interval_width,
        "systems": wanted.systems if design.is_of_many else 2,
        "variance": own.value,
        "variance_low": own.low,
        "variance_high": own.high,
        "topics": topics,
        "low": low,
        "high": high,
        "interval": METHOD,
        "unit": UNIT,
        "units": own.topics,
        "reason": reason,
    }


def _choose_numbers(wanted: Sequence[int]) -> list[int]:
    """Return numbers of topics to draw curves over, those that matter among them."""
    most = min(max(2 * max(wanted), _LEAST_CURVE), _MOST_CURVE)
    spaced = np.geomspace(2, most, _POINTS).round().astype(np.int64)
    return sorted({*spaced.tolist(), *(one for one in wanted if one <= most)})


def tabulate_reach(
    design: Design, variance: ScoreVariance, wanted: Requirement, numbers: Sequence[int]
) -> pd.DataFrame:
    """Tabulate what numbers of topics reach by one design.

    Parameters
    ----------
    design, variance, wanted
        As for `plan_topics`.
    numbers : sequence of int
        Numbers of topics, from 2.

    Returns
    -------
    DataFrame
        The columns of `TopicPlan.curve`: ``power_low, power_high`` are at the limits of the
        variance, the greater one first; ``width`` stands for the power of an interval.
    """
    own = design.choose(variance)
    columns = ["method", "topics", "power", "power_low", "power_high"]
    columns += ["width", "width_low", "width_high", "effect", "effect_low", "effect_high"]
    if not own.value > 0:
        return pd.DataFrame(columns=columns)
    topics = np.array(numbers, dtype=np.float64)
    table = pd.DataFrame({"topics": np.array(numbers, dtype=np.int64), "method": str(design)})
    for column, one in (("", own.value), ("_low", own.low), ("_high", own.high)):
        reached = np.full(len(topics), np.nan)
        if one > 0:
            reached = design.reach(topics, one, wanted)
        table[f"{'power' if design.has_power else 'width'}{column}"] = reached
    if design.has_power:
        # The greater the variance, the less power.
        table = table.rename(columns={"power_low": "power_high", "power_high": "power_low"})
    effect = np.array([find_effect(design, one, own.value, wanted) for one in numbers])
    for column, one in (("", own.value), ("_low", own.low), ("_high", own.high)):
        # A difference tells as much as it is large beside the standard deviation.
        table[f"effect{column}"] = effect * np.sqrt(one / own.value)
    return table.reindex(columns=columns)


def variance_of_scores(scores: pd.DataFrame) -> tuple[ScoreVariance, ScoreMatrix]:
    """Return the variances of a pilot's scores by one measure, and the scores by topic and system.

    Parameters
    ----------
    scores : DataFrame
        ``system, topic_id, value`` as `evaluate` returns it.

    Raises
    ------
    BadInput, TooLittleData
        As `score_matrix` does: fewer than two systems or topics, or a score lacks.
    """
    matrix = score_matrix(scores)
    return estimate_variance(matrix), matrix


def variance_by_depth(
    runs: pd.DataFrame,
    judgements: Judgements,
    measure: Measure,
    depths: Sequence[int] = DEPTHS,
    weights: Weights | None = None,
) -> pd.DataFrame:
    """Return the size of pools by depth, and how scores vary that rest on them.

    For each depth the judgements of what is deeper in all runs are left out, as if nobody had made
    them, and the runs are scored anew.

    Parameters
    ----------
    runs : DataFrame
    judgements : Judgements
        A pilot's.
    measure : Measure
        What systems are scored by.
    depths : sequence of int
        From 1 to 65,535.
    weights : mapping of level to weight, optional
        For UDM gains.

    Returns
    -------
    DataFrame
        ``depth, pool, residual, within, mean, topics, systems, reason``: documents of a topic on
        average; the variances of `ScoreVariance`, NaN where ``reason`` says why; the mean score of
        all runs, which falls where relevant documents are not in the pool.
    """
    candidates = build_candidates(runs, max(depths))
    pools = measure_pools(candidates, depths)
    rank = pd.DataFrame(
        {
            "topic_id": np.array(candidates.topics, dtype=object)[candidates.topic],
            "document_id": candidates.document,
            "rank": candidates.best_rank,
        }
    )
    ids = {"topic_id": "str", "document_id": "str"}
    judged = judgements.frame.astype(ids).merge(rank.astype(ids), on=list(ids))
    rows = []
    for depth, pool in zip(depths, pools, strict=True):
        kept = judged[judged["rank"] <= depth].drop(columns="rank")
        rows.append((depth, pool, *_vary(runs, judgements.on_same_scale(kept), measure, weights)))
    columns = ["depth", "pool", "residual", "within", "mean", "topics", "systems", "reason"]
    return pd.DataFrame(rows, columns=columns)


def _vary(
    runs: pd.DataFrame, judgements: Judgements, measure: Measure, weights: Weights | None
) -> tuple[float, float, float, int, int, str]:
    nothing = (np.nan, np.nan, np.nan, 0, 0)
    if judgements.frame.empty:
        return *nothing, "nothing in this pool is judged"
    try:
        scores = evaluate([measure], compile_rankings(runs, judgements), weights)
        variance, matrix = variance_of_scores(scores)
    except DissentError as error:
        return *nothing, str(error)
    topics, systems = matrix.values.shape
    values = (variance.residual.value, variance.within.value, float(matrix.values.mean()))
    return *values, topics, systems, ""


def choose_variances(design: Design, residual: Floats, within: Floats) -> Floats:
    """Return what a design takes of the residual and within variances, shape (n,)."""
    return np.array(
        [
            design.choose(ScoreVariance(Variance(one), Variance(other))).value
            for one, other in zip(residual, within, strict=True)
        ]
    )


@dataclass(frozen=True, eq=False)
class CostPlan:
    """What judging costs by the depth of pools, and what the same effort buys.

    Parameters
    ----------
    cost : DataFrame
        As `count_cost` returns it, for a number of topics.
    same : DataFrame
        As `compare_depths` returns it, for hours; empty without variances.
    hours : float
        That are compared at.
    """

    cost: pd.DataFrame
    same: pd.DataFrame
    hours: float


def plan_cost(
    topics: int,
    depths: Sequence[int],
    pools: Floats,
    rates: CostRates,
    wanted: Requirement,
    variances: Floats | None = None,
    *,
    hours: float | None = None,
    depth: int | None = None,
    method: str = METHODS[0],
) -> CostPlan:
    """Return what judging costs, and what the same hours buy with pools of other depths.

    Parameters
    ----------
    topics : int
        How many are planned.
    depths, pools
        Depths, and how many documents of a topic each makes.
    rates : CostRates
        What a judgement takes.
    wanted : Requirement
        The effect, power, α and systems.
    variances : array, shape (n_depths,), optional
        By depth, of what the design takes.
    hours : float, optional
        What there is; without it, what so many topics take with pools of ``depth``.
    depth : int, optional
        One of the depths; the middle one, when absent.
    method : str
        The text of a test.

    Raises
    ------
    BadInput
        There are no topics, the depth is not among the depths, or the design is no test.
    """
    if topics < 1:
        raise BadInput("one topic is judged, or more", field="topics")
    design = parse_design(method)
    if not design.has_power:
        raise BadInput(f"{design.title} has no power to compare costs by", field="method")
    cost = count_cost(topics, depths, pools, rates)
    usual = depths[len(depths) // 2] if depth is None else depth
    if usual not in depths:
        raise BadInput(f"{usual} is not among the depths {', '.join(map(str, depths))}")
    spent = float(cost.loc[cost["depth"] == usual, "hours"].iloc[0]) if hours is None else hours
    same = pd.DataFrame()
    if variances is not None:
        same = compare_depths(spent, depths, pools, variances, rates, design, wanted)
    return CostPlan(cost, same, spent)


@dataclass(frozen=True, eq=False)
class AgreementPlan:
    """How many items judged twice make an interval of agreement narrow.

    Parameters
    ----------
    figure : str
        What the interval is of: a coefficient, or ``p(top | level)``.
    spread : ItemSpread
        What is planned from.
    width : float
        That is wanted.
    items : DataFrame
        As `plan_items` returns it.
    now : float
        The width to be expected of as many topics and items as the pilot has; NaN without a pilot
        or with fewer than three topics.
    curve : DataFrame
        ``per_topic, topics, items, width``: expected widths by number of topics, for each number
        of items of a topic.
    """

    figure: str
    spread: ItemSpread
    width: float
    items: pd.DataFrame
    now: float
    curve: pd.DataFrame


def plan_agreement(
    figure: str, spread: ItemSpread, width: float, per_topic: Sequence[int] = PER_TOPIC
) -> AgreementPlan:
    """Return how many items judged twice make an interval as narrow as wanted.

    Parameters
    ----------
    figure : str
        What the interval is of.
    spread : ItemSpread
        From a pilot or assumed.
    width : float
        How wide the interval may be.
    per_topic : sequence of int
        Numbers of items of a topic.

    Raises
    ------
    BadInput
        A number is out of its range.
    """
    items = plan_items(spread, width, per_topic)
    now = np.nan
    if spread.topics >= LEAST_TOPICS:
        topics = np.array([float(spread.topics)])
        now = float(expect_width(spread, topics, spread.items / spread.topics)[0])
    most = items["topics"].max()
    numbers = _choose_numbers([int(most) if np.isfinite(most) else 2, max(spread.topics, 2)])
    numbers = [one for one in numbers if one >= LEAST_TOPICS]
    curves = [
        pd.DataFrame(
            {
                "per_topic": number,
                "topics": numbers,
                "items": np.array(numbers) * number,
                "width": expect_width(spread, np.array(numbers, dtype=np.float64), number),
            }
        )
        for number in per_topic
    ]
    return AgreementPlan(figure, spread, width, items, now, pd.concat(curves, ignore_index=True))
