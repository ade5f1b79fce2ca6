"""The organiser's page about people: who judges here, and invitations.

The text that people are asked to agree to before they judge. Inviting assessors and organisers, and
new links for people who are known. The assessors of a collection: who they are, bringing them in,
taking them off.

The machines among the assessors: which model, asked how, how much, and at what cost. Viewers of a
collection: inviting them, letting them in, closing it to them. A new invitation link: shown until
it is put away, and never again.
"""

from collections.abc import Callable

import streamlit as st

from core.assessment.handing_out.matrix import read_slot_states
from core.errors import BadInput
from core.store.machines.machines import count_machine_labels
from core.store.people.consent import get_consent_text, set_consent_text
from core.store.people.members import (
    add_member,
    add_viewer,
    drop_member,
    list_assessors,
    list_viewers,
    remove_viewer,
)
from core.store.people.people import add_person, invite, list_people
from core.wording import count, name_with_role, plain
from pages.people.access import show_access
from pages.people.erase_form import offer_erasure
from pages.people.invite_list import invite_list, show_links
from pages.people.qualifying_form import show_test
from pages.people.roster import show_roster
from pages.shared.addresses import server_address
from pages.shared.notice import begin, finish
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.table import draw_table
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
    held = int(((slots["assessor_id"] == leaving) & (slots["state"] != "finished")).sum())
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


_TEXT = (
    "Labels of a machine count only in a qrels version whose rule names it. An *invalid answer* is "
    "one of which no level could be read; it counts as no level. Costs are those of all answers."
)
_COSTS = ("cost", "input_tokens", "output_tokens")
_HASH = 12


def show_machines(context: PageContext) -> None:
    """List the machines of the collection, each with its prompt; nothing where there is none."""
    machines = count_machine_labels(context.store, context.collection_id)
    if machines.empty:
        return
    st.header("Machines", anchor=False)
    known = [one for one in _COSTS if machines[one].notna().any()]
    draw_table(
        machines.assign(prompt_hash=machines["prompt_hash"].str[:_HASH]),
        column_order=[
            "name", "model", "version", "prompt_hash", "parameters", "judged_on", "labels",
            "cannot_judge", "invalid_answers",
            *known,
            "assessor_id",
        ],
        column_config={
            "name": st.column_config.TextColumn("machine", pinned=True),
            "prompt_hash": st.column_config.TextColumn(
                "prompt", help="The first signs of its SHA-256; the text is below."
            ),
            "judged_on": "judged on",
            "cannot_judge": "cannot judge",
            "invalid_answers": "invalid answers",
            "cost": st.column_config.NumberColumn(format="%.4f"),
            "input_tokens": "input tokens",
            "output_tokens": "output tokens",
            "assessor_id": "id",
        },
    )  # fmt: skip
    st.caption(_TEXT)
    for name, prompt, digest in machines[["name", "prompt", "prompt_hash"]].to_numpy().tolist():
        if prompt:
            with st.expander(f"Prompt of {plain(name)}, {count(len(prompt), 'character')}"):
                st.code(prompt, language=None, wrap_lines=True)
                st.caption(f"SHA-256 `{digest}`")


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


_LINK = "manage-invitation"


def make_invitation(context: PageContext, person_id: str, name: str) -> None:
    """Make a link for somebody and draw the page again with it."""
    token = invite(context.store, person_id, by=context.person_id)
    st.session_state[_LINK] = (name, f"{server_address()}/enter/{token}")
    finish(f"{plain(name)} can sign in with the link below.")


def show_invitation() -> None:
    """Show the link that was just made."""
    if _LINK not in st.session_state:
        return
    name, link = st.session_state[_LINK]
    with st.container(border=True):
        st.markdown(
            f"**Link for {plain(name)}.** Copy it now and send it to nobody else: whoever opens it "
            "first is signed in by this name. It works once, for seven days, and cannot be shown "
            "again."
        )
        st.code(link, language=None, wrap_lines=True)
        if st.button("I have copied it"):
            del st.session_state[_LINK]
            st.rerun()
