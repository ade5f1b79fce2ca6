"""On which topics assessors agree beyond chance, and on which they do not; topic by topic.

The items of one topic, those that assessors disagree on most first, with everyone's labels, and
marking one of them with its gold level. Two assessors in detail: their confusion matrix, and how
far they agree on each topic.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.agreement.between_assessors import (
    ALL,
    BY_ASSESSOR,
    ITEM_OF_TOPIC,
    TEXT_COLUMNS,
    _topic_names,
    agreement_by_topic_set,
    cells_of_pair,
    disagreement_by_item,
    pairs_on_topic,
    rows_by_topic,
)
from core.analysis.base.labels import gold_of
from core.analysis.base.study import scales_of, topics_of
from core.collection.records import counted_levels
from core.errors import DissentError
from core.figures.agreement import draw_confusion, draw_intervals
from core.numerals import write_limits, write_number
from core.reports.agreement import LINEAR
from core.store.content.gold import GoldItem, mark_gold, unmark_gold
from core.wording import count, plain
from pages.shared.figure import show_figure, show_table
from pages.shared.session import PageContext
from pages.shared.wording import refuse

HIGH, LOW, NEITHER = "high", "low", "too little data"
CHOSEN, TABLE = "agreement-topic", "topic-sets-table"
MANY_ROWS, MOST_ROWS = 30, 150


def show_topic_sets(context: PageContext, facet: str) -> None:
    """Say on which topics all pairs agree beyond chance; list them, then show one or all."""
    sets = agreement_by_topic_set(context.study, facet)
    counts = sets["agreement"].value_counts()
    st.markdown(
        f"**High** on {counts.get(HIGH, 0):,} of {len(sets):,} topics: there, every pair of "
        f"assessors agrees beyond chance. **Low** on {counts.get(LOW, 0):,}: for some pair, chance "
        f"could explain the agreement. Unknown on {counts.get(NEITHER, 0):,}: no pair has 10 "
        "common items with a defined κ."
    )
    show_table(
        sets,
        "topic-sets",
        "A topic is **high** when the lower 95 % limit of linear weighted κ is above 0 for *every* "
        "pair with at least 10 common items on it, and **low** when it is not for some pair (Sakai "
        "2017). With few items an interval is wide, so *low* may just mean that there are few "
        "items. Topics with low agreement are often ambiguous: look at their queries before you "
        "blame an assessor. Choose a row to see that topic's pairs and items below.",
        column_config={
            "pairs": "pairs that count",
            "lowest": f"lowest {LINEAR.title}",
            "lowest_limit": "lowest lower limit",
        },
        key=TABLE,
        selection_mode="single-row",
        on_select=lambda: _take_row(sets["topic_id"].tolist()),
    )
    topic_id = _choose_topic(context, sets["topic_id"].tolist())
    _show_forest(context, facet, topic_id)
    if topic_id != ALL:
        st.header("Items of this topic")
        show_items(context, facet, topic_id)


def _take_row(topics: Sequence[str]) -> None:
    """Choose the topic of the row that was selected in the table."""
    for row in st.session_state[TABLE]["selection"]["rows"]:
        st.session_state[CHOSEN] = topics[row]


def _choose_topic(context: PageContext, topics: Sequence[str]) -> str:
    """Let the organiser choose a topic or all of them."""
    names = _topic_names(topics_of(context.study))
    chosen = st.selectbox(
        "Topic, least agreement first",
        [*topics, ALL],
        format_func=lambda topic: names.get(topic, topic or "All topics"),
        key=CHOSEN,
    )
    return str(chosen)


def _show_forest(context: PageContext, facet: str, topic_id: str) -> None:
    """Draw every pair's κ on one topic, or on all of them."""
    rows = pairs_on_topic(context.study, facet, topic_id)
    drawn = rows[rows["value"].notna()].head(MOST_ROWS)
    if drawn.empty:
        st.info("κ is not defined here: too few common items, or one level only.")
        return
    with st.container(height=560 if len(drawn) > MANY_ROWS else "content", border=False):
        show_figure(
            draw_intervals(drawn),
            rows,
            "topic-pairs",
            "Linear weighted κ of every pair of assessors with its 95 % interval (by the "
            "jackknife; items are what is sampled), lowest first. Hollow dots are based on fewer "
            "than 10 common items and say little. Pairs without a defined κ are left out here; "
            "the data includes them, with the reason. If there are very many rows, only the "
            f"{MOST_ROWS} lowest are drawn; the data has them all.",
        )


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


