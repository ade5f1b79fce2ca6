"""Do levels and their weights predict what people prefer? Part of the preferences page."""

import pandas as pd
import streamlit as st

from core.analysis.agreement.preferences import preferences_on
from core.analysis.base.declared import model_of
from core.analysis.base.study import scales_of
from core.analysis.results.qrels_choices import weights_of
from core.collection.records import DOCUMENTS, counted_levels
from core.figures.preferences import draw_predictions_by_grade
from core.reports.preferences import LEVEL, WEIGHT, Preferences
from core.wording import plain_with_facts
from pages.shared.figure import show_figure
from pages.shared.session import PageContext
from pages.shared.user_model_widgets import choose_model


def show_levels(context: PageContext, facet: str) -> None:
    """Show preferences by the difference of mean levels, and by that of UDM weights."""
    st.header("Do the levels predict the preference?")
    with context.sheet.options:
        model = choose_model(
            counted_levels(scales_of(context.study)[facet]),
            f"preference-{facet}",
            model_of(context.study, facet),
        )
    weights = weights_of(context.study, facet, model)
    report = preferences_on(context.study, DOCUMENTS, facet, weights=weights)
    if report.no_levels:
        st.info(
            "In no compared pair do both documents have a level yet. Judge the same documents by "
            "level."
        )
        return
    left, right = st.columns(2)
    with left:
        _show(report, report.by_level, LEVEL)
    with right:
        if len(report.by_weight):
            _show(report, report.by_weight, WEIGHT)
        else:
            st.info("There are no UDM weights: no two assessors gave levels to the same item.")


def _show(report: Preferences, rows: pd.DataFrame, of: str) -> None:
    shown = rows[rows["up_to"] > 0]
    show_figure(
        draw_predictions_by_grade(shown[shown["share"].notna()], x=f"difference of {of}s"),
        rows,
        f"preference-by-{of.rpartition(' ')[-1]}",
        "The share of preferences for the item with the higher level or weight, by the size of "
        "the difference; a tie counts one half; with the 95 % interval over topics (jackknife). "
        "The dotted line is chance. Rising dots mean that a larger difference makes the "
        "preference more certain; a flat line near one half means that levels do not predict "
        "preferences. Pairs with no difference are in the data only.",
        nobody=("name",),
    )
    st.caption(plain_with_facts(report.tell_slope(of)))
