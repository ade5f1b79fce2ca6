"""Two rankings of a topic's documents that are to be interleaved, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

Integers: TypeAlias = NDArray[np.signedinteger[Any]]
Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

NOTHING = -1
"""In place of a document where a list is shorter, and of a team where nobody is credited."""


@dataclass(frozen=True, eq=False)
class RankingPair:
    """What two rankers return for one topic.

    Parameters
    ----------
    topic : str
        The topic's id.
    documents : tuple of str
        The documents of either ranking.
    first, second : array of int, shape (n_first,) and (n_second,)
        Positions in ``documents``, the best first; none twice.
    """

    topic: str
    documents: tuple[str, ...]
    first: Integers
    second: Integers

    @cached_property
    def rank(self) -> Integers:
        """The rank of each document in either ranking, shape (2, n_documents); 0 for none."""
        ranks = np.zeros((2, len(self.documents)), dtype=np.int64)
        for rank, ranking in zip(ranks, (self.first, self.second), strict=True):
            rank[ranking] = np.arange(1, len(ranking) + 1)
        return ranks

    def find(self, documents: list[str]) -> Integers:
        """Return the positions of documents by their ids; -1 for what neither ranking holds."""
        return np.array([self._place.get(one, NOTHING) for one in documents], dtype=np.int64)

    @cached_property
    def _place(self) -> Mapping[str, int]:
        return {document: place for place, document in enumerate(self.documents)}


def pair_rankings(first: pd.DataFrame, second: pd.DataFrame) -> tuple[RankingPair, ...]:
    """Return what two runs return for each topic that both of them answer.

    Parameters
    ----------
    first, second : DataFrame
        ``topic_id, document_id, rank``, of one system each; may be one and the same.
    """
    one, other = _list_documents(first), _list_documents(second)
    return tuple(
        pair_documents(topic, one[topic], other[topic]) for topic in sorted(one.keys() & other)
    )


def pair_documents(topic: str, first: list[str], second: list[str]) -> RankingPair:
    """Return two lists of document ids, the best first, as a pair of rankings.

    Examples
    --------
    >>> pair_documents("t", ["a", "b"], ["b", "c"]).second.tolist()
    [1, 2]
    """
    place = {document: at for at, document in enumerate(dict.fromkeys([*first, *second]))}
    one, other = (np.array([place[d] for d in ids], dtype=np.int64) for ids in (first, second))
    return RankingPair(topic, tuple(place), one, other)


def _list_documents(run: pd.DataFrame) -> dict[str, list[str]]:
    ordered = run.astype({"topic_id": "str", "document_id": "str"}).sort_values("rank")
    return {str(topic): list(ids) for topic, ids in ordered.groupby("topic_id")["document_id"]}
