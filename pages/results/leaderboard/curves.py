"""Curves on the page of scores: precision by recall beside gain by rank."""

import streamlit as st

from core.analysis.base.wording import plain
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.scores import Scoring
from core.errors import DissentError
from pages.results.leaderboard.curve_choice import choose_curves
from pages.results.leaderboard.gain_curves import show_gain
from pages.results.leaderboard.precision_curves import show_precision
from pages.shared.session import PageContext


def show_curves(
    context: PageContext, basis: ScoreBasis, scoring: Scoring, ordered: list[str]
) -> None:
    """Show curves of some systems, over all topics or on one."""
    choice = choose_curves(context, basis, scoring, ordered)
    columns = st.columns(2, gap="medium")
    for column, show in zip(columns, (show_precision, show_gain), strict=True):
        with column:
            try:
                show(choice)
            except DissentError as error:
                st.info(plain(str(error)))
