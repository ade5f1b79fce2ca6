"""The classes that have ended, side by side."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.store.collection import get_collection
from core.store.lessons import Lesson, list_lessons
from pages.learn.lesson_numbers import agreement_of, count_students, query_of
from pages.learn.steps import number
from pages.shared.figure import show_table
from pages.shared.session import Visit


def show_past(visit: Visit) -> None:
    """List the classes that have ended and were not empty."""
    ended = [
        one
        for one in list_lessons(visit.store)
        if get_collection(visit.store, one.collection_id).closed_at is not None
    ]
    rows = [row for row in (_row(visit, one) for one in reversed(ended)) if row["students"]]
    if not rows:
        return
    with st.expander("Earlier classes"):
        show_table(
            pd.DataFrame(rows),
            "past-classes",
            "Classes that have ended. κ is Cohen's with linear weights, pooled over all pairs of "
            "students, with a 95 % interval over the pages. *Told*: whether students knew what the "
            "query was meant to be. Their collections are under this name on all other pages.",
            column_config={
                "started": st.column_config.DatetimeColumn("started (UTC)", format="D MMM, HH:mm"),
                "kappa": number("κ"),
                "low": number("from"),
                "high": number("to"),
            },
        )


def _row(visit: Visit, lesson: Lesson) -> dict[str, object]:
    room = replace(visit, collection_id=lesson.collection_id)
    query, description = query_of(room)
    counts, agreement = count_students(room), agreement_of(room)
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
