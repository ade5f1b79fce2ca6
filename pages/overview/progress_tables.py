"""How far each topic and each assessor is, and what assessors remarked."""

import pandas as pd
import streamlit as st

from core.analysis.judging.questions import remarks_of
from core.reports.progress import Progress
from pages.shared.figure import show_table
from pages.shared.session import PageContext

_OF_ROUND = ("progress", "judged", "required", "complete", "items", "at_k", "open", "taken",
             "finished")  # fmt: skip
_OF_LABELS = ("labels", "imported", "assessors", "cannot_judge")


def show_topics(progress: Progress) -> None:
    """Show how far each topic of the round is, beside the labels that it has in all."""
    st.header("By topic", anchor=False)
    has_round = progress.rules is not None
    table = progress.topics if has_round else progress.topics.drop(columns=[*_OF_ROUND])
    k = f"at k = {progress.judges}"
    show_table(
        table,
        "topics-progress",
        "**Progress** is the share of the judgements that the round requires of a topic and that "
        "have been given. An **item** is a snippet of one engine, a page, or what stands side by "
        "side; it is **fully judged** when it lacks no answer that the round asks for, and "
        f"**{k}** when as many holders of the round's places gave it a "
        "level. A **place** is one assessor's at a topic, or at a part of it: *not begun*, *under "
        "way* from when it is opened, or *finished*. **Labels** are all that stand, **imported** "
        "those of them that came by import: these are the baseline and count as no progress.",
        column_config={
            "query": st.column_config.TextColumn("query", width="medium"),
            "complete": "fully judged",
            "open": "not begun",
            "taken": "under way",
            "at_k": k,
            "labelled": "items judged",
            "cannot_judge": "cannot judge",
            "progress": st.column_config.ProgressColumn(
                "progress", format="percent", width="small", min_value=0, max_value=1
            ),
        },
        column_order=[
            "topic_id", "query", *(_OF_ROUND if has_round else ("labelled",)), *_OF_LABELS
        ],
    )  # fmt: skip


def show_assessors(progress: Progress) -> None:
    """Show how much each assessor has judged, in the round and in all, and how fast."""
    st.header("By assessor", anchor=False)
    table = progress.people
    in_round = ["judged", "left", "finished", "taken"] if progress.rules else []
    dropped = ["dropped"] if table["dropped"].any() else []
    show_table(
        table,
        "assessors-progress",
        "**Judged** and **left** are judgements of the round, **finished** and **under way** their "
        "places in it; **labels** are all that stand, "
        "imported ones among them. **Pace** is the median active time of a label in seconds: the "
        "time the item was on the screen while the assessor did something, breaks left out. It is "
        "empty where no time was measured, as for most imported labels. Pace alone does not show "
        "whether the work is careful.",
        column_config={
            "assessor_id": None,
            "median_seconds": st.column_config.NumberColumn("pace (s)", format="%.1f"),
            "last": st.column_config.DatetimeColumn(
                "last label (UTC)", format="D MMM YYYY, HH:mm:ss"
            ),
            "taken": "under way",
            "cannot_judge": "cannot judge",
        },
        column_order=[
            "assessor", "group", *in_round, "labels", "topics", "median_seconds", "last",
            "cannot_judge", "later",
            *dropped,
        ],
    )  # fmt: skip


def show_remarks(context: PageContext) -> None:
    """Show comments, and items that could not be judged."""
    st.header("Comments and items that cannot be judged", anchor=False)
    table: pd.DataFrame = remarks_of(context.study)
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
            "comment": st.column_config.TextColumn("comment", width="medium"),
        },
        column_order=[
            "time", "assessor", "query", "document_id", "facet", "engine", "label", "comment"
        ],
    )  # fmt: skip
