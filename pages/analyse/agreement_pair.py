"""Two assessors in detail, and the topics on which assessors agree; parts of the agreement page."""

import numpy as np
import pandas as pd
import streamlit as st

from core.agreement.confusion import ConfusionMatrices
from core.agreement.topics import agreement_by_topic, split_topics
from core.figures.agreement import draw_confusion, draw_intervals
from pages.analyse.facets import counted_levels, names_of
from pages.manage.wording import plain
from pages.shared.figure import show_figure, show_table
from pages.shared.live import kept, scales_of, topics_of
from pages.shared.session import Visit

MANY_ROWS = 30


def show_pair(
    visit: Visit, facet: str, matrices: ConfusionMatrices, pairs: pd.DataFrame
) -> None:
    """Let the organiser choose two assessors and show their matrix and topics."""
    st.subheader("One pair")
    row = _choose_pair(pairs[pairs["n"] > 0], facet)
    _say_pair(row)
    left, right = st.columns(2)
    with left:
        _show_confusion(visit, facet, matrices, row)
    with right:
        _show_topics(visit, matrices, row)


def show_topic_sets(visit: Visit, matrices: ConfusionMatrices, facet: str) -> None:
    """Say on which topics all pairs agree beyond chance, and on which they do not."""
    st.subheader("Topics by agreement")
    table = _tabulate_sets(visit, kept(visit, _by_topic, facet, matrices.topics))
"""Unfinished."""
