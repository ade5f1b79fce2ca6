"""The assessors of a collection: who they are, bringing them in, taking them off."""

import streamlit as st

from core.analysis.base.wording import count, plain
from core.assessment.progress import read_slot_states
from core.store.people.members import add_member, drop_member, list_assessors
from core.store.people.people import list_people
from pages.shared.notice import finish
from pages.shared.session import PageContext


def let_in(context: PageContext) -> None:
    """Offer people with an account who do not judge here, or no longer do."""
    here = list_assessors(context.store, context.collection_id)
    others = {
        one.person_id: one.name
        for one in list_people(context.store)
        if one.role == "assessor" and one.disabled_at is None and one.person_id not in here
    }
    if not others:
        return
    with st.expander("Add somebody who is already in this store, or was taken off"):
        person_id = st.selectbox(
            "Assessor", list(others), format_func=others.__getitem__, width=300
        )
        group = st.text_input("Their group here", width=300)
        if st.button("Let in"):
            add_member(
                context.store,
                context.collection_id,
                person_id,
                others[person_id],
                group=group.strip(),
                by=context.person_id,
            )
            finish(f"{plain(others[person_id])} can judge here.")


def drop_or_replace(context: PageContext) -> None:
    """Offer to take an assessor off, after saying what happens then."""
    names = list_assessors(context.store, context.collection_id)
    if not names:
        return
    st.header("Take an assessor off", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        leaving = st.selectbox("Who leaves", list(names), format_func=names.__getitem__, width=300)
        others = [None, *(one for one in names if one != leaving)]
        replacement = st.selectbox(
            "Who takes over",
            others,
            format_func=lambda one: names.get(one, "nobody: back to the open queue"),
            width=300,
        )
        with st.popover("Take off …"):
            st.markdown(_consequences(context, leaving, replacement, names))
            if st.button("Yes, take off", type="primary"):
                moved = drop_member(
                    context.store, context.collection_id, leaving, replacement, context.person_id
                )
                finish(f"{plain(names[leaving])} is taken off; {count(moved, 'slot')} handed on.")


def _consequences(
    context: PageContext, leaving: str, replacement: str | None, names: dict[str, str]
) -> str:
    slots = read_slot_states(context.store, context.collection_id)
    held = int(((slots["assessor_id"] == leaving) & (slots["state"] == "taken")).sum())
    to = "the open queue"
    if replacement:
        to = (
            f"{plain(names[replacement])}, or to the open queue where they judge that topic already"
        )
    return (
        f"**{plain(names[leaving])}** can no longer judge here. All their labels are kept and "
        f"still count. {count(held, 'unfinished slot').capitalize()} will go to {to}. You can let "
        "them in again."
    )
