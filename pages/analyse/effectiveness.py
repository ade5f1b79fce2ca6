"""The organiser's page of scores: every run under a chosen qrels version."""

import pandas as pd
import streamlit as st

from core.collection.export import write_table
from core.errors import DissentError
from core.figures.effectiveness import draw_gain_curve, draw_precision_recall
from core.measures.catalogue import parse_measure
from core.measures.evaluate import mean_scores
from pages.analyse.basis import Basis
from pages.analyse.choices import choose_cut, choose_ground, choose_measures, needs_runs
from pages.analyse.scores import DEFAULTS, Scoring, curves_of, rankings_of, scores_of
from pages.analyse.topic_scores import drill_down
from pages.analyse.versions import Offer, version_of, weights_of
from pages.shared.figure import show_figure, show_table
from pages.shared.live import keep_fresh, runs_of
from pages.shared.page import page
from pages.shared.session import Visit, while_signed_in

BEST, DEPTH = 6, 20


@page("Watch", "Effectiveness", ":material/trending_up:", "organiser")
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
    basis = Basis(offer, version_of(visit, offer), rankings_of(visit, offer))
    scores = scores_of(visit, offer, measures, scoring.weights)
    if scores.empty:
        st.info("Nothing is judged relevant yet, so no measure has anything to find.")
        return
    table = _show_means(visit, basis, scores, measures)
    _show_curves(visit, basis, scoring, list(table["system"]))
    drill_down(visit, basis, facet, scores)


def _show_means(
    visit: Visit, basis: Basis, scores: pd.DataFrame, measures: tuple[str, ...]
) -> pd.DataFrame:
    table = lay_out_means(mean_scores(scores), measures)
    shares = [column for column in table if column.startswith("judged")]
    show_table(
        basis.add_columns(table, visit),
        "scores",
        "Means over topics, best first by the first measure. The *judged* columns say how much of "
        "the top of the list was judged at all. Compare systems with alike judged shares only; "
        "whether a difference is more than chance is not shown here.",
        column_order=list(table),
        column_config={
            "system": st.column_config.TextColumn(pinned=True),
            **{name: st.column_config.NumberColumn(format="%.4f") for name in measures},
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
    return table


def lay_out_means(means: pd.DataFrame, measures: tuple[str, ...]) -> pd.DataFrame:
    """Return a row for each system: its means, judged shares and numbers of topics."""
    value = means.pivot(index="system", columns="measure", values="value")
    judged = means.pivot(index="system", columns="measure", values="judged")
    topics = means.pivot(index="system", columns="measure", values="topics")
    present = [measure for measure in measures if measure in value]
    table = value[present].copy()
    for measure in present:
        cutoff = parse_measure(measure).cutoff
        table[f"judged@{cutoff}" if cutoff else "judged"] = judged[measure]
    alike = topics.nunique(axis=1).max() == 1
    for measure in present[:1] if alike else present:
        table["topics" if alike else f"topics {measure}"] = topics[measure]
    return table.sort_values(present[0], ascending=False, kind="stable").reset_index()


def _show_curves(visit: Visit, basis: Basis, scoring: Scoring, ordered: list[str]) -> None:
    st.subheader("Curves", anchor=False)
    best = ordered[:BEST]
    chosen = st.multiselect(
        "Systems",
        ordered,
        placeholder=f"The best {len(best)} of the table",
        max_selections=8,
        key="curve-systems",
    )
    systems = chosen or best
    depth = min(DEPTH, int(runs_of(visit)["rank"].max()))
    try:
        curves = curves_of(visit, basis.offer, scoring, depth)
    except DissentError as error:
        st.info(str(error))
        return
    precision, gain = (_pick(curve, systems) for curve in curves)
    show_figure(
        draw_precision_recall(precision),
        basis.add_columns(precision, visit),
        "precision-recall",
        "Interpolated precision at eleven levels of recall, mean over topics. Left: how clean the "
        "top of the list is; right: how much is lost when everything has to be found. Recall is "
        "of what was judged relevant; what was never pooled is not in it.",
    )
    show_figure(
        draw_gain_curve(gain),
        basis.add_columns(gain, visit),
        "gain-by-rank",
        f"nDCG up to each rank with {scoring.gain} gain, mean over topics: how near the list is to "
        "the best one possible from the judged documents.",
    )
    st.caption(f"The curves rest on {basis.title}, like the table.")


def _pick(curve: pd.DataFrame, systems: list[str]) -> pd.DataFrame:
    """Return the curves of these systems, in this order."""
    place = {system: number for number, system in enumerate(systems)}
    chosen = curve[curve["system"].isin(systems)]
    return chosen.sort_values("system", key=lambda names: names.map(place), kind="stable")
