"""How low and how high every score can still be, whatever the rest of the pool is judged to be."""

import pandas as pd
import streamlit as st

from core.analysis.base.wording import plain
from core.analysis.judging.enough import bounds_of
from core.analysis.results.qrels_choices import QrelsChoice
from core.comparison.ties import order_best
from core.figures.stopping import draw_score_bounds
from core.stopping.bounds import ScoreBounds
from pages.shared.figure import show_figure
from pages.shared.session import PageContext

MOST_SYSTEMS = 40


def show_bounds(context: PageContext, choice: QrelsChoice, measure: str, depth: int) -> None:
    """Show the bounds of all scores, and how many pairs of systems are decided by them."""
    found = bounds_of(context.study, choice, measure, depth, ())
    rows = lay_out_bounds(found)
    is_known = bool(rows["low"].notna().any())
    decided = (
        f"The order of {found.decided:,} of {found.pairs:,} pairs of systems cannot turn any more, "
        "whatever the rest of the pool says."
        if is_known
        else f"For {plain(measure)} there are the two scenarios only: bounds that hold for every "
        "judgement of the rest are known for AP, P and RBP."
    )
    st.markdown(decided)
    show_figure(
        draw_score_bounds(rows.head(MOST_SYSTEMS), measure),
        rows,
        "enough-bounds",
        "Mean scores where none of what is not judged is relevant (as today) and where all of it "
        "is, at the highest level seen. The bar holds every score that any judgement of the rest "
        "can give; it says nothing of how probable one is. A pair is decided where no judgement "
        "can turn it. For RBP, *residual* is what everything without a judgement, also documents "
        f"outside the pool, could add. The first {MOST_SYSTEMS} systems are drawn.",
    )


def lay_out_bounds(found: ScoreBounds) -> pd.DataFrame:
    """Return a row for each system, the best of today first."""
    rows = pd.DataFrame(
        {
            "system": found.systems,
            "today": found.today,
            "all_relevant": found.all_relevant,
            "low": found.low,
            "high": found.high,
            "residual": found.residual,
        }
    )
    return rows.iloc[order_best(found.today)].reset_index(drop=True)
