"""How long assessors take for a label, and whether their judging changes on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.agreement.assessor_bias import deviations
from core.agreement.ratings import Ratings
from core.collection.labels.counted_labels import counted_labels

if TYPE_CHECKING:
    import pandas as pd

PARTS = 10
FEWEST_LABELS = 2 * PARTS

_ITEM = ["topic_id", "document_id", "engine"]


def active_time(labels: pd.DataFrame, facet: str) -> pd.DataFrame:
    """Summarise the active time of a label by assessor and level.

    Parameters
    ----------
    labels : DataFrame
        ``assessor_id, facet, occasion, state, level, dwell_ms``. First occasions count; labels
        without a measured time (``dwell_ms`` 0) are left out.
    facet : str
        'snippet' or 'page'.

    Returns
    -------
    DataFrame
        ``assessor_id, level, labels, lower, median, upper``: median and quartiles in seconds,
        linear between order statistics. Without rows for what was never timed.
    """
    import pandas as pd

    given = counted_labels(labels, facet)
    timed = given[given["dwell_ms"] > 0]
    seconds = (timed["dwell_ms"] / 1000).groupby([timed["assessor_id"], timed["level"]])
    table = pd.DataFrame(
        {
            "labels": seconds.size(),
            "lower": seconds.quantile(0.25),
            "median": seconds.median(),
            "upper": seconds.quantile(0.75),
        }
    )
    return table.reset_index().astype({"level": "int64"})


def drift(labels: pd.DataFrame, facet: str, ratings: Ratings) -> pd.DataFrame:
    """Follow leniency and active time over successive tenths of each assessor's labels.

    An assessor's labels are taken in the order in which they were first given and cut into ten
    parts whose sizes differ by one at most. Leniency is that of ``leniency`` within the part:
    the others' labels are those of all times, so that only the assessor moves.

    Parameters
    ----------
    labels : DataFrame
        ``topic_id, document_id, engine, assessor_id, facet, occasion, state, sequence,
        dwell_ms``; the labels that ``ratings`` codes.
    facet : str
        'snippet' or 'page'.
    ratings : Ratings
        The same labels, coded.

    Returns
    -------
    DataFrame
        ``assessor_id, part`` (1 to 10)``, labels, common, leniency, spread, timed,
        median_seconds``. ``leniency`` and ``spread``, the standard deviation of what it is the mean
        of, are NaN where ``common``, the number of labels on items that others judged, is 0;
        ``median_seconds`` where ``timed``, the number of labels with a measured time, is
        0. Assessors with fewer than 20 labels have no rows.
    """
    import pandas as pd

    rows = _with_deviations(counted_labels(labels, facet), ratings).sort_values(
        "sequence", kind="stable"
    )
    own = rows.groupby("assessor_id")
    number, total = own.cumcount(), own["sequence"].transform("size")
    rows = rows.assign(part=number * PARTS // total + 1)[total >= FEWEST_LABELS]
    parts = rows.groupby(["assessor_id", "part"])
    table = pd.DataFrame(
        {
            "labels": parts.size(),
            "common": parts["deviation"].count(),
            "leniency": parts["deviation"].mean(),
            "spread": parts["deviation"].std(ddof=0),
            "timed": parts["seconds"].count(),
            "median_seconds": parts["seconds"].median(),
        }
    )
    return table.reset_index()


def _with_deviations(given: pd.DataFrame, ratings: Ratings) -> pd.DataFrame:
    """Return assessor, sequence, seconds (NaN where not timed) and deviation of each label."""
    import pandas as pd

    coded = ratings.items.take(ratings.item).reset_index(drop=True)
    coded["assessor_id"] = pd.Index(ratings.assessors, dtype="str").take(ratings.assessor)
    coded["deviation"] = deviations(ratings)
    seconds = (given["dwell_ms"] / 1000).where(given["dwell_ms"] > 0, np.nan)
    rows = given[[*_ITEM, "assessor_id", "sequence"]].assign(seconds=seconds)
    return rows.merge(coded, on=[*_ITEM, "assessor_id"])
