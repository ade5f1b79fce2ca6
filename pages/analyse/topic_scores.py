"""Where a mean comes from: scores by topic and by system, and one ranked list."""

import pandas as pd
import streamlit as st

from core.figures.effectiveness import draw_topic_scores
from core.store.frames import read_document_index
from pages.analyse.basis import Basis
from pages.analyse.choices import level_names
from pages.shared.figure import show_figure, show_table
from pages.shared.live import runs_of, settled, topics_of
from pages.shared.session import Visit
from pages.shared.wording import plain

UNJUDGED = "not judged"


def drill_down(visit: Visit, basis: Basis, facet: str, scores: pd.DataFrame) -> None:
    """Show the scores of one topic or one system, then one ranked list."""
    st.subheader("Topic by topic", anchor=False)
    scores = scores[scores["measure"] == _choose_measure(scores)]
    measure = scores["measure"].iloc[0]
    queries = _queries(visit)
    view = st.segmented_control(
        "Look at", ["one system", "one topic"], default="one system", required=True, key="drill-by"
    )
    with st.container(horizontal=True):
        systems = list(scores.groupby("system")["value"].mean().sort_values().index[::-1])
        system = st.selectbox("System", systems, key="drill-system")
        topic = st.selectbox(
            "Topic",
            list(scores["topic_id"].unique()),
            format_func=lambda one: f"{one}: {queries.get(one, '')}".removesuffix(": "),
            key="drill-topic",
        )
    if view == "one system":
        _show_system(scores, str(system), measure, queries)
    else:
        _show_topic(scores, str(topic), measure)
    _show_list(visit, basis, facet, str(system), str(topic))


def _choose_measure(scores: pd.DataFrame) -> str:
    measures = list(scores["measure"].unique())
    chosen = st.segmented_control(
        "Measure", measures, default=measures[-1], required=True, key=f"drill-measure-{measures}"
    )
    return str(chosen)


def _show_system(scores: pd.DataFrame, system: str, measure: str, queries: dict[str, str]) -> None:
    typical = scores.groupby("topic_id")["value"].median()
    shown = scores[scores["system"] == system].sort_values("value", ascending=False)
    shown = shown.assign(
        typical=shown["topic_id"].map(typical), query=shown["topic_id"].map(queries)
    )
    show_figure(
        draw_topic_scores(_name_topics(shown), "topic_id", measure),
        shown,
        "topics-of-system",
        f"Each dot is the {measure} of **{plain(system)}** on one topic; the tick is the "
        "median of all systems there. A system below the ticks on a few topics only has something "
        "to be mended there; one topic's score rests on few documents, so rank no systems by it.",
    )


def _show_topic(scores: pd.DataFrame, topic: str, measure: str) -> None:
    shown = scores[scores["topic_id"] == topic].sort_values("value", ascending=False)
    show_figure(
        draw_topic_scores(shown, "system", measure),
        shown,
        "systems-on-topic",
        f"Each dot is the {measure} of one system on this topic. A wide spread says that the topic "
        "tells systems apart; it does not say that they differ on other topics.",
    )


def _show_list(visit: Visit, basis: Basis, facet: str, system: str, topic: str) -> None:
    st.markdown("**What this system returned for this topic**")
    listed = list_answers(visit, basis, facet, system, topic)
    if listed.empty:
        st.info("This system has no answer to this topic: it scores 0 here.")
        return
    judged = int((listed["judgement"] != UNJUDGED).sum())
    show_table(
        listed,
        "ranked-list",
        f"The answers in the order of the run, with the level of the version {basis.title}. "
        f"Documents marked *{UNJUDGED}* count as not relevant in every measure, whatever they are.",
        height=420 if len(listed) > 10 else "content",
        column_order=[name for name in listed if name != "title" or listed["title"].any()],
    )
    st.caption(f"{judged} of {len(listed)} are judged · {basis.title}")


def list_answers(visit: Visit, basis: Basis, facet: str, system: str, topic: str) -> pd.DataFrame:
    """Return ``rank, judgement, level, document_id, title, score`` of one ranked list."""
    runs = runs_of(visit)
    listed = runs[(runs["system"] == system) & (runs["topic_id"] == topic)]
    judged = basis.version.frame
    judged = judged[judged["topic_id"] == topic].groupby("document_id")["level"].max()
    names = level_names(visit, facet, basis.offer)
    level = listed["document_id"].map(judged)
    titles = settled(visit, _titles)
    listed = listed.assign(
        level=level,
        judgement=[_call(one, names) for one in level],
        title=listed["document_id"].map(titles).fillna(""),
    )
    columns = ["rank", "judgement", "level", "document_id", "title", "score"]
    return listed[columns].sort_values("rank", ignore_index=True)


def _call(level: float, names: dict[float, str]) -> str:
    if pd.isna(level):
        return UNJUDGED
    name = names.get(level, "")
    return name if name else f"{level:.3g}"


def _titles(visit: Visit) -> "pd.Series[str]":
    index = read_document_index(visit.store, visit.collection_id)
    return index.set_index("document_id")["title"]


def _queries(visit: Visit) -> dict[str, str]:
    topics = topics_of(visit)
    return dict(zip(topics["topic_id"], topics["query"], strict=True))


def _name_topics(shown: pd.DataFrame) -> pd.DataFrame:
    """Return scores with the query beside the topic's id, as far as there is room."""
    names = shown["topic_id"] + " " + shown["query"].fillna("")
    return shown.assign(topic_id=names.str.strip())
