"""Scores of runs under one qrels, on each topic and on average, with reasons and intervals."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import t as student

from core.measures.base import Measure, Weights
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import Rankings

NOTHING_TO_FIND = "nothing judged for this topic counts for the measure"
NO_TOPIC = "no judged topic has anything to find for the measure"
ONE_TOPIC = "one topic has no spread, so the mean has no interval"

_KEYS = ["system", "measure", "topic_id"]


def score_topics(
    rankings: Rankings,
    measures: Sequence[Measure],
    weights: Weights | None = None,
    *,
    empty_topics: bool = False,
) -> pd.DataFrame:
    """Return the columns of `evaluate` and ``reason``, with rows for topics that do not count.

    Their ``value`` is NaN; ``reason`` says why and is empty otherwise.
    """
    every = evaluate(measures, rankings, weights, empty_topics=True)
    if not empty_topics:
        counted = evaluate(measures, rankings, weights)
        every = every.drop(columns="value").merge(counted[[*_KEYS, "value"]], how="left", on=_KEYS)
    reason = every["value"].isna().map({True: NOTHING_TO_FIND, False: ""})
    return every.assign(reason=reason)


def average_topics(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each system's mean over the topics that count, with a 95 % interval.

    Topics are what is sampled: the interval is Student's t over topics, and says nothing of other
    assessors or other documents.

    Parameters
    ----------
    scores : DataFrame
        As `score_topics` or `evaluate` returns it.

    Returns
    -------
    DataFrame
        ``system, measure, value, low, high, judged, topics, reason``, a row for every system and
        measure of ``scores``. ``reason`` says why something in the row is NaN.
    """
    counted = scores[scores["value"].notna()]
    spread = counted.groupby(["system", "measure"], sort=False)["value"].std(ddof=1)
    means = scores[["system", "measure"]].drop_duplicates()
    means = means.merge(mean_scores(counted), how="left", on=["system", "measure"])
    means = means.join(spread.rename("spread"), on=["system", "measure"])
    topics = means["topics"].fillna(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = student.ppf(0.975, topics - 1) * means["spread"] / np.sqrt(topics)
    means["low"], means["high"] = means["value"] - half, means["value"] + half
    means["reason"] = np.select([topics == 0, topics == 1], [NO_TOPIC, ONE_TOPIC], "")
    columns = ["system", "measure", "value", "low", "high", "judged", "topics", "reason"]
    return means.assign(topics=topics.astype("int64"))[columns]
