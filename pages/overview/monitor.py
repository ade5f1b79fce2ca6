"""The organiser's first page: how far the judging is, by topic and by assessor."""

import pandas as pd
import streamlit as st

from core.analysis.base.labels import count_judges
from core.analysis.judging.progress import (
    items_by_judges,
    progress_by_assessor,
    progress_by_topic,
    remarks_of,
    times_of_labels,
)
from core.figures.progress import draw_judged_times, draw_labels_by_time
from pages.shared.figure import show_figure, show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

PURPOSE = (
    "How far judging has progressed; every number is updated within seconds of a new label. You "
    "see which assessors and topics are behind. Nothing here says whether labels are *right*: a "
    "fast assessor may be careful, and a slow one may have taken a break."
)
_SLOT_STATES = ("open", "taken", "finished")
_TOPIC_COLUMNS = ("labels", "items", "at_k", "assessors")
_ASSESSOR_COLUMNS = ("assessor", "group", "labels", "topics", "median_seconds", "last")


@page("monitor", "Overview", "Progress", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show counts, topics, assessors, the course of time and remarks."""
    keep_fresh(context)
    st.markdown(PURPOSE)
    if needs_collection(context):
        return
    judges = count_judges(context.study)
    topics = progress_by_topic(context.study, judges)
    assessors = progress_by_assessor(context.study)
    _show_counts(topics, assessors, judges)
    _show_topics(topics, judges)
    _show_assessors(assessors)
    _show_course(context, judges)
    if not context.is_masked:
        _show_remarks(context)


def _show_counts(topics: pd.DataFrame, assessors: pd.DataFrame, judges: int) -> None:
    slots = topics[list(_SLOT_STATES)].sum()
    judging = int((assessors["labels"] > 0).sum())
    with st.container(horizontal=True):
        st.metric("Labels", f"{topics['labels'].sum():,}", border=True)
        st.metric("Items", f"{topics['items'].sum():,}", border=True)
        st.metric(f"Items at k = {judges}", f"{topics['at_k'].sum():,}", border=True)
        done = f"{slots['finished']:,} of {slots.sum():,}" if slots.sum() else "no slots"
        st.metric("Slots finished", done, border=True)
        st.metric("Assessors", f"{judging} of {len(assessors)}", border=True)
        st.metric("Cannot judge", f"{topics['cannot_judge'].sum():,}", border=True)
    if not slots.sum():
        st.caption("Nothing has been assigned yet. Open a round on the page *Rounds*.")


def _show_topics(topics: pd.DataFrame, judges: int) -> None:
    st.subheader("By topic")
    slots = topics[list(_SLOT_STATES)].sum(axis=1)
    share = (topics["finished"] / slots).where(slots > 0)
    first, last = (["progress"], _SLOT_STATES) if slots.any() else ([], ())
    show_table(
        topics.assign(progress=share),
        "topics-progress",
        "An **item** is a snippet of one engine, or a page: what gets one label from each "
        f"assessor. **k = {judges}** is how many assessors the latest round asks for. A **slot** "
        "is one assessor's place at a topic, or at a part of it: *not begun* (also when it is "
        "reserved for somebody), *under way*, or *finished*. **Progress** is the share of slots "
        "finished. Imported labels fill no slots.",
        column_config={
            "topic_id": "topic",
            "query": st.column_config.TextColumn("query", width="medium"),
            "open": "not begun",
            "taken": "under way",
            "at_k": f"at k = {judges}",
            "cannot_judge": "cannot judge",
            "progress": st.column_config.ProgressColumn(
                "progress", format="percent", width="small"
            ),
        },
        column_order=["topic_id", "query", *first, *_TOPIC_COLUMNS, *last, "cannot_judge"],
    )


def _show_assessors(assessors: pd.DataFrame) -> None:
    st.subheader("By assessor")
    dropped = ["dropped"] if assessors["dropped"].any() else []
    show_table(
        assessors,
        "assessors-progress",
        "**Pace** is the median active time of a label in seconds: the time the item was on the "
        "screen while the assessor did something, breaks left out. It is empty where no time was "
        "measured, as for most imported labels. Pace alone does not show whether the work is "
        "careful.",
        column_config={
            "assessor_id": None,
            "median_seconds": st.column_config.NumberColumn("pace (s)", format="%.1f"),
            "last": st.column_config.DatetimeColumn(
                "last label (UTC)", format="D MMM YYYY, HH:mm:ss"
            ),
            "taken": "under way",
            "cannot_judge": "cannot judge",
        },
        column_order=[*_ASSESSOR_COLUMNS, "cannot_judge", "later", "taken", "finished", *dropped],
    )


def _show_course(context: PageContext, judges: int) -> None:
    counts = times_of_labels(context.study)
    if counts.empty:
        st.info("No label has been given yet.")
        return
    left, right = st.columns(2)
    with left:
        st.subheader("Labels over time")
        show_figure(
            draw_labels_by_time(counts),
            counts,
            "labels-by-time",
            "When the current labels were given or last changed, in UTC. Imported labels appear at "
            "the time given in their file, or else at the time of import.",
        )
    with right:
        st.subheader("Labels per item")
        times = items_by_judges(context.study, judges)
        show_figure(
            draw_judged_times(times, judges),
            times,
            "judged-times",
            "How many items one, two, three … assessors have judged. To the right of the line are "
            f"the items with at least k = {judges} labels; labels beyond k are surplus, and a "
            "qrels version may leave them out. Hidden repeats by the same assessor do not count.",
        )


def _show_remarks(context: PageContext) -> None:
    st.subheader("Comments and items that cannot be judged")
    table = remarks_of(context.study)
    if table.empty:
        st.caption("There are no comments, and no item was marked as impossible to judge.")
        return
    show_table(
        table,
        "remarks",
        "Assessors' comments and the items that they could not judge, latest first. Several "
        "entries for one item usually mean that its text is broken; several for one topic, that "
        "its description is unclear.",
        column_config={
            "time": st.column_config.DatetimeColumn("time (UTC)", format="D MMM, HH:mm"),
            "topic_id": None,
            "document_id": "document",
            "comment": st.column_config.TextColumn("comment", width="medium"),
        },
        column_order=[
            *("time", "assessor", "query", "document_id", "facet", "engine", "label", "comment")
        ],
    )
