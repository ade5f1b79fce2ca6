"""The organiser's page about people: who judges here, and invitations."""

import streamlit as st

from pages.people.access import show_access
from pages.people.consent_form import edit_consent
from pages.people.erase_form import offer_erasure
from pages.people.invitation import show_invitation
from pages.people.invite_form import invite_assessor, invite_organiser, renew_link
from pages.people.invite_list import invite_list, show_links
from pages.people.member_list import drop_or_replace, let_in
from pages.people.qualifying_form import show_test
from pages.people.roster import show_roster
from pages.people.viewer_list import manage_viewers
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

PURPOSE = "People sign in with a link that works once. They can then set a password."


@page("people", "People", "Roster", "organiser")
def draw(context: PageContext) -> None:
    """List the assessors of the collection; invite, bring back and take off."""
    begin(context, PURPOSE)
    show_invitation()
    if not needs_collection(context):
        show_links(context)
        show_roster(context)
        invite_assessor(context)
        invite_list(context)
        let_in(context)
        drop_or_replace(context)
        show_test(context)
        edit_consent(context)
        manage_viewers(context)
    st.header("Access", anchor=False)
    show_access(context)
    renew_link(context)
    invite_organiser(context)
    offer_erasure(context)
