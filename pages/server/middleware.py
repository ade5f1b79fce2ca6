"""What every request passes: failures are answered in words, and pages get their policy.

A visitor is told in their language when the server cannot do what was asked.

What the app's own page may load and where it may lead is said in a header: the second line of
defence. The first line is that texts are shown as texts. Should one of them become markup all the
same, then no script of it runs, nothing is asked of another server, and no frame leads elsewhere.
"""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import DissentError, StoreFull, StoreUnreachable
from core.language.translate import t
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import answer, complain
from pages.server.log import log_error

_FULL = (
    "The server has no room left, so that nothing of this was saved. What was saved before is "
    "safe. Try again later, or tell the organiser."
)
_FAILED = "Something went wrong on the server, and was noted there. Try again in a moment."


class Failures:
    """Answers with a page, or JSON, where an error would end a request without a word.

    What has begun to be answered is left as it is; the server ends it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does, or say what failed."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except DissentError as error:
            if begun:
                raise
            log_error("request failed", error)
            await _tell(Request(scope), error)(scope, receive, send)
        except Exception as error:
            if not begun:
                await _tell(Request(scope), error)(scope, receive, send)
            raise  # the server notes where it came up


def _tell(request: Request, error: Exception) -> Response:
    """Return what a visitor is told; the words of an error nobody expected are not among it."""
    speak_as_asked(request)
    if isinstance(error, StoreFull):
        status, reason = 507, t(_FULL)
    elif isinstance(error, StoreUnreachable):
        status, reason = 503, str(error)
    elif isinstance(error, DissentError):
        status, reason = 422, str(error)
    else:
        status, reason = 500, t(_FAILED)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": reason}, status_code=status)
    return answer(complain(reason.removesuffix(".")), status)


_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def _own_scripts() -> list[str]:
    """Return the hashes of the scripts that stand within Streamlit's page itself."""
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    scripts = _INLINE.findall(page.read_text(encoding="utf-8"))
    return [f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in scripts]


POLICY = "; ".join(
    (
        "default-src 'none'",
        " ".join(("script-src 'self' blob:", *_own_scripts())),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "frame-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)
"""Components reach the page as blobs; figures and tables set styles of their own."""


class Policy:
    """Adds the policy to every page that does not bring a stricter one of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does, with the headers added."""

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                if headers.get("content-type", "").startswith("text/html"):
                    headers.setdefault("Content-Security-Policy", POLICY)
                    headers.setdefault("Referrer-Policy", "same-origin")
            await send(message)

        await self.app(scope, receive, send_guarded)
