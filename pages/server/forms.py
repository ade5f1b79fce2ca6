"""Whether what changes something was sent from a page of this server."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection


def comes_from_here(request: HTTPConnection) -> bool:
    """Tell whether a form was sent from a page of this server, as far as the browser says.

    Otherwise any site could sign a visitor out, or in as somebody else.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or host_of(origin) == request.headers.get("host")


def host_of(origin: str) -> str:
    """Return the host and port of an origin; nothing of what is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
