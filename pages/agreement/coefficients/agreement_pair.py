"""Two assessors in detail: their confusion matrix, and how far they agree on each topic."""

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.agreement.between_assessors import cells_of_pair, rows_by_topic
from core.analysis.base.study import scales_of
from core.collection.records import counted_levels
from core.figures.agreement import draw_confusion, draw_intervals
from core.numerals import write_limits, write_number
from core.wording import count, plain
from pages.agreement.coefficients.agreement_topics import MANY_ROWS
from pages.shared.figure import show_figure
from pages.shared.session import PageContext

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
        _show_topics(context, facet, chosen)


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


def _show_topics(context: PageContext, facet: str, pair: pd.Series) -> None:
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
