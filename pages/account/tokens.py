"""One's tokens for programs on the page *Account*: made, shown once, listed and ended."""

import streamlit as st

from core.errors import BadInput
from core.language.translate import t
from core.store.people.token_scopes import LONGEST_DAYS, SCOPES
from core.store.people.tokens import Token, end_token, list_tokens, make_token
from pages.shared.session import PageContext, list_open
from pages.shared.wording import refuse

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
