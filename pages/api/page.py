"""Documents to be judged, in a sandbox: no script runs, nothing is loaded, nothing leaves.

What makes a browser connect before it has asked any policy is taken out of documents. Pictures
that a stored page only names: in their place stands that they are not stored. Plain text as a
page: paragraphs wrap, and code, tables and poems stand as they were written.
"""

import logging
import re
from base64 import b64encode
from collections.abc import Iterator
from hmac import compare_digest
from html import escape, unescape
from itertools import count, groupby

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
        message = t("This page is no longer in the collection.")
        return HTMLResponse(message, status_code=404, headers=REFUSED)
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
    caption = escape(f"{alt} · {t('Picture not stored')}" if alt else t("Picture not stored"))
    attributes = tag["attributes"].rstrip("/ \t\n\f\r")
    return (
        f'<span role="img" aria-label="{caption}" data-not-stored="{caption}"{attributes} ></span>'
    )


# As in fill_text.js of the judging screen.
_GAP = re.compile(r"\n\s*\n")
_BLANK_LINES = re.compile(r"\A\s*\n")
_FURTHER_IN = re.compile(r"(?: {2}|\t)")
_COLUMNS = re.compile(r"\S(?:\t|(?<![.!?:;,]) {2}| {3})\s*\S")
_WIDEST = 120
_PHONE = 40
"""Signs of a line that may be wider than a window: its block is then reached by Tab, to scroll."""

STYLE = (
    "<style>body{font:16px/1.6 system-ui,sans-serif;max-width:70ch;margin:1rem auto;"
    "padding:0 1rem;overflow-wrap:anywhere}p{margin:0 0 .8em;white-space:pre-wrap;tab-size:4}"
    "pre{margin:0 0 .8em;font:14px/1.5 ui-monospace,monospace;tab-size:8;overflow-x:auto;"
    "--shade:#0005,transparent;--end:#fff 20px,transparent;"
    "background:linear-gradient(to right,var(--end)) left/40px 100% local,"
    "linear-gradient(to left,var(--end)) right/40px 100% local,"
    "linear-gradient(to right,var(--shade)) left/16px 100%,"
    "linear-gradient(to left,var(--shade)) right/16px 100%;background-repeat:no-repeat}</style>"
)
"""As `.aligned` of the judging screen, a block that scrolls has a shade where it goes on."""


def lay_out(text: str, query: str) -> str:
    """Return a text as HTML, with its style and with the terms of a query marked.

    A block between blank lines is aligned if a line after its first begins further in, or its
    first behind another such block, or two have columns, and none is longer than 120 signs. They
    stand in a fixed width and scroll sideways; where they have at least half of the lines, all do
    that have no line too long.
    """
    return STYLE + "".join(
        f'<pre dir="auto"{_tab_stop(block)}>\n{_mark(block, query)}</pre>'
        if aligned
        else f'<p dir="auto">{_mark(block, query)}</p>'
        for block, aligned in find_blocks(text)
    )


def find_blocks(text: str) -> list[tuple[str, bool]]:
    """Return the blocks of a text, each with whether its lines are aligned."""
    found = list(_read_blocks(text))
    aligned = sum(block.count("\n") + 1 for block, _, is_so in found if is_so)
    is_mostly = 2 * aligned >= sum(block.count("\n") + 1 for block, _, _ in found)
    sides = [(one, _is_narrow(one[0]) if is_mostly else one[2]) for one in found]
    blocks = []
    for is_so, group in groupby(sides, key=lambda side: side[1]):
        members = [one for one, _ in group]
        if is_so:
            (_, start, _), (last, begins, _) = members[0], members[-1]
            blocks.append((text[start : begins + len(last)], True))
        else:
            blocks += [(block, False) for block, _, _ in members]
    return blocks


def _read_blocks(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield what a block between blank lines says, where it begins, and whether it is aligned."""
    ends = [(gap.start(), gap.end()) for gap in _GAP.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    is_so = False
    for start, end in zip(starts, [*(begin for begin, _ in ends), len(text)], strict=True):
        part = text[start:end].rstrip()
        if block := _BLANK_LINES.sub("", part):
            is_so = _is_aligned(block, behind=is_so)
            yield block, start + len(part) - len(block), is_so


def _is_aligned(block: str, *, behind: bool) -> bool:
    if not _is_narrow(block):
        return False
    lines = block.split("\n")
    return (
        any(map(_FURTHER_IN.match, lines[0 if behind else 1 :]))
        or sum(_COLUMNS.search(line) is not None for line in lines) > 1
    )


def _is_narrow(block: str) -> bool:
    return all(len(line) <= _WIDEST for line in block.split("\n"))


def _tab_stop(block: str) -> str:
    return ' tabindex="0"' if any(len(line) > _PHONE for line in block.split("\n")) else ""


def _mark(block: str, query: str) -> str:
    return mark_terms(escape(block), query)
