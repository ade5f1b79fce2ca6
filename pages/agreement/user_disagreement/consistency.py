"""Assessors' hidden repeats beside the labels of others; part of the test of the model."""

import streamlit as st

from core.disagreement.consistency import CROSS, SELF
from core.errors import TooLittleData
from core.figures.verification import draw_samples
from core.reports.verification import ModelVerification
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_report

WHO = {SELF: "the same person again", CROSS: "another person"}


def show_consistency(found: ModelVerification) -> None:
    """Show whether people differ from others more than from themselves."""
    st.header("Do assessors agree with themselves?")
    try:
        with st.spinner("Sampling repeats"):
            consistency = found.consistency
    except TooLittleData:
        st.info(
            f"Nobody has judged the same {found.labels.facet} twice yet, so inconsistency of one "
            "assessor cannot be told apart from disagreement between assessors. On the page "
            "*Rounds*, open a round with a share of hidden repeats, 10 % say; about 30 repeats of "
            "top items are a start."
        )
        return
    (st.markdown if found.knows_repeats else st.info)(plain_with_facts(found.consistency_answer))
    name, top = found.labels.name, found.labels.name(found.top)
    rows = consistency.histogram(0.02)
    rows = rows.assign(name=rows["within"].map(WHO), of=rows["level"].map(name))
    left, right = st.columns(2)
    with left:
        own = rows[rows["level"] == found.top]
        show_figure(
            draw_samples(own, top),
            own,
            "self-cross",
            f"An item that somebody calls **{plain(top)}**: the probability that the same "
            "person gives this level again, and that another person does. Histograms over 1,000 "
            "samples of one label per assessor and item, on items with repeats. If the histograms "
            "are apart, assessors agree with themselves more than with each other (the verdict "
            "requires this in 97.5 % of samples). If they overlap, assessors differ from "
            "themselves as much as from each other. Other items or people would add to the spread.",
            nobody=("name", "of"),
        )
    with right:
        others = rows[(rows["level"] < found.top) & (rows["within"] == CROSS)]
        show_figure(
            draw_samples(others.assign(name=others["of"]), top),
            others,
            "cross-by-level",
            f"How likely another person says **{plain(top)}** where one gave a lower "
            "level, over the same samples. Where the histograms of two levels are apart, the two "
            "levels remain distinct despite assessors' inconsistency.",
            nobody=("name", "of"),
        )
    _show_table(found)


def _show_table(found: ModelVerification) -> None:
    with st.expander("The same as a table"):
        show_report(
            found,
            "repeats",
            "self-cross-table",
            "**p(top | level)**, given the level of one label: mean and standard deviation over "
            "the samples of the same labels; other items or people would add to it.",
            written={"level": found.labels.name},
        )
