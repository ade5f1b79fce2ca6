"""Dissent's launcher: the main script and the HTTP routes beside it."""

from pathlib import Path

import streamlit as st

from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server.running import lifespan

app = st.App(
    Path(__file__).parent / "pages" / "main.py",
    routes=ROUTES,
    lifespan=lifespan,
    middleware=MIDDLEWARE,
)
