"""Inviting assessors and organisers, and new links for people who are known."""

import streamlit as st

from core.errors import BadInput
from core.store.members import add_member
from core.store.people import add_person, list_people
from pages.manage.invitation import make_invitation
from pages.shared.session import Visit
from pages.shared.wording import name_with_role, refuse


def invite_assessor(visit: Visit) -> None:
    """Ask for a name and a group; make the assessor and their link."""
    st.subheader("Invite an assessor", anchor=False)
    with st.form("invite-assessor", clear_on_submit=True):
        with st.container(horizontal=True):
            name = st.text_input("Name or pseudonym", width=300)
            group = st.text_input("Group", width=300, help="Say, experts or students. Optional.")
        pressed = st.form_submit_button("Invite", type="primary")
    if not pressed:
        return
    try:
        person_id = add_person(visit.store, name, "assessor", by=visit.person_id)
    except BadInput as error:
        refuse(error, "Nobody was invited.")
        return
    add_member(
        visit.store,
        visit.collection_id,
        person_id,
        name.strip(),
        group=group.strip(),
        by=visit.person_id,
    )
    make_invitation(visit, person_id, name.strip())


def invite_organiser(visit: Visit) -> None:
    """Ask for the name of another organiser and make their link."""
    st.subheader("Invite another organiser", anchor=False)
    st.caption("Organisers see and change every collection of this store.")
    with st.form("invite-organiser", clear_on_submit=True):
        name = st.text_input("Name of the organiser", width=300)
        pressed = st.form_submit_button("Invite as an organiser")
    if not pressed:
        return
    try:
        person_id = add_person(visit.store, name, "organiser", by=visit.person_id)
    except BadInput as error:
        refuse(error, "Nobody was invited.")
        return
    make_invitation(visit, person_id, name.strip())


def renew_link(visit: Visit) -> None:
    """Offer a new link for somebody who lost theirs or has a new browser."""
    st.subheader("A new link for somebody who is known", anchor=False)
    known = {one.person_id: one for one in list_people(visit.store) if one.disabled_at is None}
    st.caption("For another browser, or when a link has expired. An earlier unused link ends.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Person",
            list(known),
            format_func=lambda one: name_with_role(known[one].name, known[one].role),
            width=300,
        )
        if st.button("Make a new link"):
            make_invitation(visit, chosen, known[chosen].name)
