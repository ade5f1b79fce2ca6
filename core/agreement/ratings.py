"""Labels as integer codes, which every statistic over several assessors reads, and items' ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.collection.labels.counted_labels import counted_labels
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

Codes = npt.NDArray[np.int64]

_IDS = ["topic_id", "document_id", "assessor_id"]
_KEYS_AT_ONCE = 20_000_000
_READ = [*_IDS, "engine", "level"]


@dataclass(frozen=True)
class Ratings:
    """Who gave which level to which item, in long form, sorted by item and then assessor.

    An item is what several assessors may judge: a (topic, document, engine) in one facet.
    Every array has shape (n_labels,); an assessor has at most one label on an item.

    Attributes
    ----------
    item, assessor, level, topic : array of int
        Positions in ``items``, ``assessors``, ``levels`` and ``topics``. Items are numbered
        topic by topic.
    items : DataFrame
        ``topic_id, document_id, engine`` by item code.
    assessors, topics : tuple of str
        In sorted order.
    levels : tuple of int
        The levels of the scale, ascending.
    """

    item: Codes
    assessor: Codes
    level: Codes
    topic: Codes
    items: pd.DataFrame
    assessors: tuple[str, ...]
    topics: tuple[str, ...]
    levels: tuple[int, ...]

    def select(self, chosen: npt.NDArray[np.bool_]) -> Ratings:
        """Return the labels on some of the items; assessors, topics and levels stay."""
        kept = chosen[self.item]
        return replace(
            self,
            item=(np.cumsum(chosen) - 1)[self.item[kept]],
            assessor=self.assessor[kept],
            level=self.level[kept],
            topic=self.topic[kept],
            items=self.items[chosen].reset_index(drop=True),
        )


def ratings_from_labels(
    labels: pd.DataFrame, facet: str, levels: Sequence[int] | None = None
) -> Ratings:
    """Code the levels given in one facet, first occasions only.

    Parameters
    ----------
    labels : DataFrame
        ``topic_id, document_id, facet, engine, assessor_id, occasion, level, state``; rows in
        another state than 'level' (cannot judge, later, unjudged) are left out.
    facet : str
        'snippet' or 'page'.
    levels : sequence of int, optional
        All levels of the scale. Without it, the levels that occur, repeats included.

    Returns
    -------
    Ratings
        Empty when nothing was judged in that facet.

    Raises
    ------
    BadInput
        A level is not on the scale, an id is missing, or an assessor has two labels on one
        item and occasion.
    """
    import pandas as pd

    rows = counted_labels(labels, facet)[_READ]
    for name in _IDS:
        if rows[name].isna().any():
            what = name.removesuffix("_id")
            raise BadInput(f"a label has no {what}; every label needs one", field=name)
    if levels is None:
        # A level that occurs in a repeat only is one of the scale all the same.
        levels = _list_levels(labels[(labels["state"] == "level") & (labels["facet"] == facet)])
    scale, level = _code_levels(rows["level"], levels)
    topic, topics = _code(rows["topic_id"])
    document, documents = _code(rows["document_id"])
    engine, engines = _code(rows["engine"].fillna(""))
    assessor, assessors = _code(rows["assessor_id"])
    keys = (topic * len(documents) + document) * len(engines) + engine
    item, kept = _rank(keys, len(topics) * len(documents) * len(engines))
    order = np.argsort(item * len(assessors) + assessor, kind="stable")
    kept_topic, kept_document = np.divmod(kept // max(len(engines), 1), max(len(documents), 1))
    items = pd.DataFrame(
        {
            "topic_id": topics[kept_topic],
            "document_id": documents[kept_document],
            "engine": engines[kept % max(len(engines), 1)],
        }
    )
    ratings = Ratings(
        item=item[order],
        assessor=assessor[order],
        level=level[order],
        topic=topic[order],
        items=items,
        assessors=tuple(assessors),
        topics=tuple(topics),
        levels=scale,
    )
    _refuse_repeats(ratings)
    return ratings


def _code(names: pd.Series[str]) -> tuple[Codes, pd.Index[str]]:
    import pandas as pd

    codes, uniques = pd.factorize(names, sort=True)
    return codes.astype(np.int64), pd.Index(uniques).astype("str")


def _rank(keys: Codes, space: int) -> tuple[Codes, Codes]:
    """Return each key's position among those that occur, and these in order; all are < space."""
    if space > _KEYS_AT_ONCE:
        found = np.unique(keys)
        return np.searchsorted(found, keys), found
    occurs = np.zeros(space, dtype=np.bool_)
    occurs[keys] = True
    return (np.cumsum(occurs) - 1)[keys], np.flatnonzero(occurs)


def _list_levels(rows: pd.DataFrame) -> list[int]:
    """Return the levels that occur; refuse what is no whole number."""
    values = rows["level"].drop_duplicates().sort_values().to_numpy(np.float64, na_value=np.nan)
    whole = np.isfinite(values) & (values == np.round(values))
    _refuse_levels(values[~whole], values)
    return [int(value) for value in values]


def _refuse_levels(unfit: npt.NDArray[Any], scale: npt.NDArray[Any]) -> None:
    if unfit.size:
        shown = ", ".join(f"{level:g}" for level in scale if np.isfinite(level))
        raise BadInput(f"{unfit[0]:g} is not a level of the scale {shown}", field="level")


def _code_levels(given: pd.Series[float], levels: Sequence[int]) -> tuple[tuple[int, ...], Codes]:
    """Return the scale and each level's position on it."""
    values = given.to_numpy(dtype=np.float64, na_value=np.nan)
    scale = np.unique(np.asarray(levels, dtype=np.float64))
    _refuse_levels(values[~np.isin(values, scale)], scale)
    return tuple(int(level) for level in scale), np.searchsorted(scale, values).astype(np.int64)


def _refuse_repeats(ratings: Ratings) -> None:
    same = (np.diff(ratings.item) == 0) & (np.diff(ratings.assessor) == 0)
    if same.any():
        at = int(np.flatnonzero(same)[0])
        item = ratings.items.iloc[ratings.item[at]]
        raise BadInput(
            f"{ratings.assessors[ratings.assessor[at]]} has more than one label on topic "
            f"{item['topic_id']}, document {item['document_id']} ({int(same.sum())} such labels in "
            "all); number repeated judgements as occasions 0, 1, …",
            field="occasion",
        )


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
