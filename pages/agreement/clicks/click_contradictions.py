"""Which results people and clicks contradict each other about most."""

from collections.abc import Mapping

import streamlit as st

from core.errors import DissentError
from core.figures.clicks import name_level
from core.reports.clicks import ClickAnalysis
from core.wording import plain_with_facts
from pages.shared.figure import show_report
from pages.shared.wording import say_why_not

MOST = 1_000


def show_contradictions(found: ClickAnalysis, names: Mapping[float, str]) -> None:
    """List results to look at, the most likely contradiction first."""
    try:
        result = found.contradictions
    except DissentError as error:
        say_why_not(error, "Nothing is listed:")
        return
    cut = name_level(result.cut, names)
    st.markdown(plain_with_facts(found.tell("contradicting", cut)))
    rows = result.frame.head(MOST)
    if rows.empty:
        return
    show_report(
        found,
        "contradicting",
        "click-contradictions",
        f"A list to look at, by {found.leading}, the most likely contradiction first. Labels may "
        "be wrong, or users may be drawn by a title and then be let down: clicks do not tell. "
        "**probability**: that it contradicts, given its clicks and how attractive all results "
        "judged high, or low, are (empirical Bayes); so it allows for how many are looked at. "
        "**false up to here**: the share of this and all rows above that is expected to be chance.",
        rows=rows,
        written={"level": lambda level: name_level(level, names)},
    )
