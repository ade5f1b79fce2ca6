"""Side bias of assessors, their agreement on preferences, and intransitive triples."""

import streamlit as st

from core.analysis.agreement.preferences import name_assessors
from core.reports.preferences import Preferences
from core.wording import plain_with_facts
from pages.shared.figure import show_report


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
    called = {"assessor_id": name_assessors(report).__getitem__}
    show_report(
        report,
        "sides",
        "preference-sides",
        "How often the one on the left was chosen, ties left out, with its exact 95 % interval "
        "over preferences. Sides are random, so an unbiased assessor is near one half. A small p "
        "is evidence of a bias, but about one in twenty unbiased assessors has a p below .05.",
        written=called,
    )
    if report.repeats["n"].iloc[0] > 0:
        show_report(
            report,
            "repeats",
            "preference-repeats",
            "What assessors chose when a pair was repeated with its sides swapped. **same**: the "
            "same item, or a tie, again. **left**, **right**: the same side both times, which "
            "suggests that the side, or chance, decided. p tests left against right.",
            written=called,
        )


def _show_agreement(report: Preferences) -> None:
    st.header("Agreement between assessors")
    if reason := report.no_agreement:
        st.info(f"{reason[:1].upper()}{reason[1:]}.")
        return
    meaning = (
        "**Raw agreement** is the share of equal choices, **unweighted κ** Cohen's over first, tie "
        "and second; which items these are plays no part. Topics are what is sampled."
    )
    show_report(report, "agreement", "preference-agreement", meaning)
    with st.expander("Every pair of assessors"):
        show_report(report, "agreement_by_pair", "preference-agreement-pairs", meaning)


def _show_cycles(report: Preferences) -> None:
    if not (told := report.tell_cycles()):
        return
    st.markdown(
        f"{plain_with_facts(told)} Many intransitive triples mean that no single order fits what "
        "people prefer."
    )
    if len(report.intransitive):
        with st.expander("Some intransitive triples"):
            show_report(
                report,
                "intransitive",
                "preference-cycles",
                "The first was preferred to the second, the second to the third, and the third "
                "to the first.",
            )
