"""The app with guards taken out: a control that shows what they are good for.

``UNGUARDED`` in the environment names them, with commas between: ``gate`` lets strangers as far
as Streamlit, ``origins`` takes out Streamlit's own look at where a visitor comes from,
``connections`` puts up with everything that a connection does, ``provider`` with everything that
an identity provider does, ``sign-outs`` notes every one of them, ``log`` leaves it to each library
what it writes, ``files`` gives every file of a page to everybody who is signed in, ``cookies``
names those of all stores alike.
"""

import asyncio
import os
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from streamlit import config

from core.store.file.database import Cursor
from core.store.people import people
from pages.api import sign_in, single_sign_on
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server import gate
from pages.server import running as serving
from pages.server.connections import WATCH, ConnectionLimits
from pages.server.middleware import Policy
from pages.server.running import lifespan, server
from pages.shared import session

OUT = os.environ.get("UNGUARDED", "").split(",")
MAIN = Path(__file__).parent.parent.parent / "pages" / "main.py"


def note_sign_out(token: str) -> None:
    """Note it, whether it ends anything or not."""
    with server().store.change("", "sign out", "person") as cursor:
        end(cursor, token)


def end(cursor: Cursor, token: str) -> None:
    cursor.execute(
        "UPDATE sessions SET ended_at = now() WHERE token_hash = ?", [people.hash_token(token)]
    )


if "origins" in OUT:
    config.set_option("server.enableCORS", False)
    config.set_option("server.enableXsrfProtection", False)
if "connections" in OUT:
    WATCH.limits = ConnectionLimits(1e9, 1e9, 1e9, 1e9, most_waiting=10**9, most_open=10**9)
if "provider" in OUT:
    single_sign_on.PATIENCE = 1e9
    single_sign_on._UNDER_WAY = asyncio.Semaphore(10**9)
if "log" in OUT:
    serving.unite_logs = lambda: None
if "files" in OUT:
    gate._OfferedFiles.knows = lambda *_: True
if "cookies" in OUT:
    for module in (gate, session, sign_in):
        module.session_cookie = lambda _secret: "dissent"
if "sign-outs" in OUT:
    sign_in._end_session = note_sign_out

app = st.App(
    MAIN,
    routes=ROUTES,
    lifespan=lifespan,
    middleware=[Middleware(Policy)] if "gate" in OUT else MIDDLEWARE,
)
