"""Documents to be judged, in a sandbox: no script runs, nothing is loaded, nothing leaves.

What makes a browser connect before it has asked any policy, taken out of documents. Pictures that
a stored page only names: in their place stands that they are not stored.
"""

import logging
import re
from base64 import b64encode
from hmac import compare_digest
from html import escape, unescape
from itertools import count

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from core.collection.topics_and_documents.page_text import read_page_text
from core.errors import NotAllowed
from core.language.translate import speak, t
from core.store.content.documents import find_document
from core.store.events.marked import hash_text
from core.store.events.passages import markable_text
from core.store.people.people import find_by_session, hash_token
from pages.api.asked_language import language_of, speak_as_asked
from pages.api.plain_text import lay_out
from pages.server.log import log
from pages.server.running import server
from pages.shared.addresses import read_page_address
from pages.shared.highlight import mark_terms
from pages.shared.session import list_open, session_cookie

HEADERS = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "form-action 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-DNS-Prefetch-Control": "off",
    "Cache-Control": "private, max-age=3600",
    "Vary": "Cookie",
}
REFUSED = HEADERS | {"Cache-Control": "no-store"}

STEP = 40
"""Pixels from one place that the judging screen can scroll to to the next; as in page_frames.js."""
_MOST_PLACES = 10_000
_READING = (
    "<style>mark{background:#fff1b8;color:#1a1a1a}mark:target{outline:2px solid #1a1a1a}"
    "html{position:relative}x-places{position:absolute;top:0;left:0;width:1px;height:100%;"
    "overflow:clip;visibility:hidden;pointer-events:none}x-place{position:absolute;left:0}</style>"
)


async def show_page(request: Request) -> Response:
    """Answer with the document that the address was signed for."""
    return await run_in_threadpool(_answer, request)


def _answer(request: Request) -> Response:
    speak_as_asked(request)
    try:
        cookie = request.cookies.get(session_cookie(server().store.secret), "")
        content = _check(request.path_params["token"], cookie)
    except NotAllowed as error:
        log("page refused", logging.WARNING, status=403)
        return HTMLResponse(escape(str(error)), status_code=403, headers=REFUSED)
    document = find_document(server().store, *content[:2])
    if document is None:
        said = t("This page is no longer in the collection.")
        return HTMLResponse(said, status_code=404, headers=REFUSED)
    return HTMLResponse(_render(document, *content[2:]), headers=HEADERS)


def _check(address: str, cookie: str) -> tuple[str, str, str, bool]:
    """Return what an address leads to, for the session it was made for.

    That is collection, document, query, and whether of HTML only the text is to be shown.
    """
    collection_id, document_id, query, session_id, text_only = read_page_address(address)
    person = find_by_session(server().store, session_id)
    if person is None or not compare_digest(session_id, hash_token(cookie)):
        raise NotAllowed(t("This page was handed out to somebody else, or before signing out."))
    if collection_id not in list_open(server().store, person):
        raise NotAllowed(t("You no longer judge in this collection."))
    speak(language_of(collection_id))
    return collection_id, document_id, query, text_only


def _render(document: dict[str, str], query: str, text_only: bool) -> str:
    """Return what is shown; the judging screen knows by its end that all has come: page_text.js."""
    if document["html"] and not text_only:
        shown = explain_pictures(drop_connections(document["html"]))
        content = mark_terms(shown, query) + PICTURES
    elif document["html"]:
        lines = read_page_text(document["html"]).replace("\n", "\n\n")
        content = lay_out(lines, query) if lines else escape(t("There is no text in this page."))
    else:
        content = lay_out(document["text"], query)
    return _name_hits(content) + _add_reading(len(content)) + _add_text(markable_text(document))


def _add_text(text: str | None) -> str:
    """Return the text in which passages are marked, to stand at the very end; see frame_text.js.

    It is taken from the end of what this server sent, where no page can put anything.
    """
    if not text:
        return ""
    code = b64encode(text.encode("utf-8", "replace")).decode()
    return f"<!--dissent-text {hash_text(text)} {code}-->"


def _name_hits(content: str) -> str:
    """Give each marked word a name that the judging screen can lead to, as in page_frames.js."""
    numbers = count()
    return re.sub("<mark>", lambda _: f'<mark id="dissent-hit-{next(numbers)}">', content)


