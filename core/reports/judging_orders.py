"""What each order of judging would have cost: the report of a pool that is judged again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd

from core.comparison.choices import TOPICS
from core.comparison.score_matrix import ScoreMatrix
from core.comparison.tau_limits import SystemRanking, TauLimits, correlate, sample_tau
from core.comparison.ties import tie_close
from core.errors import BadInput, TooLittleData
from core.measures.base import Measure, Weights
from core.measures.evaluate import refuse_unreachable
from core.measures.partly_judged import PartlyJudged, score_by_topic
from core.measures.ranked import Floats, Mask
from core.measures.ranking import Rankings
from core.numerals import write_limits, write_number
from core.orders.base import Order
from core.orders.candidates import build_candidates
from core.orders.choices import DEPTH, SEEDS, SHARES, SIMULATED_BATCH
from core.orders.simulation import count_share, judged_at, simulate_order
from core.reports.report import Column, Estimated, Report
from core.stopping.expected import expected_tau
from core.versions.judgements import Judgements
from core.wording import mark_fact, name_some

GOOD = 0.9
"""A τ from which two rankings are often taken for the same (Voorhees 2000)."""


INTERVAL = "bootstrap of topics"
NOT_SHOWN = "the limits that would have been shown then were not asked for"
NO_ORDER = "all systems are tied by what is judged"
TOP = "depth-first"
"""The order that others are told beside."""

UNTESTED = "Whether an order needs less than another is not tested."
RISK = "That holds for the runs in this pool; one outside it may be at a disadvantage."
COMPLETE = "everything is judged, so the ranking is that under all judgements"

Progress = Callable[[float, str], None]
"""Is told what share is done, and of which order; may raise to stop."""


@dataclass(frozen=True)
class JudgingQuestion:
    """What is simulated.

    Parameters
    ----------
    orders : sequence of Order
        Which are compared.
    measure : Measure
        What systems are ranked by.
    depth : int, default 100
        The pool is the first so many documents of every run.
    shares : sequence of float
        Of the pool, in (0, 1], at which rankings are compared.
    seeds : int, default 10
        How often an order that draws is tried.
    batch : int, default 1
        How many documents of a topic are chosen at a time.
    rel : float, default 1
        The level from which a label says relevant, to the order.
    seed : int, default 1
        The first seed.
    shown : bool, default True
        Whether to tell, for the first seed, the limits of τ that would have been shown then; takes
        far more time, so that who does not show them leaves them out.
    """

    orders: tuple[Order, ...]
    measure: Measure
    depth: int = DEPTH
    shares: tuple[float, ...] = SHARES
    seeds: int = SEEDS
    batch: int = SIMULATED_BATCH
    rel: float = 1
    seed: int = 1
    shown: bool = True

    def __post_init__(self) -> None:
        if not self.orders:
            raise BadInput("name at least one order of judging")
        if self.measure.obstacle:
            raise BadInput(self.measure.obstacle)
        if not self.shares or not all(0 < share <= 1 for share in self.shares):
            raise BadInput("a share of the pool lies above 0 and up to 1")
        for name in ("depth", "seeds", "batch"):
            if getattr(self, name) < 1:
                raise BadInput(f"{name} is a number from 1", field=name)


def _write_share(share: float) -> str:
    return f"{100 * share:.3g}%"


_ORDER = {"order": Column("order", names="nobody"), "share": Column("share", write=_write_share)}
_SHARE = {"share": Column("share", digits=2, percent=True)}
_TAU = "Kendall's τ-b to the ranking under all judgements, at this share of the pool"


@dataclass(frozen=True, eq=False)
class JudgingSimulation(Report):
    """What was simulated, and what came out; ``dissent.simulate_judging`` makes it.

    Parameters
    ----------
    question : JudgingQuestion
        What was asked.
    orders : DataFrame
        A row for each order and share: ``order, share, judged`` (how many items),
        ``relevant_found`` (share of the relevant ones), ``tau`` (Kendall's τ-b to the ranking
        under all judgements), its limits ``low, high, interval, unit, units``, ``shown_low,
        shown_high`` (limits of τ that would have been shown then, by `expected_tau` from what was
        judged with the first seed), ``shown_reason`` (why they are NaN), ``best_same`` (how often
        the best system was the best), ``seeds`` (how often the order was tried: what does not say
        otherwise is a mean over them), ``reason`` (why τ or its limits are NaN).
    pool, relevant, unjudged : int
        How many items the pool has, how many of them are relevant, and how many nobody judged:
        these are taken for not relevant when they are chosen.
    outside : int
        Relevant documents that are in the judgements, not in the pool: no order can find them,
        and the ranking they are compared with goes without them.
    topics, systems : int
        How many topics count, and how many systems are ranked.
    """

    question: JudgingQuestion
    orders: pd.DataFrame
    pool: int
    relevant: int
    unjudged: int
    outside: int
    topics: int
    systems: int

    name: ClassVar[str] = "judging orders"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "by_share": Estimated(
            "Kendall's τ by share of the pool judged",
            "",
            {**_ORDER, "tau": Column("τ")},
            estimate="tau",
            across="share",
            spread=("tau",),
        ),
        "orders": Estimated(
            "Orders of judging",
            _TAU,
            {**_ORDER, **_SHARE, "judged": Column("judged", digits=0),
             "relevant_found": Column("of the relevant", percent=True), "tau": Column("τ"),
             "best_same": Column("best is the same", percent=True),
             "seeds": Column("seeds")},
            estimate="tau",
        ),
    }  # fmt: skip

    @property
    def by_share(self) -> pd.DataFrame:
        """``order, share, tau``: an overview without limits."""
        return self.orders[["order", "share", "tau"]]

    @cached_property
    def answer(self) -> str:
        """At which share of the pool the ranking is nearly the final one, and for whom it is."""
        return f"{describe_reach(self.orders, self.pool)} {RISK}"

    @property
    def notes(self) -> Sequence[str]:
        """What the reader should know beside the result."""
        notes = []
        if self.unjudged:
            notes.append(
                "documents of the pool without a judgement, not relevant when they are chosen: "
                f"{self.unjudged:,} of {self.pool:,}"
            )
        if self.outside:
            notes.append(
                "relevant documents outside the pool, which no order finds and no ranking here "
                f"counts: {self.outside:,}"
            )
        return notes


def describe_reach(orders: pd.DataFrame, pool: int) -> str:
    """Return in a sentence at which share of the pool the ranking is nearly the final one.

    That all of the pool gives the final ranking goes without saying: it is looked at before.

    Parameters
    ----------
    orders : DataFrame
        ``order, share, judged, tau, low, high`` as in `JudgingSimulation`.
    pool : int
        How many items the pool has.
    """
    before = orders[orders["judged"] < pool]
    tried = "at a share that was tried" + (" below 100%" if len(before) < len(orders) else "")
    if orders["tau"].isna().all():
        return f"Kendall's τ is not defined at any share that was tried: {NO_ORDER}."
    reached = {str(order): _reach(own) for order, own in orders.groupby("order", sort=False)}
    known = {order: row for order, row in reached.items() if row is not None}
    known = {order: row for order, row in known.items() if row["judged"] < pool}
    if not known:
        return f"No order reaches τ ≥ {GOOD:g} {tried}."
    least = min(row["share"] for row in known.values())
    first = [order for order, row in known.items() if row["share"] == least]
    row = known[first[0]]
    judged = " or ".join(f"{one:,}" for one in sorted({known[one]["judged"] for one in first}))
    lowest = min(known[one]["low"] for one in first)
    limits = (
        f"95 % limits over topics {write_limits(row['low'], row['high'])}"
        if len(first) == 1
        else f"lower 95 % limits over topics from {write_number(lowest)} on"
    )
    sentence = (
        f"On these judgements, {mark_fact(name_some(first))} "
        f"{'reaches' if len(first) == 1 else 'reach'} τ ≥ {GOOD:g} to the ranking under all "
        f"judgements at {mark_fact(_write_share(_find_share(row, pool)))} of the pool "
        f"({judged} of {pool:,}; {limits})"
    )
    if TOP not in first and TOP in known:
        sentence += f"; {TOP} needs {_write_share(_find_share(known[TOP], pool))}"
    elif TOP not in first and TOP in reached:
        sentence += f"; {TOP} does not reach it {tried}"
    return f"{sentence}." + (f" {UNTESTED}" if len(reached) > 1 else "")


def _reach(own: pd.DataFrame) -> pd.Series | None:
    """Return the row of the least share from which on τ is good; None where there is none."""
    rows = own.sort_values("share", ignore_index=True)
    bad = np.flatnonzero(~(rows["tau"] >= GOOD).to_numpy())
    first = int(bad[-1]) + 1 if len(bad) else 0
    return None if first == len(rows) else rows.iloc[first]


def _find_share(row: pd.Series, pool: int) -> float:
    """Return the share of the pool that was judged: less than asked for where a sample ended."""
    asked = max(round(row["share"] * pool), 1)
    return float(row["share"] if row["judged"] == asked else row["judged"] / pool)


def simulate_judging(
    runs: pd.DataFrame,
    judgements: Judgements,
    question: JudgingQuestion,
    *,
    weights: Weights | None = None,
    progress: Progress | None = None,
) -> JudgingSimulation:
    """Judge a pool again in several orders, and compare the rankings of systems on the way.

    What is not judged yet counts as it does for the measure: as not relevant for most.

    Parameters
    ----------
    runs : DataFrame
        ``system, topic_id, document_id, rank``.
    judgements : Judgements
        Of the pool.
    question : JudgingQuestion
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    progress : callable, optional
        Is told what share is done, and of which order; may raise to stop.

    Raises
    ------
    TooLittleData
        Fewer than two systems or two topics with something to find in the pool.
    BadInput
        As `compile_rankings`, or the measure counts from a level that the scale does not have.
    """
    refuse_unreachable(question.measure, judgements)
    pool = _JudgedPool(runs, judgements, question, weights)
    parts = []
    for at, order in enumerate(question.orders):
        tell = _part(progress, at, len(question.orders), str(order))
        parts.append(_try_order(pool, order, question, tell))
    return JudgingSimulation(
        question,
        pd.concat(parts, ignore_index=True),
        len(pool.candidates),
        int((pool.relevance > 0).sum()),
        int((~pool.is_judged).sum()),
        pool.outside,
        len(pool.topics),
        len(pool.partly.full.systems),
    )


class _JudgedPool:
    """A pool with all its judgements, and the scores under them."""

    def __init__(
        self,
        runs: pd.DataFrame,
        judgements: Judgements,
        question: JudgingQuestion,
        weights: Weights | None,
    ) -> None:
        ids = dict.fromkeys(["topic_id", "document_id"], "str")
        qrels = judgements.frame
        qrels = qrels[qrels["level"] >= 0].astype(ids)
        runs = runs[runs["topic_id"].astype("str").isin(qrels["topic_id"].unique())]
        self.candidates = build_candidates(runs, question.depth)
        item = self.candidates.find(qrels)
        level = qrels["level"].to_numpy(np.float64)
        self.outside = int(((item < 0) & (level >= question.rel)).sum())
        qrels, self.item = qrels[item >= 0], item[item >= 0]
        if qrels.empty:
            raise TooLittleData("no document of the pool is judged; do the runs belong to it?")
        self.relevance = np.zeros(len(self.candidates))
        np.maximum.at(self.relevance, self.item, qrels["level"].to_numpy() >= question.rel)
        self.level = np.zeros(len(self.candidates))
        np.maximum.at(self.level, self.item, qrels["level"].to_numpy(np.float64))
        self.is_judged = np.zeros(len(self.candidates), dtype=np.bool_)
        self.is_judged[self.item] = True
        self.partly = PartlyJudged(runs, judgements.on_same_scale(qrels))
        self.measure, self.weights = question.measure, weights
        self.topics = self._count_topics()
        if min(len(self.topics), len(self.partly.full.systems)) < 2:
            raise TooLittleData(
                "ranking systems needs two systems and two topics with a relevant document in the "
                f"pool at least; there are {len(self.partly.full.systems)} and {len(self.topics)}"
            )
        self.scores = self._score(self.partly.full)

    def _count_topics(self) -> tuple[str, ...]:
        full = self.partly.full
        counts = self.measure.eligible_topics(full)
        return tuple(topic for topic, one in zip(full.topics, counts, strict=True) if one)

    @property
    def all_judged(self) -> Mask:
        """What is judged in the end: nobody needs an order for that."""
        return np.ones(len(self.candidates), dtype=np.bool_)

    def score(self, judged: Mask) -> Floats:
        """Return the scores when these items are judged, shape (n_topics, n_systems)."""
        rows = judged[self.item]
        if not rows.any():
            return np.full_like(self.scores, self.measure.worst)
        return self._score(self.partly.at(rows))

    def _score(self, rankings: Rankings) -> Floats:
        return score_by_topic(self.measure, rankings, self.topics, self.weights)

    def limit_tau(self, parts: Floats, seed: int) -> TauLimits:
        """Return limits of the mean τ of several parts, shape (n_parts, n_topics, n_systems)."""
        count, systems = len(parts), self.scores.shape[1]
        names = tuple(f"{part}/{system}" for part in range(count) for system in range(systems))

        def mean_tau(first: Floats, second: Floats) -> Floats:
            found = [
                correlate(first[:, part], second[:, part])
                for part in np.arange(count * systems).reshape(count, systems)
            ]
            return np.asarray(np.mean(found, axis=0))

        full, part = (
            SystemRanking(ScoreMatrix(names, self.topics, values))
            for values in (np.tile(self.scores, count), np.concatenate([*parts], axis=1))
        )
        rng = np.random.default_rng(seed)
        return sample_tau(full, part, TOPICS, rng, coefficient=mean_tau, compared=systems)


def _try_order(
    pool: _JudgedPool, order: Order, question: JudgingQuestion, tell: Callable[[float], None]
) -> pd.DataFrame:
    """Return the rows of one order."""
    seeds = range(question.seed, question.seed + (question.seeds if order.is_drawn else 1))
    ends = order.has_probabilities
    most = count_share(
        pool.candidates, max(one for one in (0.0, *question.shares) if one < 1 or ends)
    )
    tried = []
    for at, seed in enumerate(seeds):
        tell(_JUDGING * at / len(seeds))
        tried.append(
            simulate_order(
                pool.candidates,
                pool.relevance,
                order,
                seed=seed,
                batch=question.batch,
                most=most,
                progress=_within(tell, _JUDGING * at / len(seeds), _JUDGING / len(seeds)),
            )
        )
    rows = []
    for at, share in enumerate(question.shares):
        tell(_JUDGING + (1 - _JUDGING) * at / len(question.shares))
        is_all = share == 1 and not ends
        judged = [
            pool.all_judged if is_all else judged_at(pool.candidates, one, share) for one in tried
        ]
        shown = dict(zip(_SHOWN, shown_limits(pool, judged[0], question), strict=True))
        rows.append(
            {"order": str(order), "share": share} | _describe(pool, judged, question.seed) | shown
        )
    return pd.DataFrame(rows)


_JUDGING = 0.5
"""How much of the time judging takes; the rest is scoring and limits."""

_SHOWN = ("shown_low", "shown_high", "shown_reason")


def _describe(pool: _JudgedPool, judged: Sequence[Mask], seed: int) -> dict[str, object]:
    """Return what holds when these items are judged, as a mean over the seeds."""
    parts = np.array([pool.score(one) for one in judged])
    means, full = parts.mean(axis=1), pool.scores.mean(axis=0)
    tau = correlate(np.tile(full, (len(parts), 1)), means)
    if all(one.all() for one in judged):
        limits = TauLimits(np.nan, np.nan, len(pool.topics), COMPLETE)
    else:
        limits = pool.limit_tau(parts, seed)
    return {
        "judged": int(judged[0].sum()),
        "relevant_found": float(
            np.mean([pool.relevance[one].sum() for one in judged]) / pool.relevance.sum()
        ),
        "tau": float(tau.mean()),
        "low": limits.low,
        "high": limits.high,
        "interval": INTERVAL,
        "unit": "topic",
        "units": limits.units,
        "best_same": float(np.mean([_is_best_same(full, one) for one in means])),
        "seeds": len(judged),
        "reason": limits.reason or (NO_ORDER if np.isnan(tau).any() else ""),
    }


def shown_limits(
    pool: _JudgedPool, judged: Mask, question: JudgingQuestion
) -> tuple[float, float, str]:
    """Return the limits of τ that would have been shown then, from what was judged alone.

    Parameters
    ----------
    pool : _JudgedPool
        All of it.
    judged : array of bool, shape (n_items,)
        What was judged then.
    question : JudgingQuestion
        Its measure and seed; whether the limits are asked for at all.

    Returns
    -------
    low, high : float
        NaN with the reason.
    reason : str
    """
    if not question.shown:
        return np.nan, np.nan, NOT_SHOWN
    level = np.where(judged, pool.level, np.nan)
    rng = np.random.default_rng(question.seed)
    try:
        found = expected_tau(
            pool.candidates, level, question.measure, rng=rng, weights=pool.weights
        )
    except BadInput as error:
        return np.nan, np.nan, str(error)
    return found.low, found.high, found.reason


def _is_best_same(full: Floats, part: Floats) -> bool:
    """Return whether a best system under all judgements is a best one under part of them."""
    whole, some = tie_close(full), tie_close(part)
    return bool((some == some.max())[whole == whole.max()].any())


def _part(progress: Progress | None, at: int, parts: int, name: str) -> Callable[[float], None]:
    """Return what tells progress of one order."""

    def tell(share: float) -> None:
        if progress:
            progress((at + share) / parts, name)

    return tell


def _within(tell: Callable[[float], None], start: float, width: float) -> Callable[[float], None]:
    return lambda share: tell(start + width * share)
