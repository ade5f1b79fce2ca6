"""On which topics assessors agree beyond chance, and on which they do not; topic by topic."""

from collections.abc import Sequence
from textwrap import shorten

import pandas as pd
import streamlit as st

from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.topics import agreement_by_topic, split_topics
from core.figures.agreement import draw_intervals
from pages.analyse.agreement_items import show_items
from pages.analyse.facets import names_of, ratings_of
from pages.shared.figure import show_figure, show_table
from pages.shared.live import kept, topics_of
from pages.shared.session import Visit

HIGH, LOW, NEITHER = "high", "low", "too little data"
LONGEST = 28
ALL = ""
CHOSEN, TABLE = "agreement-topic", "topic-sets-table"
MANY_ROWS, MOST_ROWS = 30, 150


def matrices_of(visit: Visit, facet: str) -> ConfusionMatrices:
    """Return the confusion matrices of a facet; raises TooLittleData."""
    return kept(visit, _matrices, facet)


def rows_by_topic(visit: Visit, facet: str) -> pd.DataFrame:
    """Return every pair's linear weighted κ on every topic, named by the topic's query."""
    return kept(visit, _rows, facet)


def show_topic_sets(visit: Visit, facet: str) -> None:
    """Say on which topics all pairs agree beyond chance; list them, then show one or all."""
    st.subheader("Topics by agreement")
    sets = kept(visit, _sets, facet)
    counts = sets["agreement"].value_counts()
    st.markdown(
        f"**High** on {counts.get(HIGH, 0)} of {len(sets)} topics: there, every pair of assessors "
        f"agrees beyond chance. **Low** on {counts.get(LOW, 0)}: for some pair, chance could "
        f"explain the agreement. Unknown on {counts.get(NEITHER, 0)}: no pair has 10 common items "
        "with a defined κ."
    )
    show_table(
        sets,
        "topic-sets",
        "A topic is **high** when the lower 95 % limit of linear weighted κ is above 0 for "
        "*every* pair with at least 10 common items on it, and **low** when it is not for some "
        "pair (Sakai 2017). With few items an interval is wide, so that *low* may just mean "
        "*small*. Low topics are often ambiguous: look at their queries before blaming anybody. "
        "Choose a row to see that topic's pairs and items below.",
        column_config={
            "topic_id": "topic",
            "pairs": "pairs that count",
            "lowest": st.column_config.NumberColumn("lowest κ", format="%.2f"),
            "lowest_limit": st.column_config.NumberColumn("lowest lower limit", format="%.2f"),
        },
        key=TABLE,
        selection_mode="single-row",
        on_select=lambda: _take_row(sets["topic_id"].tolist()),
    )
    topic_id = _choose_topic(visit, sets["topic_id"].tolist())
    _show_forest(visit, facet, topic_id)
    if topic_id != ALL:
        st.subheader("Items of this topic")
        show_items(visit, facet, topic_id)


def _take_row(topics: Sequence[str]) -> None:
    """Choose the topic of the row that was selected in the table."""
    for row in st.session_state[TABLE]["selection"]["rows"]:
        st.session_state[CHOSEN] = topics[row]


def _choose_topic(visit: Visit, topics: Sequence[str]) -> str:
    """Let the organiser choose a topic or all of them."""
    names = _topic_names(topics_of(visit))
    chosen = st.selectbox(
        "Topic, least agreement first",
        [*topics, ALL],
        format_func=lambda topic: names.get(topic, topic or "All topics"),
        key=CHOSEN,
    )
    return str(chosen)


def _show_forest(visit: Visit, facet: str, topic_id: str) -> None:
    """Draw every pair's κ on one topic, or on all of them."""
    rows = kept(visit, _forest, facet, topic_id)
    drawn = rows[rows["value"].notna()].head(MOST_ROWS)
    if drawn.empty:
        st.info("κ is not defined here: too few common items, or one level only.")
        return
    with st.container(height=560 if len(drawn) > MANY_ROWS else "content", border=False):
        show_figure(
            draw_intervals(drawn),
            rows,
            "topic-pairs",
            "Linear weighted κ of every pair of assessors with its 95 % interval (Cohen 1968), "
            "lowest first. Hollow dots rest on fewer than 10 common items and say little. Pairs "
            "without a defined κ are left out here; the data has them, with the reason. Of very "
            f"many rows the {MOST_ROWS} lowest are drawn, and the data has them all.",
        )


def _forest(visit: Visit, facet: str, topic_id: str) -> pd.DataFrame:
    """Return the pairs of a topic or of all, named, lowest κ first."""
    rows = rows_by_topic(visit, facet)
    rows = rows if topic_id == ALL else rows[rows["topic_id"] == topic_id]
    names = names_of(visit)
    pair = rows["first"].map(names) + " – " + rows["second"].map(names)
    named = rows["name"] + ": " + pair if topic_id == ALL else pair
    return rows.assign(name=named).sort_values("value", kind="stable", ignore_index=True)


def _matrices(visit: Visit, facet: str) -> ConfusionMatrices:
    return confusion_matrices(ratings_of(visit, facet))


def _rows(visit: Visit, facet: str) -> pd.DataFrame:
    rows = agreement_by_topic(matrices_of(visit, facet))
    names = _topic_names(topics_of(visit))
    return rows.assign(name=rows["topic_id"].map(names).astype("object").fillna(rows["topic_id"]))


def _topic_names(topics: pd.DataFrame) -> dict[str, str]:
    """Return the beginning of each topic's query, with the id where two begin alike."""
    query = topics["query"].map(lambda text: shorten(text, LONGEST, placeholder=" …"))
    shared = query.duplicated(keep=False)
    named = query.mask(shared, query + " (" + topics["topic_id"] + ")")
    return dict(zip(topics["topic_id"], named, strict=True))


def _sets(visit: Visit, facet: str) -> pd.DataFrame:
    """Return agreement (high, low, too little data) and what decides it, by topic."""
    rows = rows_by_topic(visit, facet)
    sets = split_topics(rows)
    belongs = dict.fromkeys(sets.high, HIGH) | dict.fromkeys(sets.low, LOW)
    counted = rows[rows["counted"]].groupby("topic_id")
    decisive = counted.agg(
        pairs=("n", "size"), lowest=("value", "min"), lowest_limit=("low", "min")
    )
    known = topics_of(visit)[["topic_id", "query"]]
    table = known.merge(rows[["topic_id"]].drop_duplicates(), how="outer").join(
        decisive, on="topic_id"
    )
    table.insert(2, "agreement", [belongs.get(topic, NEITHER) for topic in table["topic_id"]])
    table["pairs"] = table["pairs"].fillna(0).astype("int64")
    return table.sort_values("lowest_limit", kind="stable", ignore_index=True)
