"""Everybody's page about themselves: a password, and where they are signed in."""

import pandas as pd
import streamlit as st

from core.errors import BadInput
from core.language.translate import t, tn
from core.store.people.passwords import (
    SHORTEST,
    find_by_password,
    has_password,
    remove_password,
    set_password,
)
from core.store.people.sessions import Session, end_sessions, list_sessions
from pages.account.tokens import show_tokens
from pages.shared.consent import change_consent
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.table import draw_table
from pages.shared.throttle import Backoff
from pages.shared.welcome import name_visitor, offer_sign_out
from pages.shared.wording import refuse

WRONG_PASSWORDS = Backoff(5, 900)
"""By person: wrong guesses at the password that is to be replaced."""

_NOTICE = "account-notice"


@page("account", "Account", "Account", "organiser", "assessor", "viewer")
def draw(context: PageContext) -> None:
    """Offer a password, and show where one is signed in."""
    if message := st.session_state.pop(_NOTICE, ""):
        st.success(message, icon=":material/check_circle:")
    context.sheet.answer(name_visitor(context))
    offer_sign_out()
    _show_password(context)
    change_consent(context)
    _show_sessions(context)
    show_tokens(context)


def _show_password(context: PageContext) -> None:
    st.header(t("Password"), anchor=False)
    known = has_password(context.store, context.person_id)
    assert context.person is not None
    name = context.person.name
    st.text(
        t(
            "You can sign in with the name {name} and your password. Changing it signs you out "
            "everywhere else.",
            name=name,
        )
        if known
        else t(
            "Without a password you need a new link for every browser. With one you sign in as "
            "{name}.",
            name=name,
        )
    )
    with st.form("password", clear_on_submit=True, width=420):
        current = st.text_input(t("Current password"), type="password") if known else ""
        fresh = st.text_input(
            t("A new password"),
            type="password",
            autocomplete="new-password",
            help=t(
                "{n} characters or more; several words together are easy to remember.", n=SHORTEST
            ),
        )
        again = st.text_input(t("Repeat the new password"), type="password")
        pressed = st.form_submit_button(t("Change") if known else t("Set"), type="primary")
    if pressed:
        _set(context, current if known else None, fresh, again)
    if known and st.button(t("Remove the password"), icon=":material/delete:"):
        remove_password(context.store, context.person_id, by=context.person_id)
        _finish(t("Your password is removed. In other browsers you need a link."))


def _set(context: PageContext, current: str | None, fresh: str, again: str) -> None:
    try:
        if fresh != again:
            raise BadInput(t("the two new passwords differ"), field="password")
        if current is not None:
            _check_current(context, current)
        set_password(context.store, context.person_id, fresh, keep_session=context.session_id)
    except BadInput as error:
        refuse(error, t("The password was not changed."))
        return
    _finish(t("Your password is set. You are signed out everywhere else."))


def _check_current(context: PageContext, current: str) -> None:
    """Raise BadInput unless this is the password until now, or after too many wrong ones."""
    if wait := WRONG_PASSWORDS.wait(context.person_id):
        raise BadInput(t("too many wrong passwords; try again in {n} seconds", n=f"{wait:.0f}"))
    assert context.person is not None
    if find_by_password(context.store, context.person.name, current) is None:
        WRONG_PASSWORDS.fail(context.person_id)
        raise BadInput(t("the current password is wrong"), field="password")
    WRONG_PASSWORDS.clear(context.person_id)


def _show_sessions(context: PageContext) -> None:
    st.header(t("Where you are signed in"), anchor=False)
    sessions = list_sessions(context.store, context.person_id)
    draw_table(
        pd.DataFrame([_describe(one, context.session_id) for one in sessions]),
        column_config={
            name: st.column_config.DatetimeColumn(format=t("D MMM YYYY, HH:mm"))
            for name in (t("since (UTC)"), t("last used (UTC)"), t("ends (UTC)"))
        },
    )
    others = [one for one in sessions if one.session_id != context.session_id]
    leave = tn(len(others), "Sign out of {n} other browser", "Sign out of {n} other browsers")
    if others and st.button(leave):
        end_sessions(
            context.store, context.person_id, keep=context.session_id, by=context.person_id
        )
        _finish(t("You are signed out everywhere else."))


def _describe(session: Session, own: str) -> dict[str, object]:
    return {
        t("browser"): t("this one") if session.session_id == own else "",
        t("by"): t(session.how),
        t("since (UTC)"): session.created_at,
        t("last used (UTC)"): session.seen_at,
        t("ends (UTC)"): session.expires_at,
    }


def _finish(message: str) -> None:
    st.session_state[_NOTICE] = message
    st.rerun()
