"""Scores of runs under one qrels, on each topic and on average, with reasons and intervals."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.agreement.intervals import LOG_ODDS, Floats, mean_interval
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.measures.evaluate import add_residuals, evaluate, is_geometric, mean_scores
from core.measures.ranking import Rankings

NOTHING_TO_FIND = "nothing judged for this topic counts for the measure"
NO_TOPIC = "no judged topic has anything to find for the measure"
ONE_TOPIC = "one topic has no spread, so the mean has no interval"
GEOMETRIC = "a geometric mean has no interval here"

ALIKE = "all topics have the same score, so nothing tells how far another would differ"

STUDENT = "t"

_KEYS = ["system", "measure", "topic_id"]


def score_topics(
    rankings: Rankings,
    measures: Sequence[Measure],
    weights: Weights | None = None,
    *,
    empty_topics: bool = False,
) -> pd.DataFrame:
    """Return the columns of `evaluate`, ``residual`` and ``reason``, also for topics left out.

    The ``value`` and ``residual`` of a topic that does not count are NaN; ``reason`` says why and
    is empty otherwise. ``residual`` is how much higher the score may be because of what is not
    judged; only RBP and INST have one.
    """
    every = evaluate(measures, rankings, weights, empty_topics=empty_topics, undefined=True)
    reason = every["value"].isna().map({True: NOTHING_TO_FIND, False: ""})
    for one in measures:
        if one.lack:
            topics = np.array(rankings.topics)[~one.scorable_topics(rankings)]
            unknown = (every["measure"] == str(one)) & every["topic_id"].isin(topics)
            reason = reason.mask(unknown, one.lack)
    every = add_residuals(every, measures, rankings, weights)
    return every.assign(residual=every["residual"].where(reason == ""), reason=reason)


def describe_topics(scores: pd.DataFrame) -> str:
    """Return a sentence where measures are averaged over different topics; empty otherwise.

    Parameters
    ----------
    scores : DataFrame
        ``topic_id, measure, value`` of each topic; a topic without a value does not count.
    """
    topics = {
        str(measure): frozenset(own.loc[own["value"].notna(), "topic_id"])
        for measure, own in scores.groupby("measure", sort=False)
    }
    if len(set(topics.values())) < 2:
        return ""
    listed = ", ".join(f"{measure} {len(own):,}" for measure, own in topics.items())
    return (
        f"the means are over different topics: {listed}; a topic where a measure has nothing to "
        "find is left out of its mean, so that only means over the same topics can be compared"
    )


def average_topics(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each system's mean over the topics that count, with a 95 % interval.

    Topics are what is sampled: the interval says nothing of other assessors or other documents. Of
    a measure with a highest score it is Student's t on the scale of log odds, as in
    `core.agreement.intervals.mean_interval`: near 0 and near the highest score topics are
    skewed, and limits that are symmetric there hold too little. Its standard error is s/√(n − 1),
    which few topics need. Of other measures, as DCG, it is Student's t with s/√n. A geometric mean
    has none.

    Parameters
    ----------
    scores : DataFrame
        As `score_topics` or `evaluate` returns it; without ``residual``, there is none.

    Returns
    -------
    DataFrame
        ``system, measure, value, low, high, interval, unit, residual, judged, topics, reason``, a
        row for every system and measure of ``scores``. ``residual`` is the topics' mean, NaN for
        measures without one. ``interval`` names the method, ``unit`` what is sampled. ``reason``
        says why something in the row is NaN.
    """
    counted = scores[scores["value"].notna()]
    spread = counted.groupby(["system", "measure"], sort=False)["value"].std(ddof=1)
    means = scores[["system", "measure"]].drop_duplicates()
    means = means.merge(mean_scores(counted), how="left", on=["system", "measure"])
    means = means.join(spread.rename("spread"), on=["system", "measure"])
    topics = means["topics"].fillna(0).astype("int64")
    value, deviation = (means[name].to_numpy(np.float64) for name in ("value", "spread"))
    left = counted.assign(residual=counted.get("residual", np.nan))
    residual = left.groupby(["system", "measure"], sort=False)["residual"].mean()
    means = means.join(residual, on=["system", "measure"])
    number = np.asarray(topics, dtype=np.float64)
    limits = _find_limits(value, deviation, number, means["measure"])
    means["low"], means["high"], means["interval"] = limits
    geometric = means["measure"].map({one: is_geometric(one) for one in means["measure"].unique()})
    geometric = geometric.astype("bool")
    means[["low", "high"]] = means[["low", "high"]].mask(geometric)
    without = means["low"].isna()
    lack = means["measure"].map({one: parse_measure(one).lack for one in means["measure"].unique()})
    means["reason"] = np.select(
        [(topics == 0) & lack.ne(""), topics == 0, geometric, topics == 1, without],
        [f"{NO_TOPIC}, or " + lack.astype("str"), NO_TOPIC, GEOMETRIC, ONE_TOPIC, ALIKE],
        "",
    )
    columns = ["system", "measure", "value", "low", "high", "interval", "unit"]
    columns += ["residual", "judged", "topics", "reason"]
    return means.assign(topics=topics, unit="topic")[columns]


def _find_limits(
    value: Floats, deviation: Floats, topics: Floats, measures: pd.Series
) -> tuple[Floats, Floats, NDArray[np.str_]]:
    """Return both limits of each mean and the name of their method."""
    from scipy.special import stdtrit

    highest = {name: parse_measure(name).upper_bound for name in measures.unique()}
    most = measures.map(highest).to_numpy(np.float64)
    is_bounded = np.isfinite(most)
    most = np.where(is_bounded, most, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Where all topics score the same, nothing tells how far another would differ.
        spread = np.where(deviation > 0, deviation, np.nan)
        half = stdtrit(topics - 1, 0.975) * spread / np.sqrt(topics)
        error = deviation / most / np.sqrt(topics - 1)
    is_known = topics > 1
    shares = np.where(is_known & is_bounded, value / most, np.nan)
    low, high = mean_interval(shares, np.where(is_known, error, np.nan), topics)
    return (
        np.where(is_bounded, low * most, value - half),
        np.where(is_bounded, high * most, value + half),
        np.where(is_bounded, LOG_ODDS, STUDENT),
    )
