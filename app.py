"""Dissent's launcher: the main script and the HTTP routes beside it."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.api.routes import ROUTES
from pages.shared.policy import Policy
from pages.shared.server import lifespan

app = st.App(
    Path(__file__).parent / "pages" / "main.py",
    routes=ROUTES,
    lifespan=lifespan,
    middleware=[Middleware(Policy)],
)
