"""Which items a machine judges: a part of a pool, or what people have judged."""

import json
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.assessment.rounds.rounds import preview_pool, read_shown
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import FACETS, PAGE, SNIPPET
from core.errors import BadInput, NotFound
from core.prompting.choices import JUDGED, PARTS, UNJUDGED
from core.store.events.frames import read_document_index, read_labels, read_topics
from core.store.people.roster import keep_persons
from core.store.rounds.rounds import PAGE_ONLY, SNIPPET_ONLY
from core.store.store import Store

_ITEM = ["topic_id", "document_id", "engine"]


class Item(NamedTuple):
    """What is judged: a page, or the snippet under which an engine showed it."""

    topic_id: str
    document_id: str
    facet: str
    engine: str


@dataclass(frozen=True)
class Selection:
    """Which part of a collection is judged.

    Parameters
    ----------
    which : {'unjudged', 'judged', 'pool'}
    facet : {'page', 'snippet'}
    depth : int
        How deep the pool is; what people have judged is not bound by it.
    topics : tuple of str
        The ids of those topics alone; all when empty.
    sample : int, optional
        As many items, drawn at random; all by default.
    seed : int
        Of the drawing.
    """

    which: str = UNJUDGED
    facet: str = PAGE
    depth: int = 10
    topics: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if self.which not in PARTS:
            raise BadInput(f"the part is one of {', '.join(PARTS)}", field="part")
        if self.facet not in FACETS:
            raise BadInput(f"the facet is one of {', '.join(FACETS)}", field="facet")
        if self.depth < 1 or (self.sample is not None and self.sample < 1):
            raise BadInput("the pool's depth and a sample's size are at least 1")

    def to_json(self) -> str:
        """Return the part as it is stored."""
        return json.dumps(asdict(self), ensure_ascii=False)


def select_items(
    store: Store, collection_id: str, part: Selection, assessor_id: str, rng: np.random.Generator
) -> list[Item]:
    """Return what a machine is to judge, without what it has judged before.

    By topic in the order of the collection, then best rank in any run (not for what people have
    judged), document and engine; a sample keeps this order.

    Raises
    ------
    NotFound
        A topic is not in the collection.
    BadInput
        Nothing is left to judge; says why.
    """
    topics = read_topics(store, collection_id)["topic_id"].tolist()
    for one in part.topics:
        if one not in topics:
            raise NotFound(f"There is no topic {one} in this collection.")
    labels = read_labels(store, collection_id, discussed=True)
    labels = labels[labels["facet"] == part.facet]
    persons = counted_labels(keep_persons(store, collection_id, labels))
    found = _find_items(store, collection_id, part, persons[_ITEM].drop_duplicates())
    found = found[found["topic_id"].isin(part.topics or topics)]
    left = _without(found, labels[labels["assessor_id"] == assessor_id])
    if left.empty:
        raise BadInput(_explain_nothing(store, collection_id, part, len(found)))
    places = {topic: place for place, topic in enumerate(topics)}
    left = left.assign(place=left["topic_id"].map(places))
    left = left.sort_values(["place", "best_rank", "document_id", "engine"], ignore_index=True)
    if part.sample is not None and part.sample < len(left):
        drawn = rng.choice(len(left), size=part.sample, replace=False)
        left = left.iloc[np.sort(drawn)]
    rows = left[_ITEM].itertuples(index=False, name=None)
    return [Item(topic, document, part.facet, engine) for topic, document, engine in rows]


def _find_items(
    store: Store, collection_id: str, part: Selection, judged: pd.DataFrame
) -> pd.DataFrame:
    """Return topic_id, document_id, engine, best_rank of the part, each item once."""
    if part.which == JUDGED:
        return _keep_shown(store, collection_id, part.facet, judged.assign(best_rank=0))
    flow = SNIPPET_ONLY if part.facet == SNIPPET else PAGE_ONLY
    found = preview_pool(store, collection_id, part.depth, flow).pairs
    found = _add_engines(store, collection_id, part.facet, found)
    return _without(found, judged) if part.which == UNJUDGED else found


def _keep_shown(store: Store, collection_id: str, facet: str, found: pd.DataFrame) -> pd.DataFrame:
    """Return those items of which the collection has the text."""
    if facet == SNIPPET:
        shown = read_shown(store, collection_id)
        return found.merge(shown[_ITEM].drop_duplicates(), on=_ITEM)
    index = read_document_index(store, collection_id)
    return found[found["document_id"].isin(index.loc[index["readable"], "document_id"])]


def _add_engines(store: Store, collection_id: str, facet: str, found: pd.DataFrame) -> pd.DataFrame:
    if facet == PAGE:
        return found.assign(engine="")
    shown = read_shown(store, collection_id)[_ITEM].drop_duplicates()
    return found.merge(shown, on=["topic_id", "document_id"])


def _without(found: pd.DataFrame, gone: pd.DataFrame) -> pd.DataFrame:
    marked = found.merge(gone[_ITEM].drop_duplicates(), how="left", on=_ITEM, indicator="held")
    return marked[marked["held"] == "left_only"].drop(columns="held")


def _explain_nothing(store: Store, collection_id: str, part: Selection, found: int) -> str:
    if found:
        return "nothing is left to judge: this machine has judged all of it"
    if part.which == JUDGED:
        return f"nothing can be judged: no person has given a {part.facet} of it a level"
    pooled = preview_pool(store, collection_id, part.depth)
    if pooled.advice:
        return f"nothing can be judged: {pooled.advice}"
    return f"nothing can be judged: no {part.facet} of this part of the pool is left"
