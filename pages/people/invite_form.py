"""Inviting assessors and organisers, and new links for people who are known."""

import streamlit as st

from core.analysis.base.wording import name_with_role
from core.errors import BadInput
from core.store.people.members import add_member
from core.store.people.people import add_person, list_people
from pages.people.invitation import make_invitation
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def invite_assessor(context: PageContext) -> None:
    """Ask for a name and a group; make the assessor and their link."""
    with st.form("invite-assessor", clear_on_submit=True):
        with st.container(horizontal=True):
            name = st.text_input("Name or pseudonym", width=300)
            group = st.text_input(
                "Group", width=300, help="For example, experts or students. Optional."
            )
        pressed = st.form_submit_button("Invite", type="primary")
    if not pressed:
        return
    try:
        person_id = add_person(context.store, name, "assessor", by=context.person_id)
    except BadInput as error:
        refuse(error, "Nobody was invited.")
        return
    add_member(
        context.store,
        context.collection_id,
        person_id,
        name.strip(),
        group=group.strip(),
        by=context.person_id,
    )
    make_invitation(context, person_id, name.strip())


def invite_organiser(context: PageContext) -> None:
    """Ask for the name of another organiser and make their link."""
    st.header("Invite another organiser", anchor=False)
    st.caption("Organisers see and change every collection of this store.")
    with st.form("invite-organiser", clear_on_submit=True):
        name = st.text_input("Name of the organiser", width=300)
        pressed = st.form_submit_button("Invite as an organiser")
    if not pressed:
        return
    try:
        person_id = add_person(context.store, name, "organiser", by=context.person_id)
    except BadInput as error:
        refuse(error, "Nobody was invited.")
        return
    make_invitation(context, person_id, name.strip())


def renew_link(context: PageContext) -> None:
    """Offer a new link for somebody who lost theirs or has a new browser."""
    st.header("A new link for an existing person", anchor=False)
    known = {one.person_id: one for one in list_people(context.store) if one.disabled_at is None}
    st.caption("For another browser, or when a link has expired. An earlier unused link ends.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Person",
            list(known),
            format_func=lambda one: name_with_role(known[one].name, known[one].role),
            width=300,
        )
        if st.button("Make a new link"):
            make_invitation(context, chosen, known[chosen].name)
