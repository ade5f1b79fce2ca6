"""How well one assessor's labels score against another's: the best score that a system can reach.

Everything is read off the confusion matrices, for a ranking by levels is one of tied groups.

References
----------
Demeester et al. (2014), WSDM, section 6.1, doi:10.1145/2556195.2556268.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.intervals import LOG_ODDS, Floats, divide, mean_interval
from core.agreement.ratings import Ratings
from core.disagreement.repeated_labels import mark_top
from core.disagreement.user_disagreement import relevance_weights, sum_by_topic
from core.errors import BadInput, TooLittleData
from core.measures.cumulated_gain import DISCOUNTS, NDCG
from core.measures.gain import gain_levels
from core.measures.graded import GAP
from core.measures.precision import AP
from core.measures.ranked import Integers

FEWEST_ITEMS = 10
_NOTHING = "neither assessor gives any item a level with a gain"
_ONE_TOPIC = "fewer than two topics have a score; an interval over topics needs two"
_UNKNOWN = f"{_NOTHING}, or its weight is unknown, since no other topic has the level"


@dataclass(frozen=True)
class RobustnessMeasure:
    """A measure, and the number of users of whom one is to find a result top, where it matters.

    Parameters
    ----------
    measure : Measure
        AP, GAP or nDCG without a cut-off.
    users : int, optional
        N of the weights 1/N that ``gain='udm'`` stands for; needed with that gain only.
    """

    measure: AP | GAP | NDCG
    users: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.measure, AP | GAP | NDCG) or self.measure.cutoff is not None:
            raise BadInput(
                f"'{self.measure}' is not AP, GAP or nDCG over all ranks; choose one of them"
            )
        if self._is_weighted != (self.users is not None):
            raise BadInput(
                f"'{self.measure}': a number of users goes with gain='udm', and only with it",
                field="users",
            )

    @property
    def _is_weighted(self) -> bool:
        return not isinstance(self.measure, AP) and self.measure.gain == "udm"


def table_2(top: int) -> list[RobustnessMeasure]:
    """Return the measures of the paper's Table 2 and those that complete it."""
    plain = [RobustnessMeasure(AP(rel=top))]
    plain += [
        RobustnessMeasure(NDCG(gain="exp", discount=discount)) for discount in ("zipf", "log")
    ]
    weighted: list[GAP | NDCG] = [
        GAP(gain="udm"),
        NDCG(gain="udm", discount="zipf"),
        NDCG(gain="udm"),
    ]
    return plain + [
        RobustnessMeasure(measure, users) for measure in weighted for users in (2, 3, 4)
    ]


def evaluate_mutually(
    ratings: Ratings,
    top: int,
    measures: Sequence[RobustnessMeasure] | None = None,
    *,
    weighting: str = "item",
    keep_lowest: bool = False,
    fewest_items: int = FEWEST_ITEMS,
) -> pd.DataFrame:
    """Score the ranking of one assessor's labels by another's, topic by topic.

    One assessor's labels are the reference; the other's rank the items both judged by falling
    level, ties in random order, of which the expected score is taken. Both directions are
    averaged, then the pairs of assessors of a topic. Weights come from p(top | level) in all other
    topics.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor; levels below 0 do not fit.
    top : int
        The top level; higher levels count as top, too.
    measures : sequence of RobustnessMeasure, optional
        What to compute; ``table_2(top)`` without.
    weighting, keep_lowest
        Of the estimates and weights, see ``estimate_top_probability``, ``relevance_weights``.
    fewest_items : int
        Pairs with fewer common items in a topic are left out there.

    Returns
    -------
    DataFrame
        ``measure, users`` (NaN without weights), ``topic_id, pairs`` (of assessors), ``value`` in
        [0, 1] and ``reason``, why it is NaN.

    Raises
    ------
    BadInput
        The top level is not on the scale, or a level is below 0.
    TooLittleData
        No two assessors have enough items of a topic in common.
    """
    is_top = mark_top(ratings.levels, top)
    if ratings.levels[0] < 0:
        raise BadInput("levels below 0 cannot be gains; let them count as 0", field="level")
    blocks = confusion_matrices(ratings)
    blocks = blocks.select(blocks.counts.sum(axis=(1, 2)) >= fewest_items)
    if not blocks.topic.size:
        raise TooLittleData(f"no two assessors judged the same {fewest_items} items of a topic")
    chances = _leave_one_out(sum_by_topic(ratings, is_top, weighting))
    parts = []
    for measure in table_2(top) if measures is None else measures:
        gains = _gains_by_topic(measure, blocks, chances, top, keep_lowest)[blocks.topic]
        both = [
            _score(measure.measure, counts, gains)
            for counts in (blocks.counts, blocks.counts.swapaxes(1, 2))
        ]
        parts.append(_average_pairs(measure, blocks, np.stack(both)))
    return pd.concat(parts, ignore_index=True)


