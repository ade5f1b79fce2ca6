"""Whether enough is judged: today's ranking beside that of the full pool, as far as can be told."""

import hashlib
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import (
    Study,
    coded_labels_of,
    runs_of,
    scales_of,
    stands_apart_from_labels,
)
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.judging.outlook import SECONDS, seconds_by_facet
from core.analysis.people.hours import hours_of
from core.analysis.results.declared import offer_declared
from core.analysis.results.qrels_choices import (
    Pairs,
    QrelsChoice,
    follows_version,
    list_choices,
    version_of,
)
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import PAGE
from core.errors import TooLittleData
from core.measures.catalogue import parse_measure
from core.orders.candidates import Candidates, Floats, build_candidates
from core.reports.sampling import new_rng
from core.stopping.bounds import ScoreBounds, bound_scores
from core.stopping.costs import Cost, Price, forecast_cost, tell_cost
from core.stopping.drawn_levels import DRAWS
from core.stopping.expected import ExpectedTau, FullPools, draw_full_pools, tell_tau
from core.stopping.moving_topics import share_uncertainty
from core.stopping.pool_scores import can_be_drawn
from core.store.rounds.rounds import list_rounds

DEEPEST = 100
"""How deep the pool is taken to be where no round says so."""

FALLBACK = "AP"
"""Where the declared measure cannot be drawn."""

MOMENTS = 8
"""At how many earlier moments, at most, one looks at what could have been told then."""

EARLIER_DRAWS = 200
_STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.125)
_EARLIER = VersionedCache(most=64)


@dataclass(frozen=True, eq=False)
class Enough:
    """What can be told of today's ranking and of that of the full pool.

    Parameters
    ----------
    expected : ExpectedTau
        τ and the probability that the best system stays best.
    judged, items : int
        Items of the pool that are judged, and all of them.
    outside : int
        Judgements of documents that no run has in the pool's depth; they are left out.
    topics : DataFrame
        topic_id, judged, items, part (of what is not known of the ranking; NaN where nothing is in
        doubt), the greatest part first.
    sure : int
        Pairs of systems whose order is the same in 95 % of the draws as today, or more.
    pairs : int
        Pairs of systems.
    """

    expected: ExpectedTau
    judged: int
    items: int
    outside: int
    topics: pd.DataFrame
    sure: int
    pairs: int

    @property
    def share(self) -> float:
        """The judged share of the pool, in [0, 1]."""
        return self.judged / max(self.items, 1)


@stands_apart_from_labels
def usual_depth(study: Study) -> int:
    """Return the depth of the deepest pool of a round, else of the runs, at most 100."""
    asked = [one.depth for one in list_rounds(study.store, study.collection_id)]
    runs = runs_of(study)
    deepest = min(int(runs["rank"].max()), DEEPEST) if len(runs) else DEEPEST
    return max(asked, default=deepest)


def usual_measure(study: Study) -> str:
    """Return the measure that the study declares, or AP where that cannot be drawn."""
    declared = declared_of(study).measure
    return declared if can_be_drawn(parse_measure(declared)) else FALLBACK


def list_versions(study: Study) -> dict[str, QrelsChoice]:
    """Return the versions on offer by key: of the declared facet, the declared one first."""
    if not scales_of(study):
        return {}
    facet = declared_of(study).facet
    return offer_declared(study, facet, list_choices(study, facet, model_of(study, facet)))


@stands_apart_from_labels
def pool_in_numbers(study: Study, depth: int) -> Candidates:
    """Return the first documents of every run, in numbers; also those that cannot be shown."""
    return build_candidates(runs_of(study), depth)


@follows_version
def enough_of(
    study: Study, choice: QrelsChoice, measure: str, depth: int, weights: Pairs
) -> Enough:
    """Return what can be told of today's ranking and that of the full pool.

    Raises
    ------
    DissentError
        The version cannot be made, the measure is none of those that are drawn, or there are
        fewer than two runs.
    """
    candidates, level, outside = _judged_pool(study, choice, depth)
    pools = draw_full_pools(
        candidates, level, parse_measure(measure), new_rng(), DRAWS, dict(weights) or None
    )
    return Enough(
        tell_tau(pools),
        pools.judged,
        pools.items,
        outside,
        _tell_topics(candidates, level, pools),
        *_count_sure(pools),
    )


@follows_version
def bounds_of(
    study: Study, choice: QrelsChoice, measure: str, depth: int, weights: Pairs
) -> ScoreBounds:
    """Return how low and how high every score can still be; errors as of `enough_of`."""
    candidates, level, _ = _judged_pool(study, choice, depth)
    return bound_scores(candidates, level, parse_measure(measure), dict(weights) or None)


