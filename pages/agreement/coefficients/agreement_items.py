"""The items of one topic, those that assessors disagree on most first, with everyone's labels."""

from collections.abc import Hashable
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.agreement.between_assessors import (
    BY_ASSESSOR,
    ITEM_OF_TOPIC,
    TEXT_COLUMNS,
    disagreement_by_item,
)
from core.analysis.people.assessors import gold_of
from core.store.content.gold import GoldItem
from core.wording import plain
from pages.agreement.coefficients.gold_marking import show_marking
from pages.shared.figure import show_table
from pages.shared.session import PageContext

_NAMED = [*ITEM_OF_TOPIC, *TEXT_COLUMNS, "spread", "gold"]
_LONGEST = 70


def show_items(context: PageContext, facet: str, topic_id: str) -> None:
    """List the items of a topic with all labels, and offer to mark one as gold."""
    items = disagreement_by_item(context.study, facet, topic_id)
    if items.empty:
        st.info(f"Nobody has judged a {facet} of this topic yet.")
        return
    show_table(
        items,
        "topic-items",
        "One row for each item of the topic; those with the widest **spread** come first. The "
        "spread is the mean absolute difference of two assessors' levels, in steps of the scale, "
        "over all pairs who judged the item: 0 where all agree, empty with a single label. Levels "
        "are shown as they were given. A wide spread means that people differ on the item; the "
        "comments may say why. Assessors never see this table.",
        column_config={
            "engine": "engine" if items["engine"].any() else None,
            "title": st.column_config.TextColumn("title", width="medium"),
            "shown": st.column_config.TextColumn("begins", width="medium"),
            "spread": "spread",
            "gold": "gold level",
            "comments": st.column_config.TextColumn("comments", width="medium")
            if items["comments"].any()
            else None,
        },
        column_order=[
            "spread", "title", "shown", "engine", "gold",
            *(name for name in items.columns if name.startswith(BY_ASSESSOR)),
            "comments", "document_id",
        ],
    )  # fmt: skip
    _show_item(context, facet, topic_id, items)


def _show_item(context: PageContext, facet: str, topic_id: str, items: pd.DataFrame) -> None:
    """Show one item in full, with its gold level to be marked."""
    ids = list(zip(items["document_id"], items["engine"], strict=True))
    names = _name_items(items)
    document_id, engine = chosen = st.selectbox(
        "Item, widest spread first",
        ids,
        format_func=names.__getitem__,
        key=f"agreement-item-{facet}-{topic_id}",
    )
    row = items.iloc[ids.index(chosen)]
    with st.container(border=True):
        st.markdown(f"**{plain(row['title'] or document_id)}**")
        st.text(" · ".join(f"{name[len(BY_ASSESSOR) :]}: {row[name]}" for name in _givers(row)))
        for text in (row["shown"], row["comments"]):
            if text:
                st.text(text)
        gold = gold_of(context.study, facet)
        own = gold[["topic_id", *ITEM_OF_TOPIC]].eq([topic_id, *chosen]).all(axis=1)
        place = topic_id, document_id, facet, engine
        if context.aspect:  # gold is of relevance
            return
        marked = [GoldItem(*place, int(level)) for level in gold.loc[own, "given_level"]]
        show_marking(context, marked[0] if marked else None, place)


def _givers(row: pd.Series) -> list[str]:
    return [name for name in row.index if name.startswith(BY_ASSESSOR) and row[name]]


def _name_items(items: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Return what the list calls each item; documents that look alike have their ids as well."""
    called = pd.Series([_call(row) for row in items[_NAMED].to_dict("records")], index=items.index)
    with_ids = called + " · " + items["document_id"]
    names = called.mask(called.duplicated(keep=False), with_ids)
    return dict(zip(zip(items["document_id"], items["engine"], strict=True), names, strict=True))


def _call(row: dict[Hashable, Any]) -> str:
    spread = "one label" if pd.isna(row["spread"]) else f"{row['spread']:.3f}"
    name = row["title"] or row["shown"] or row["document_id"]
    return " · ".join(filter(None, (spread, name[:_LONGEST], row["engine"], row["gold"])))
