"""Documents to be judged, in a sandbox: no script runs, nothing is loaded, nothing leaves."""

import logging
import re
from base64 import b64encode
from hmac import compare_digest
from html import escape
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
from pages.api.connections import drop_connections
from pages.api.pictures import STYLE as PICTURES
from pages.api.pictures import explain_pictures
from pages.api.plain_text import lay_out
from pages.server.log import log
from pages.server.running import server
from pages.shared.highlight import mark_terms
from pages.shared.page_address import read_page_address
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
