"""The app with its escaping taken out: a control that shows what the escaping is good for."""

from pathlib import Path

import streamlit as st

import core.figures.style
import core.wording

core.figures.style.plain_text = str
core.wording.plain = str

from starlette.middleware import Middleware  # noqa: E402

from pages.api.routes import ROUTES  # noqa: E402 - only now: modules take the functions by name
from pages.server.gate import Gate  # noqa: E402
from pages.server.running import lifespan  # noqa: E402

MAIN = Path(__file__).parent.parent.parent / "pages" / "main.py"

app = st.App(MAIN, routes=ROUTES, lifespan=lifespan, middleware=[Middleware(Gate, doors=ROUTES)])
