"""The organiser's page of scores: every run under a chosen qrels version."""

import pandas as pd
import streamlit as st

from core.collection.export import write_table
from core.measures.catalogue import parse_measure
from core.measures.evaluate import mean_scores
from pages.analyse.basis import Basis
from pages.analyse.choices import choose_cut, choose_ground, choose_measures, needs_runs
from pages.analyse.curves import show_curves
from pages.analyse.distributions import show_distributions
from pages.analyse.scores import DEFAULTS, Scoring, rankings_of, scores_of, scores_under
from pages.analyse.topic_scores import drill_down
from pages.analyse.two_systems import compare_two
from pages.analyse.versions import Offer, Pairs, from_version, version_of, weights_of
from pages.shared.figure import show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import Visit, while_signed_in


@page("Watch", "Effectiveness", ":material/trending_up:", "organiser", "viewer")
def draw(visit: Visit) -> None:
    """Show how every run scores, with curves and topics."""
    keep_fresh(visit)
    st.markdown(
        "How good each system is, if the judgements of one qrels version are taken as the truth. "
        "Documents that nobody judged count as not relevant, so a system that returns many of "
        "them looks worse than it may be: mind the judged share. Small differences between means "
        "over a few topics say little."
    )
    if needs_runs(visit):
        return
    facet, gain, model, offers = choose_ground(visit)
    if not offers:
        return
    offer, rel = _choose_version(visit, facet, offers)
    scoring = Scoring(gain, rel, weights_of(visit, facet, model) if gain == "udm" else ())
    measures = choose_measures(DEFAULTS, scoring)
    if measures:
        _show_scores(visit, facet, offer, scoring, measures)


def _choose_version(visit: Visit, facet: str, offers: dict[str, Offer]) -> tuple[Offer, float]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox(
            "Qrels version",
            list(offers),
            format_func=lambda one: offers[one].name,
            help="Made, compared and saved on the page *Qrels versions*.",
            key=f"version-{facet}",
        )
        offer = offers[key]
        return offer, choose_cut(visit, facet, offer, version_of(visit, offer))


def _show_scores(
    visit: Visit, facet: str, offer: Offer, scoring: Scoring, measures: tuple[str, ...]
) -> None:
    basis = Basis(offer, version_of(visit, offer), rankings_of(visit, offer), scoring.weights)
    scores = scores_of(visit, offer, measures, scoring.weights)
    if scores.empty:
        st.info("Nothing is judged relevant yet, so no measure has anything to find.")
        return
    table = from_version(visit, _tabulate, *offer.choice, measures, scoring.weights)
    _show_means(visit, basis, scores, table)
    ordered = list(table["system"])
    show_curves(visit, basis, scoring, ordered)
    st.subheader("A closer look", anchor=False)
    by_topic, two, spread = st.tabs(
        ["Topic by topic", "Two systems", "Distributions"], key="closer", on_change="rerun"
    )
    if by_topic.open:
        with by_topic:
            drill_down(visit, basis, facet, scores)
    if two.open:
        with two:
            compare_two(visit, basis, scoring, measures, ordered)
    if spread.open:
        with spread:
            show_distributions(visit, basis, scores)


def _tabulate(
    visit: Visit, name: str, rule: str, measures: tuple[str, ...], weights: Pairs
) -> pd.DataFrame:
    scores = scores_under(visit, name, rule, measures, weights)
    return lay_out_means(mean_scores(scores), measures)


def _show_means(visit: Visit, basis: Basis, scores: pd.DataFrame, table: pd.DataFrame) -> None:
    shares = [column for column in table if column.startswith("judged")]
    values = scores["measure"].unique()
    show_table(
        basis.add_columns(table, visit),
        "scores",
        "Means over topics, best first by the first measure. The *judged* columns say how much of "
        "the top of the list was judged at all. Compare systems with alike judged shares only; "
        "whether a difference is more than chance is not shown here.",
        column_order=list(table),
        column_config={
            "system": st.column_config.TextColumn(pinned=True),
            **{name: st.column_config.NumberColumn(format="%.4f") for name in values},
            **{name: st.column_config.NumberColumn(format="%.3f") for name in shares},
        },
    )
    st.download_button(
        "Scores per topic",
        data=while_signed_in(lambda: write_table(basis.add_columns(scores, visit))),
        file_name="scores-per-topic.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
    st.caption(basis.describe(scores))


def lay_out_means(means: pd.DataFrame, measures: tuple[str, ...]) -> pd.DataFrame:
    """Return a row for each system: its means, judged shares and numbers of topics."""
    wide = means.pivot(index="system", columns="measure", values=["value", "judged", "topics"])
    value, judged, topics = wide["value"], wide["judged"], wide["topics"]
    present = [measure for measure in measures if measure in value]
    table = value[present].copy()
    for measure in present:
        cutoff = parse_measure(measure).cutoff
        table[f"judged@{cutoff}" if cutoff else "judged"] = judged[measure]
    topics = topics[present].astype("int64")
    alike = bool((topics.min(axis=1) == topics.max(axis=1)).all())
    for measure in present[:1] if alike else present:
        table["topics" if alike else f"topics {measure}"] = topics[measure]
    first = present[0]
    falling = not parse_measure(first).rising
    return table.sort_values(first, ascending=falling, kind="stable").reset_index()
