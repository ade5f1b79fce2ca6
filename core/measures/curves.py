"""Curves behind the scores: precision by recall, cumulated gain by rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.errors import TooLittleData
from core.measures.base import Weights, divide
from core.measures.choices import Average
from core.measures.cumulated_gain import NDCG, GainMeasure
from core.measures.precision import interpolate_precision
from core.measures.ranked import Floats, Mask
from core.measures.ranking import Rankings

if TYPE_CHECKING:
    import pandas as pd

RECALL = tuple(j / 10 for j in range(11))


def precision_recall_curve(
    rankings: Rankings, rel: float = 1, *, per_topic: bool = False
) -> pd.DataFrame:
    """Return interpolated precision at the eleven standard recall levels.

    Parameters
    ----------
    rankings : Rankings
        The runs and judgements.
    rel : float, default 1
        The level from which a document counts as relevant.
    per_topic : bool, default False
        One curve per system and topic instead of the mean over topics.

    Returns
    -------
    DataFrame
        ``system, recall, value, topics``, with ``topic_id`` after ``system`` in place of
        ``topics`` when per topic. Topics without a relevant document are left out; one a run does
        not answer is 0 throughout.

    Raises
    ------
    TooLittleData
        No topic has a relevant document.
    """
    curve = interpolate_precision(rankings, rel)
    counted = rankings.relevant(rel) > 0
    return _lay_out(rankings, counted, {"value": curve}, "recall", RECALL, per_topic)


def precision_recall_points(rankings: Rankings, rel: float = 1) -> pd.DataFrame:
    """Return precision and recall at every relevant document retrieved.

    Returns
    -------
    DataFrame
        ``system, topic_id, rank, recall, value`` in order of rank; ``value`` is the precision.
    """
    import pandas as pd

    found = rankings.retrieved.at_least(rel)
    position, topic = found.ordinal(), rankings.topic[found.row]
    return pd.DataFrame(
        {
            "system": rankings.system_names(found.row),
            "topic_id": rankings.topic_names(found.row),
            "rank": found.rank,
            "recall": position / rankings.relevant(rel)[topic],
            "value": position / found.rank,
        }
    )


def interpolate_points(points: pd.DataFrame) -> pd.DataFrame:
    """Return points with ``interpolated``: the best precision at this recall or beyond.

    Parameters
    ----------
    points : DataFrame
        As `precision_recall_points` returns it, in order of rank for each system and topic.

    Returns
    -------
    DataFrame
        The same rows. Interpolated precision is a staircase: it has this value from the recall of
        the point before up to that of the point, and is 0 beyond the last one.
    """
    backwards = points.iloc[::-1].groupby(["system", "topic_id"], sort=False)["value"]
    return points.assign(interpolated=backwards.cummax())


def precision_recall_by_rank(
    rankings: Rankings, depth: int, rel: float = 1, *, per_topic: bool = False
) -> pd.DataFrame:
    """Return exact precision and recall at every rank.

    Parameters
    ----------
    rankings : Rankings
        The runs and judgements.
    depth : int
        The last rank of the curve.
    rel : float, default 1
        The level from which a document counts as relevant.
    per_topic : bool, default False
        One curve per system and topic instead of the mean over topics.

    Returns
    -------
    DataFrame
        ``system, rank, recall, value, topics``, with ``topic_id`` after ``system`` in place of
        ``topics`` when per topic; ``value`` is the precision at the rank, both in [0, 1].
        Averaged, each rank has the mean P@k and the mean R@k. Topics without a relevant document
        are left out.

    Raises
    ------
    TooLittleData
        No topic has a relevant document.
    """
    cells = rankings.retrieved.at_least(rel)
    found = cells.matrix(np.ones(len(cells.row)), depth).cumsum(axis=1)
    relevant = rankings.relevant(rel)
    rank = np.arange(1, depth + 1)
    columns = {
        "recall": divide(found, relevant[rankings.topic][:, None]),
        "value": found / rank,
    }
    return _lay_out(rankings, relevant > 0, columns, "rank", rank.tolist(), per_topic)


def area_under(curve: pd.DataFrame) -> pd.DataFrame:
    """Return the mean height of each curve by rank, which compares whole curves.

    Parameters
    ----------
    curve : DataFrame
        ``system, rank, value``, and ``topic_id`` where curves are per topic, each curve at the
        same ranks, as `gain_curve` returns it.

    Returns
    -------
    DataFrame
        ``system, area``, with ``topic_id`` where the curve has it, in the order of the curves: the
        area under the curve divided by the number of ranks, so in [0, 1] for a normalised gain.

    References
    ----------
    Baeza-Yates & Ribeiro-Neto, Modern Information Retrieval, 2nd ed., ch. 4.
    """
    of = [name for name in ("system", "topic_id") if name in curve]
    return curve.groupby(of, sort=False)["value"].mean().rename("area").reset_index()


def gain_curve(
    rankings: Rankings,
    depth: int,
    measure: GainMeasure | None = None,
    weights: Weights | None = None,
    *,
    average: Average = "topics",
    per_topic: bool = False,
) -> pd.DataFrame:
    """Return DCG, its ideal and their quotient at every rank.

    Parameters
    ----------
    rankings : Rankings
        The runs and judgements.
    depth : int
        The last rank of the curve.
    measure : GainMeasure, optional
        Which gain and discount; nDCG's defaults when absent. Its cut-off plays no part.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    average : {'topics', 'ratio'}, default 'topics'
        How ``value`` is averaged: the mean of the topics' nDCG, as in `mean_scores`, or the mean
        DCG divided by the mean ideal, as in the textbook.
    per_topic : bool, default False
        One curve per system and topic instead of the mean over topics.

    Returns
    -------
    DataFrame
        ``system, rank, dcg, ideal, value, topics``, with ``topic_id`` after ``system`` in place
        of ``topics`` when per topic. Topics where nothing judged has a gain are left out.

    Raises
    ------
    TooLittleData
        No topic has a document with a gain.
    BadInput
        A gain lacks a level's weight.

    References
    ----------
    Baeza-Yates & Ribeiro-Neto, Modern Information Retrieval, 2nd ed., ch. 4 (ratio of averages).
    """
    measure = measure or NDCG()
    best, shown = measure.ideal(rankings, weights), rankings.retrieved
    dcg = shown.matrix(measure.discounted(shown, weights), depth).cumsum(axis=1)
    ideal = best.matrix(measure.discounted(best, weights), depth).cumsum(axis=1)
    counted = measure.eligible_topics(rankings) & (ideal[:, -1] > 0)
    ideal = ideal[rankings.topic]
    columns = {"dcg": dcg, "ideal": ideal, "value": divide(dcg, ideal)}
    curve = _lay_out(rankings, counted, columns, "rank", range(1, depth + 1), per_topic)
    if average == "ratio":
        curve["value"] = divide(curve["dcg"].to_numpy(), curve["ideal"].to_numpy())
    return curve


def _lay_out(
    rankings: Rankings,
    counted: Mask,
    columns: dict[str, Floats],
    axis: str,
    points: Sequence[float],
    per_topic: bool,
) -> pd.DataFrame:
    """Return one row per curve and point, from matrices of shape (n_rankings, n_points)."""
    import pandas as pd

    if not counted.any():
        raise TooLittleData("no topic has a relevant document yet, so there is no curve")
    names: dict[str, Sequence[object]] = {"system": rankings.systems}
    if per_topic:
        names["topic_id"] = [
            topic for topic, kept in zip(rankings.topics, counted, strict=True) if kept
        ]
    names[axis] = points
    frame = pd.MultiIndex.from_product(list(names.values()), names=list(names)).to_frame(
        index=False
    )
    for name, values in columns.items():
        cube = values.reshape(len(rankings.systems), len(rankings.topics), len(points))[:, counted]
        frame[name] = (cube if per_topic else cube.mean(axis=1)).ravel()
    return frame if per_topic else frame.assign(topics=int(counted.sum()))
