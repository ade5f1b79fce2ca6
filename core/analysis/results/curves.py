"""Precision, recall and gain by rank, under a qrels version."""

from typing import Literal

import pandas as pd

from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version
from core.analysis.results.scores import rankings_of
from core.measures.cumulated_gain import GainMeasure
from core.measures.curves import (
    gain_curve,
    interpolate_points,
    precision_recall_by_rank,
    precision_recall_curve,
    precision_recall_points,
)


@follows_version
def trace_eleven_points(
    study: Study, choice: QrelsChoice, rel: float, per_topic: bool
) -> pd.DataFrame:
    """Return precision at the eleven standard levels of recall, by system, or by topic too."""
    return precision_recall_curve(rankings_of(study, choice), rel, per_topic=per_topic)


@follows_version
def trace_ranks(study: Study, choice: QrelsChoice, rel: float, depth: int) -> pd.DataFrame:
    """Return precision and recall after each rank."""
    return precision_recall_by_rank(rankings_of(study, choice), depth, rel)


@follows_version
def trace_points(study: Study, choice: QrelsChoice, rel: float) -> pd.DataFrame:
    """Return interpolated precision at the exact levels of recall of each topic."""
    return interpolate_points(precision_recall_points(rankings_of(study, choice), rel))


Average = Literal["topics", "ratio"]


@follows_version
def trace_gain(
    study: Study,
    choice: QrelsChoice,
    measure: GainMeasure,
    weights: Pairs,
    depth: int,
    average: Average,
    per_topic: bool,
) -> pd.DataFrame:
    """Return gain by rank, with that of the ideal ranking where the measure has one."""
    rankings = rankings_of(study, choice)
    given = dict(weights) or None
    return gain_curve(rankings, depth, measure, given, average=average, per_topic=per_topic)
