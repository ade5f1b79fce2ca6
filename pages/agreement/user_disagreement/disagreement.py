"""The User Disagreement Model: probabilities of the top level, and weights of levels."""

import pandas as pd
import streamlit as st

from core.analysis.agreement.level_weights import ask_weights
from core.analysis.base.declared import model_of
from core.analysis.base.study import scales_of
from core.collection.records import counted_levels
from core.figures.disagreement import draw_top_probability, draw_weights
from core.reports.level_weights import LevelWeights, WeightsQuestion
from core.reports.user_model import UserModel
from core.wording import plain, plain_with_facts
from pages.agreement.user_disagreement.combined import show_combined
from pages.agreement.user_disagreement.missed_pages import show_missed_pages
from pages.agreement.user_disagreement.strata import choose_stratum, show_strata
from pages.agreement.user_disagreement.top_results import show_further, show_top_results
from pages.shared.facet_widgets import TWO_ASSESSORS, choose_facet
from pages.shared.figure import show_figure, show_report
from pages.shared.left_out import tell_given, tell_left_out
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.user_model_widgets import choose_model, write_estimates
from pages.shared.wording import needs_collection, show_notes

PURPOSE = (
    "How much an assessor's level should count when users differ as assessors do: how likely it is "
    "that others find the same item top. These probabilities become weights of levels and replace "
    "arbitrary gains. They hold for users who are like your assessors, and do not say who is right."
)


@page("disagreement", "Agreement", "Level weights", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show the chances and weights of one facet's levels, then those of both facets together."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    facet = choose_facet(context, "disagreement-facet")
    tell_left_out(context)
    tell_given(context)
    levels = counted_levels(scales_of(context.study)[facet])
    with context.sheet.options:
        model = choose_model(levels, facet, model_of(context.study, facet))
        stratum = choose_stratum(context, facet, model.top)
    found = ask_weights(context.study, facet, WeightsQuestion(model, stratum))
    _say_weights(context, found)
    if not found.has_pairs:
        return
    rows = write_estimates(found.levels)
    left, right = st.columns(2)
    with left:
        _show_chances(rows, levels[model.top])
    with right:
        _show_weights(rows, model)
    _show_table(found)
    show_top_results(context, found)
    show_strata(found)
    show_further(found)
    show_combined(context, facet, found.question)
    show_missed_pages(context, facet, model)


def _say_weights(context: PageContext, found: LevelWeights) -> None:
    """Say what the weight of the level below the top means, or why there is none."""
    said = plain_with_facts(found.answer)
    if found.is_known:
        context.sheet.answer(said)
    else:
        context.sheet.tell(f"{said} {TWO_ASSESSORS}" if found.lacks_labels else said)
    if found.has_pairs:
        show_notes(found.notes)


def _show_chances(rows: pd.DataFrame, top: str) -> None:
    st.header(f"p({plain(top)} | level)")
    show_figure(
        draw_top_probability(rows, top),
        rows,
        "top-probability",
        "Of the items to which one assessor gave the level below, the share to which another gave "
        f"**{plain(top)}**, counted in both directions, with a 95 % interval; topics are "
        "what is sampled. Hollow dots and brackets mark values based on fewer than 50 cases or 5 "
        "topics. If all assessors agreed, the dot of the top level would be at 1 and all others at "
        "0.",
        nobody=("name",),
    )


def _show_weights(rows: pd.DataFrame, model: UserModel) -> None:
    st.header("Weights of the levels")
    show_figure(
        draw_weights(rows),
        rows,
        "level-weights",
        f"**UDM weight**: the probability that at least {model.at_least} of {model.users} "
        "users find an item top, given the level of one of them (Demeester et al. 2014). Beside "
        "it, linear gains (the level) and exponential gains (2^level − 1), scaled so that the "
        "highest level is 1. Where the lines differ, the usual gains give a level more, or less, "
        "than your assessors' disagreement supports.",
        nobody=("name",),
    )


def _show_table(found: LevelWeights) -> None:
    top = plain(found.labels.name(found.model.top))
    show_report(
        found,
        "levels",
        "level-weights-table",
        "A **case** is an ordered pair of two assessors' labels for an item; where an item has "
        "more labels, its pairs share the weight of one double judgement, so numbers of cases may "
        f"be fractions. **p(top | level)** is the probability that another assessor says {top}, "
        "with its 95 % interval over topics; **few**: under 50 cases or 5 topics. The **UDM "
        "weight** follows from p, and so do its limits; *linear* and *exponential* are the usual "
        "gains, scaled to 1.",
    )
