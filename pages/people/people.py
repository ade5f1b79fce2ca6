"""The organiser's page about people: who judges here, and invitations."""

from collections.abc import Callable

import streamlit as st

from pages.people.access import show_access
from pages.people.consent_form import edit_consent
from pages.people.erase_form import offer_erasure
from pages.people.invitation import show_invitation
from pages.people.invite_form import invite_assessor, invite_organiser, renew_link
from pages.people.invite_list import invite_list, show_links
from pages.people.machines import show_machines
from pages.people.member_list import drop_or_replace, let_in
from pages.people.qualifying_form import show_test
from pages.people.roster import show_roster
from pages.people.viewer_list import manage_viewers
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

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
