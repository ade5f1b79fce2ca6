"""How scores spread: over the topics for each system, over the systems for each topic."""

import pandas as pd
import streamlit as st

from core.analysis.base.wording import plain
from core.analysis.results.basis import ScoreBasis
from core.figures.distributions import draw_distributions
from core.measures.catalogue import parse_measure
from pages.results.leaderboard.topic_scores import choose_measure
from pages.shared.figure import show_figure
from pages.shared.session import PageContext
from pages.shared.topic_names import name_topics, queries_of

BY_SYSTEM, BY_TOPIC = "each system over topics", "each topic over systems"
EXTREME = 3


def show_distributions(context: PageContext, basis: ScoreBasis, scores: pd.DataFrame) -> None:
    """Show the spread of each system's or each topic's scores."""
    measure = choose_measure(scores, "spread-measure")
    scores = scores[scores["measure"] == measure]
    view = st.segmented_control(
        "Spread of",
        [BY_SYSTEM, BY_TOPIC],
        default=BY_SYSTEM,
        required=True,
        key="spread-by",
        persist_state="page",
    )
    named = scores.assign(topic=name_topics(scores["topic_id"], queries_of(context)))
    if view == BY_TOPIC:
        _show_topics(context, basis, named, measure)
    else:
        _show_systems(context, basis, named, measure)
    topics = scores["topic_id"].nunique()
    st.caption(basis.note(measure, topics, scores.groupby("system")["judged"].mean()))


def _show_systems(
    context: PageContext, basis: ScoreBasis, scores: pd.DataFrame, measure: str
) -> None:
    shown = order_by_mean(scores, "system", measure)
    show_figure(
        draw_distributions(shown, "system", "topic", measure),
        basis.add_columns(shown, context.study),
        "spread-of-systems",
        f"Each row is a system, each dot its {measure} on one topic, best mean on top. The box "
        "holds the middle half of the topics, its line is the median, the dashed line the mean. A "
        "long box is a system that serves some topics well and others badly. Boxes of systems "
        "mostly overlap because topics differ more than systems do: that says nothing about "
        "whether two means differ, which requires a comparison topic by topic.",
    )


def _show_topics(
    context: PageContext, basis: ScoreBasis, scores: pd.DataFrame, measure: str
) -> None:
    shown = order_by_mean(scores, "topic", measure)
    names = list(shown["topic"].unique())
    few = min(EXTREME, len(names) // 2)
    if few:
        easy, hard = names[:few], names[: -few - 1 : -1]
        st.markdown(f"Easiest: {plain(', '.join(easy))}. Hardest: {plain(', '.join(hard))}.")
    show_figure(
        draw_distributions(shown, "topic", "system", measure),
        basis.add_columns(shown, context.study),
        "spread-of-topics",
        f"Each row is a topic, each dot the {measure} of one system there, easy topics on top. The "
        "box holds the middle half of the systems. A long box is a topic on which systems differ; "
        "a short one at either end says little. A topic may be hard because few documents were "
        "judged relevant, because its query is unclear, or because relevant documents were never "
        "judged: look at its judgements before you drop it.",
    )


def order_by_mean(scores: pd.DataFrame, by: str, measure: str) -> pd.DataFrame:
    """Return scores with the best mean of a column's values first, equal ones by name."""
    means = scores.groupby(by)["value"].mean()
    means = -means if parse_measure(measure).greater_is_better else means
    position = {name: at for at, name in enumerate(means.sort_values(kind="stable").index)}
    return scores.sort_values(by, key=lambda names: names.map(position), kind="stable")
