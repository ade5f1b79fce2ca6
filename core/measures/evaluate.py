"""Scores of every system by every measure, per topic and on average."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.measures.coded_judgements import find_codes
from core.measures.judged import JudgedShare
from core.measures.ranked import Floats
from core.measures.ranking import Rankings
from core.versions.judgements import Judgements

if TYPE_CHECKING:
    import pandas as pd


def evaluate(
    measures: Iterable[Measure],
    rankings: Rankings,
    weights: Weights | None = None,
    *,
    empty_topics: bool = False,
    undefined: bool = False,
) -> pd.DataFrame:
    """Score every system on every topic by every measure.

    A topic that a run does not answer scores 0 (1 by E). A topic where a measure has nothing to
    find (no relevant document, or none with a gain) is left out for that measure.

    Parameters
    ----------
    measures : iterable of Measure
        What to compute.
    rankings : Rankings
        The runs and judgements.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    empty_topics : bool, default False
        Keep topics with nothing to find, with the score of finding nothing: 0, or 1 for E.
    undefined : bool, default False
        Keep the rows without a score as well; their ``value`` is NaN.

    Returns
    -------
    DataFrame
        ``system, topic_id, measure, value, judged``; ``judged`` is the judged share of the
        documents up to the measure's cut-off, in [0, 1]. No rows when nothing relevant is judged.

    Raises
    ------
    BadInput
        No measure is given, a gain lacks a level's weight, or a measure counts documents from a
        level that the scale does not have.
    """
    import pandas as pd

    measures = list(measures)
    if not measures:
        raise BadInput("choose at least one measure")
    for one in measures:
        refuse_unreachable(one, rankings)
    values = np.empty((len(measures), len(rankings.length)))
    for row, one in zip(values, measures, strict=True):
        row[:] = score_rankings(one, rankings, weights, empty_topics)
    measure, ranking = np.nonzero(~np.isnan(values) | undefined)
    shares = {k: JudgedShare(cutoff=k).score(rankings) for k in {one.cutoff for one in measures}}
    judged = np.stack([shares[one.cutoff] for one in measures])
    return pd.DataFrame(
        {
            "system": rankings.system_names(ranking),
            "topic_id": rankings.topic_names(ranking),
            "measure": pd.array([str(one) for one in measures], dtype="str").take(measure),
            "value": values[measure, ranking],
            "judged": judged[measure, ranking],
        }
    )


def add_residuals(
    scores: pd.DataFrame,
    measures: Iterable[Measure],
    rankings: Rankings,
    weights: Weights | None = None,
) -> pd.DataFrame:
    """Return scores with ``residual``: how much higher each may be because of what is not judged.

    Parameters
    ----------
    scores : DataFrame
        As `evaluate` returns it, for these rankings.
    measures : iterable of Measure
        What was computed; only RBP and INST have a residual, others NaN.
    rankings, weights
        As for `evaluate`.
    """
    import pandas as pd

    system = find_codes(pd.Index(rankings.systems), scores["system"]).astype(np.int64)
    topic = find_codes(pd.Index(rankings.topics), scores["topic_id"])
    ranking, found = system * len(rankings.topics) + topic, np.full(len(scores), np.nan)
    for one in measures:
        if (residual := one.residual(rankings, weights)) is not None:
            own = np.flatnonzero(scores["measure"] == str(one))
            found[own] = residual[ranking[own]]
    return scores.assign(residual=found)


def refuse_unreachable(measure: Measure, scale: Rankings | Judgements) -> None:
    """Raise BadInput with what `say_unreachable` says, where that is anything."""
    if reason := say_unreachable(measure, scale):
        raise BadInput(reason, field="measure")


def say_unreachable(measure: Measure, scale: Rankings | Judgements) -> str:
    """Return that a measure counts documents from a level above the highest; empty otherwise."""
    rel = getattr(measure, "rel", 0)
    if scale.is_gmax_taken or rel <= scale.gmax:
        return ""
    return (
        f"{measure} counts documents from level {rel:g}, and the scale's highest is "
        f"{scale.gmax:g}; choose a lower level"
    )


def score_rankings(
    measure: Measure,
    rankings: Rankings,
    weights: Weights | None = None,
    empty_topics: bool = False,
) -> Floats:
    """Return the score of every ranking, shape (n_rankings,); NaN where it does not count."""
    value = measure.score(rankings, weights)
    defined = ~np.isnan(value) & measure.eligible_topics(rankings)[rankings.topic]
    nothing = measure.worst if empty_topics else np.nan
    is_known = measure.scorable_topics(rankings)[rankings.topic]
    return np.where(is_known, np.where(defined, value, nothing), np.nan)


LEAST = 0.00001
"""The least score of a topic in a geometric mean, as in trec_eval; else a 0 would make all 0."""


def mean_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each system's mean over the topics that count.

    It is the arithmetic mean but for measures that say ``geometric``.

    Parameters
    ----------
    scores : DataFrame
        As `evaluate` returns it.

    Returns
    -------
    DataFrame
        ``system, measure, value, judged, topics`` in the order of ``scores``; ``topics`` is how
        many the means are based on.
    """
    geometric = [name for name in scores["measure"].unique() if is_geometric(str(name))]
    if geometric:
        rows = scores["measure"].isin(geometric)
        logs = np.log(scores["value"].clip(lower=LEAST))
        scores = scores.assign(value=scores["value"].where(~rows, logs))
    means = scores.groupby(["system", "measure"], sort=False, as_index=False).agg(
        value=("value", "mean"), judged=("judged", "mean"), topics=("topic_id", "size")
    )
    if geometric:
        rows = means["measure"].isin(geometric)
        means["value"] = means["value"].where(~rows, np.exp(means["value"]))
    return means


def is_geometric(text: str) -> bool:
    """Return whether this is the text of a measure whose mean over topics is geometric."""
    try:
        return parse_measure(text).geometric
    except BadInput:
        return False


def has_residual(text: str) -> bool:
    """Return whether this is the text of a measure with a residual."""
    return type(parse_measure(text)).residual is not Measure.residual


def describe_top(measures: Iterable[Measure], rankings: Rankings) -> str:
    """Return which measures take the highest level that occurs for the scale's; empty if none."""
    named = [
        str(one)
        for one in measures
        if getattr(one, "gmax", 0) is None and getattr(one, "gain", None) in ("linear", "exp")
    ]
    if not rankings.is_gmax_taken or not named:
        return ""
    return (
        f"{', '.join(named)}: the highest level that occurs, {rankings.gmax:g}, is taken for the "
        "scale's highest; if that is another one, give the scale"
    )
