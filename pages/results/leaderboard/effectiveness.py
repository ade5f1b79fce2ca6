"""The organiser's page of scores: every run under a chosen qrels version."""

import pandas as pd
import streamlit as st

from core.analysis.results.basis import ScoreBasis
from core.analysis.results.qrels_choices import QrelsChoice, version_of, weights_of
from core.analysis.results.scores import (
    DEFAULTS,
    Scoring,
    rankings_of,
    scores_of,
    tabulate_scores,
)
from pages.results.leaderboard.curves import show_curves
from pages.results.leaderboard.distributions import show_distributions
from pages.results.leaderboard.topic_scores import drill_down
from pages.results.leaderboard.two_systems import compare_two
from pages.shared.figure import show_table, write_data
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import choose_cut, choose_measures, choose_scoring, needs_runs
from pages.shared.session import PageContext


@page("effectiveness", "Watch", "Effectiveness", ":material/trending_up:", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show how every run scores, with curves and topics."""
    keep_fresh(context)
    st.markdown(
        "How good each system is, if the judgements of one qrels version are taken as the truth. "
        "Unjudged documents count as not relevant, so a system that returns many of them may be "
        "better than it looks: check the judged share. Small differences between means over a few "
        "topics say little."
    )
    if needs_runs(context):
        return
    facet, gain, model, choices = choose_scoring(context)
    if not choices:
        return
    choice, rel = _choose_version(context, facet, choices)
    scoring = Scoring(gain, rel, weights_of(context.study, facet, model) if gain == "udm" else ())
    measures = choose_measures(DEFAULTS, scoring)
    if measures:
        _show_scores(context, facet, choice, scoring, measures)


def _choose_version(
    context: PageContext, facet: str, choices: dict[str, QrelsChoice]
) -> tuple[QrelsChoice, float]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox(
            "Qrels version",
            list(choices),
            format_func=lambda one: choices[one].name,
            help="Made, compared and saved on the page *Qrels versions*.",
            key=f"version-{facet}",
        )
        choice = choices[key]
        return choice, choose_cut(context, facet, choice, version_of(context.study, choice))


def _show_scores(
    context: PageContext,
    facet: str,
    choice: QrelsChoice,
    scoring: Scoring,
    measures: tuple[str, ...],
) -> None:
    basis = ScoreBasis(
        choice,
        version_of(context.study, choice),
        rankings_of(context.study, choice),
        scoring.weights,
    )
    scores = scores_of(context.study, choice, measures, scoring.weights)
    if scores.empty:
        st.info("Nothing is judged relevant yet, so no measure has anything to find.")
        return
    table = tabulate_scores(context.study, choice, measures, scoring.weights)
    _show_means(context, basis, scores, table)
    ordered = list(table["system"])
    show_curves(context, basis, scoring, ordered)
    st.subheader("A closer look", anchor=False)
    by_topic, two, spread = st.tabs(
        ["Topic by topic", "Two systems", "Distributions"], key="closer", on_change="rerun"
    )
    if by_topic.open:
        with by_topic:
            drill_down(context, basis, facet, scores)
    if two.open:
        with two:
            compare_two(context, basis, scoring, measures, ordered)
    if spread.open:
        with spread:
            show_distributions(context, basis, scores)


def _show_means(
    context: PageContext, basis: ScoreBasis, scores: pd.DataFrame, table: pd.DataFrame
) -> None:
    shares = [column for column in table.columns if column.startswith("judged")]
    values = [name for name in table.columns if name.startswith("residual ")]
    values += list(scores["measure"].unique())
    show_table(
        basis.add_columns(table, context.study),
        "scores",
        "Means over topics, best first by the first measure. The *judged* columns say how much of "
        "the top of the list was judged at all; a *residual* is how much higher the score would be "
        "if all that is not judged had the highest gain. Only compare systems with similar judged "
        "shares. "
        "This table does not show whether a difference is statistically significant.",
        column_order=list(table),
        column_config={
            "system": st.column_config.TextColumn(pinned=True),
            **{name: st.column_config.NumberColumn(format="%.4f") for name in values},
            **{name: st.column_config.NumberColumn(format="%.3f") for name in shares},
        },
    )
    st.download_button(
        "Scores per topic",
        data=write_data(lambda: basis.add_columns(scores, context.study)),
        file_name="scores-per-topic.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
    st.caption(basis.describe(scores))
