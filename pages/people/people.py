"""The organiser's page about people: who judges here, and invitations.

The text that people are asked to agree to before they judge. Inviting assessors and organisers, and
new links for people who are known. The assessors of a collection: who they are, bringing them in,
taking them off.
"""

from collections.abc import Callable

import streamlit as st

from core.assessment.progress import read_slot_states
from core.errors import BadInput
from core.store.people.consent import get_consent_text, set_consent_text
from core.store.people.members import add_member, drop_member, list_assessors
from core.store.people.people import add_person, list_people
from core.wording import count, name_with_role, plain
from pages.people.access import show_access
from pages.people.erase_form import offer_erasure
from pages.people.invitation import make_invitation, show_invitation
from pages.people.invite_list import invite_list, show_links
from pages.people.machines import show_machines
from pages.people.qualifying_form import show_test
from pages.people.roster import show_roster
from pages.people.viewer_list import manage_viewers
from pages.shared.notice import begin, finish
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection, refuse

Forms = tuple[Callable[[PageContext], None], ...]
PURPOSE = "People sign in with a link that works once. They can then set a password."


@page("people", "People", "Roster", "organiser")
def draw(context: PageContext) -> None:
    """List the assessors of the collection; invite, bring back and take off."""
    begin(context, PURPOSE)
    show_invitation()
    parts: dict[str, Forms] = {}
    if not needs_collection(context):
        show_links(context)
        show_roster(context)
        show_machines(context)
        parts = {
            "Invite": (invite_assessor, invite_list),
            "Let in, take off": (let_in, drop_or_replace),
            "Test": (show_test,),
            "Consent": (edit_consent,),
            "Viewers": (manage_viewers,),
        }
    parts |= {
        "Accounts": (show_access,),
        "Links": (renew_link, invite_organiser),
        "Erase": (offer_erasure,),
    }
    tabs = st.tabs(list(parts), key="people-part", bind="query-params")
    for tab, forms in zip(tabs, parts.values(), strict=True):
        with tab:
            for show in forms:
                show(context)


def edit_consent(context: PageContext) -> None:
    """Show the consent text of the collection, to be changed."""
    text = get_consent_text(context.store, context.collection_id)
    with st.form("consent", border=False):
        written = st.text_area(
            "Consent text",
            text,
            help="Assessors are asked once, before their first item, and can judge whatever "
            "they answer. With another text everybody is asked again; empty, nobody is.",
        )
        pressed = st.form_submit_button("Save the text")
    if not pressed:
        return
    try:
        set_consent_text(context.store, context.collection_id, written, by=context.person_id)
    except BadInput as error:
        refuse(error, "The text was not saved.")
        return
    finish("The consent text is saved." if written.strip() else "Nobody is asked any more.")


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
