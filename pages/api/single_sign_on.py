"""Signing in at an identity provider, where ``[auth]`` of Streamlit's secrets names one."""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from html import escape
from typing import Any

import streamlit as st
from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from core.errors import NotAllowed
from core.language.translate import t
from core.store.people.accounts import find_by_claims
from core.store.people.people import begin_session
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import answer
from pages.api.sign_in import let_in
from pages.server.forms import is_secure
from pages.server.log import log, log_error
from pages.server.running import server
from pages.shared.session import session_cookie
from pages.shared.throttle import Throttle, address_of

ATTEMPTS = Throttle(120, 60)
"""By address: each may ask the provider something; many people may share an address."""

MOST_AT_ONCE = 50
"""Visitors for whom the provider is asked at the same time; it may be slow to answer."""

PATIENCE = 10.0
"""Seconds that a provider has for all that it is asked for one visitor."""

BACK_WITHIN = 600
"""Seconds after which a visitor has to begin anew."""

SIGNATURES = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
              "ES256", "ES384", "ES512", "EdDSA"}  # fmt: skip
"""By whose key nobody else can sign. Some providers say that they also sign not at all."""

_CALLBACK = "/oauth2callback"
_AGAIN = '<p><a class="button" href="/sign-in/provider">{}</a></p>'


def is_configured() -> bool:
    """Tell whether the operator has named an identity provider."""
    return bool(st.secrets.load_if_toml_exists() and "auth" in st.secrets)


async def ask_provider(request: Request) -> Response:
    """Send a visitor to the identity provider."""
    if refused := _throttle(request):
        return refused
    begun: dict[str, Any] = {}
    try:
        async with _asking():
            client, redirect_uri = _client()
            answered: Response = await client.authorize_redirect(
                _with_session(request, begun), redirect_uri
            )
    except Exception as error:
        _client.cache_clear()
        log_error("single sign-on failed", error)
        return _tell_failed(502)
    answered.set_cookie(
        _cookie(),
        str(_signer().dumps(begun)),
        max_age=BACK_WITHIN,
        path=_CALLBACK,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
    return answered


async def come_back(request: Request) -> Response:
    """Let in whom the provider vouches for, if they were invited."""
    if refused := _throttle(request):
        return refused
    begun = _read_begun(request)
    is_under_way = bool(begun)
    answered = await _come_back(request, begun)
    if is_under_way and not begun:  # what was begun is over, whatever came of it
        answered.delete_cookie(_cookie(), path=_CALLBACK)
        if answered.status_code != 303:
            _client.cache_clear()
    return answered


async def _come_back(request: Request, begun: dict[str, Any]) -> Response:
    try:
        async with _asking():
            client, _ = _client()
            issuer = await _find_issuer(client)
            token = await client.authorize_access_token(
                _with_session(request, begun), claims_options={"iss": {"values": [issuer]}}
            )
        claims = dict(token["userinfo"])
    except Exception as error:  # whatever a provider or a forger may send
        log("single sign-on refused", logging.WARNING, status=403, error=type(error).__name__)
        return _tell_failed(403)
    try:
        session = await run_in_threadpool(_begin, claims)
    except NotAllowed as error:
        return _offer_again(str(error), 403)
    return await run_in_threadpool(let_in, request, session)


async def _find_issuer(client: Any) -> str:
    """Return what the provider calls itself, having read how it signs."""
    facts: dict[str, Any] = await client.load_server_metadata()
    named = facts.get("id_token_signing_alg_values_supported") or []
    facts["id_token_signing_alg_values_supported"] = [one for one in named if one in SIGNATURES]
    return str(facts["issuer"])


def _begin(claims: dict[str, Any]) -> str:
    store = server().store
    return begin_session(store, find_by_claims(store, claims).person_id, "single sign-on")


def _throttle(request: Request) -> Response | None:
    speak_as_asked(request)
    if not is_configured():
        return answer(f"<p>{t('This server has no single sign-on.')}</p>", 404)
    address = address_of(request)
    if ATTEMPTS.is_full(address):
        return _tell_busy(429)
    ATTEMPTS.count(address)
    return _tell_busy(503) if _UNDER_WAY.locked() else None


def _tell_failed(status: int) -> Response:
    return _offer_again(t("Signing in with your identity provider did not work."), status)


def _offer_again(reason: str, status: int) -> Response:
    return answer(f"<p>{escape(reason)}</p>{_AGAIN.format(t('Try again'))}", status)


def _tell_busy(status: int) -> Response:
    return answer(f"<p>{t('Too many attempts. Try again in a minute.')}</p>", status)


_UNDER_WAY = asyncio.Semaphore(MOST_AT_ONCE)


@asynccontextmanager
async def _asking() -> AsyncIterator[None]:
    """Ask the provider, for so long and for so many at once."""
    async with _UNDER_WAY, asyncio.timeout(PATIENCE):
        yield


def _with_session(request: Request, begun: dict[str, Any]) -> Request:
    """Return the request with a place for what has to be known when the visitor is back."""
    return Request({**request.scope, "session": begun})


def _read_begun(request: Request) -> dict[str, Any]:
    """Return what this browser has begun, if that is not too long ago."""
    try:
        begun = _signer().loads(request.cookies.get(_cookie(), ""), BACK_WITHIN)
    except BadData:
        return {}
    return begun if isinstance(begun, dict) else {}


def _cookie() -> str:
    return f"{session_cookie(server().store.secret)}_begun"


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(server().store.secret, salt="single sign-on")


@cache
def _client() -> tuple[Any, str]:
    """Return what speaks to the provider, and the address to which it sends people back.

    It reads once what the provider says of itself; after a failure that is forgotten.
    """
    from authlib.integrations.starlette_client import OAuth

    known = st.secrets["auth"]
    client = OAuth().register(
        "provider",
        client_id=known["client_id"],
        client_secret=known["client_secret"],
        server_metadata_url=known["server_metadata_url"],
        client_kwargs={
            "scope": "openid email profile",
            "prompt": "select_account",
            "code_challenge_method": "S256",
            "verify": _trusted(),
            **dict(known.get("client_kwargs", {})),
        },
    )
    return client, str(known["redirect_uri"])


@cache
def _trusted() -> ssl.SSLContext:
    """Return whose certificates are trusted; Authlib would read them anew for every visitor.

    That takes tenths of a second, in which nobody is served.
    """
    return ssl.create_default_context()
