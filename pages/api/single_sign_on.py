"""Signing in at an identity provider, where ``[auth]`` of Streamlit's secrets names one."""

import asyncio
import logging
import ssl
from collections import Counter, OrderedDict
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
from pages.shared.throttle import address_of

MOST_AT_ONCE = 50
"""Visitors for whom the provider is asked at the same time; it may be slow to answer."""

MOST_FROM_ONE = 25
"""Of these from one address. Many people may share it, so their attempts are not counted: the
provider is asked once for each visit that began here, and not at all for what did not.
"""

PATIENCE = 10.0
"""Seconds that a provider has for all that it is asked for one visitor."""

BACK_WITHIN = 600
"""Seconds after which a visitor has to begin anew."""

SIGNATURES = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
              "ES256", "ES384", "ES512", "EdDSA"}  # fmt: skip
"""By whose key nobody else can sign. Some providers say that they also sign not at all."""

FACTS = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri",
         "id_token_signing_alg_values_supported")  # fmt: skip
"""What is taken of all that a provider says of itself: Authlib takes the rest for settings."""

_MOST_ASKED = 10_000
_CALLBACK = "/oauth2callback"
_AGAIN = '<p><a class="button" href="/sign-in/provider">{}</a></p>'


def is_configured() -> bool:
    """Tell whether the operator has named an identity provider."""
    return bool(st.secrets.load_if_toml_exists() and "auth" in st.secrets)


async def ask_provider(request: Request) -> Response:
    """Send a visitor to the identity provider."""
    if refused := _refuse(request):
        return refused
    begun: dict[str, Any] = {}
    try:
        async with _asking(request):
            client, redirect_uri = _client()
            await _find_issuer(client)
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
    if refused := _refuse(request):
        return refused
    begun = _read_begun(request)
    if not begun:
        log("single sign-on refused", logging.WARNING, status=403, error="NotBegun")
        return _tell_failed(403)
    answered = await _come_back(request, begun)
    if not begun:  # what was begun is over, whatever came of it
        answered.delete_cookie(_cookie(), path=_CALLBACK)
        if answered.status_code != 303:
            _client.cache_clear()
    return answered


async def _come_back(request: Request, begun: dict[str, Any]) -> Response:
    try:
        async with _asking(request):
            client, _ = _client()
            issuer = await _find_issuer(client)
            _count_once(request, begun)
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


def _count_once(request: Request, begun: dict[str, Any]) -> None:
    """Note that the provider is asked for a visit; raises NotAllowed where it was before.

    A browser may keep what it was told to forget, and come back with other codes.
    """
    state = request.query_params.get("state", "")
    is_of_visit = state and any(name.endswith(f"_{state}") for name in begun)
    if not is_of_visit or "error" in request.query_params:
        return  # Authlib refuses it, and asks nobody
    if state in _ASKED:
        raise NotAllowed("The provider was asked for this visit before.")
    _ASKED[state] = None
    if len(_ASKED) > _MOST_ASKED:
        _ASKED.popitem(last=False)


_ASKED: OrderedDict[str, None] = OrderedDict()
"""The visits for which the provider was asked."""


async def _find_issuer(client: Any) -> str:
    """Return what the provider calls itself, having read how it signs.

    Raises
    ------
    ValueError
        What is asked over TLS leads to places without.
    """
    facts: dict[str, Any] = client.server_metadata
    if "_loaded_at" not in facts:
        await client.load_server_metadata()
        told = {name: facts[name] for name in (*FACTS, "_loaded_at") if name in facts}
        facts.clear()
        facts.update(told)
    is_secure = str(st.secrets["auth"]["server_metadata_url"]).startswith("https:")
    ways = [str(facts[name]) for name in FACTS[1:4]]
    if is_secure and not all(way.startswith("https:") for way in ways):
        raise ValueError("the provider leads to places without TLS")
    named = facts.get(FACTS[-1]) or []
    facts[FACTS[-1]] = [one for one in named if one in SIGNATURES]
    return str(facts["issuer"])


def _begin(claims: dict[str, Any]) -> str:
    store = server().store
    return begin_session(store, find_by_claims(store, claims).person_id, "single sign-on")


def _refuse(request: Request) -> Response | None:
    speak_as_asked(request)
    if not is_configured():
        return answer(f"<p>{t('This server has no single sign-on.')}</p>", 404)
    is_full = _UNDER_WAY.locked() or _FROM[address_of(request)] >= MOST_FROM_ONE
    return _tell_busy(503) if is_full else None


def _tell_failed(status: int) -> Response:
    return _offer_again(t("Signing in with your identity provider did not work."), status)


def _offer_again(reason: str, status: int) -> Response:
    return answer(f"<p>{escape(reason)}</p>{_AGAIN.format(t('Try again'))}", status)


def _tell_busy(status: int) -> Response:
    return answer(f"<p>{t('Too many attempts. Try again in a minute.')}</p>", status)


_UNDER_WAY = asyncio.Semaphore(MOST_AT_ONCE)

_FROM: Counter[str] = Counter()
"""For how many visitors of an address the provider is being asked."""


@asynccontextmanager
async def _asking(request: Request) -> AsyncIterator[None]:
    """Ask the provider, for so long and for so many at once."""
    address = address_of(request)
    _FROM[address] += 1
    try:
        async with _UNDER_WAY, asyncio.timeout(PATIENCE):
            yield
    finally:
        _FROM[address] -= 1
        if not _FROM[address]:
            del _FROM[address]


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
