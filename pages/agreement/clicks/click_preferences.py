"""Preferences read from clicks, beside those of people."""

import pandas as pd

from core.figures.agreement import draw_intervals
from core.reports.clicks import AGAINST_WORDS, ClickAnalysis
from pages.shared.figure import show_figure, show_report

NOBODY = ("rule", "title", "against", "unit")


def show_preferences(found: ClickAnalysis) -> None:
    """Show how often people prefer what clicks prefer, beside what position alone gives."""
    _draw_lift(found.lift)
    show_report(
        found,
        "lift",
        "click-lift",
        "Each rule reads clicks of a list as preferences between its results (Joachims et al. "
        "2005); a log does not have the order of clicks, so they are taken to go down the list. "
        "**agree**: the share of pairs in which people prefer the same; ties and pairs that nobody "
        "judged count in no share. **by position**: the share in all pages, whatever was clicked, "
        "at the same two ranks. **lift**: the first over the second; 1 means that clicks tell "
        "nothing beyond position. 95 % limits; sessions are what is sampled.",
    )


def _draw_lift(lift: pd.DataFrame) -> None:
    known = lift[lift["low"].notna()]
    if known.empty:
        return
    rows = known.assign(
        name=known["title"] + ", " + known["against"].map(AGAINST_WORDS),
        n=known["pairs"],
        value=known["lift"],
        counted=True,
    )
    show_figure(
        draw_intervals(rows, x="lift over position", neutral=1, reach=2.0),
        lift,
        "click-lifts",
        "How many times more often people prefer what clicks prefer than position alone gives; "
        "right of the dotted line clicks tell more than position. 95 % intervals; sessions are "
        "what is sampled.",
        nobody=NOBODY,
    )
