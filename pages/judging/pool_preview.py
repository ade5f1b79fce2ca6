"""What a pool of some depth holds, before anybody judges it."""

import streamlit as st

from core.analysis.base.wording import count
from core.analysis.judging.pools import count_labelled, pool_of
from core.store.rounds.rounds import FLOWS
from pages.shared.session import PageContext


def preview(context: PageContext) -> tuple[int, str] | None:
    """Ask for depth and flow and show the pool; return them when it can be judged."""
    with st.container(horizontal=True):
        depth = st.number_input(
            "Depth",
            1,
            1000,
            10,
            help="The pool has the documents of every run up to this rank.",
            width=160,
        )
        flow = st.selectbox(
            "What is judged", FLOWS, help="A snippet comes before its page.", width=260
        )
    pooled = pool_of(context.study, depth, flow)
    pairs = pooled.pairs
    topics = pairs.groupby("topic_id").size()
    _show_counts(
        {
            "Pairs of topic and document": len(pairs) + pooled.without_text,
            "Can be judged": len(pairs),
            "Without text": pooled.without_text,
            "Already labelled": count_labelled(context.study, depth, flow),
            "Topics": len(topics),
        }
    )
    if pooled.unknown_topics:
        number = count(pooled.unknown_topics, "more pair belongs", "more pairs belong")
        st.caption(
            f"{number} to topics without a description in this collection; they are left out."
        )
    if pairs.empty:
        st.info("Nothing can be judged. Import runs (or results) and documents first.")
        return None
    st.caption(
        f"A topic has {topics.min()} to {topics.max()} documents to judge, "
        f"median {topics.median():g}. With one assessor per topic, "
        f"{count(len(pairs), 'document is', 'documents are')} to be judged in all; each further "
        "assessor per topic adds as many."
    )
    return int(depth), flow


def _show_counts(counts: dict[str, int]) -> None:
    with st.container(horizontal=True):
        for noun, number in counts.items():
            st.metric(noun, f"{number:,}", width="content")
