"""How attractive results of each level are to users, and what clicks tell of levels."""

from collections.abc import Mapping

import streamlit as st

from core.errors import DissentError
from core.figures.agreement import draw_intervals
from core.figures.clicks import name_level
from core.reports.clicks import ClickAnalysis
from core.wording import plain
from pages.shared.figure import show_figure, show_report
from pages.shared.wording import say_why_not


def show_levels(found: ClickAnalysis, names: Mapping[float, str]) -> None:
    """Show clicks and attractiveness by level, and what both are worth for predicting levels."""
    left, right = st.columns(2)
    with left:
        _list_rates(found, names)
    with right:
        _show_attractiveness(found, names)
    st.header("Levels predicted from clicks", anchor=False)
    try:
        _list_predicted(found)
    except DissentError as error:
        say_why_not(error, "Nothing is predicted:")


def _list_rates(found: ClickAnalysis, names: Mapping[float, str]) -> None:
    show_report(
        found,
        "by_level",
        "click-levels",
        "How often results of each level were clicked, wherever they stood, with 95 % limits; "
        "sessions are what is sampled. A high level stands higher in lists, which alone brings "
        "clicks: the figure beside takes rank out.",
        written={"level": lambda level: name_level(level, names)},
    )


def _show_attractiveness(found: ClickAnalysis, names: Mapping[float, str]) -> None:
    rows = found.attractiveness
    drawn = rows[rows["low"].notna()]
    drawn = drawn.assign(
        name=[name_level(level, names) for level in drawn["level"]], n=drawn["items"], counted=True
    )
    if drawn.empty:
        st.caption(plain(f"No attractiveness by level: {rows['reason'].iloc[0]}."))
        return
    show_figure(
        draw_intervals(drawn, x=f"attractiveness, {found.leading}", neutral=0, reach=1.0),
        rows,
        "click-attractiveness",
        "How likely a result of each level is clicked once it is examined: the model is fitted as "
        "if all results of a level were one. 95 % intervals; sessions are what is sampled, with "
        "random weights (Bayesian bootstrap).",
    )


def _list_predicted(found: ClickAnalysis) -> None:
    show_report(
        found,
        "predicted",
        "click-predicting",
        "Of two results of a query with different levels: how often the one with the higher level "
        "has the higher prediction (the area under the ROC curve, AUC; .5 is chance), as the mean "
        "over topics that were held out, with 95 % limits; topics are what is sampled. A result "
        "of which clicks say little has the attractiveness of the mean, so that attractiveness "
        "alone says little of results that are shown low.",
    )
