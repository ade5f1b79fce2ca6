"""The steps until the first label comes, each with its page."""

import streamlit as st

from core.analysis.base.wording import plain
from core.analysis.overview.steps import setup_steps
from pages.overview.links import link_to
from pages.shared.session import PageContext

DONE, TO_DO = ":material/check_box:", ":material/check_box_outline_blank:"


def show_steps(context: PageContext, *, with_answer: bool) -> None:
    """List the steps, ticked where they are done; the answer says which is next."""
    steps = setup_steps(context.study)
    if with_answer:
        done = sum(step.is_done for step in steps)
        following = next(step.what for step in steps if not step.is_done)
        context.sheet.answer(
            f"Nothing is assigned: {done} of {len(steps)} steps are done. Next: {following}."
        )
    for at, step in enumerate(steps):
        with st.container(horizontal=True, vertical_alignment="center", key=f"step-{at}"):
            found = f" ({plain(step.found)})" if step.is_done and step.found else ""
            st.markdown(f"{DONE if step.is_done else TO_DO} {step.what}{found}", width="stretch")
            link_to(context, step.page)
