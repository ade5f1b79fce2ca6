"""Topics as people know them: by their queries."""

import pandas as pd
import streamlit as st

from core.analysis.base.study import topics_of
from core.analysis.results.basis import ScoreBasis
from pages.shared.session import PageContext

ALL = ""
"""Stands for all topics where one can be chosen."""


def queries_of(context: PageContext) -> dict[str, str]:
    """Return the query of each topic by its id."""
    topics = topics_of(context.study)
    return dict(zip(topics["topic_id"], topics["query"].fillna(""), strict=True))


def choose_topic(context: PageContext, basis: ScoreBasis, key: str, *, whole: bool = False) -> str:
    """Let the organiser choose a judged topic, or ``ALL`` where that is offered."""
    queries = queries_of(context)
    offered = [ALL, *basis.rankings.topics] if whole else list(basis.rankings.topics)
    names = {one: f"{one}: {queries.get(one, '')}".removesuffix(": ") for one in offered}
    names[ALL] = "all, averaged"
    chosen = st.selectbox(
        "Topic", offered, format_func=names.__getitem__, key=key, persist_state="page"
    )
    return str(chosen)


def name_topics(topic_ids: "pd.Series[str]", queries: dict[str, str]) -> "pd.Series[str]":
    """Return each topic's query after its id, as figures name it."""
    return (topic_ids + " " + topic_ids.map(queries).fillna("")).str.strip()
