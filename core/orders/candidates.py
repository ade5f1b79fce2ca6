"""What can be judged: pairs of topic and document, and the rank at which each run has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

Integers: TypeAlias = NDArray[np.signedinteger[Any]]
Ranks: TypeAlias = NDArray[np.uint16]
Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]


ABSENT = np.iinfo(np.uint16).max
"""The place of a document that a run does not have: what rank 0 less 1 comes to."""

_ONE = np.uint16(1)


@dataclass(frozen=True, eq=False)
class Candidates:
    """A pool in numbers: its items lie topic by topic, and within a topic by document id.

    Parameters
    ----------
    topics, systems : tuple of str
        Their ids, in order.
    topic : array of int, shape (n_items,)
        Which topic each item belongs to, ascending.
    document : array of str, shape (n_items,)
        The document's id.
    rank : array of uint16, shape (n_items, n_systems)
        Where each run has the document, from 1; 0 where it does not have it in the pool's depth.
    """

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    topic: Integers
    document: NDArray[Any]
    rank: Ranks

    def __len__(self) -> int:
        return len(self.topic)

    @cached_property
    def first(self) -> Integers:
        """Which item each topic begins with, and the number of items, shape (n_topics + 1,)."""
        first: Integers = np.searchsorted(self.topic, np.arange(len(self.topics) + 1))
        return first

    def of(self, topic: int) -> slice:
        """Return where the items of a topic lie."""
        return slice(int(self.first[topic]), int(self.first[topic + 1]))

    def places_of(self, topic: int) -> Ranks:
        """Return where each run has a topic's items, shape (n_systems, n_items of the topic).

        From 0 for the first rank, ``ABSENT`` where it does not have them. Kept, as a round asks for
        it again and again.
        """
        if topic not in self._places:
            self._places[topic] = np.ascontiguousarray(self.rank[self.of(topic)].T) - _ONE
        return self._places[topic]

    @cached_property
    def _places(self) -> dict[int, Ranks]:
        return {}

    @cached_property
    def best_rank(self) -> Integers:
        """The best rank that any run gives each item, shape (n_items,)."""
        best: Integers = (self.rank - _ONE).min(axis=1, initial=ABSENT).astype(np.int64) + 1
        return best

    def find(self, items: pd.DataFrame) -> Integers:
        """Return the position of each topic_id, document_id, shape (len(items),); -1 for others."""
        import pandas as pd

        keys = pd.MultiIndex.from_arrays([self._topic_ids, self.document])
        wanted = pd.MultiIndex.from_frame(items[["topic_id", "document_id"]].astype("object"))
        found: Integers = keys.get_indexer(wanted)
        return found

    @cached_property
    def _topic_ids(self) -> NDArray[Any]:
        return np.array(self.topics, dtype=object)[self.topic]


def build_candidates(
    runs: pd.DataFrame, depth: int, items: pd.DataFrame | None = None
) -> Candidates:
    """Return the pool of the first ``depth`` documents of every run, in numbers.

    Parameters
    ----------
    runs : DataFrame
        Columns system, topic_id, document_id, rank.
    depth : int
        How far down each run is taken, from 1 to 65,535.
    items : DataFrame, optional
        topic_id, document_id of what can be judged, where that is not all of the pool; what no run
        has in this depth is left out.
    """
    import pandas as pd

    top = runs.loc[runs["rank"] <= depth, ["system", "topic_id", "document_id", "rank"]]
    top = top.astype({"system": "str", "topic_id": "str", "document_id": "str"})
    if items is not None:
        wanted = items[["topic_id", "document_id"]].astype("str").drop_duplicates()
        top = top.merge(wanted, on=["topic_id", "document_id"])
    topic, topics = pd.factorize(top["topic_id"], sort=True)
    system, systems = pd.factorize(top["system"], sort=True)
    document, documents = pd.factorize(top["document_id"], sort=True)
    key = topic.astype(np.int64) * max(len(documents), 1) + document
    keys, item = np.unique(key, return_inverse=True)
    rank = np.zeros((len(keys), len(systems)), dtype=np.uint16)
    rank[item, system] = top["rank"].to_numpy(dtype=np.uint16)
    of_topic, of_document = np.divmod(keys, max(len(documents), 1))
    return Candidates(
        tuple(topics.astype("object")),
        tuple(systems.astype("object")),
        of_topic,
        np.asarray(documents, dtype=object)[of_document],
        rank,
    )
