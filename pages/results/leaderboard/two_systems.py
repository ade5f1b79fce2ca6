"""Two systems side by side, topic by topic."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.scores import Scoring, ask_scores
from core.figures.two_systems import draw_differences, draw_topic_scatter
from core.reports.two_systems import TwoSystems, TwoSystemsQuestion
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure
from pages.shared.session import PageContext
from pages.shared.wording import name_topics, queries_of

BY_DIFFERENCE, BY_TOPIC = "by difference", "by topic"


def compare_two(
    context: PageContext,
    basis: ScoreBasis,
    scoring: Scoring,
    measures: Sequence[str],
    ordered: list[str],
) -> None:
    """Show by how much, and where, one system is above another."""
    if len(ordered) < 2:
        st.info("There is one system only. Import another run on the page *Contents*.")
        return
    first, second, measure, order = _choose(context, scoring, measures, ordered)
    if first == second:
        st.info("Choose two different systems.")
        return
    scores = ask_scores(context.study, basis.choice, (measure,), scoring.weights)
    ids = pd.Series(scores.rankings.topics)
    names = dict(zip(ids, name_topics(ids, queries_of(context)), strict=True))
    report = TwoSystems(scores, TwoSystemsQuestion(first, second, measure), names)
    pairs = report.topics.assign(measure=measure)
    if pairs.empty:
        st.info(plain(report.answer))
        return
    st.markdown(plain_with_facts(report.answer))
    far = set(report.furthest["topic_id"])
    if order == BY_DIFFERENCE:
        pairs = pairs.sort_values("difference", ascending=False, kind="stable")
    columns = st.columns(2, gap="medium")
    with columns[0]:
        _show_differences(context, basis, pairs, first, second, measure)
    with columns[1]:
        _show_scatter(context, basis, pairs, far, first, second, measure)
    judged = pairs[["judged_first", "judged_second"]].mean()
    st.caption(basis.note(measure, len(pairs), judged))


def _choose(
    context: PageContext, scoring: Scoring, measures: Sequence[str], ordered: list[str]
) -> tuple[str, str, str, str]:
    """Return the systems, the measure, and the order of topics.

    At first these are the best system and the baseline, or the second, by R-precision.
    """
    usual = str(scoring.apply("Rprec"))
    offered = [usual, *(one for one in measures if one != usual)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("First system", ordered, key="two-first", persist_state="page")
        second = st.selectbox(
            "Second system",
            ordered,
            index=_second(context, ordered),
            key="two-second",
            persist_state="page",
        )
        measure = st.selectbox(
            "Measure", offered, key=f"two-measure-{offered}", persist_state="page"
        )
        order = st.selectbox(
            "Order of topics", [BY_DIFFERENCE, BY_TOPIC], key="two-order", persist_state="page"
        )
    return str(first), str(second), str(measure), str(order)


def _second(context: PageContext, ordered: list[str]) -> int:
    """Return the place of the declared baseline, or of the second where it is none or the best."""
    baseline = declared_of(context.study).baseline
    return ordered.index(baseline) if baseline in ordered[1:] else 1


def _show_differences(
    context: PageContext,
    basis: ScoreBasis,
    pairs: pd.DataFrame,
    first: str,
    second: str,
    measure: str,
) -> None:
    show_figure(
        draw_differences(pairs, first, second, measure),
        basis.add_columns(_name_systems(pairs, first, second), context.study),
        "difference-by-topic",
        f"A precision histogram. Each bar is a topic: the {measure} of {plain(first)} less that of "
        f"{plain(second)}; a square is a topic where both are equal. Many small bars on one side "
        "mean a steady advantage; a few long bars mean one that depends on few topics. This does "
        "not say whether the advantage is significant: the page *Significance* tests that.",
        nobody=("name",),
    )


def _show_scatter(
    context: PageContext,
    basis: ScoreBasis,
    pairs: pd.DataFrame,
    far: set[str],
    first: str,
    second: str,
    measure: str,
) -> None:
    show_figure(
        draw_topic_scatter(pairs, first, second, measure, far),
        basis.add_columns(_name_systems(pairs, first, second), context.study),
        "two-systems",
        f"Each point is a topic: the horizontal axis shows what {plain(first)} scores by "
        f"{measure}, the vertical axis what {plain(second)} does. On the dashed line they are "
        "equal; below it the first is higher. The topics furthest from the line have their ids. If "
        "all points are near the line, the systems succeed and fail on the same topics; if they "
        "are widely scattered, combining the systems may help. This says nothing about other "
        "topics.",
        nobody=("name",),
    )


def _name_systems(pairs: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Return pairs with the names of the systems as columns, for the file."""
    return pairs.assign(first_system=first, second_system=second)
