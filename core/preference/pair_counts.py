"""Preferences counted by pair: the form that every model of them reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.collection.records import DOCUMENTS
from core.preference.selection import comparable_preferences

if TYPE_CHECKING:
    import pandas as pd

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PairCounts:
    """How often each of two items was preferred, pair by pair.

    Arrays have shape (n_pairs,), sorted by first and then second item; each pair occurs once.

    Attributes
    ----------
    items : DataFrame
        ``topic_id, item``, sorted; the topic is '' where topics are taken together.
    first, second : array of int
        Positions in ``items``; the first stands before the second.
    wins, losses, ties : array
        Preferences for the first, for the second and for neither.
    """

    items: pd.DataFrame
    first: Codes
    second: Codes
    wins: Floats
    losses: Floats
    ties: Floats

    @property
    def played(self) -> Floats:
        """All preferences of each pair."""
        return self.wins + self.losses + self.ties

    def sum_items(self, of_first: Floats, of_second: Floats) -> Floats:
        """Return what pairs bring their first and their second item, by item."""
        size = len(self.items)
        total = np.bincount(self.first, of_first, size) + np.bincount(self.second, of_second, size)
        return total.astype(np.float64, copy=False)


def count_pairs(preferences: pd.DataFrame, *, by_topic: bool | None = None) -> PairCounts:
    """Count the preferences of each pair of items.

    Parameters
    ----------
    preferences : DataFrame
        Canonical preferences of one kind and facet; first occasions in state 'level' count.
    by_topic : bool, optional
        Whether an item is another one in each topic. Without it, documents are and systems are
        not: a system is compared over all topics.

    Raises
    ------
    BadInput
        There are several kinds or facets.
    TooLittleData
        There is no preference.
    """
    import pandas as pd

    rows = comparable_preferences(preferences)
    if by_topic is None:
        by_topic = rows["kind"].iloc[0] == DOCUMENTS
    code, names = pd.factorize(pd.concat([rows["first"], rows["second"]]), sort=True)
    topic, topics = np.zeros(len(rows), dtype=np.int64), pd.Index([""], dtype="str")
    if by_topic:
        topic, topics = pd.factorize(rows["topic_id"], sort=True)
    used, node = np.unique(np.tile(topic, 2) * len(names) + code, return_inverse=True)
    first, second = node.reshape(2, -1)
    pairs, pair = np.unique(first * len(used) + second, return_inverse=True)
    return PairCounts(
        pd.DataFrame({"topic_id": topics[used // len(names)], "item": names[used % len(names)]}),
        *np.divmod(pairs, len(used)),
        *(
            np.bincount(pair[rows["choice"] == choice], minlength=len(pairs)).astype(np.float64)
            for choice in ("first", "second", "tie")
        ),
    )


def pair_positions(rows: pd.DataFrame, pair_counts: PairCounts) -> Codes:
    """Return which pair each preference is of.

    Parameters
    ----------
    rows : DataFrame
        ``topic_id, first, second`` of preferences that were counted.
    pair_counts : PairCounts
        What `count_pairs` made of them.
    """
    import pandas as pd

    items = pair_counts.items
    if (items["topic_id"] == "").all():
        names = pd.Index(items["item"])
        first, second = (names.get_indexer(pd.Index(rows[name])) for name in ("first", "second"))
    else:
        keys = pd.MultiIndex.from_frame(items)
        first, second = (
            keys.get_indexer(pd.MultiIndex.from_frame(rows[["topic_id", name]]))
            for name in ("first", "second")
        )
    size = len(items)
    known = pair_counts.first * size + pair_counts.second
    return np.asarray(np.searchsorted(known, first * size + second), dtype=np.int64)
