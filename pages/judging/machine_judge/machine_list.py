"""The jobs of a collection: how far each is, what of it got no level, and going on with it."""

import pandas as pd
import streamlit as st

from core.analysis.judging.machine_jobs import without_level_of
from core.wording import count, plain
from pages.shared.session import PageContext
from pages.shared.table import draw_table

_COLUMNS = {
    "machine": st.column_config.TextColumn("machine", pinned=True),
    "started_at": st.column_config.DatetimeColumn("begun (UTC)", format="D MMM YYYY, HH:mm"),
    "cannot_judge": "cannot judge",
    "invalid": st.column_config.NumberColumn(
        "invalid answers", help="No level could be read of these; they count as no level."
    ),
    "given_up": st.column_config.NumberColumn("given up", help="All requests for these failed."),
    "open": st.column_config.NumberColumn("still open", help="They have not been asked."),
    "spent": st.column_config.NumberColumn(format="%.4f", help="By the prices given."),
    "job_id": "job",
}


_REST = "machine-rest"


def find_rest(context: PageContext) -> str:
    """Return the id of the job that somebody wants to go on with; empty where nobody does."""
    collection_id, job_id = st.session_state.get(_REST, ("", ""))
    return job_id if collection_id == context.collection_id else ""


def forget_rest() -> None:
    """Go on with no job."""
    st.session_state.pop(_REST, None)


def show_jobs(context: PageContext, known: pd.DataFrame) -> None:
    """List jobs that do not run, the latest first, with a closer look at one."""
    st.header("Jobs", anchor=False)
    priced = ["spent"] if (known["spent"] > 0).any() else []
    draw_table(
        known,
        column_order=[
            "machine", "model", "started_at", "part", "facet", "items", "levels",
            "cannot_judge", "invalid", "given_up", "open", "requests",
            *priced, "job_id",
        ],
        column_config=_COLUMNS,
    )  # fmt: skip
    rows = known.set_index("job_id")
    chosen = st.selectbox(
        "Job",
        list(rows.index),
        format_func=lambda one: _name(rows, one),
        key=f"machine-job-{context.collection_id}",
        width=420,
    )
    _show_rest(context, chosen, rows.loc[chosen])
    _show_without_level(context, chosen)


def _name(rows: pd.DataFrame, job_id: str) -> str:
    row = rows.loc[job_id]
    return f"{row['machine']}, {row['started_at']:%-d %B %Y, %H:%M} UTC"


def _show_rest(context: PageContext, job_id: str, row: pd.Series) -> None:
    """Say why a job ended before all was judged, and offer to go on with it."""
    jobs = context.machine_jobs
    now = jobs.under_way if jobs else None
    if not row["open"]:
        return
    reason = jobs.find_reason(job_id) if jobs else ""
    told = reason or "it was stopped, or the server was"
    st.markdown(f"{count(int(row['open']), 'item')} still open: {plain(told)}.")
    if jobs is None:
        return
    if row["endpoint"] != str(jobs.endpoint):
        st.caption(
            f"It asked {plain(str(row['endpoint']))}, which this server may not. It can go on from "
            "a terminal."
        )
    elif st.button("Go on with this job", disabled=now is not None):
        st.session_state[_REST] = context.collection_id, job_id
        st.rerun()


def _show_without_level(context: PageContext, job_id: str) -> None:
    found = without_level_of(context.study, job_id)
    if found.empty:
        return
    st.markdown(f"**{count(len(found), 'item')} without a level**")
    shown = ["topic_id", "document_id", "engine", "state", "reason"]
    draw_table(found, column_order=[one for one in shown if found[one].astype(bool).any()])
