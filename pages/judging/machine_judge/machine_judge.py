"""A language model judges a part of the collection: planned, confirmed, watched, stopped.

The job that runs now: how far it is, and a button that stops it.
"""

import pandas as pd
import streamlit as st

from core.analysis.judging.machine_jobs import machine_jobs_of, preview_job, preview_rest
from core.prompting.endpoint import ADDRESS_VARIABLE, KEY_VARIABLE
from core.wording import count, plain
from pages.judging.machine_judge.machine_form import ask_job, forget_job
from pages.judging.machine_judge.machine_list import find_rest, forget_rest, show_jobs
from pages.judging.machine_judge.machine_preview import confirm_job
from pages.shared.notice import begin, draw_again
from pages.shared.page import page
from pages.shared.session import PageContext
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
    told = f", since {plain(reason)}" if reason else ""
    left = f"{latest['open']:,} of {count(items, 'item')}"
    return f"{begins} ended early{told}. Still to be judged: {left}."


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