@follows_version
def history_of(
    study: Study, choice: QrelsChoice, measure: str, depth: int, weights: Pairs
) -> pd.DataFrame:
    """Return what could have been told at earlier moments, and what can be told today.

    Items count from when they first got a label, at the level that they have today.

    Returns
    -------
    DataFrame
        share (of the pool), judged, tau, low, high, best, best_stays; NaN where there was no
        ranking yet. Only today's row where nobody knows in which order items were judged.
    """
    candidates, level, _ = _judged_pool(study, choice, depth)
    today = enough_of(study, choice, measure, depth, weights)
    arrived = _find_arrivals(study, choice, candidates, level)
    rows = []
    for judged in _choose_moments(len(arrived), len(level)):
        then = np.full(len(level), np.nan)
        then[arrived[:judged]] = level[arrived[:judged]]
        key = (study.store, study.collection_id, choice, measure, depth, weights, judged)
        state = hashlib.sha256(then.tobytes()).digest(), len(candidates.systems)
        look = partial(_look_back, candidates, then, measure, weights)
        rows.append(_tell_moment(judged, len(level), _EARLIER.get(key, state, look)))
    rows.append(_tell_moment(today.judged, today.items, today.expected))
    return pd.DataFrame(rows)


def _choose_moments(judged: int, items: int) -> list[int]:
    """Return at how many judged items one looks back: at round shares of the pool.

    So they stay the same while labels come in, and need not be looked at again.
    """
    for step in _STEPS:
        every = max(1, round(step * items))
        moments = list(range(every, judged, every))
        if len(moments) <= MOMENTS:
            break
    return moments


def _look_back(candidates: Candidates, then: Floats, measure: str, weights: Pairs) -> ExpectedTau:
    parsed, given = parse_measure(measure), dict(weights) or None
    return tell_tau(draw_full_pools(candidates, then, parsed, new_rng(), EARLIER_DRAWS, given))


def costs_of(study: Study, choice: QrelsChoice, enough: Enough, price: Price) -> dict[str, Cost]:
    """Return labels, hours and money so far, and what is left to the full pool.

    Hours so far are the active time on record; what is left is reckoned at the median time of a
    label of this facet, or `SECONDS` without one, and at as many labels an item as so far.
    """
    facet = choice.rule.facet if choice.rule else PAGE
    labels = counted_labels(coded_labels_of(study), facet)
    given = labels[labels["source"] == "judged"]
    hours = float(hours_of(study)["hours"].sum())
    items = len(labels.groupby(["topic_id", "document_id"], observed=True).size())
    per_item = len(labels) / items if items else 1.0
    seconds = seconds_by_facet(study).get(facet, SECONDS)
    return {
        "so far": tell_cost(len(given), hours, price),
        "to the full pool": forecast_cost(enough.items - enough.judged, per_item, seconds, price),
    }


def _judged_pool(study: Study, choice: QrelsChoice, depth: int) -> tuple[Candidates, Floats, int]:
    """Return a pool, the level of each of its items, and how many judgements lie outside."""
    candidates = pool_in_numbers(study, depth)
    if not len(candidates):
        raise TooLittleData("there are no runs yet; import runs or results")
    frame = version_of(study, choice).frame
    judged = frame[frame["level"] >= 0].astype({"topic_id": "str", "document_id": "str"})
    highest = judged.groupby(["topic_id", "document_id"])["level"].max().reset_index()
    place = candidates.find(highest)
    level = np.full(len(candidates), np.nan)
    level[place[place >= 0]] = highest["level"].to_numpy(np.float64)[place >= 0]
    return candidates, level, int((place < 0).sum())


def _tell_topics(candidates: Candidates, level: Floats, pools: FullPools) -> pd.DataFrame:
    judged = np.bincount(candidates.topic[~np.isnan(level)], minlength=len(candidates.topics))
    table = pd.DataFrame(
        {
            "topic_id": candidates.topics,
            "judged": judged,
            "items": np.diff(candidates.first),
            "part": share_uncertainty(pools),
        }
    )
    return table.sort_values("part", ascending=False, kind="stable", ignore_index=True)


SURE = 0.95


def _count_sure(pools: FullPools) -> tuple[int, int]:
    """Return how many pairs of systems are in the same order in nearly all draws, and of all."""
    means, today = np.nan_to_num(pools.drawn.means), np.nan_to_num(pools.today)
    first, second = np.triu_indices(len(today), 1)
    then = np.sign(means[:, first] - means[:, second])
    same = (then == np.sign(today[first] - today[second])).mean(axis=0)
    return int((same >= SURE).sum()), len(first)


def _find_arrivals(
    study: Study, choice: QrelsChoice, candidates: Candidates, level: Floats
) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return the judged items in the order in which they first got a label; none if unknown."""
    nothing = np.empty(0, dtype=np.int64)
    if choice.rule is None:
        return nothing
    given = counted_labels(coded_labels_of(study), choice.rule.facet)
    first = given[["topic_id", "document_id"]].astype("str").drop_duplicates()
    place = candidates.find(first)
    place = place[place >= 0]
    arrived: np.ndarray[tuple[int], np.dtype[np.int64]] = place[~np.isnan(level[place])]
    return arrived


def _tell_moment(judged: int, items: int, found: ExpectedTau) -> dict[str, object]:
    return {
        "share": judged / items,
        "judged": judged,
        "tau": found.tau,
        "low": found.low,
        "high": found.high,
        "best": found.best,
        "best_stays": found.best_stays,
    }


def has_pool(study: Study) -> bool:
    """Tell whether there are two runs or more."""
    return int(runs_of(study)["system"].nunique()) > 1
