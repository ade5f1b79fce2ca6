"""Do levels and their weights foretell what people prefer? Part of the preferences page."""

from math import isnan

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.labels import counted_levels
from core.analysis.preferences import compared
from core.analysis.qrels_choices import Pairs, weights_of
from core.analysis.study import Study, cached, labels_of, scales_of
from core.collection.counted import counted_labels
from core.collection.preferences import DOCUMENTS
from core.errors import TooLittleData
from core.figures.preferences import draw_foretelling
from core.preference.grades import preference_by_difference, preference_slope, worth_differences
from pages.shared.figure import show_figure
from pages.shared.session import PageContext
from pages.shared.user_model_widgets import choose_model

CLASSES = 5


def show_grades(context: PageContext, facet: str) -> None:
    """Show preferences by the difference of mean levels, and by that of UDM weights."""
    st.subheader("Do the levels foretell the preference?")
    with st.expander("Users of the UDM"):
        model = choose_model(counted_levels(scales_of(context.study)[facet]), f"preference-{facet}")
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
        rows, (slope, low, high, reason) = cached(context.study, _foretell, facet, weights)
    except TooLittleData:
        st.info(
            "No compared pair has a level on both sides yet. Judge the same documents by level."
        )
        return
    shown = rows[rows["up_to"] > 0]
    show_figure(
        draw_foretelling(shown[shown["share"].notna()], x=x),
        rows,
        f"preference-by-{'weight' if weights else 'level'}",
        "Of the pairs whose worth differs so much, how many preferences went to the greater, a "
        "tie half, with Wilson's 95 % interval. The dotted line is chance. Rising dots mean that "
        "a bigger difference makes the preference surer; a flat line near one half means that "
        "levels do not tell what people prefer. Pairs of equal worth are in the data only.",
        nobody=("name",),
    )
    st.caption(
        f"Slope of the log odds by one unit: not defined, {reason}."
        if isnan(slope)
        else f"Slope of the log odds by one unit: {slope:.2f} (95 % interval {low:.2f} to "
        f"{high:.2f}); 0 would mean that the difference foretells nothing."
    )


def _foretell(
    study: Study, facet: str, weights: Pairs
) -> tuple[pd.DataFrame, tuple[float, float, float, str]]:
    given = counted_labels(labels_of(study), facet)
    worth = given["level"].map(dict(weights)) if weights else given["level"].astype("float64")
    means = given.assign(worth=worth).groupby(["topic_id", "document_id"])["worth"].mean()
    worths = means.dropna().rename_axis(["topic_id", "item"]).reset_index()
    differences = worth_differences(compared(study, DOCUMENTS, facet), worths)
    highest = float(differences["difference"].abs().max())
    edges = np.linspace(0, highest * (1 + 1e-9), CLASSES + 1).tolist() if highest else None
    rows = preference_by_difference(differences, edges)
    names = [f"{low:.2g}–{high:.2g}" for low, high in zip(rows["over"], rows["up_to"], strict=True)]
    return rows.assign(name=names), preference_slope(differences)
