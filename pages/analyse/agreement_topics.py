"""On which topics assessors agree beyond chance, and on which they do not."""

from textwrap import shorten

import pandas as pd
import streamlit as st

from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.topics import agreement_by_topic, split_topics
from pages.analyse.facets import ratings_of
from pages.shared.figure import show_table
from pages.shared.live import kept, topics_of
from pages.shared.session import Visit

HIGH, LOW, NEITHER = "high", "low", "too little data"
LONGEST = 28


def matrices_of(visit: Visit, facet: str) -> ConfusionMatrices:
    """Return the confusion matrices of a facet; raises TooLittleData."""
    return kept(visit, _matrices, facet)


def rows_by_topic(visit: Visit, facet: str) -> pd.DataFrame:
    """Return every pair's linear weighted κ on every topic, named by the topic's query."""
    return kept(visit, _rows, facet)


def show_topic_sets(visit: Visit, facet: str) -> None:
    """Say on which topics all pairs agree beyond chance, and list them."""
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
        "*small*. Low topics are often ambiguous: look at their queries before blaming anybody.",
        column_config={
            "topic_id": "topic",
            "pairs": "pairs that count",
            "lowest": st.column_config.NumberColumn("lowest κ", format="%.2f"),
            "lowest_limit": st.column_config.NumberColumn("lowest lower limit", format="%.2f"),
        },
    )


def _matrices(visit: Visit, facet: str) -> ConfusionMatrices:
    return confusion_matrices(ratings_of(visit, facet))


def _rows(visit: Visit, facet: str) -> pd.DataFrame:
    rows = agreement_by_topic(matrices_of(visit, facet))
    return rows.assign(name=rows["topic_id"].map(_topic_names(topics_of(visit))))


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
    table = topics_of(visit)[["topic_id", "query"]].join(decisive, on="topic_id")
    table.insert(2, "agreement", [belongs.get(topic, NEITHER) for topic in table["topic_id"]])
    table["pairs"] = table["pairs"].fillna(0).astype("int64")
    return table.sort_values("lowest_limit", kind="stable", ignore_index=True)