def summarise_robustness(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each measure's mean and standard deviation over topics (Table 2).

    Parameters
    ----------
    scores : DataFrame
        From ``evaluate_mutually``.

    Returns
    -------
    DataFrame
        ``measure, users, mean, sd, topics`` in the order of ``scores``, and 95 % limits ``low,
        high`` of the mean with ``interval, unit, units``: topics are what is sampled, by
        `mean_interval`, with the weights taken as known. Undefined topics are left out; sd is NaN
        for fewer than two. ``reason`` says why limits are NaN.
    """
    groups = scores.groupby(["measure", "users"], sort=False, as_index=False, dropna=False)
    table = groups.agg(mean=("value", "mean"), sd=("value", "std"), topics=("value", "count"))
    number = table["topics"].to_numpy(np.float64)
    error = divide(table["sd"].to_numpy(np.float64), np.sqrt(number))
    low, high = mean_interval(table["mean"].to_numpy(np.float64), error, number)
    return table.assign(
        low=low,
        high=high,
        interval=LOG_ODDS,
        unit="topic",
        units=table["topics"],
        reason=np.where(np.isnan(low), _ONE_TOPIC, ""),
    )


def _leave_one_out(sums: Floats) -> Floats:
    """Return p(top | level) from all topics but one, shape (n_topics, n_levels)."""
    top_cases, cases = np.maximum(sums.sum(axis=1, keepdims=True) - sums, 0)
    # What is left of a level that only this topic has is a rounding error.
    cases[cases < 1e-9] = 0
    return np.minimum(divide(top_cases, cases), 1)


def _gains_by_topic(
    measure: RobustnessMeasure,
    blocks: ConfusionMatrices,
    chances: Floats,
    top: int,
    keep_lowest: bool,
) -> Floats:
    """Return the gain of each level in each topic, shape (n_topics, n_levels)."""
    levels, scored = np.asarray(blocks.levels), measure.measure
    if isinstance(scored, AP):
        return np.tile((levels >= scored.rel).astype(np.float64), (len(blocks.topics), 1))
    if measure.users is None:
        return np.tile(gain_levels(levels, scored.gain), (len(blocks.topics), 1))
    found = [
        relevance_weights(
            dict(zip(blocks.levels, row, strict=True)),
            top,
            users=measure.users,
            at_least=1,
            keep_lowest=keep_lowest,
        )
        for row in chances.tolist()
    ]
    return np.array([[one[level] for level in blocks.levels] for one in found])


def _score(measure: AP | GAP | NDCG, counts: Floats, gains: Floats) -> Floats:
    """Return each block's expected score, the levels of the rows ranking those of the columns."""
    # A level that the reference does not use needs no gain, known or not.
    gains = np.where(counts.any(axis=1), gains, 0)
    ranked = counts[:, ::-1]
    if isinstance(measure, NDCG):
        return expect_ndcg(ranked, gains, DISCOUNTS[measure.discount])
    return expect_gap(ranked, gains)


def _average_pairs(
    measure: RobustnessMeasure, blocks: ConfusionMatrices, both: Floats
) -> pd.DataFrame:
    """Return a row a topic: the mean over directions, then over pairs, of what is defined."""
    known = ~np.isnan(both)
    value = divide(np.where(known, both, 0).sum(axis=0), known.sum(axis=0).astype(np.float64))
    rows = pd.DataFrame({"topic": blocks.topic, "value": value})
    table = rows.groupby("topic", as_index=False).agg(
        pairs=("value", "size"), value=("value", "mean")
    )
    why = _UNKNOWN if measure.users else _NOTHING
    return pd.DataFrame(
        {
            "measure": str(measure.measure),
            "users": float(measure.users or np.nan),
            "topic_id": table["topic"].map(dict(enumerate(blocks.topics))).astype("str"),
            "pairs": table["pairs"],
            "value": table["value"],
            "reason": np.where(table["value"].isna(), why, ""),
        }
    )


def expect_gap(counts: Floats, gains: Floats) -> Floats:
    """Return the expected graded average precision, which is AP where gains are 0 and 1.

    Parameters
    ----------
    counts : array, shape (n_blocks, n_groups, n_levels)
        Documents by tied group, first ranked first, and by level in the reference.
    gains : array, shape (n_blocks, n_levels)
        The gain of a level of the reference, at least 0.

    Returns
    -------
    array, shape (n_blocks,)
        In [0, 1]; NaN where nothing has a gain, or something an unknown one.
    """
    total, below = np.zeros(len(counts)), np.zeros(len(counts))
    for threshold in np.sort(gains, axis=1).T:
        relevant = (counts * (gains >= threshold[:, None])[:, None, :]).sum(axis=2)
        total += (threshold - below) * _precision_sum(relevant, counts.sum(axis=2))
        below = threshold
    return divide(total, np.einsum("brc,bc->b", counts, gains))


def expect_ndcg(counts: Floats, gains: Floats, discount: Callable[[Integers], Floats]) -> Floats:
    """Return the expected nDCG over all ranks, shape (n_blocks,).

    Parameters
    ----------
    counts, gains
        See ``expect_gap``.
    discount : callable
        From ranks, from 1, to what gains are multiplied with there.
    """
    depth = int(counts.sum(axis=(1, 2)).max(initial=0))
    summed = np.concatenate([[0.0], np.cumsum(discount(np.arange(1, depth + 1)))])
    found = np.einsum("brc,bc->br", counts, gains)
    order = np.argsort(-gains, axis=1, kind="stable")
    ideal = np.take_along_axis(counts.sum(axis=1), order, axis=1)
    best = (np.take_along_axis(gains, order, axis=1) * _span(ideal, summed)).sum(axis=1)
    shown = counts.sum(axis=2)
    return divide((_divide_or_0(found, shown) * _span(shown, summed)).sum(axis=1), best)


def _precision_sum(relevant: Floats, shown: Floats) -> Floats:
    """Return the expected sum of the precision at relevant documents, shape (n_blocks,).

    Of n tied documents after N others, r are relevant, after R others: the j-th of them is
    relevant with chance r/n, and (j − 1)(r − 1)/(n − 1) of those tied before it are expected to
    be so, too.
    """
    depth = int(shown.sum(axis=1).max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, depth + 1))])
    before = np.cumsum(shown, axis=1) - shown
    relevant_before = np.cumsum(relevant, axis=1) - relevant
    reciprocal = _span(shown, harmonic)
    pace = _divide_or_0(relevant - 1, shown - 1)
    tied_before = pace * (shown - (before + 1) * reciprocal)
    each = _divide_or_0(relevant, shown) * ((relevant_before + 1) * reciprocal + tied_before)
    total: Floats = each.sum(axis=1)
    return total


def _span(sizes: Floats, summed: Floats) -> Floats:
    """Return the sum over the ranks of each tied group, groups one after another."""
    ends = np.cumsum(sizes, axis=1).astype(np.int64)
    starts = ends - sizes.astype(np.int64)
    spans: Floats = summed[ends] - summed[starts]
    return spans


def _divide_or_0(numerator: Floats, denominator: Floats) -> Floats:
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)
