"""How deep a pool is and what of it is judged, with what it holds."""

import streamlit as st

from core.analysis.base.facets import has_snippets
from core.analysis.base.wording import count
from core.analysis.judging.pools import pool_of
from core.store.rounds.rounds import FLOWS, PAGE_ONLY, SNIPPET_THEN_PAGE
from pages.shared.session import PageContext


def choose_pool(context: PageContext) -> tuple[int, str] | None:
    """Ask for depth and flow and say what the pool holds; return them when it can be judged."""
    usual = SNIPPET_THEN_PAGE if has_snippets(context.study) else PAGE_ONLY
    flow = st.selectbox(
        "What is judged",
        FLOWS,
        index=FLOWS.index(usual),
        help="A snippet comes before its page.",
    )
    depth = st.number_input(
        "Depth", 1, 1000, 10, help="The pool has the documents of every run up to this rank."
    )
    pooled = pool_of(context.study, int(depth), flow)
    pairs = pooled.pairs
    if pairs.empty:
        st.info(f"Nothing can be judged: {pooled.advice}.")
        return None
    topics = pairs.groupby("topic_id").size()
    left_out = ""
    if pooled.without_text:
        left_out += f"; {pooled.without_text:,} more have no text"
    if pooled.unknown_topics:
        left_out += f"; {pooled.unknown_topics:,} more belong to topics without a description"
    st.caption(
        f"{count(len(pairs), 'document')} of {count(len(topics), 'topic')} can be judged, "
        f"{topics.min()} to {topics.max()} a topic (median {topics.median():g}){left_out}."
    )
    return int(depth), flow
