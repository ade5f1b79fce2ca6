"""Signing in at an identity provider, where `[auth]` of Streamlit's secrets names one."""

import time
from datetime import timedelta

import streamlit as st

from core.errors import NotAllowed
from core.store.accounts import find_by_claims
from core.store.people import Person, invite
from pages.shared.session import Visit
from pages.shared.wording import plain

_LINK = "single-sign-on"
_LASTS = timedelta(minutes=5)


def is_configured() -> bool:
    """Tell whether the operator has named an identity provider."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def sign_in_link(visit: Visit) -> tuple[str, Person] | None:
    """Return a link, good once and soon, for whom the provider vouches for; None for nobody.

    The link and not the page starts the session: only an answer over HTTP can set its cookie.
    """
    if not st.user.is_logged_in:
        return None
    person = find_by_claims(visit.store, st.user.to_dict())
    kept = st.session_state.get(_LINK)
    if kept is None or kept[0] != person.person_id or time.monotonic() > kept[2]:
        token = invite(visit.store, person.person_id, person.person_id, lasts=_LASTS)
        fresh = time.monotonic() + _LASTS.total_seconds() / 2
        kept = st.session_state[_LINK] = (person.person_id, token, fresh)
    return f"/enter/{kept[1]}", person


def offer_single_sign_on(visit: Visit) -> tuple[str, str] | None:
    """Offer the way to the identity provider; once back from it, return where to go on as whom."""
    try:
        link = sign_in_link(visit)
    except NotAllowed as error:
        st.error(plain(str(error)))
        link = None
    if st.user.is_logged_in:
        st.button("Use another identity", on_click=st.logout)
    else:
        st.button("Single sign-on", on_click=st.login, icon=":material/key:")
    return None if link is None else (link[0], f"Go on as {link[1].name}")
