"""What shows the judging screen while the server cannot be reached, and what makes it an app.

All of it is the same for everybody and holds nothing of a study: a page, its script and its looks,
which a service worker keeps in the browser. What is judged there the screen itself keeps.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cache, partial

from starlette.requests import Request
from starlette.responses import Response

from core.language.translate import LANGUAGES
from pages.api.plain_page import MANIFEST, nothing_here, part_address
from pages.judge.screen_files import (
    link_alone,
    link_worker,
    read_alone_styles,
    read_html,
    read_styles,
)
from pages.shared.frame import MARK

PARTS = "/api/offline/"
"""Where the parts are; strangers may have them."""

WORKER = "/worker.js"
"""At the root: a service worker sees only what lies below it."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""As strict as the screen allows; pages to be judged have a policy of their own."""

_KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}
_PAGE = """<!doctype html><html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Judge · Dissent</title>
<link rel="icon" href="{icon}"><link rel="manifest" href="{manifest}">
<link rel="stylesheet" href="{looks}"><script src="{script}" defer></script></head>
<body><header><img src="{icon}" alt=""><p role="status" data-testid="alone"></p>
<button type="button" data-testid="go-back" hidden></button></header>
<main><template shadowrootmode="open"><link rel="stylesheet" href="{screen}">
{html}</template></main>
</body></html>"""

_ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">
<rect width="512" height="512" fill="#ffffff"/>
<g transform="translate(96 136) scale(10)">{circles}</g></svg>"""


async def show_part(request: Request) -> Response:
    """Answer with the page, its script, its styles or the icon."""
    name = request.path_params["name"]
    if name not in _PARTS:
        return nothing_here(request)
    make, kind = _PARTS[name]
    policy = {"Content-Security-Policy": _POLICY} if kind == "text/html" else {}
    return Response(make(), headers=_KEPT | policy, media_type=kind)


async def show_worker(_: Request) -> Response:
    """Answer with the service worker; its text is another once anything of what it keeps is."""
    return Response(_worker(), headers={"Cache-Control": "no-cache"}, media_type="text/javascript")


async def show_manifest(_: Request) -> Response:
    """Answer with what an installed app is called, looks like and begins with."""
    said = {
        "name": "Dissent",
        "short_name": "Dissent",
        "description": "Judge search results, also without a network.",
        "id": "/judge",
        "start_url": "/judge",
        "scope": "/",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#1d4f91",
        "icons": [
            {"src": _address("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {
                "src": _address("icon.svg"),
                "sizes": "any",
                "type": "image/svg+xml",
                "purpose": "maskable",
            },
        ],
    }
    return Response(
        json.dumps(said),
        headers={"Cache-Control": "no-cache"},
        media_type="application/manifest+json",
    )


def _make_page(language: str) -> str:
    return _PAGE.format(
        language=language,
        icon=_address("icon.svg"),
        manifest=MANIFEST,
        looks=_address("alone.css"),
        screen=_address("screen.css"),
        script=_address(f"alone.{language}.js"),
        html=read_html(language),
    )


def _make_looks() -> str:
    """Return the styles of the page, with the type that the app is set in."""
    faces = "".join(
        f'@font-face{{font-family:"{family}";src:url("{part_address(file)}") format("woff2");'
        "font-weight:200 900;font-display:swap}\n"
        for family, file in _FONTS.items()
    )
    return faces + read_alone_styles()


def _make_icon() -> str:
    mark = MARK.read_text(encoding="utf-8")
    return _ICON.format(circles=mark[mark.index("<circle") : mark.rindex("</svg>")])


_FONTS = {"Source Sans": "source-sans.woff2", "Source Serif": "source-serif.woff2"}
_PARTS: dict[str, tuple[Callable[[], str], str]] = {
    **{
        f"judge.{language}.html": (cache(partial(_make_page, language)), "text/html")
        for language in LANGUAGES
    },
    **{
        f"alone.{language}.js": (cache(partial(link_alone, language)), "text/javascript")
        for language in LANGUAGES
    },
    "alone.css": (cache(_make_looks), "text/css"),
    "screen.css": (cache(read_styles), "text/css"),
    "icon.svg": (cache(_make_icon), "image/svg+xml"),
}


def _address(name: str) -> str:
    """Return where a part is; another address once it is another."""
    return f"{PARTS}{name}?{_digest(_PARTS[name][0]())}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@cache
def _worker() -> str:
    parts = [*map(_address, _PARTS), *map(part_address, _FONTS.values())]
    shell = {
        "name": f"dissent-{_digest(' '.join(parts))}",
        "pages": {language: _address(f"judge.{language}.html") for language in LANGUAGES},
        "parts": parts,
    }
    return f"self.shell = {json.dumps(shell)};\n{link_worker()}"
