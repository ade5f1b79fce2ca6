"""Assessors' hidden repeats beside the labels of others; part of the test of the model."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.analysis.agreement.verification import consistency_of
from core.disagreement.consistency import CROSS, SELF, Consistency
from core.errors import TooLittleData
from core.figures.verification import draw_samples
from core.wording import count, plain
from pages.shared.figure import show_figure, show_table
from pages.shared.session import PageContext

FEW_REPEATS = 30
WHO = {SELF: "the same person again", CROSS: "another person"}


def show_consistency(
    context: PageContext, facet: str, group_by: str, top: int, levels: Mapping[int, str]
) -> None:
    """Show whether people differ from others more than from themselves."""
    st.header("Do assessors agree with themselves?")
    try:
        with st.spinner("Sampling repeats"):
            found = consistency_of(context.study, facet, group_by, top)
    except TooLittleData:
        st.info(
            f"Nobody has judged the same {facet} twice yet, so inconsistency of one assessor "
            "cannot be told apart from disagreement between assessors. On the page *Rounds*, "
            "open a round with a share of hidden repeats, 10 % say; about 30 repeats of top items "
            "are a start."
        )
        return
    _say_verdict(found, top, levels)
    rows = found.histogram(0.02)
    rows = rows.assign(name=rows["within"].map(WHO), of=rows["level"].map(levels))
    left, right = st.columns(2)
    with left:
        own = rows[rows["level"] == top]
        show_figure(
            draw_samples(own, levels[top]),
            own,
            "self-cross",
            f"An item that somebody calls **{plain(levels[top])}**: the probability that the same "
            "person gives this level again, and that another person does. Histograms over 1,000 "
            "samples of one label per assessor and item, on items with repeats. If the histograms "
            "are apart, assessors agree with themselves more than with each other (the verdict "
            "requires this in 97.5 % of samples). If they overlap, assessors differ from "
            "themselves as much as from each other. Other items or people would add to the spread.",
            nobody=("name", "of"),
        )
    with right:
        others = rows[(rows["level"] < top) & (rows["within"] == CROSS)]
        show_figure(
            draw_samples(others.assign(name=others["of"]), levels[top]),
            others,
            "cross-by-level",
            f"How likely another person says **{plain(levels[top])}** where one gave a lower "
            "level, over the same samples. Where the histograms of two levels are apart, the two "
            "levels remain distinct despite assessors' inconsistency.",
            nobody=("name", "of"),
        )
    _show_table(found, levels, levels[top])


def _say_verdict(found: Consistency, top: int, levels: Mapping[int, str]) -> None:
    """Say whether people agree with themselves more than with others, beyond the sampling."""
    at = found.levels.index(top)
    own, others = found.samples[SELF][:, at], found.samples[CROSS][:, at]
    both = ~np.isnan(own) & ~np.isnan(others)
    repeats = f"{count(found.repeated, 'repeat')} on {count(found.items, 'item')}"
    if not both.any():
        st.info(f"None of {repeats} has the level {plain(levels[top])}, so nothing is known yet.")
        return
    apart = found.share_apart(top)
    if found.repeated < FEW_REPEATS:
        verdict = "Too few repeats for a verdict"
    elif apart >= 0.975:
        verdict = "**Assessors disagree with each other more than with themselves**"
    else:
        verdict = "**Disagreement cannot be told apart from inconsistency**"
    st.markdown(
        f"{verdict}: an assessor who says {plain(levels[top])} says so again with probability "
        f"**{own[both].mean():.3f}**, another person with **{others[both].mean():.3f}** "
        f"({repeats}; drawing labels again changes these by {own[both].std():.3f} and "
        f"{others[both].std():.3f}, which is no sampling error)."
    )


def _show_table(found: Consistency, levels: Mapping[int, str], top: str) -> None:
    rows = found.summary()
    rows = rows.assign(name=rows["level"].map(levels), who=rows["within"].map(WHO))
    number = st.column_config.NumberColumn
    with st.expander("The same as a table"):
        show_table(
            rows,
            "self-cross-table",
            f"**p({plain(top)} | level)**, given the level of one label: mean and standard "
            "deviation over the samples of the same labels; other items or people would add to it.",
            column_config={
                "name": "one label",
                "who": "then",
                "mean": number(f"p({top} | level)", format="%.3f"),
                "sd": number("sd", format="%.3f"),
                "reason": "why empty" if rows["reason"].any() else None,
            },
            column_order=["name", "who", "mean", "sd", "reason"],
            nobody=("name", "who"),
        )
