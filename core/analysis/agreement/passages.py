"""The passages that assessors of a study marked, and the texts they are in."""

from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from core.agreement.passages import ITEM, counted_passages
from core.analysis.base.study import Study, follows_labels, leave_out, mask_people, topics_of
from core.reports.passages import PassageAgreement
from core.store.events.frames import read_document_index
from core.store.events.labels import Key
from core.store.events.passages import is_any_marked, read_passages, text_of


@follows_labels
def passages_of(study: Study) -> pd.DataFrame:
    """Return the passages of the labels that stand: those of persons, who alone count."""
    found = read_passages(study.store, study.collection_id)
    return leave_out(study, mask_people(study, found))


@follows_labels
def has_passages(study: Study, facet: str) -> bool:
    """Tell whether a passage was marked in a facet with a label that stands."""
    is_any = is_any_marked(study.store, study.collection_id)
    return is_any and bool((passages_of(study)["facet"] == facet).any())


@follows_labels
def ask_passages(study: Study, facet: str) -> PassageAgreement:
    """Return how far the assessors marked the same passages of a facet."""
    return PassageAgreement(passages_of(study), facet)


@follows_labels
def passages_by_item(study: Study, facet: str) -> pd.DataFrame:
    """Return the rows of ``PassageAgreement.items`` with ``query`` and ``title`` in front."""
    items = ask_passages(study, facet).items
    queries = topics_of(study).set_index("topic_id")["query"]
    index = read_document_index(study.store, study.collection_id)
    titles = index.set_index("document_id")["title"]
    named = items.assign(
        query=items["topic_id"].map(queries).astype("object").fillna(""),
        title=items["document_id"].map(titles).astype("object").fillna(""),
    )
    return named[["query", "title", *items.columns]]


@dataclass(frozen=True)
class Piece:
    """A piece of a text, and who marked it, by name or code."""

    text: str
    assessors: tuple[str, ...]


def cut_text(study: Study, item: Key) -> list[Piece]:
    """Return the text of an item in pieces, each marked by the same assessors throughout.

    Whose the key is and its occasion play no part. Passages of another version of the text are
    left out; without a text there is no piece.
    """
    text = text_of(study.store, study.collection_id, item) or ""
    rows = counted_passages(passages_of(study), item.facet)
    own = rows[(rows[ITEM] == [item.topic_id, item.document_id, item.engine]).all(axis=1)]
    own = own[own["characters"] == len(text)]
    names = own["name"].mask(own["name"] == "", own["assessor_id"])
    edges = sorted({0, len(text), *own["start"], *own["end"]})
    return [
        Piece(
            text[start:end],
            tuple(sorted(names[(own["start"] <= start) & (own["end"] >= end)].unique())),
        )
        for start, end in pairwise(edges)
    ]
