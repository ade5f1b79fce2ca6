"""Where a mean comes from: scores by topic and by system, and one ranked list.

Two systems side by side, topic by topic.
"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.scores import UNJUDGED, Scoring, ask_scores, list_answers
from core.comparison.ties import order_best
from core.figures.effectiveness import draw_topic_scores
from core.figures.two_systems import draw_differences, draw_topic_scatter
from core.measures.catalogue import parse_measure
from core.reports.two_systems import TwoSystems, TwoSystemsQuestion
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_table
from pages.shared.scoring_widgets import choose_topic, name_topics, queries_of
from pages.shared.session import PageContext


def drill_down(context: PageContext, basis: ScoreBasis, facet: str, scores: pd.DataFrame) -> None:
    """Show the scores of one topic or one system, then one ranked list."""
    measure = choose_measure(scores, "drill-measure")
    scores = scores[scores["measure"] == measure]
    view = st.segmented_control(
        "Look at",
        ["one system", "one topic"],
        default="one system",
        required=True,
        key="drill-by",
        persist_state="page",
    )
    with st.container(horizontal=True):
        means = order_scores(scores.groupby("system")["value"].mean().reset_index(), measure)
        system = st.selectbox(
            "System", list(means["system"]), key="drill-system", persist_state="page"
        )
        topic = choose_topic(context, basis, "drill-topic")
    if view == "one system":
        _show_system(context, basis, scores, str(system), measure)
    else:
        _show_topic(context, basis, scores, topic, measure)
    _show_list(context, basis, facet, str(system), topic)


def choose_measure(scores: pd.DataFrame, key: str) -> str:
    """Let the organiser choose one of the measures of scores, the first of them at first."""
    measures = list(scores["measure"].unique())
    chosen = st.segmented_control(
        "Measure",
        measures,
        default=measures[0],
        required=True,
        key=f"{key}-{measures}",
        persist_state="page",
    )
    return str(chosen)


def order_scores(scores: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return rows of scores by one measure, the best first."""
    return scores.iloc[order_best(scores["value"], parse_measure(measure).greater_is_better)]


def _show_system(
    context: PageContext, basis: ScoreBasis, scores: pd.DataFrame, system: str, measure: str
) -> None:
    queries = queries_of(context)
    typical = scores.groupby("topic_id")["value"].median()
    shown = order_scores(scores[scores["system"] == system], measure)
    shown = shown.assign(
        typical=shown["topic_id"].map(typical), query=shown["topic_id"].map(queries)
    )
    named = shown.assign(topic_id=name_topics(shown["topic_id"], queries))
    show_figure(
        draw_topic_scores(named, "topic_id", measure),
        basis.add_columns(shown, context.study),
        "topics-of-system",
        f"Each dot is the {measure} of **{plain(system)}** on one topic; the tick is the median of "
        "all systems there. A system below the ticks on only a few topics has problems there; one "
        "topic's score is based on few documents, so do not rank systems by it.",
    )
    st.caption(basis.note(measure, len(shown), shown.groupby("system")["judged"].mean()))


def _show_topic(
    context: PageContext, basis: ScoreBasis, scores: pd.DataFrame, topic: str, measure: str
) -> None:
    shown = order_scores(scores[scores["topic_id"] == topic], measure)
    if shown.empty:
        st.info(f"Nothing to find for {plain(measure)} on this topic, so it is left out.")
        return
    show_figure(
        draw_topic_scores(shown, "system", measure),
        basis.add_columns(shown, context.study),
        "systems-on-topic",
        f"Each dot is the {measure} of one system on this topic. A wide spread means that systems "
        "differ on this topic; it does not say that they differ on other topics.",
    )
    st.caption(basis.note(measure, 1, shown["judged"]))


def _show_list(
    context: PageContext, basis: ScoreBasis, facet: str, system: str, topic: str
) -> None:
    st.markdown("**What this system returned for this topic**")
    listed = list_answers(context.study, basis, facet, system, topic)
    if listed.empty:
        st.info("This system has no answer to this topic: it scores 0 here.")
        return
    judged = int((listed["judgement"] != UNJUDGED).sum())
    show_table(
        basis.add_columns(listed.assign(system=system, topic_id=topic), context.study),
        "ranked-list",
        f"The answers in the order of the run, with the level of the version {basis.title}. "
        f"Documents marked *{UNJUDGED}* count as not relevant in every measure, whatever they are.",
        height=420 if len(listed) > 10 else "content",
        column_config={"score": st.column_config.NumberColumn(format="%,.3f")},
        column_order=[name for name in listed if name != "title" or (listed["title"] != "").any()],
    )
    st.caption(f"{judged:,} of {len(listed):,} are judged · {basis.title}")


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
