"""How far assessors marked the same passages, as pages, commands and programs show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from core.agreement.passages import (
    ALPHA,
    F1,
    ITEM,
    MarkedTexts,
    code_passages,
    counted_passages,
    passage_agreement,
)
from core.analysis.base.masking import mask_people
from core.analysis.base.study import Study, follows_labels, leave_out, topics_of
from core.numerals import write_limits, write_number
from core.store.events.frames import read_document_index
from core.store.events.labels import Key
from core.store.events.passages import read_passages, text_of
from core.wording import count


@follows_labels
def passages_of(study: Study) -> pd.DataFrame:
    """Return the passages of the labels that stand: those of persons, who alone count."""
    found = read_passages(study.store, study.collection_id)
    return leave_out(study, mask_people(study, found))


@follows_labels
def marked_texts_of(study: Study, facet: str) -> MarkedTexts:
    """Return the items of a facet that two assessors marked, in pieces of text."""
    return code_passages(passages_of(study), facet)


@follows_labels
def agreement_on_passages(study: Study, facet: str) -> pd.DataFrame:
    """Return F1 and α of the passages of a facet, as ``passage_agreement`` does."""
    return passage_agreement(marked_texts_of(study, facet))


@follows_labels
def passages_by_item(study: Study, facet: str) -> pd.DataFrame:
    """Return the items that two assessors marked, those with the lowest F1 first.

    Returns
    -------
    DataFrame
        query, title, topic_id, document_id, engine, assessors (how many marked it), characters
        (of its text), f1.
    """
    items = marked_texts_of(study, facet).items
    queries = topics_of(study).set_index("topic_id")["query"]
    index = read_document_index(study.store, study.collection_id)
    titles = index.set_index("document_id")["title"]
    named = items.assign(
        query=items["topic_id"].map(queries).astype("object").fillna(""),
        title=items["document_id"].map(titles).astype("object").fillna(""),
    )
    order = ["query", "title", *ITEM, "assessors", "characters", F1]
    return named[order].sort_values(F1, kind="stable", ignore_index=True)


def count_unlike(study: Study, facet: str) -> int:
    """Return how many labels have passages in another version of their text."""
    rows = counted_passages(passages_of(study), facet)
    return int(rows.loc[rows["characters"] == 0, "sequence"].nunique())


def answer_passages(table: pd.DataFrame) -> str:
    """Return in Markdown how far assessors marked the same.

    Parameters
    ----------
    table : DataFrame
        As ``agreement_on_passages`` returns it.
    """
    rows = table.set_index("coefficient").to_dict("index")
    f1, alpha = rows[F1], rows[ALPHA]
    if pd.isna(f1["value"]):
        return f"There is nothing to compare: {f1['reason']}."
    told = (
        f"Two assessors agree on **{write_number(f1['value'])}** {_limits(f1)} of what they marked "
        f"(F1), over {count(int(f1['units']), 'topic')} and {count(int(f1['n']), 'item')}"
    )
    if pd.isna(alpha["value"]):
        return f"{told}. α is not defined: {alpha['reason']}."
    return f"{told}; beyond chance, α is {write_number(alpha['value'])} {_limits(alpha)}."


def _limits(row: Mapping[Any, Any]) -> str:
    if row["reason"]:
        return f"(no interval: {row['reason']})"
    return write_limits(row["low"], row["high"])


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
