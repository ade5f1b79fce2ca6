"""Side bias of assessors, their agreement on preferences, and intransitive triples."""

import streamlit as st

from core.agreement.base import name_coefficient
from core.analysis.agreement.preferences import name_assessors
from core.reports.preferences import Preferences
from core.wording import plain_with_facts
from pages.shared.figure import show_table
from pages.shared.table import P_VALUES

_SHARE = ("share", "low", "high", "p", "reason")


def show_assessors(report: Preferences) -> None:
    """Show side bias, swapped repeats, agreement and cycles."""
    left, right = st.columns(2)
    with left:
        _show_sides(report)
    with right:
        _show_agreement(report)
    _show_cycles(report)


def _show_sides(report: Preferences) -> None:
    st.header("Sides")
    sides = name_assessors(report, report.sides)
    show_table(
        sides,
        "preference-sides",
        "How often the one on the left was chosen, ties left out, with its exact 95 % interval "
        "over preferences. Sides are random, so an unbiased assessor is near one half. A small p "
        "is evidence of a bias, but about one in twenty unbiased assessors has a p below .05.",
        column_config={"n": "of"},
        column_order=["assessor", "left", "n", *_SHARE],
        written=P_VALUES,
    )
    repeats = name_assessors(report, report.repeats)
    if repeats["n"].iloc[0] > 0:
        show_table(
            repeats,
            "preference-repeats",
            "What assessors chose when a pair was repeated with its sides swapped. **same**: the "
            "same item, or a tie, again. **left**, **right**: the same side both times, which "
            "suggests that the side, or chance, decided. p tests left against right.",
            column_config={"n": "repeats"},
            column_order=["assessor", "n", "same", "left", "right", "changed", *_SHARE],
            written=P_VALUES,
        )


def _show_agreement(report: Preferences) -> None:
    st.header("Agreement between assessors")
    if reason := report.no_agreement:
        st.info(f"{reason[:1].upper()}{reason[1:]}.")
        return
    config = {"n": "common pairs", "pairs": "pairs of assessors", "units": "topics"}
    written = {"coefficient": name_coefficient}
    meaning = (
        "**Raw agreement** is the share of equal choices, **unweighted κ** Cohen's over first, tie "
        "and second; which items these are plays no part. Topics are what is sampled."
    )
    show_table(
        report.agreement, "preference-agreement", meaning, column_config=config, written=written
    )
    with st.expander("Every pair of assessors"):
        pairs = report.agreement_by_pair
        show_table(
            pairs, "preference-agreement-pairs", meaning, column_config=config, written=written
        )


def _show_cycles(report: Preferences) -> None:
    if not (told := report.tell_cycles()):
        return
    st.markdown(
        f"{plain_with_facts(told)} Many intransitive triples mean that no single order fits what "
        "people prefer."
    )
    if len(report.intransitive):
        with st.expander("Some intransitive triples"):
            show_table(
                report.intransitive,
                "preference-cycles",
                "The first was preferred to the second, the second to the third, and the third "
                "to the first.",
                nobody=("first", "second", "third"),
            )
