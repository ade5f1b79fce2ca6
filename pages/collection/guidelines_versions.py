"""The versions of the guidelines: who wrote each and when, and what it said."""

import pandas as pd
import streamlit as st

from core.store.content.guidelines import read_versions
from core.store.people.people import list_people
from pages.shared.session import PageContext
from pages.shared.table import WHOLE, draw_table

COMMAND_LINE = "command line"


def show_versions(context: PageContext) -> None:
    """List every version with how many labels were given under it, and show one as it was."""
    versions = read_versions(context.store, context.collection_id)
    if versions.empty:
        return
    names = {one.person_id: one.name for one in list_people(context.store)}
    written_by = [
        COMMAND_LINE if pd.isna(one) else names.get(one, one) for one in versions["assessor_id"]
    ]
    latest = versions.assign(written_by=written_by).iloc[::-1]
    st.header("Versions of the guidelines", anchor=False)
    draw_table(
        latest,
        column_order=["version", "written_at", "written_by", "labels", "note"],
        column_config={
            "written_at": st.column_config.DatetimeColumn(
                "written (UTC)", format="D MMM YYYY, HH:mm"
            ),
            "written_by": "by",
            "labels": st.column_config.NumberColumn(
                "labels",
                format=WHOLE,
                help="Label events that were stored while this version was in force.",
            ),
            "note": "what changed",
        },
    )
    texts = dict(zip(latest["version"], latest["guidelines"], strict=True))
    chosen = st.selectbox("Version to read", list(texts), key="guidelines-version")
    with st.container(border=True):
        st.text(texts.get(chosen) or "There were no guidelines.")
