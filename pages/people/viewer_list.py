"""Viewers of a collection: inviting them, letting them in, closing it to them."""

import streamlit as st

from core.errors import BadInput
from core.store.people.people import add_person, list_people
from core.store.people.viewers import add_viewer, list_viewers, remove_viewer
from core.wording import plain
from pages.people.invitation import make_invitation
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def manage_viewers(context: PageContext) -> None:
    """Show who reads the results of this collection, and offer to change that."""
    st.caption(
        "A viewer can read the results of this collection. Assessors appear as codes; groups are "
        "shown, comments are not. Viewers cannot change anything or download labels. They see "
        "judgements and scores while judging goes on: whoever judges here and is told of them no "
        "longer judges blind."
    )
    viewers = list_viewers(context.store, context.collection_id)
    if viewers:
        st.text(", ".join(viewers.values()))
    _invite(context)
    _change(context, viewers)


def _invite(context: PageContext) -> None:
    with st.form("invite-viewer", clear_on_submit=True):
        name = st.text_input("Name of the viewer", width=300)
        pressed = st.form_submit_button("Invite as a viewer")
    if not pressed:
        return
    try:
        person_id = add_person(context.store, name, "viewer", by=context.person_id)
    except BadInput as error:
        refuse(error, "Nobody was invited.")
        return
    add_viewer(context.store, context.collection_id, person_id, by=context.person_id)
    make_invitation(context, person_id, name.strip())


def _change(context: PageContext, viewers: dict[str, str]) -> None:
    """Offer to open the collection to viewers who are known, or to close it."""
    everybody = {
        one.person_id: one.name
        for one in list_people(context.store)
        if one.role == "viewer" and one.disabled_at is None
    } | viewers
    if not everybody:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Viewer", list(everybody), format_func=everybody.__getitem__, width=300
        )
        if chosen in viewers and st.button("Close this collection to them"):
            remove_viewer(context.store, context.collection_id, chosen, by=context.person_id)
            finish(f"This collection is closed to {plain(everybody[chosen])}.")
        if chosen not in viewers and st.button("Let them read"):
            add_viewer(context.store, context.collection_id, chosen, by=context.person_id)
            finish(f"{plain(everybody[chosen])} can read the results.")
