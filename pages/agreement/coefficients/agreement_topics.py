"""On which topics assessors agree beyond chance, and on which they do not; topic by topic."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.agreement.between_assessors import (
    ALL,
    _topic_names,
    agreement_by_topic_set,
    pairs_on_topic,
)
from core.analysis.base.study import topics_of
from core.figures.agreement import draw_intervals
from core.reports.agreement import LINEAR
from pages.agreement.coefficients.agreement_items import show_items
from pages.shared.figure import show_figure, show_table
from pages.shared.session import PageContext

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
