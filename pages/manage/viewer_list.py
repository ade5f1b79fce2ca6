"""Viewers of a collection: inviting them, letting them in, closing it to them."""

import streamlit as st

from core.errors import BadInput
from core.store.people import add_person, list_people
from core.store.viewers import add_viewer, list_viewers, remove_viewer
from pages.manage.invitation import make_invitation
from pages.manage.notice import finish
from pages.shared.session import Visit
from pages.shared.wording import plain, refuse


def manage_viewers(visit: Visit) -> None:
    """Show who reads the results of this collection, and offer to change that."""
    st.subheader("Viewers", anchor=False)
    st.caption(
        "A viewer reads the results of this collection. Assessors appear to them by codes, "
        "comments not at all; groups are shown. They change nothing and take no labels away."
    )
    viewers = list_viewers(visit.store, visit.collection_id)
    if viewers:
        st.text(", ".join(viewers.values()))
    _invite(visit)
    _change(visit, viewers)


def _invite(visit: Visit) -> None:
    with st.form("invite-viewer", clear_on_submit=True):
        name = st.text_input("Name of the viewer", width=300)
        pressed = st.form_submit_button("Invite as a viewer")
    if not pressed:
        return
    try:
        person_id = add_person(visit.store, name, "viewer", by=visit.person_id)
    except BadInput as error:
        refuse(error, "Nobody was invited.")
        return
    add_viewer(visit.store, visit.collection_id, person_id, by=visit.person_id)
    make_invitation(visit, person_id, name.strip())


def _change(visit: Visit, viewers: dict[str, str]) -> None:
    """Offer to open the collection to viewers who are known, or to close it."""
    everybody = {
        one.person_id: one.name
        for one in list_people(visit.store)
        if one.role == "viewer" and one.disabled_at is None
    } | viewers
    if not everybody:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("Viewer", list(everybody), format_func=everybody.get, width=300)
        if chosen in viewers and st.button("Close this collection to them"):
            remove_viewer(visit.store, visit.collection_id, chosen, by=visit.person_id)
            finish(f"This collection is closed to {plain(everybody[chosen])}.")
        if chosen not in viewers and st.button("Let them read"):
            add_viewer(visit.store, visit.collection_id, chosen, by=visit.person_id)
            finish(f"{plain(everybody[chosen])} can read the results.")
