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
    return origin is None or is_own(origin, request.headers.get("host", ""), request)


def is_own(origin: str, host: str, connection: HTTPConnection) -> bool:
    """Tell whether an origin is a page of this host, and no other kind of page with its name.

    To the letter, as Streamlit compares the hosts: where they differ it asks outside. Over TLS no
    page without it counts: somebody on the way could have written it. A proxy may not say that it
    speaks TLS, so a page with TLS always counts.
    """
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    schemes = ("https",) if is_secure(connection) else ("https", "http")
    return parts.scheme in schemes and parts.netloc == host != ""


def is_secure(connection: HTTPConnection) -> bool:
    """Tell whether the browser speaks TLS, to this server or to a proxy in front of it."""
    nearest = connection.headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
    return connection.url.scheme in ("https", "wss") or nearest in ("https", "wss")
