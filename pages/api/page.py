"""Documents to be judged, in a sandbox: no script runs, nothing is loaded, nothing leaves."""

from html import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from core.errors import NotAllowed
from core.store.database import fetch
from pages.api.highlight import mark_terms
from pages.shared.server import server

_PURPOSE = "page"
HEADERS = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "form-action 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, max-age=3600",
}
_STYLE = (
    "<style>body{font:16px/1.6 system-ui,sans-serif;max-width:70ch;margin:1rem auto;"
    "padding:0 1rem;white-space:pre-wrap;overflow-wrap:anywhere}</style>"
)


def page_address(collection_id: str, document_id: str, query: str) -> str:
    """Return the address under which an assessor's browser may show one document."""
    return "/api/page/" + server().sign(_PURPOSE, [collection_id, document_id, query])


async def show_page(request: Request) -> Response:
    """Answer with the document that the address was signed for."""
    try:
        content = server().read_signed(_PURPOSE, request.path_params["token"])
    except NotAllowed as error:
        return HTMLResponse(escape(str(error)), status_code=403, headers=HEADERS)
    return HTMLResponse(await run_in_threadpool(_render, *content), headers=HEADERS)


def _render(collection_id: str, document_id: str, query: str) -> str:
    rows = fetch(
        server().store.cursor(),
        "SELECT text, html FROM documents WHERE collection_id = ? AND document_id = ?",
        [collection_id, document_id],
    )
    if not rows:
        return "This page is no longer in the collection."
    if rows[0]["html"]:
        return mark_terms(rows[0]["html"], query)
    return _STYLE + f'<div dir="auto">{mark_terms(escape(rows[0]["text"] or ""), query)}</div>'
