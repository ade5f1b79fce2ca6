"""The items of one topic, those that assessors disagree on most first, with everyone's labels."""

from collections.abc import Hashable
from typing import Any

import pandas as pd
import streamlit as st

from core.agreement.ratings import ratings_from_labels
from core.agreement.spread import item_spread
from core.store.gold import GoldItem, read_judged
from core.store.standing import write_out
from pages.analyse.facets import counted_levels, names_of
from pages.analyse.gold_items import gold_of, show_marking
from pages.shared.figure import show_table
from pages.shared.live import coded_labels_of, kept, scales_of
from pages.shared.session import Visit
from pages.shared.wording import plain

ITEM = ["document_id", "engine"]
_TEXT = ["title", "shown"]
_NAMED = [*ITEM, *_TEXT, "spread", "gold"]
_BY = "by "
_LONGEST = 70


def show_items(visit: Visit, facet: str, topic_id: str) -> None:
    """List the items of a topic with all labels, and offer to mark one as gold."""
    items = kept(visit, _items, facet, topic_id)
    if items.empty:
        st.info(f"Nobody has judged a {facet} of this topic yet.")
        return
    show_table(
        items,
        "topic-items",
        "One row for each item of the topic; those with the widest **spread** come first. The "
        "spread is the mean absolute difference of two assessors' levels, in steps of the scale, "
        "over all pairs who judged the item: 0 where all agree, empty with a single label. "
        "Levels stand here as they were given. A wide spread says that people differ on the "
        "item; the comments may say why. Assessors never see this table.",
        column_config={
            "document_id": "document",
            "engine": "engine" if items["engine"].any() else None,
            "title": st.column_config.TextColumn("title", width="medium"),
            "shown": st.column_config.TextColumn("begins", width="medium"),
            "spread": st.column_config.NumberColumn("spread", format="%.2f"),
            "gold": "gold level",
            "comments": st.column_config.TextColumn("comments", width="medium")
            if items["comments"].any()
            else None,
        },
        column_order=[
            *("spread", "title", "shown", "engine", "gold"),
            *(name for name in items if name.startswith(_BY)),
            *("comments", "document_id"),
        ],
    )
    _show_item(visit, facet, topic_id, items)


def _show_item(visit: Visit, facet: str, topic_id: str, items: pd.DataFrame) -> None:
    """Show one item in full, with its gold level to be marked."""
    ids = list(zip(items["document_id"], items["engine"], strict=True))
    names = dict(zip(ids, map(_call, items[_NAMED].to_dict("records")), strict=True))
    document_id, engine = chosen = st.selectbox(
        "Item, widest spread first",
        ids,
        format_func=names.__getitem__,
        key=f"agreement-item-{facet}-{topic_id}",
    )
    row = items.iloc[ids.index(chosen)]
    with st.container(border=True):
        st.markdown(f"**{plain(row['title'] or document_id)}**")
        st.text(" · ".join(f"{name[len(_BY) :]}: {row[name]}" for name in _givers(row)))
        for text in (row["shown"], row["comments"]):
            if text:
                st.text(text)
        gold = gold_of(visit, facet)
        own = gold[["topic_id", *ITEM]].eq([topic_id, *chosen]).all(axis=1)
        place = topic_id, document_id, facet, engine
        marked = [GoldItem(*place, int(level)) for level in gold.loc[own, "given_level"]]
        show_marking(visit, marked[0] if marked else None, place)


def _givers(row: pd.Series) -> list[str]:
    return [name for name in row.index if name.startswith(_BY) and row[name]]


def _call(row: dict[Hashable, Any]) -> str:
    spread = "one label" if pd.isna(row["spread"]) else f"{row['spread']:.2f}"
    name = row["title"] or row["shown"] or row["document_id"]
    return " · ".join(filter(None, (spread, name[:_LONGEST], row["engine"], row["gold"])))


def _items(visit: Visit, facet: str, topic_id: str) -> pd.DataFrame:
    """Return the topic's items with text, spread, gold level, a column by assessor, comments."""
    labels = coded_labels_of(visit)
    labels = write_out(labels[labels["topic_id"] == topic_id])
    labels = labels[(labels["facet"] == facet) & (labels["occasion"] == 0)]
    level_names = {one.level: one.name for one in scales_of(visit)[facet]}
    ratings = ratings_from_labels(labels, facet, list(counted_levels(scales_of(visit)[facet])))
    gold = gold_of(visit, facet)
    gold = gold[gold["topic_id"] == topic_id].set_index(ITEM)["given_level"]
    table = (
        labels[ITEM]
        .drop_duplicates()
        .merge(read_judged(visit.store, visit.collection_id, topic_id, facet), on=ITEM, how="left")
        .fillna({name: "" for name in _TEXT})
        .merge(item_spread(ratings)[[*ITEM, "labels", "spread"]], on=ITEM, how="left")
        .join(gold.map(level_names).fillna("off the scale").rename("gold"), on=ITEM)
        .fillna({"gold": "", "labels": 0})
        .join(_side_by_side(labels, level_names, names_of(visit)), on=ITEM)
    )
    order = ["spread", *ITEM]
    return table.sort_values(order, ascending=[False, True, True], ignore_index=True)


def _side_by_side(
    labels: pd.DataFrame, level_names: dict[int, str], names: dict[str, str]
) -> pd.DataFrame:
    """Return each item's labels by assessor, as given, and its comments."""
    given = labels["given_level"].map(level_names).astype("str").fillna(labels["state"])
    name = labels["assessor_id"].map(names)
    wide = labels.assign(column=_BY + name, given=given).pivot(
        index=ITEM, columns="column", values="given"
    )
    said = labels.assign(comments=name + ": " + labels["comment"])[labels["comment"] != ""]
    comments = said.groupby(ITEM)["comments"].agg("\n".join)
    return wide.fillna("").join(comments).fillna({"comments": ""})
