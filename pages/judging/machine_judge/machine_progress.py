"""The job that runs now: how far it is, and a button that stops it."""

import streamlit as st

from core.analysis.base.wording import count
from pages.shared.notice import draw_again
from pages.shared.session import PageContext

_SECONDS = 1.0


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
