"""Pages outside the app, for whoever is not signed in: no script, and no session."""

import logging

from starlette.responses import HTMLResponse

from pages.server.log import log

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    # Not "no-referrer": the form's own Origin would then be "null".
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
ELSEWHERE = "<p>This was sent from another site. Open the link yourself.</p>"
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Dissent</title>
<style>:root{{color-scheme:light dark}}body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:32rem;
margin:15vh auto;padding:0 1rem}}
button,input,a.button{{font:inherit;padding:.6rem 1.4rem}}button,a.button{{cursor:pointer}}
a.button{{display:inline-block;box-sizing:border-box;border:1px solid;border-radius:.2rem;
color:inherit;text-decoration:none}}
form.row{{display:inline}}.row{{margin:0 .6rem .6rem 0}}
input{{padding:.6rem;width:100%;box-sizing:border-box;margin:.3rem 0 1rem}}</style>
<main><h1>Dissent</h1>{body}</main></html>"""


def answer(body: str, status: int = 200) -> HTMLResponse:
    """Return a small page of its own, outside the app; a refusal is logged."""
    if status >= 400:
        log("visitor refused", logging.WARNING, status=status)
    return HTMLResponse(_PAGE.format(body=body), status_code=status, headers=_HEADERS)
