"""Runs that are withdrawn, withdrawing one, and letting it count again."""

import streamlit as st

from core.analysis.base.wording import plain
from core.errors import BadInput
from core.store.people.people import list_people
from core.store.rounds.withdrawn_runs import (
    LONGEST_REASON,
    list_counting,
    list_withdrawn,
    reinstate_run,
    withdraw_run,
)
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.table import draw_table
from pages.shared.wording import refuse


def show_withdrawn(context: PageContext) -> None:
    """Offer to withdraw or replace a run, and show those that are withdrawn."""
    with st.expander("Withdraw or replace a run"):
        st.caption(
            "A withdrawn run leaves the pools of later rounds and every ranking. Its lines, the "
            "rounds that were opened with it and their labels stay. To replace it, import the new "
            "run under a name of its own first."
        )
        _ask_withdrawal(context)
        _list_withdrawn(context)


def _ask_withdrawal(context: PageContext) -> None:
    systems = list_counting(context.store, context.collection_id)
    if not systems:
        st.info("There is no run that counts.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = st.selectbox("Run", systems, key="withdraw-run")
        others = ["", *(one for one in systems if one != system)]
        replacement = st.selectbox(
            "Replaced by", others, format_func=lambda one: one or "no other run"
        )
        reason = st.text_input("Reason", max_chars=LONGEST_REASON, key="withdraw-reason")
        # The key: a press is not taken for another run that has come to stand here meanwhile.
        pressed = st.button("Withdraw this run", key=f"withdraw-{system}")
    if not pressed:
        return
    try:
        withdraw_run(
            context.store,
            context.collection_id,
            system,
            replaced_by=replacement,
            reason=reason.strip(),
            by=context.person_id,
        )
    except BadInput as error:
        refuse(error)
        return
    finish(f"The run of {plain(system)} is withdrawn.")


def _list_withdrawn(context: PageContext) -> None:
    gone = list_withdrawn(context.store, context.collection_id)
    if gone.empty:
        return
    names = {person.person_id: person.name for person in list_people(context.store)}
    draw_table(
        gone.assign(withdrawn_by=gone["withdrawn_by"].map(names)),
        column_config={
            "system": "run",
            "replaced_by": "replaced by",
            "withdrawn_by": "withdrawn by",
            "withdrawn_at": st.column_config.DatetimeColumn(
                "withdrawn (UTC)", format="D MMM YYYY, HH:mm"
            ),
        },
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = st.selectbox("Withdrawn run", gone["system"].tolist())
        if st.button("Let it count again", key=f"reinstate-{system}"):
            reinstate_run(context.store, context.collection_id, system, by=context.person_id)
            finish(f"The run of {plain(system)} counts again.")
