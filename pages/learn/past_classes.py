"""The classes that have ended, side by side."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.analysis.learn.lesson import agreement_of, count_students, query_of
from core.store.content.collections import get_collection
from core.store.rounds.lessons import Lesson, list_lessons
from pages.learn.steps import number
from pages.shared.figure import show_table
from pages.shared.session import PageContext


def show_past(context: PageContext) -> None:
    """List the classes that have ended and were not empty."""
    ended = [
        one
        for one in list_lessons(context.store)
        if get_collection(context.store, one.collection_id).closed_at is not None
    ]
    rows = [row for row in (_row(context, one) for one in reversed(ended)) if row["students"]]
    if not rows:
        return
    with st.expander("Earlier classes"):
        show_table(
            pd.DataFrame(rows),
            "past-classes",
            "Classes that have ended. Linear weighted κ is pooled over all pairs of "
            "students, with a 95 % interval over the pages. *Told*: whether students knew what the "
            "query was meant to be. On all other pages, their collections have this name.",
            column_config={
                "started": st.column_config.DatetimeColumn("started (UTC)", format="D MMM, HH:mm"),
                "kappa": number("linear weighted κ"),
                "low": number("from"),
                "high": number("to"),
            },
        )


def _row(context: PageContext, lesson: Lesson) -> dict[str, object]:
    room = replace(context, collection_id=lesson.collection_id)
    query, description = query_of(room.study)
    counts, agreement = count_students(room.study), agreement_of(room.study)
    known = agreement.iloc[0] if len(agreement) else {"value": None, "low": None, "high": None}
    return {
        "class": lesson.number,
        "query": query,
        "told": bool(description),
        "started": lesson.started_at,
        "students": counts["students"],
        "labels": counts["labels"],
        "kappa": known["value"],
        "low": known["low"],
        "high": known["high"],
    }
