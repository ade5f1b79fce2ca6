"""Everybody's page about themselves: a password, and where they are signed in.

One's tokens for programs on the page *Account*: made, shown once, listed and ended.
"""

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
from core.store.people.token_scopes import LONGEST_DAYS, SCOPES
from core.store.people.tokens import Token, end_token, list_tokens, make_token
from pages.shared.consent import change_consent
from pages.shared.page import page
from pages.shared.session import PageContext, list_open
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


_FRESH = "account-token"


def show_tokens(context: PageContext) -> None:
    """Show which tokens there are, and offer to make and to end one."""
    assert context.person is not None
    st.header(t("Tokens for programs"), anchor=False)
    st.text(t("A program asks in your name with a token, and may do with it what is chosen here."))
    _show_fresh()
    opened = list_open(context.store, context.person)
    for one in list_tokens(context.store, context.person_id):
        _show_token(context, one, opened)
    with st.expander(t("Make a token")):
        _make(context, opened)


def _show_fresh() -> None:
    """Show the token that was just made, until it is put away."""
    if _FRESH not in st.session_state:
        return
    with st.container(border=True):
        st.text(t("Copy the token now: it cannot be shown again. Whoever has it can use it."))
        st.code(st.session_state[_FRESH], language=None, wrap_lines=True)
        if st.button(t("I have copied it")):
            del st.session_state[_FRESH]
            st.rerun()


def _show_token(context: PageContext, one: Token, opened: dict[str, str]) -> None:
    where = opened.get(one.collection_id, one.collection_id) or t("all collections")
    allows = ", ".join(_name_scope(scope) for scope in one.scopes)
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        st.text(
            t(
                "{name}: {allows}; {where}; until {day}",
                name=one.name,
                allows=allows,
                where=where,
                day=f"{one.expires_at:%Y-%m-%d}",
            )
        )
        if st.button(
            t("End"), key=f"end-token-{one.token_id}", help=t("It stops working at once.")
        ):
            end_token(
                context.store, one.token_id, person_id=context.person_id, by=context.person_id
            )
            st.rerun()


def _make(context: PageContext, opened: dict[str, str]) -> None:
    assert context.person is not None
    allowed = SCOPES[context.person.role]
    with st.form("make-token", border=False):
        name = st.text_input(t("What it is for"), width=420)
        scopes = st.multiselect(
            t("It may"), allowed, default=allowed[:1], format_func=_name_scope, width=420
        )
        chosen = st.selectbox(
            t("Where"),
            ["", *opened],
            format_func=lambda one: opened.get(one) or t("all collections"),
            width=420,
        )
        days = st.number_input(t("Days until it ends"), 1, LONGEST_DAYS, 90, width=420)
        pressed = st.form_submit_button(t("Make the token"))
    if not pressed:
        return
    try:
        st.session_state[_FRESH] = make_token(
            context.store,
            context.person_id,
            name,
            scopes,
            collection_id=chosen,
            days=int(days),
            by=context.person_id,
        )
    except BadInput as error:
        refuse(error, t("No token was made."))
        return
    st.rerun()


def _name_scope(scope: str) -> str:
    return {"read": t("read"), "write": t("change"), "judge": t("judge")}[scope]
