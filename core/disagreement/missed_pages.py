"""Good pages behind poor snippets: what users never see, engine by engine."""

import numpy as np
import pandas as pd

from core.agreement.intervals import divide, share_interval
from core.disagreement.combined import CombinedRatings
from core.errors import BadInput


def find_missed_pages(
    combined: CombinedRatings, top: int | None = None, below: int | None = None
) -> pd.DataFrame:
    """List the labels that find a page top, with the level the same assessor gave its snippet.

    Parameters
    ----------
    combined : CombinedRatings
        From ``combined_ratings``.
    top : int, optional
        The top page level; the highest one without. Higher levels are top, too.
    below : int, optional
        A page is lost when its snippet's level is below this one; the highest one without.

    Returns
    -------
    DataFrame
        ``topic_id, document_id, engine, assessor_id, snippet, page, lost``.

    Raises
    ------
    BadInput
        A level is not on its scale.
    """
    top = _check_level(top, combined.page_levels, "top")
    below = _check_level(below, combined.snippet_levels, "below")
    ratings = combined.ratings
    snippet, page = np.divmod(ratings.level, max(len(combined.page_levels), 1))
    found = np.asarray(combined.page_levels, dtype=np.int64)[page] >= top
    rows = ratings.items.iloc[ratings.item[found]].reset_index(drop=True)
    rows["assessor_id"] = pd.array(ratings.assessors, dtype="str").take(ratings.assessor[found])
    rows["snippet"] = np.asarray(combined.snippet_levels, dtype=np.int64)[snippet[found]]
    rows["page"] = np.asarray(combined.page_levels, dtype=np.int64)[page[found]]
    return rows.assign(lost=rows["snippet"] < below)


def missed_pages_by_engine(found: pd.DataFrame) -> pd.DataFrame:
    """Return the share of each engine's top pages that are missed because of their snippets.

    Parameters
    ----------
    found : DataFrame
        From ``find_missed_pages``.

    Returns
    -------
    DataFrame
        ``engine, top_pages`` (labels), ``lost``, ``share`` with ``low, high``, its 95 % limits by
        `share_interval`, ``topics``, how many are sampled, and ``reason``, why there are none;
        largest share first.
    """
    engine, engines = pd.factorize(found["engine"], sort=True)
    topic, topics = pd.factorize(found["topic_id"], sort=True)
    shape = (len(topics), len(engines))
    cell, size = topic * len(engines) + engine, len(topics) * len(engines)
    pages = np.bincount(cell, minlength=size).reshape(shape).astype(np.float64)
    missed = np.bincount(cell, weights=found["lost"], minlength=size)
    lost = missed.reshape(shape).astype(np.float64)
    table = pd.DataFrame({"engine": pd.Series(engines, dtype="str")})
    table["top_pages"] = pages.sum(axis=0).astype(np.int64)
    table["lost"] = lost.sum(axis=0).astype(np.int64)
    table["share"] = divide(lost.sum(axis=0), pages.sum(axis=0))
    table["low"], table["high"], table["topics"] = share_interval(lost, pages)
    table["reason"] = np.where(table["low"].isna(), "all top pages belong to one topic", "")
    return table.sort_values(["share", "engine"], ascending=[False, True], ignore_index=True)


def _check_level(level: int | None, levels: tuple[int, ...], field: str) -> int:
    if level is None:
        return levels[-1] if levels else 0
    if level not in levels:
        shown = ", ".join(map(str, levels))
        raise BadInput(f"{level} is not a level of the scale {shown}", field=field)
    return level
