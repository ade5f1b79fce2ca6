"""How much to judge, before it is judged: the reports of topics, items judged twice, and cost."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from core.agreement.base import name_coefficient
from core.agreement.intervals import Floats
from core.comparison.score_matrix import ScoreMatrix, score_matrix
from core.errors import BadInput, DissentError
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.numerals import write_number
from core.orders.candidates import build_candidates
from core.planning.choices import METHODS, USUAL_DEPTH
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
from core.reports.report import Column, Estimated, Report
from core.reports.scores import judge_runs
from core.versions.judgements import Judgements
from core.wording import count, mark_fact, tell_hours

DEPTHS = (1, 5, 10, 20, 50, 100)
"""Depths of pools that plans are made for."""

ONE_SYSTEM = "the pilot has scores of one system only"

_POINTS = 40
_LEAST_CURVE, _MOST_CURVE = 30, 2_000


def _write_size(size: float) -> str:
    return "more than 100,000" if np.isinf(size) else write_number(size, 0)


_DESIGN = {"title": Column("design", names="nobody")}
_DEPTH = {"depth": Column("depth")}
_TELLS = {
    "power": Column("power"),
    "width": Column("width"),
    "effect": Column("tells", "the least difference"),
}


@dataclass(frozen=True, eq=False)
class TopicPlan(Report):
    """How many topics do what is wanted, by every design; and what other numbers do.

    ``dissent.plan`` makes it.

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
    method : str
        The design that the answer is of.
    measure : str
        What systems are scored by; '' where it is not known.
    present : int
        The number of topics of which is told what they reach; 0 for none.
    """

    wanted: Requirement
    variance: ScoreVariance
    designs: pd.DataFrame
    curve: pd.DataFrame
    method: str = METHODS[0]
    measure: str = ""
    present: int = 0

    name: ClassVar[str] = "plan of topics"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "designs": Estimated(
            "Topics",
            "number of topics that do what is wanted, as far as the variance is known",
            {**_DESIGN, "systems": Column("systems"),
             "effect": Column("difference"), "width": Column("width"),
             "variance": Column("variance", digits=4), "topics": Column("topics", digits=0)},
            estimate="topics",
        ),
        "reached": Estimated(
            "What the topics that there are tell",
            "",
            {**_DESIGN, "topics": Column("topics"), **_TELLS},
        ),
        "curve": Estimated("By the number of topics", ""),
        "variances": Estimated(
            "Variances of scores",
            "variance over topics",
            {"of": Column("of"), "value": Column("variance", digits=4)},
        ),
    }  # fmt: skip

    @property
    def reached(self) -> pd.DataFrame:
        """What ``present`` topics tell: the columns of ``curve``, with the design's ``title``.

        No rows below two topics, which tell no difference.
        """
        titles = self.designs.set_index("method")["title"]
        rows = self.at(self.present) if self.present > 1 else self.at(2)[:0]
        return rows.assign(title=rows["method"].map(titles))

    @property
    def variances(self) -> pd.DataFrame:
        """``of`` (residual, within, differences), ``value, low, high, interval, unit, units``."""
        rows = [
            {
                "of": name,
                **{part: getattr(one, part) for part in ("value", "low", "high")},
                "interval": METHOD,
                "unit": UNIT,
                "units": one.topics,
                "reason": one.reason,
            }
            for name in ("residual", "within", "differences")
            for one in (getattr(self.variance, name),)
        ]
        return pd.DataFrame(rows)

    @cached_property
    def answer(self) -> str:
        """How many topics are needed, and what those that there are tell."""
        row = self.designs.set_index("method").to_dict("index")[self.method]
        wanted = _tell_wanted(row, f" in {self.measure}" if self.measure else "")
        if np.isnan(row["topics"]):
            return f"{wanted}: {row['reason']}."
        limits = ""
        if not np.isnan(row["low"]):
            low, high = (_write_size(row[end]) for end in ("low", "high"))
            limits = f" ({low} to {high}, as far as the variance is known)"
        needed = f"you need {mark_fact(count(int(row['topics']), 'topic'))}"
        return f"{wanted} {needed}{limits}{self._tell_present()}."

    def _tell_present(self) -> str:
        rows = self.reached
        effect = rows.loc[rows["method"] == self.method, "effect"]
        if effect.empty or np.isnan(effect.iloc[0]):
            return ""
        scored = "with scores so far" if self.present == self.variance.residual.topics else "topics"
        difference = mark_fact(write_number(float(effect.iloc[0])))
        return f"; the {self.present:,} {scored} tell differences of {difference}"

    def at(self, topics: int) -> pd.DataFrame:
        """Return the rows of `tabulate_reach` for one number of topics."""
        return pd.concat(
            [
                tabulate_reach(parse_design(method), self.variance, self.wanted, [topics])
                for method in self.designs["method"]
            ],
            ignore_index=True,
        )


def _tell_wanted(row: Mapping[Hashable, Any], measure: str) -> str:
    if np.isnan(row["power"]):
        return (
            f"For a confidence interval of the difference of two systems{measure} that is "
            f"{write_number(float(row['width']))} wide on average"
        )
    several = f", by {row['title']} among {row['systems']} systems,"
    return (
        f"To tell apart systems that differ by {write_number(float(row['effect']))}{measure} with "
        f"power {row['power']:g}{several if int(row['systems']) > 2 else ''}"
    )


def plan_topics(
    variance: ScoreVariance,
    wanted: Requirement,
    methods: Sequence[str] = METHODS,
    present: int | None = None,
    *,
    method: str = "",
    measure: str = "",
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
    present : int, optional
        How many topics there are; those of the pilot without it.
    method : str, optional
        Which of the designs the answer is of; the first without it.
    measure : str, optional
        What systems are scored by.

    Raises
    ------
    BadInput
        A design is unknown.
    """
    designs = [parse_design(one) for one in methods]
    present = variance.residual.topics if present is None else present
    rows = pd.DataFrame([_plan(design, variance, wanted) for design in designs])
    known = rows.loc[np.isfinite(rows["topics"]), "topics"]
    numbers = _choose_numbers([*known.astype("int64"), max(present, 2)])
    curves = [tabulate_reach(design, variance, wanted, numbers) for design in designs]
    curve = pd.concat(curves, ignore_index=True)
    return TopicPlan(wanted, variance, rows, curve, method or str(designs[0]), measure, present)


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
        ``system, topic_id, value`` as `evaluate` returns it; with ``measure``, limits are those of
        scores that end where its do.

    Raises
    ------
    BadInput, TooLittleData
        As `score_matrix` does: fewer than two systems or topics, or a score lacks.
    """
    matrix = score_matrix(scores)
    return estimate_variance(matrix, _find_highest(scores)), matrix


def _find_highest(scores: pd.DataFrame) -> float:
    """Return the highest score of the measure, where the scores name one that is known."""
    named = [*scores["measure"].unique()] if "measure" in scores else []
    try:
        return parse_measure(str(named[0])).upper_bound if len(named) == 1 else np.inf
    except BadInput:
        return np.inf


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
        scores = judge_runs(runs, judgements, weights=weights).score([measure])
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
class CostPlan(Report):
    """What judging costs by the depth of pools, and what the same effort buys.

    Parameters
    ----------
    cost : DataFrame
        As `count_cost` returns it, for a number of topics.
    same : DataFrame
        As `compare_depths` returns it, for hours; empty without variances.
    hours : float
        That are compared at.
    depth : int
        The depth that the answer is of.
    least : int, optional
        The depth from which pools hold all that the measure looks at; without it, depths are not
        compared in the answer.
    """

    cost: pd.DataFrame
    same: pd.DataFrame
    hours: float
    depth: int
    least: int | None = None

    name: ClassVar[str] = "plan of cost"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "cost": Estimated(
            "Cost",
            "",
            {**_DEPTH, "topics": Column("topics"), "pool": Column("documents a topic", digits=0),
             "judgements": Column("judgements", digits=0), "hours": Column("hours", digits=1),
             "money": Column("money", digits=0)},
        ),
        "same": Estimated(
            "What the same hours buy",
            "",
            {**_DEPTH, "topics": Column("topics"), "variance": Column("variance", digits=4),
             "power": Column("power"), "effect": Column("tells")},
        ),
    }  # fmt: skip

    @cached_property
    def answer(self) -> str:
        """What judging costs at a depth, and where the same hours tell most."""
        row = self.cost.set_index("depth").to_dict("index")[self.depth]
        numbers = [count(round(row["judgements"]), "judgement"), tell_hours(float(row["hours"]))]
        if row["money"] > 0:
            numbers.append(f"{row['money']:,.0f} in money")
        judged, *spent = map(mark_fact, numbers)
        verb = "is" if row["topics"] == 1 else "are"
        sentence = (
            f"{count(int(row['topics']), 'topic')} with pools of depth {self.depth}, about "
            f"{count(round(row['pool']), 'document')} each, {verb} {judged}: {', '.join(spent)}"
        )
        rows = [] if self.least is None else self.same.to_dict("records")
        from_depth = self.least or 1
        known = [one for one in rows if one["depth"] >= from_depth and not np.isnan(one["power"])]
        if not known:
            return f"{sentence}."
        best = max(known, key=lambda one: one["power"])
        among = f" (of those of {from_depth} or more)" if from_depth > 1 else ""
        return (
            f"{sentence}. By the variances so far, the same hours tell most with pools of depth "
            f"{best['depth']}{among}: {count(int(best['topics']), 'topic')}, power "
            f"{write_number(best['power'], 2)}."
        )


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
    least: int | None = None,
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
        One of the depths; that nearest to 10, when absent.
    method : str
        The text of a test.
    least : int, optional
        As in `CostPlan`.

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
    nearest = min(depths, key=lambda one: abs(one - USUAL_DEPTH))
    usual = nearest if depth is None else depth
    if usual not in depths:
        raise BadInput(f"{usual} is not among the depths {', '.join(map(str, depths))}")
    spent = float(cost.loc[cost["depth"] == usual, "hours"].iloc[0]) if hours is None else hours
    same = pd.DataFrame()
    if variances is not None:
        same = compare_depths(spent, depths, pools, variances, rates, design, wanted)
    return CostPlan(cost, same, spent, usual, least)


_USUAL_ITEMS = 20
"""Of each topic, in the sentence; the table has other numbers, too."""


@dataclass(frozen=True, eq=False)
class AgreementPlan(Report):
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

    name: ClassVar[str] = "plan of agreement"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "items": Estimated(
            "Items judged twice",
            "",
            {"per_topic": Column("items of a topic"),
             "design_effect": Column("design effect", digits=2),
             "topics": Column("topics", digits=0), "items": Column("items", digits=0),
             "width": Column("width")},
        ),
        "curve": Estimated("By the number of topics", ""),
    }  # fmt: skip

    @property
    def figure_name(self) -> str:
        """What the interval is of, in words."""
        return name_coefficient(self.figure) if self.figure.startswith("kappa") else self.figure

    @cached_property
    def answer(self) -> str:
        """How many items judged twice make the interval narrow enough."""
        spread, known = self.spread, self.items[self.items["topics"].notna()]
        wanted = (
            f"For a 95 % interval of {self.figure_name} (about {write_number(spread.value)}) that "
            f"is {write_number(self.width)} wide on average"
        )
        if known.empty:
            return f"{wanted}: {self.items['reason'].iloc[0]}."
        rows = known.to_dict("records")
        usual = min(rows, key=lambda row: abs(row["per_topic"] - _USUAL_ITEMS))
        sentence = (
            f"{wanted}, judge {mark_fact(count(int(usual['items']), 'item'))} twice: "
            f"{usual['per_topic']:,} of each of {count(int(usual['topics']), 'topic')}"
        )
        if np.isnan(self.now):
            return f"{sentence}."
        return (
            f"{sentence}. The {count(spread.items, 'item')} in {count(spread.topics, 'topic')} "
            f"judged twice so far would give {mark_fact(write_number(self.now))}."
        )


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
