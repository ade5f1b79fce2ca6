"""Where a mean comes from: scores by topic and by system, and one ranked list."""

import pandas as pd
import streamlit as st

from core.analysis.results.basis import ScoreBasis
from core.analysis.results.topic_scores import UNJUDGED, list_answers
from core.comparison.ties import order_best
from core.figures.effectiveness import draw_topic_scores
from core.measures.catalogue import parse_measure
from core.wording import plain
from pages.shared.figure import show_figure, show_table
from pages.shared.session import PageContext
from pages.shared.wording import choose_topic, name_topics, queries_of


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
