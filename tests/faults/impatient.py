"""The app with a judging screen that waits less than usual for a server that is silent.

With ``UNGUARDED=sight`` in the environment it also takes levels of what is not on the screen: a
control that shows what the guard is good for.
"""

import os
from pathlib import Path

import streamlit as st

from pages.judge import module_linker

SILENCE = 3_500
"""Milliseconds."""

_CHANGES = {"page_text.js": ("const SILENCE = 25_000;", f"const SILENCE = {SILENCE};")}
if os.environ.get("UNGUARDED") == "sight":
    _CHANGES["answers.js"] = ("if (whyNot) return", "if (false) return")
_read_module = module_linker.read_module


def read_changed(path: Path, text: str | None = None) -> module_linker.Module:
    """Read a module of the screen, changed as wanted."""
    if path.name in _CHANGES:
        old, new = _CHANGES[path.name]
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path.name} has changed: {old}"
        text = text.replace(old, new)
    return _read_module(path, text)


module_linker.read_module = read_changed

from pages.api.routes import MIDDLEWARE, ROUTES  # noqa: E402 - only now: modules are read by then
from pages.server.running import lifespan  # noqa: E402

MAIN = Path(__file__).parent.parent.parent / "pages" / "main.py"

app = st.App(MAIN, routes=ROUTES, lifespan=lifespan, middleware=MIDDLEWARE)
