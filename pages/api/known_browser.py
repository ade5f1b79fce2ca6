"""Browsers in which somebody has signed in with a password: guesses elsewhere do not count there.

After the OWASP cheat sheet on device cookies.
"""

import hashlib
import secrets

from itsdangerous import BadData, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from pages.server.forms import is_secure
from pages.server.running import server
from pages.shared.session import session_cookie

_LASTS = 365 * 24 * 3600


def know_browser(request: Request, response: Response, name: str) -> None:
    """Mark the browser as one in which somebody of this name has signed in."""
    response.set_cookie(
        _cookie(),
        str(_signer().dumps([_digest(name), secrets.token_hex(8)])),
        max_age=_LASTS,
        path="/sign-in",
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )


def recognise_browser(request: Request, name: str) -> str:
    """Return what stands for the browser, if somebody of this name has signed in there before."""
    try:
        known, mark = _signer().loads(request.cookies.get(_cookie(), ""))
    except (BadData, ValueError, TypeError):
        return ""
    return f"browser {mark}" if known == _digest(name) else ""


def _cookie() -> str:
    return f"{session_cookie(server().store.secret)}_known"


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(server().store.secret, salt="known browser")


def _digest(name: str) -> str:
    return hashlib.sha256(name.strip().casefold().encode()).hexdigest()[:16]
