"""How far each topic and each assessor is, and what assessors remarked."""

import pandas as pd
import streamlit as st

from core.analysis.judging.progress import counts_by_topic, progress_by_assessor, remarks_of
from core.analysis.overview.round_progress import RoundProgress, round_by_topic
from pages.shared.figure import show_table
from pages.shared.session import PageContext

_TOPIC_COLUMNS = ("judged", "required", "at_k", "items", "open", "taken", "finished")
_LABEL_COLUMNS = ("labels", "imported", "assessors", "cannot_judge")
_ASSESSOR_COLUMNS = ("assessor", "group", "labels", "topics", "median_seconds", "last")


def show_topics(context: PageContext, progress: RoundProgress | None) -> None:
    """Show how far each topic of the round is, beside the labels that it has in all."""
    st.header("By topic", anchor=False)
    counts = counts_by_topic(context.study)
    if progress is None:
        table = counts.rename(columns={"items": "judged_items"})
    else:
        rows = round_by_topic(context.study).drop(columns=["query", "cannot_judge"])
        table = counts.drop(columns="items").merge(rows, on="topic_id", how="left")
        table = table.sort_values("progress", kind="stable", na_position="last")
    k = f"at k = {progress.rules.judges}" if progress else ""
    first = ("progress", *_TOPIC_COLUMNS) if progress else ("judged_items",)
    show_table(
        table,
        "topics-progress",
        "**Progress** is the share of the judgements that the round requires of a topic and that "
        "have been given. An **item** is a snippet of one engine, a page, or what stands side by "
        f"side; it is **{k or 'at k'}** when as many holders of the round's places gave it a "
        "level. A **place** is one assessor's at a topic, or at a part of it: *not begun*, *under "
        "way* or *finished*. **Labels** are all that stand, **imported** those of them that came "
        "by import: these are the baseline and count as no progress.",
        column_config={
            "query": st.column_config.TextColumn("query", width="medium"),
            "open": "not begun",
            "taken": "under way",
            "at_k": k,
            "judged_items": "items judged",
            "cannot_judge": "cannot judge",
            "progress": st.column_config.ProgressColumn(
                "progress", format="percent", width="small", min_value=0, max_value=1
            ),
        },
        column_order=["topic_id", "query", *first, *_LABEL_COLUMNS],
    )


def show_assessors(context: PageContext, progress: RoundProgress | None) -> None:
    """Show how much each assessor has judged, in the round and in all, and how fast."""
    st.header("By assessor", anchor=False)
    assessors, in_round = progress_by_assessor(context.study), []
    if progress is not None:
        in_round = ["judged", "left"]
        people = progress.people[["assessor_id", *in_round]]
        assessors = assessors.merge(people, on="assessor_id", how="left")
        assessors[in_round] = assessors[in_round].fillna(0).astype("int64")
        assessors = assessors.sort_values("judged", ascending=False, kind="stable")
    dropped = ["dropped"] if assessors["dropped"].any() else []
    show_table(
        assessors,
        "assessors-progress",
        "**Judged** and **left** are judgements of the round, **labels** are all that stand, "
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
            *_ASSESSOR_COLUMNS[:2],
            *in_round,
            *_ASSESSOR_COLUMNS[2:],
            "cannot_judge", "later", "taken", "finished",
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
