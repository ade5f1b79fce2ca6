"""Do levels and their weights predict what people prefer? Part of the preferences page."""

from math import isnan

import streamlit as st

from core.analysis.agreement.preference_levels import preferences_by_level
from core.analysis.base.declared import model_of
from core.analysis.base.study import scales_of
from core.analysis.results.qrels_choices import Pairs, weights_of
from core.collection.records import counted_levels
from core.errors import TooLittleData
from core.figures.preferences import draw_predictions_by_grade
from core.numerals import write_limits, write_number
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
    left, right = st.columns(2)
    with left:
        _show(context, facet, (), "difference of mean levels")
    with right:
        if not weights:
            st.info("There are no UDM weights: no two assessors gave levels to the same item.")
            return
        _show(context, facet, weights, "difference of mean UDM weights")


def _show(context: PageContext, facet: str, weights: Pairs, x: str) -> None:
    try:
        rows, (slope, low, high, reason) = preferences_by_level(context.study, facet, weights)
    except TooLittleData:
        st.info(
            "In no compared pair do both documents have a level yet. Judge the same documents by "
            "level."
        )
        return
    shown = rows[rows["up_to"] > 0]
    show_figure(
        draw_predictions_by_grade(shown[shown["share"].notna()], x=x),
        rows,
        f"preference-by-{'weight' if weights else 'level'}",
        "The share of preferences for the item with the higher level or weight, by the size of "
        "the difference; a tie counts one half; with the 95 % interval over topics (jackknife). "
        "The dotted line is chance. Rising dots mean that a larger difference makes the "
        "preference more certain; a flat line near one half means that levels do not predict "
        "preferences. Pairs with no difference are in the data only.",
        nobody=("name",),
    )
    limits = (
        f"no interval, {reason}"
        if reason
        else f"95 % interval over topics {write_limits(low, high)}"
    )
    st.caption(
        f"Slope of the log odds per unit: not defined, {reason}."
        if isnan(slope)
        else f"Slope of the log odds per unit: {write_number(slope)} ({limits}); "
        "0 would mean that the difference does not predict the preference."
    )
