"""A language model judges a part of the collection: planned, confirmed, watched, stopped.

The job that runs now: how far it is, and a button that stops it.

The jobs of a collection: how far each is, what of it got no level, and going on with it.
"""

import pandas as pd
import streamlit as st

from core.analysis.judging.machine_jobs import (
    machine_jobs_of,
    preview_job,
    preview_rest,
    without_level_of,
)
from core.prompting.endpoint import ADDRESS_VARIABLE, KEY_VARIABLE
from core.wording import count, plain
from pages.judging.machine_judge.machine_form import ask_job, forget_job
from pages.judging.machine_judge.machine_preview import confirm_job
from pages.shared.notice import begin, draw_again
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.table import draw_table
from pages.shared.wording import needs_collection

_SECONDS = 1.0

PURPOSE = (
    "A language model judges items in place of a person. Its labels are those of a machine member: "
    "they count neither for agreement nor for qrels versions, unless a rule names the machine. "
    "Which server is asked, and with which key, is set by whoever runs Dissent, and cannot be "
    "changed here. Nothing is sent before you have seen what leaves and confirmed it. A job goes "
    "on while nobody watches, and stops with the server; nothing that has an answer is asked again."
)
_UNSET = (
    "This server asks no language model. Whoever runs it names the one server that may be asked "
    f"in the environment variable `{ADDRESS_VARIABLE}`, such as `https://api.example.org/v1`, and "
    f"its key in `{KEY_VARIABLE}`, and starts Dissent again."
)


@page("machine-judge", "Judging", "Machine judge", "organiser")
def draw(context: PageContext) -> None:
    """Say how far the jobs are; plan, confirm, watch and stop one; list all."""
    begin(context, PURPOSE)
    if not needs_collection(context):
        _draw_jobs(context)


def _draw_jobs(context: PageContext) -> None:
    jobs = context.machine_jobs
    # Looked up before the jobs are counted: what ends meanwhile is watched to its end.
    now = jobs.under_way if jobs else None
    known = machine_jobs_of(context.study)
    if now is not None and now.collection_id == context.collection_id:
        context.sheet.answer(f"**{plain(now.machine)}** is judging {count(now.items, 'item')}.")
        known = known[known["job_id"] != now.job_id]
    elif jobs is not None:
        context.sheet.answer(_sum_up(context, known))
    else:
        context.sheet.tell("The demo asks no language model." if context.demo else _UNSET)
    rest = find_rest(context) if jobs and now is None else ""
    if now is not None:
        watch_job(context)
    elif rest:
        _confirm_rest(context, rest)
    if len(known):
        show_jobs(context, known)
    if jobs and now is None and not rest:
        _plan_job(context)


def _sum_up(context: PageContext, known: pd.DataFrame) -> str:
    if known.empty:
        return "No machine has judged here by a job yet."
    latest = known.iloc[0]
    begins, items = f"The latest job, of **{plain(str(latest['machine']))}**,", int(latest["items"])
    if not latest["open"]:
        return f"{begins} is finished: {latest['levels']:,} of {count(items, 'item')} have a level."
    reason = context.machine_jobs.find_reason(latest["job_id"]) if context.machine_jobs else ""
    since = f", since {plain(reason)}" if reason else ""
    left = f"{latest['open']:,} of {count(items, 'item')}"
    return f"{begins} ended early{since}. Still to be judged: {left}."


def _confirm_rest(context: PageContext, job_id: str) -> None:
    confirm_job(context, lambda: preview_rest(context.study, job_id), forget_rest)
    st.button("Not now", on_click=forget_rest)


def _plan_job(context: PageContext) -> None:
    st.header("A new job", anchor=False)
    if job := ask_job(context):
        confirm_job(context, lambda: preview_job(context.study, job), forget_job)


def watch_job(context: PageContext) -> None:
    """Show how far the job is, again and again; draw the page again once it has ended."""
    jobs = context.machine_jobs

    @st.fragment(run_every=_SECONDS)
    def watch() -> None:
        now = jobs.under_way if jobs else None
        if jobs is None or now is None:
            draw_again()
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(now.done / now.items, f"{now.done:,} of {count(now.items, 'item')} done")
            st.button("Stop", icon=":material/stop:", on_click=jobs.stop, disabled=now.is_stopping)
        if now.collection_id != context.collection_id:
            st.caption("This job is one of another collection.")
        if now.is_stopping:
            st.caption("Nothing more is sent; answers that are under way are waited for.")

    watch()
    st.caption(
        "This server runs one job at a time. It goes on while nobody watches. If the server stops, "
        "the job can go on from here later."
    )


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
    why = reason or "it was stopped, or the server was"
    st.markdown(f"{count(int(row['open']), 'item')} still open: {plain(why)}.")
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
