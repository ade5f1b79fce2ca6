"""How many results are top to the users as a group, and how well that is known."""

from collections.abc import Mapping
from math import ceil

import numpy as np
import pandas as pd

from core.agreement.ratings import Ratings
from core.disagreement.repeated_labels import mark_top
from core.errors import BadInput


def effective_top_results(ratings: Ratings, weights: Mapping[int, float], top: int) -> pd.DataFrame:
    """Sum the weights of the labels: the results that M of N users are expected to find top.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor. An item with several labels counts with their mean weight.
    weights : mapping of int to float
        Weight by level, from ``relevance_weights``.
    top : int
        The top level; higher levels count as top, too.

    Returns
    -------
    DataFrame
        A row a topic: ``topic_id, items, top_results``, the items one assessor finds top (with
        several labels on an item, their share), ``effective``, the sum of weights, and
        ``reason``, why it is NaN.

    Raises
    ------
    BadInput
        A level that was given has no weight at all, or the top is not on the scale.

    References
    ----------
    Demeester et al. (2014), WSDM, section 4.2, doi:10.1145/2556195.2556268.
    """
    used = np.unique(ratings.level)
    if missing := [ratings.levels[at] for at in used if ratings.levels[at] not in weights]:
        raise BadInput(f"level {missing[0]} has no weight", field="weights")
    worth = np.array([weights.get(level, 0.0) for level in ratings.levels], dtype=np.float64)
    share = 1 / np.bincount(ratings.item)[ratings.item]
    is_top = mark_top(ratings.levels, top)
    size = len(ratings.topics)
    columns = {
        name: np.bincount(ratings.topic, weights=share * values[ratings.level], minlength=size)
        for name, values in (
            ("items", np.ones(len(worth))),
            ("top_results", is_top.astype(np.float64)),
            ("effective", worth),
        )
    }
    table = pd.DataFrame({"topic_id": pd.Series(ratings.topics, dtype="str"), **columns})
    table["items"] = table["items"].round().astype(np.int64)
    unknown = "a level given in this topic has an unknown weight"
    return table.assign(reason=np.where(table["effective"].isna(), unknown, ""))


def further_topics(estimates: pd.DataFrame, ratings: Ratings, width: float) -> pd.DataFrame:
    """Say how many more doubly judged topics would narrow p's interval to a wanted width.

    The variance of a share over topics falls as one over their number, so that an
    interval of width W on t topics needs t (W / w)² topics to be w wide: ⌈t (W / w)²⌉ − t more.
    This assumes that further topics resemble those judged so far, in their number of cases and in
    how far p differs between them.

    Parameters
    ----------
    estimates : DataFrame
        From ``estimate_top_probability``.
    ratings : Ratings
        What they were estimated from.
    width : float
        The wanted width, high − low; above 0.

    Returns
    -------
    DataFrame
        ``level, topics`` (judged by two or more), ``width`` now, ``further`` (topics needed in
        addition, a whole number from 0; NaN where the width is unknown) and ``reason``.

    Raises
    ------
    BadInput
        The wanted width is not above 0.
    """
    if not width > 0:
        raise BadInput(f"the wanted width is above 0, not {width:g}", field="width")
    topics = count_doubly_judged(ratings)
    now = (estimates["high"] - estimates["low"]).to_numpy(dtype=np.float64)
    needed = [ceil(topics * (at / width) ** 2 - 1e-9) if at == at else np.nan for at in now]
    table = pd.DataFrame({"level": estimates["level"], "topics": topics, "width": now})
    table["further"] = np.maximum(np.asarray(needed, dtype=np.float64) - topics, 0)
    return table.assign(reason=estimates["reason"].where(np.isnan(now), ""))


def count_doubly_judged(ratings: Ratings) -> int:
    """Return the number of topics with an item that two or more assessors judged."""
    labels = np.bincount(ratings.item)[ratings.item]
    return len(np.unique(ratings.topic[labels > 1]))