def _add_reading(length: int) -> str:
    """Return what makes a page readable by keyboard, to stand at its end.

    No script runs in it, and from outside nobody can scroll it but to a place with a name: so there
    is one every few pixels, as far down as the page reaches. Its body takes the focus, so that Tab
    leads into a page without links, too, and out of it again.
    """
    number = min(_MOST_PLACES, 100 + length // 20)
    places = "".join(
        f'<x-place id="dissent-{n}" style="top:{n * STEP}px"></x-place>' for n in range(number)
    )
    own = '<html translate="no"><body tabindex="0" translate="no">'  # joins what the page has
    return f'{own}{_READING}<x-places aria-hidden="true">{places}</x-places>'


_TAGS = re.compile(r"<(/?)(link|i?frame)(?=[\s/>])", re.IGNORECASE)
_INSTEAD = {"link": "param", "frame": "param", "iframe": "x-frame"}


def drop_connections(document: str) -> str:
    """Return an HTML document whose links and frames mean nothing.

    Browsers connect to the server that ``<link rel=preconnect>`` or ``<iframe src>`` names, and
    then find that the policy of the page forbids to ask it for anything. In the sandbox neither
    shows anything, so that nothing is lost. This is no guard against scripts: the policy is.
    """
    return _TAGS.sub(lambda tag: f"<{tag[1]}{_INSTEAD[tag[2].lower()]}", document)


# What is in these is no tag; what is never closed reaches to the end, as in a browser.
_UNREAD = r"<!--.*?(?:-->|\Z)|<(?P<raw>script|style|title|textarea)\b.*?(?:</(?P=raw)\s*>|\Z)"
# No longer than need be, so that no page takes long: what has a whole picture in it stays.
_NAME = r"[^\s/>=\"'<][^\s/>=<]{0,100}+"
_VALUE = r"\s*+=\s*+(?:\"[^\"]{0,4000}+\"|'[^']{0,4000}+'|[^\s>\"'<][^\s><]{0,4000}+)"
_IMG = re.compile(
    rf"{_UNREAD}|<img(?P<attributes>(?:[\s/]++(?:{_NAME}(?:{_VALUE})?+)?+){{0,60}}+)>", re.S | re.I
)
_ATTRIBUTE = re.compile(rf"({_NAME})(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+)))?")
_UNSEEN = re.compile(r"\s*[0-2](?:px)?\s*\Z")
"""Width or height of what only counts visits or keeps room."""

PICTURES = (
    "<style>[data-not-stored]{display:inline-block;box-sizing:border-box;max-width:100%!important;"
    "height:auto!important;min-height:0!important;position:static!important;opacity:1!important;"
    "padding:.15em .5em;border:1px dashed #666;background:#f2f2f2;color:#1a1a1a;"
    "font:14px/1.4 system-ui,sans-serif;text-indent:0;overflow-wrap:anywhere}"
    "[data-not-stored]::before{content:attr(data-not-stored)}</style>"
)
"""How it looks. The words are no text of the page: passages are marked in that alone."""


def explain_pictures(document: str) -> str:
    """Return an HTML document with a labelled box for each picture that is loaded from elsewhere.

    The sandbox loads nothing, so that a browser would show a broken icon. What is too small to be
    seen is left out. This is no guard: the policy of the page is.
    """
    return _IMG.sub(lambda tag: tag[0] if tag["attributes"] is None else _box(tag), document)


def _box(tag: re.Match[str]) -> str:
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(tag["attributes"]):
        found.setdefault(name.lower(), unescape("".join(values)))
    source = found.get("srcset", "").strip() or found.get("src", "").strip()
    if source.lower().startswith("data:"):
        return tag[0]
    if any(_UNSEEN.match(found.get(side, "")) for side in ("width", "height")):
        return ""
    alt = " ".join(found.get("alt", "").split())
    said = escape(f"{alt} · {t('Picture not stored')}" if alt else t("Picture not stored"))
    attributes = tag["attributes"].rstrip("/ \t\n\f\r")
    return f'<span role="img" aria-label="{said}" data-not-stored="{said}"{attributes} ></span>'
