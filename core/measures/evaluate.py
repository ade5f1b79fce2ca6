"""Scores of every system by every measure, per topic and on average."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from core.errors import BadInput
from core.measures.base import Measure, Weights
from core.measures.judged import Judged
from core.measures.ranking import Rankings


def evaluate(
    measures: Iterable[Measure],
    rankings: Rankings,
    weights: Weights | None = None,
    *,
    empty_topics: bool = False,
) -> pd.DataFrame:
    """Score every system on every topic by every measure.

    A topic that a run does not answer scores 0. A topic where a measure has nothing to find (no
    relevant document, or none with a gain) is left out for that measure.

    Parameters
    ----------
    measures : iterable of Measure
        What to compute.
    rankings : Rankings
        The runs and judgements.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    empty_topics : bool, default False
        Keep topics with nothing to find, with a score of 0.

    Returns
    -------
    DataFrame
        ``system, topic_id, measure, value, judged``; ``judged`` is the judged share of the
        documents up to the measure's cut-off, in [0, 1]. No rows when nothing relevant is judged.

    Raises
    ------
    BadInput
        No measure is given, or a gain lacks a level's weight.
    """
    frames = [_score_topics(measure, rankings, weights, empty_topics) for measure in measures]
    if not frames:
        raise BadInput("choose at least one measure")
    return pd.concat(frames, ignore_index=True)


def _score_topics(
    measure: Measure, rankings: Rankings, weights: Weights | None, empty_topics: bool
) -> pd.DataFrame:
    value = measure.score(rankings, weights)
    defined = ~np.isnan(value) & measure.counted(rankings)[rankings.topic]
    value = np.where(defined, value, 0.0)
    kept = np.flatnonzero(defined | empty_topics)
    return pd.DataFrame(
        {
            "system": rankings.system_names(kept),
            "topic_id": rankings.topic_names(kept),
            "measure": pd.array([str(measure)], dtype="str").take(np.zeros_like(kept)),
            "value": value[kept],
            "judged": Judged(cutoff=measure.cutoff).score(rankings)[kept],
        }
    )


def mean_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each system's mean over the topics that count.

    Parameters
    ----------
    scores : DataFrame
        As `evaluate` returns it.

    Returns
    -------
    DataFrame
        ``system, measure, value, judged, topics`` in the order of ``scores``; ``topics`` is how
        many the means rest on.
    """
    return scores.groupby(["system", "measure"], sort=False, as_index=False).agg(
        value=("value", "mean"), judged=("judged", "mean"), topics=("topic_id", "size")
    )