def show_marking(
    context: PageContext, item: GoldItem | None, place: tuple[str, str, str, str]
) -> None:
    """Offer to mark an item with its gold level, to change it and to take it off.

    Parameters
    ----------
    item : GoldItem or None
        The item as it is marked now.
    place : tuple of str
        Its topic, document, facet and engine.
    """
    if not context.may_change:
        return
    names = {one.level: one.name for one in scales_of(context.study)[place[2]]}
    key = " ".join(place)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        level = st.selectbox(
            "Its gold level",
            list(names),
            index=list(names).index(item.level) if item and item.level in names else None,
            format_func=names.__getitem__,
            placeholder="Choose a level",
            key=f"gold-level-{key}-{item.level if item else ''}",
            width=220,
        )
        same = level is None or (item is not None and item.level == level)
        marks = st.button("Mark as gold", icon=":material/star:", disabled=same)
        unmarks = item is not None and st.button("Unmark", icon=":material/delete:")
    try:
        if marks and level is not None:
            mark_gold(
                context.store, context.collection_id, GoldItem(*place, level), context.person_id
            )
        elif unmarks and item is not None:
            unmark_gold(context.store, context.collection_id, item, context.person_id)
        else:
            return
    except DissentError as error:
        refuse(error)
        return
    st.rerun()


MOST_OFFERED = 500
"""Of how many pairs one can be chosen: those with the most common items."""


def show_pair(context: PageContext, facet: str, pairs: pd.DataFrame) -> None:
    """Let the organiser choose two assessors, and show them.

    ``pairs`` has first, second (names), first_id, second_id, n, linear, low, high, raw, reason;
    the pair with the most common items first.
    """
    chosen = _choose_pair(pairs[pairs["n"] > 0].head(MOST_OFFERED), facet)
    _say_pair(chosen)
    left, right = st.columns(2)
    with left:
        _show_confusion(context, facet, chosen)
    with right:
        _show_topics_of_pair(context, facet, chosen)


def _choose_pair(pairs: pd.DataFrame, facet: str) -> pd.Series:
    ids = list(zip(pairs["first_id"], pairs["second_id"], strict=True))
    names = dict(zip(ids, pairs["first"] + " – " + pairs["second"], strict=True))
    chosen = st.selectbox(
        "Pair of assessors, most common items first",
        ids,
        format_func=names.__getitem__,
        key=f"agreement-pair-{facet}",
        bind="query-params",
    )
    return pairs.iloc[ids.index(chosen)]


def _say_pair(pair: pd.Series) -> None:
    who = f"**{plain(pair['first'])}** and **{plain(pair['second'])}**"
    kappa = f"κ is not defined: {pair['reason']}."
    if not np.isnan(pair["linear"]):
        kappa = f"Linear weighted κ is **{write_number(pair['linear'])}** ({_say_interval(pair)})."
    many = "item" if pair["n"] == 1 else "items"
    st.markdown(
        f"{who} both judged **{pair['n']:,}** {many}. Raw agreement, the share with the same level "
        f"from both, is **{pair['raw']:.3f}**. {kappa}"
    )


def _say_interval(pair: pd.Series) -> str:
    if np.isnan(pair["low"]):
        return f"no interval: {pair['reason']}"
    topics = count(pair["topics"], "topic")
    return f"95 % interval over {topics} {write_limits(pair['low'], pair['high'])}"


def _show_confusion(context: PageContext, facet: str, pair: pd.Series) -> None:
    cells = cells_of_pair(context.study, facet, pair["first_id"], pair["second_id"])
    levels = list(counted_levels(scales_of(context.study)[facet]).values())
    show_figure(
        draw_confusion(cells, levels, pair["first"], pair["second"]),
        cells,
        "confusion",
        "Each item that both judged is in one cell: its row is the level that "
        f"{plain(pair['first'])} gave, its column that of {plain(pair['second'])}. Under the "
        "count is the share of the row. Items on the diagonal from top left got the same level "
        "from both; more items on one side of it mean that one of the two is more lenient.",
        nobody=("first", "second"),
    )


def _show_topics_of_pair(context: PageContext, facet: str, pair: pd.Series) -> None:
    rows = rows_by_topic(context.study, facet)
    rows = rows[(rows["first"] == pair["first_id"]) & (rows["second"] == pair["second_id"])]
    rows = rows[rows["value"].notna()].sort_values("value", ascending=False)
    if rows.empty:
        st.info("κ is not defined on any single topic: too few common items, or one level only.")
        return
    with st.container(height=560 if len(rows) > MANY_ROWS else "content", border=False):
        show_figure(
            draw_intervals(rows),
            rows,
            "pair-topics",
            "Linear weighted κ of this pair on each topic with its 95 % interval (Cohen "
            "1968), in which items are what is sampled. Hollow dots are based on fewer than 10 "
            "common items and say little. Topics without a "
            "defined κ are left out.",
            nobody=("name",),
        )
