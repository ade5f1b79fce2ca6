"""Which pairs a round side by side would hand out."""

from math import comb

import pandas as pd
import streamlit as st

from core.analysis.base.wording import count
from core.analysis.judging.pairs import choose_candidates, compared_kind
from core.collection.records import DOCUMENTS, SYSTEMS
from core.errors import DissentError
from core.store.rounds.rounds import SIDE_BY_SIDE
from pages.shared.session import PageContext
from pages.shared.wording import say_why_not

METHODS = {
    "all": "any pairs, evenly",
    "adjacent": "neighbours by level",
    "top": "the best ranks most",
    "adaptive": "where strengths overlap",
}
HELP = (
    "Evenly: over topics and items. Neighbours: next to each other in the order of the mean levels "
    "so far. Best ranks: documents nearer to the top of a run are more likely. Where strengths "
    "overlap: pairs whose order is still uncertain; for a further round."
)


def preview_pairs(context: PageContext) -> tuple[int, str, pd.DataFrame] | None:
    """Ask what is to be compared and show how many pairs there are; None when there is none."""
    with st.container(horizontal=True):
        flow = st.selectbox("What is judged", list(SIDE_BY_SIDE), width=320, key="pair-flow")
        kind = compared_kind(flow)
        depth = st.number_input(
            "Results shown" if kind == SYSTEMS else "Depth",
            1,
            100 if kind == SYSTEMS else 1000,
            10,
            help="For systems, the length of the lists. For documents, how far down each run they "
            "are taken from.",
            width=140,
        )
        method = st.selectbox(
            "Pairs",
            [name for name in METHODS if kind == DOCUMENTS or name in ("all", "adaptive")],
            format_func=METHODS.__getitem__,
            help=HELP,
            width=240,
            key="pair-method",
        )
        budget = st.number_input("At most, in all topics", 1, 100_000, 200, width=180)
    try:
        candidates, chosen = choose_candidates(context.study, flow, int(depth), method, int(budget))
    except DissentError as error:
        say_why_not(error, "No pairs can be chosen in this way:")
        return None
    if chosen.empty:
        st.info(
            "There is nothing left to compare. It takes topics, runs (or results) and documents."
        )
        return None
    sizes = candidates.groupby("topic_id").size()
    topics = count(chosen["topic_id"].nunique(), "topic")
    st.caption(
        f"{count(len(chosen), 'pair')} in {topics} chosen, of "
        f"{sum(comb(size, 2) for size in sizes):,} possible between {len(candidates):,} "
        "candidates; pairs of earlier rounds are not chosen again. Every assessor of a topic "
        f"judges every pair of the topic{' twice: snippets, then pages' if ',' in flow else ''}."
    )
    return int(depth), flow, chosen.assign(kind=kind)
