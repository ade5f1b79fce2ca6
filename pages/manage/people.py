"""The organiser's page about people: who judges here, and invitations."""

import streamlit as st

from pages.manage.access import show_access
from pages.manage.invitation import show_invitation
from pages.manage.invite_form import invite_assessor, invite_organiser, renew_link
from pages.manage.member_list import drop_or_replace, let_in, show_members
from pages.manage.notice import begin
from pages.manage.viewer_list import manage_viewers
from pages.shared.page import page
from pages.shared.session import Visit
from pages.shared.wording import needs_collection

PURPOSE = "People come in by a link that works once. They can then set a password."


@page("Manage", "People", ":material/group:", "organiser")
def draw(visit: Visit) -> None:
    """List the assessors of the collection; invite, bring back and take off."""
    begin(visit, PURPOSE)
    show_invitation()
    if not needs_collection(visit):
        show_members(visit)
        invite_assessor(visit)
        let_in(visit)
        drop_or_replace(visit)
        manage_viewers(visit)
    st.header("Access", anchor=False)
    show_access(visit)
    renew_link(visit)
    invite_organiser(visit)
