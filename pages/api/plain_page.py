"""Pages outside the app, for whoever is not signed in: no script, and no session.

What they look like comes from this server, too: one style sheet, the mark and two fonts, the same
for everybody and held in memory.
"""

import hashlib
import logging
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from core.language.translate import spoken, t
from pages.api.asked_language import speak_as_asked
from pages.server.log import log
from pages.shared.frame import MARK

PARTS = "/api/plain/"
"""Where the parts of plain pages are; strangers may have them."""

MANIFEST = "/manifest.webmanifest"
"""What makes the judging screen an app; linked here, it is installed from the entry, too."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; font-src 'self'; "
    "img-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; "
    "base-uri 'none'",
    # Not "no-referrer": the form's own Origin would then be "null".
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}
_FONTS = Path(streamlit.__file__).parent / "static" / "static" / "media"
"""The fonts that the app itself is set in; their names have a hash."""

_FILES = {
    "plain.css": (Path(__file__).parent / "plain", "plain.css", "text/css"),
    "results.css": (Path(__file__).parent / "plain", "results.css", "text/css"),
    "mark.svg": (MARK.parent, MARK.name, "image/svg+xml"),
    "source-sans.woff2": (_FONTS, "SourceSansVF-Upright.*.woff2", "font/woff2"),
    "source-serif.woff2": (_FONTS, "SourceSerifVariable-Roman.*.woff2", "font/woff2"),
}
DESCRIBED = 'aria-invalid="true" aria-describedby="problem"'
"""Of a field that `complain` is about."""

_PAGE = """<!doctype html><html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{name}</title>
<link rel="icon" href="{icon}"><link rel="manifest" href="{manifest}">
<link rel="stylesheet" href="{style}"></head>
<body><header>{mark}<span>Dissent</span></header>
<main><h1>{title}</h1>{body}</main></body></html>"""


def answer(body: str, status: int = 200, *, title: str = "") -> HTMLResponse:
    """Return a small page of its own, outside the app; a refusal is logged.

    Parameters
    ----------
    body : str
        HTML; what comes from people is escaped in it.
    status : int
        The status.
    title : str
        What stands above; escaped here.
    """
    if status >= 400:
        log("visitor refused", logging.WARNING, status=status)
    title = title or (t("That did not work") if status >= 400 else "Dissent")
    page = _PAGE.format(
        language=spoken(),
        name=escape(title if title == "Dissent" else f"{title} · Dissent"),
        icon=part_address("mark.svg"),
        manifest=MANIFEST,
        style=part_address("plain.css"),
        mark=_read("mark.svg").decode(),
        title=escape(title),
        body=body,
    )
    return HTMLResponse(page, status_code=status, headers=_HEADERS)


def complain(reason: str) -> str:
    """Return what stands above a form when what was sent did not do; escaped here."""
    return f'<p role="alert" id="problem">{escape(reason[:1].upper() + reason[1:])}.</p>'


def list_facts(facts: Mapping[str, str]) -> str:
    """Return what is said of a thing, as a list; escaped here."""
    rows = (
        f"<dt>{escape(name)}</dt><dd>{escape(value[:1].upper() + value[1:])}</dd>"
        for name, value in facts.items()
    )
    return f"<dl>{''.join(rows)}</dl>"


async def show_part(request: Request) -> Response:
    """Answer with the style sheet, the mark or a font."""
    name = request.path_params["name"]
    if name not in _FILES:
        return nothing_here(request)
    return Response(_read(name), headers=_KEPT, media_type=_FILES[name][2])


def nothing_here(request: Request) -> Response:
    """Answer that an address leads nowhere, in the language that the browser asks for."""
    speak_as_asked(request)
    return Response(t("There is nothing here."), 404, media_type="text/plain")


@cache
def _read(name: str) -> bytes:
    folder, pattern, _ = _FILES[name]
    return next(folder.glob(pattern)).read_bytes()


@cache
def part_address(name: str) -> str:
    """Return where a part is; another address once it is another."""
    return f"{PARTS}{name}?{hashlib.sha256(_read(name)).hexdigest()[:12]}"
