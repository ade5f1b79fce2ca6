"""Who can sign in to this store at all: by what, where they are, and shutting somebody out."""

import pandas as pd
import streamlit as st

from core.errors import BadInput
from core.store.people.accounts import list_emails, set_email
from core.store.people.passwords import has_password, remove_password
from core.store.people.people import Person, list_people
from core.store.people.sessions import disable_person, enable_person, end_sessions, list_sessions
from core.wording import count, name_with_role, plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def show_access(context: PageContext) -> None:
    """List everybody with an account, and offer to change one's access."""
    people = {one.person_id: one for one in list_people(context.store) if not one.erased_at}
    _show_people(context, people)
    chosen = st.selectbox(
        "Change the access of",
        list(people),
        format_func=lambda one: name_with_role(people[one].name, people[one].role),
        width=300,
        key="access-person",
    )
    if chosen:
        _change(context, people[chosen])


def _show_people(context: PageContext, people: dict[str, Person]) -> None:
    sessions = pd.DataFrame(
        [(one.person_id, one.seen_at) for one in list_sessions(context.store)],
        columns=["person_id", "seen_at"],
    )
    used = sessions.groupby("person_id")["seen_at"]
    emails = list_emails(context.store)
    st.dataframe(
        pd.DataFrame(
            {
                "name": one.name,
                "role": one.role,
                "signed in": used.size().get(known, 0),
                "last used (UTC)": used.max().get(known),
                "password": has_password(context.store, known),
                "e-mail for single sign-on": emails.get(known, ""),
                "shut out (UTC)": one.disabled_at,
            }
            for known, one in people.items()
        ),
        hide_index=True,
        placeholder="–",
        column_config={
            "signed in": st.column_config.NumberColumn("browsers signed in"),
            **{
                name: st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm")
                for name in ("last used (UTC)", "shut out (UTC)")
            },
        },
    )


def _change(context: PageContext, person: Person) -> None:
    _ask_email(context, person)
    sessions = len(list_sessions(context.store, person.person_id))
    with st.container(horizontal=True):
        if st.button(f"End {count(sessions, 'session')}", disabled=not sessions):
            end_sessions(context.store, person.person_id, by=context.person_id)
            finish(f"{plain(person.name)} is signed out everywhere.")
        has_one = has_password(context.store, person.person_id)
        if st.button("Remove the password", disabled=not has_one):
            remove_password(context.store, person.person_id, by=context.person_id)
            finish(f"{plain(person.name)} needs a link for the next browser.")
        if person.disabled_at is not None:
            if st.button("Let back in"):
                enable_person(context.store, person.person_id, by=context.person_id)
                finish(f"{plain(person.name)} can sign in again.")
        elif st.button("Shut out", icon=":material/block:"):
            _shut_out(context, person)


def _ask_email(context: PageContext, person: Person) -> None:
    with st.form(f"email-{person.person_id}", border=False):
        email = st.text_input(
            "E-mail for single sign-on",
            list_emails(context.store).get(person.person_id, ""),
            width=300,
            help="If single sign-on is set up, only somebody whom the identity provider confirms "
            "as the owner of this address can sign in as this person.",
        )
        if not st.form_submit_button("Save the address"):
            return
    try:
        set_email(context.store, person.person_id, email, by=context.person_id)
    except BadInput as error:
        refuse(error, "The address was not saved.")
        return
    finish("The address is saved." if email.strip() else "The address is removed.")


def _shut_out(context: PageContext, person: Person) -> None:
    try:
        disable_person(context.store, person.person_id, by=context.person_id)
    except BadInput as error:
        refuse(error, "Nobody's access was removed.")
        return
    finish(f"{plain(person.name)} is signed out and can no longer sign in; their labels are kept.")
