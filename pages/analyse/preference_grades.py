"""Do levels and their weights foretell what people prefer? Part of the preferences page."""

from math import isnan

import numpy as np
import pandas as pd
import streamlit as st

from core.collection.preferences import DOCUMENTS
from core.errors import TooLittleData
from core.figures.preferences import draw_foretelling
from core.preference.grades import preference_by_difference, preference_slope, worth_differences
from pages.analyse.compared import compared
from pages.analyse.facets import counted_levels
from pages.analyse.user_model import choose_model
from pages.analyse.versions import Pairs, weights_of
from pages.shared.figure import show_figure
from pages.shared.live import kept, labels_of, scales_of
from pages.shared.session import Visit

CLASSES = 5


def show_grades(visit: Visit, facet: str) -> None:
    """Show preferences by the difference of mean levels, and by that of UDM weights."""
    st.subheader("Do the levels foretell the preference?")
    with st.expander("Users of the UDM"):
        model = choose_model(counted_levels(scales_of(visit)[facet]), f"preference-{facet}")
    weights = weights_of(visit, facet, model)
    left, right = st.columns(2)
    with left:
        _show(visit, facet, (), "difference of mean levels")
    with right:
        if not weights:
            st.info("There are no UDM weights: no two assessors gave levels to the same item.")
            return
        _show(visit, facet, weights, "difference of mean UDM weights")


def _show(visit: Visit, facet: str, weights: Pairs, x: str) -> None:
    try:
        rows, (slope, low, high, reason) = kept(visit, _foretell, facet, weights)
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
    )
    st.caption(
        f"Slope of the log odds by one unit: not defined, {reason}."
        if isnan(slope)
        else f"Slope of the log odds by one unit: {slope:.2f} (95 % interval {low:.2f} to "
        f"{high:.2f}); 0 would mean that the difference foretells nothing."
    )


def _foretell(
    visit: Visit, facet: str, weights: Pairs
) -> tuple[pd.DataFrame, tuple[float, float, float, str]]:
    labels = labels_of(visit)
    given = labels[
        (labels["facet"] == facet) & (labels["state"] == "level") & (labels["occasion"] == 0)
    ]
    worth = given["level"].map(dict(weights)) if weights else given["level"].astype("float64")
    means = given.assign(worth=worth).groupby(["topic_id", "document_id"])["worth"].mean()
    worths = means.dropna().rename_axis(["topic_id", "item"]).reset_index()
    differences = worth_differences(compared(visit, DOCUMENTS, facet), worths)
    highest = float(differences["difference"].abs().max())
    edges = np.linspace(0, highest * (1 + 1e-9), CLASSES + 1).tolist() if highest else None
    rows = preference_by_difference(differences, edges)
    names = [f"{low:.2g}–{high:.2g}" for low, high in zip(rows["over"], rows["up_to"], strict=True)]
    return rows.assign(name=names), preference_slope(differences)
