"""Where runs show the items that assessors judge, for coefficients that weigh them by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.ratings import Ratings

if TYPE_CHECKING:
    import pandas as pd

_KEY = ["topic_id", "document_id"]


def rank_items(ratings: Ratings, runs: pd.DataFrame) -> Ratings:
    """Return the ratings with ``rank`` among the items: the best that any run gives, else NaN.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    runs : DataFrame
        ``system, topic_id, document_id, rank``. An item of one engine, as a snippet is, has the
        rank that the system of that name gives.
    """
    if ratings.items.empty:
        return replace(ratings, items=ratings.items.assign(rank=np.empty(0)))
    items = ratings.items[[*_KEY, "engine"]].astype("str")
    judged = runs["document_id"].isin(items["document_id"].unique())
    shown = runs.loc[judged, ["system", *_KEY, "rank"]]
    shown = shown.astype(dict.fromkeys(("system", *_KEY), "str"))
    rank = items.join(shown.groupby(_KEY)["rank"].min(), on=_KEY)["rank"]
    if (items["engine"] != "").any():
        own = shown.groupby(["system", *_KEY])["rank"].min()
        by_engine = items.join(own, on=["engine", *_KEY])["rank"]
        rank = rank.where(items["engine"] == "", by_engine)
    return replace(ratings, items=ratings.items.assign(rank=rank.to_numpy(np.float64)))
