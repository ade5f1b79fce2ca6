"""What the app's own page may load and where it may lead, as a header: the second line of defence.

The first line is that texts are shown as texts. Should one of them become markup all the same,
then no script of it runs, nothing is asked of another server, and no frame leads elsewhere.
"""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
